import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A test in the JSON report of Vitest or Playwright. */
export interface ReportedTest {
  /** Absolute path. */
  readonly file: string
  /** Full title, including its groups. */
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly messages: readonly string[]
}

interface VitestReport {
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
    readonly tests: readonly {
      readonly status: string
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
  readonly suites?: readonly PlaywrightSuite[]
}

interface PlaywrightReport {
  readonly config: { readonly rootDir: string }
  readonly suites: readonly PlaywrightSuite[]
}

/** Reads `vitest.json` or `playwright.json`. A Playwright test has one entry for each window. */
export function readReport(path: string): ReportedTest[] {
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (basename(path) === 'vitest.json') return listVitest(report as VitestReport)
  const { config, suites } = report as PlaywrightReport
  return suites.flatMap((suite) => listSuite(suite, `${config.rootDir}/${suite.file}`, []))
}

const listVitest = ({ testResults }: VitestReport): ReportedTest[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
      file: name,
      title: fullName,
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
      messages: failureMessages,
    })),
  )

const listSuite = (
  { specs, suites = [] }: PlaywrightSuite,
  file: string,
  titles: readonly string[],
): ReportedTest[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      file,
      title: [...titles, title].join(' '),
      status: STATUSES[status] ?? ('failed' as const),
      messages: results.flatMap(({ errors }) => errors.flatMap(({ message }) => message ?? [])),
    })),
  ),
  ...suites.flatMap((suite) => listSuite(suite, file, [...titles, suite.title])),
]

const STATUSES: Readonly<Record<string, ReportedTest['status']>> = { expected: 'passed', skipped: 'skipped' }
