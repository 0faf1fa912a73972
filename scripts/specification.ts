/** A row of docs/specification.md: what must be, and the test that shows it. */
export interface Claim {
  readonly text: string
  readonly test: { readonly file: string; readonly title: string }
}

export interface RanTest {
  /** As the runner names it: absolute. */
  readonly file: string
  /** With the titles of the groups around it. */
  readonly title: string
  readonly hasPassed: boolean
}

export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

interface PlaywrightSuite {
  readonly title: string
  readonly file: string
  readonly specs: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly { readonly status: string }[]
  }[]
  readonly suites?: readonly PlaywrightSuite[]
}

export interface PlaywrightReport {
  readonly config: { readonly rootDir: string }
  readonly suites: readonly PlaywrightSuite[]
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

export const ranInVitest = ({ testResults }: VitestReport): RanTest[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: name,
      title: fullName,
      hasPassed: status === 'passed',
    })),
  )

/** A test that runs in several windows has passed when it has in each of them. */
export const ranInPlaywright = ({ config, suites }: PlaywrightReport): RanTest[] =>
  suites.flatMap((suite) => ranInSuite(suite, `${config.rootDir}/${suite.file}`, []))

const ranInSuite = (
  { specs, suites = [] }: PlaywrightSuite,
  file: string,
  around: readonly string[],
): RanTest[] => [
  ...specs.map(({ title, ok, tests }) => ({
    file,
    title: [...around, title].join(' '),
    hasPassed: ok && tests.length > 0 && tests.every(({ status }) => status !== 'skipped'),
  })),
  ...suites.flatMap((suite) => ranInSuite(suite, file, [...around, suite.title])),
]

/** Why the test of a claim does not show it, or null. Each test that has the words in its title must have passed. */
export function problemOf({ test }: Claim, ran: readonly RanTest[]): string | null {
  const meant = ran.filter(({ file, title }) => file.endsWith(`/${test.file}`) && title.includes(test.title))
  if (meant.length === 0) return 'did not run'
  return meant.every(({ hasPassed }) => hasPassed) ? null : 'did not pass'
}
