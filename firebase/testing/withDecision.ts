/** Adds to each row what the rules decide on its request, so that the title of a test can say it. */
export const withDecision = <Row extends [...unknown[], boolean]>(rows: readonly Row[]) =>
  rows.map((row): ['allow' | 'refuse', ...Row] => [row.at(-1) ? 'allow' : 'refuse', ...row])
