import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { JSONReport, JSONReportSuite, JSONReportTestStep as TestStep } from '@playwright/test/reporter'
import type { JsonTestResults } from 'vitest/node'

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

/**
 * A Playwright test has one entry for each window. `hasErrors`: an error belonged to no test, for example while a
 * server stopped.
 */
export function readReport(path: string): { tests: ReportedTest[]; hasErrors: boolean } {
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (basename(path) === 'vitest.json')
    return { tests: listVitest(report as JsonTestResults), hasErrors: false }
  const { config, errors, suites } = report as JSONReport
  const tests = suites.flatMap((suite) => listSuite(suite, `${config.rootDir}/${suite.file}`, []))
  return { tests, hasErrors: errors.length > 0 }
}

export const listClaims = ({ file, project, title, status, steps = [] }: ReportedTest): string[] =>
  status === 'passed'
    ? ['', ...steps].map((step) => [file, project, title, step].filter(Boolean).join(' · '))
    : []

const listVitest = ({ testResults }: JsonTestResults): ReportedTest[] =>
  testResults.flatMap(({ name, status, message = '', assertionResults }) =>
    // A file that can't be loaded has no tests.
    status === 'failed' && assertionResults.length === 0
      ? [{ file: name, title: 'the file can be loaded', status, messages: [message] }]
      : assertionResults.map(({ fullName, status, failureMessages }) => ({
          file: name,
          title: fullName,
          status: status === 'passed' || status === 'failed' ? status : ('skipped' as const),
          messages: failureMessages ?? [],
        })),
  )

const listSuite = (
  { specs, suites = [] }: JSONReportSuite,
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

const listSteps = ({ title, steps = [] }: TestStep): string[] => [title, ...steps.flatMap(listSteps)]

const STATUSES: Readonly<Record<string, ReportedTest['status']>> = { expected: 'passed', skipped: 'skipped' }
