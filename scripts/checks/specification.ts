import type { RanTest } from '../reports/ran.ts'

/** A row of docs/specification.md: what must be, and the test that shows it. */
export interface Claim {
  readonly text: string
  readonly test: { readonly file: string; readonly title: string }
}

/**
 * The claims of the tables in `markdown`.
 * @throws Error for a row that does not name its test
 */
export function claimsOf(markdown: string): Claim[] {
  const tables = markdown.split('\n').filter((line) => line.startsWith('|'))
  return tables.flatMap((line, index) => {
    const isHead = /^\|[ -]+\|/.test(tables[index + 1] ?? '')
    return isHead || /^\|[ -]+\|/.test(line) ? [] : [claimOf(line)]
  })
}

function claimOf(row: string): Claim {
  const [text = '', file = '', title = '', ...more] = row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
  if (!(text && file && title) || more.length > 0) throw new Error(`Not three cells: ${row}`)
  return { text, test: { file: file.replaceAll('`', ''), title } }
}

/** Why the test of a claim does not show it, or null. Each test that has the words in its title must have passed. */
export function problemOf({ test }: Claim, ran: readonly RanTest[]): string | null {
  const meant = ran.filter(({ file, title }) => file.endsWith(`/${test.file}`) && title.includes(test.title))
  if (meant.length === 0) return 'did not run'
  return meant.every(({ hasPassed }) => hasPassed) ? null : 'did not pass'
}
