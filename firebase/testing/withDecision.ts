export const withDecision = <Row extends [...unknown[], boolean]>(rows: readonly Row[]) =>
  rows.map((row): ['allow' | 'refuse', ...Row] => [row.at(-1) ? 'allow' : 'refuse', ...row])
