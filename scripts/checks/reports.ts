import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** From the JSON report of Vitest or Playwright. */
export interface ReportedTest {
  readonly file: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly messages: readonly string[]
  readonly project?: string
  /** For a screen, its checks in each language and size. */
  readonly steps?: readonly string[]
  readonly pictures?: readonly string[]
  /** In milliseconds. */
  readonly duration?: number
}

export const REPORT_FILES = '{vitest,playwright,repeated}.json'

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

interface PlaywrightStep {
  readonly title: string
  readonly steps?: readonly PlaywrightStep[]
}

interface PlaywrightResult {
  readonly duration: number
  readonly errors: readonly { readonly message?: string }[]
  readonly steps?: readonly PlaywrightStep[]
  readonly attachments?: readonly { readonly contentType: string; readonly path?: string }[]
}

interface PlaywrightSuite {
  readonly title: string
  readonly file: string
  readonly specs: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly projectName: string
      readonly status: string
      readonly results: readonly PlaywrightResult[]
    }[]
  }[]
  readonly suites?: readonly PlaywrightSuite[]
}

interface PlaywrightReport {
  readonly config: { readonly rootDir: string }
  /** Errors outside of a test, for example while a server stops. */
  readonly errors: readonly { readonly message?: string }[]
  readonly suites: readonly PlaywrightSuite[]
}

/** A Playwright test has one entry for each window. `hasErrors`: an error belonged to no test. */
export function readReport(path: string): { tests: ReportedTest[]; hasErrors: boolean } {
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (basename(path) === 'vitest.json') return { tests: listVitest(report as VitestReport), hasErrors: false }
  const { config, errors, suites } = report as PlaywrightReport
  const tests = suites.flatMap((suite) => listSuite(suite, `${config.rootDir}/${suite.file}`, []))
  return { tests, hasErrors: errors.length > 0 }
}

export const listClaims = ({ file, project, title, status, steps = [] }: ReportedTest): string[] =>
  status === 'passed'
    ? ['', ...steps].map((step) => [file, project, title, step].filter(Boolean).join(' · '))
    : []

const listVitest = ({ testResults }: VitestReport): ReportedTest[] =>
  testResults.flatMap(({ name, status, message = '', assertionResults }) =>
    // A file that can't be loaded has no tests.
    status === 'failed' && assertionResults.length === 0
      ? [{ file: name, title: 'the file can be loaded', status, messages: [message] }]
      : assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
          file: name,
          title: fullName,
          status: status === 'passed' || status === 'failed' ? status : ('skipped' as const),
          messages: failureMessages,
        })),
  )

const listSuite = (
  { specs, suites = [] }: PlaywrightSuite,
  file: string,
  titles: readonly string[],
): ReportedTest[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      file,
      title: [...titles, title].join(' '),
      status: STATUSES[status] ?? ('failed' as const),
      messages: results.flatMap(({ errors }) => errors.flatMap(({ message }) => message ?? [])),
      project: projectName,
      duration: results.reduce((sum, { duration }) => sum + duration, 0),
      steps: results.flatMap(({ steps = [] }) => steps.flatMap(listSteps)),
      pictures: results.flatMap(({ attachments = [] }) =>
        attachments.flatMap(({ contentType, path }) => (contentType === 'image/png' && path ? path : [])),
      ),
    })),
  ),
  ...suites.flatMap((suite) => listSuite(suite, file, [...titles, suite.title])),
]

const listSteps = ({ title, steps = [] }: PlaywrightStep): string[] => [title, ...steps.flatMap(listSteps)]

const STATUSES: Readonly<Record<string, ReportedTest['status']>> = { expected: 'passed', skipped: 'skipped' }
