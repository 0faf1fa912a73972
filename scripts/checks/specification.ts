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
export function problemOf(claim: Claim, ran: readonly RanTest[]): string | null {
  const meant = meantBy(claim, ran)
  if (meant.length === 0) return 'did not run'
  return meant.every(({ hasPassed }) => hasPassed) ? null : 'did not pass'
}

/** Whether any of the tests has the words of the claim in its title. */
export const isNamed = (claim: Claim, tests: readonly RanTest[]): boolean => meantBy(claim, tests).length > 0

function meantBy({ test }: Claim, ran: readonly RanTest[]) {
  return ran.filter((one) => isOf(one, test.file) && one.title.includes(test.title))
}

const isOf = ({ file }: RanTest, path: string) => file.endsWith(`/${path}`)

/** What a run of some tests says of a claim. */
export type Standing =
  | 'shown'
  | 'did not pass'
  /** Its file ran whole, and has no test of that title any more. */
  | 'is not there'
  /** Its file ran without it. */
  | 'was left out'
  /** Nothing of its file ran. */
  | 'did not run'

/** What one runner has left of one run. */
export interface Run {
  readonly tests: readonly RanTest[]
  /** Whether its files may have tests that it does not name. */
  readonly isNarrowed: boolean
}

/** What is known after a run of everything and later ones of some files: where both speak of a test, the later one is right. */
export function laterRuns(whole: readonly RanTest[], later: readonly Run[]) {
  const keyOf = ({ file, title }: RanTest) => `${file}\n${title}`
  const ranWhole = new Set(later.flatMap((run) => (run.isNarrowed ? [] : run.tests.map(({ file }) => file))))
  const ranInPart = new Set(later.flatMap((run) => (run.isNarrowed ? run.tests.map(({ file }) => file) : [])))
  const replaced = new Set(later.flatMap(({ tests }) => tests.filter((one) => !one.wasLeftOut).map(keyOf)))
  const stillGood = whole.filter((one) => !(ranWhole.has(one.file) || replaced.has(keyOf(one))))
  return {
    tests: [...stillGood, ...later.flatMap(({ tests }) => tests)],
    isNarrowed: (file: string) => ranInPart.has(file),
  }
}

/** @param isNarrowed whether a file may have tests that `ran` does not know, because only some of its tests were asked for. */
export function standingOf(
  claim: Claim,
  ran: readonly RanTest[],
  isNarrowed: (file: string) => boolean,
): Standing {
  const inFile = ran.filter((one) => isOf(one, claim.test.file))
  const [first] = inFile
  if (!first) return 'did not run'
  const meant = meantBy(claim, inFile)
  if (meant.length === 0) return isNarrowed(first.file) ? 'was left out' : 'is not there'
  const taken = meant.filter(({ wasLeftOut }) => !wasLeftOut)
  if (taken.length === 0) return 'was left out'
  return taken.every(({ hasPassed }) => hasPassed) ? 'shown' : 'did not pass'
}
