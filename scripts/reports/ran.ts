/** A test that has run, as a report of Vitest or Playwright tells of it. */
export interface RanTest {
  /** As the runner names it: absolute. */
  readonly file: string
  /** With the titles of the groups around it. */
  readonly title: string
  readonly hasPassed: boolean
  /** Somebody chose others of its file (`-t`), or it is skipped. */
  readonly wasLeftOut: boolean
  /** Why it failed, as the runner says it. */
  readonly messages: readonly string[]
}

export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

interface PlaywrightSuite {
  readonly title: string
  readonly file: string
  readonly specs: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly {
      readonly status: string
      readonly results?: readonly { readonly errors?: readonly { readonly message?: string }[] }[]
    }[]
  }[]
  readonly suites?: readonly PlaywrightSuite[]
}

export interface PlaywrightReport {
  readonly config: { readonly rootDir: string }
  readonly suites: readonly PlaywrightSuite[]
}

export const ranInVitest = ({ testResults }: VitestReport): RanTest[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
      file: name,
      title: fullName,
      hasPassed: status === 'passed',
      wasLeftOut: status !== 'passed' && status !== 'failed',
      messages: failureMessages,
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
    wasLeftOut: tests.every(({ status }) => status === 'skipped'),
    messages: tests
      .flatMap(({ results = [] }) => results)
      .flatMap(({ errors = [] }) => errors.flatMap(({ message }) => message ?? [])),
  })),
  ...suites.flatMap((suite) => ranInSuite(suite, file, [...around, suite.title])),
]
