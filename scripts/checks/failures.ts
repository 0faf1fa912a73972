import { relative } from 'node:path'
import { SECOND } from '../../domain/common/duration.ts'
import type { ReportedTest } from './reports.ts'

const MAX_MESSAGE_LINES = 12
const MAX_LINE_LENGTH = 300

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

export function describeFailure(test: ReportedTest, root: string): string[] {
  const file = relative(root, test.file)
  const messages = test.messages.map((message) => message.replace(COLORS, ''))
  return [
    `  ${findPlace(file, messages)}${test.project ? ` [${test.project}]` : ''}: ${test.title}`,
    ...messages.flatMap(shorten),
    ...(test.pictures ?? []).map((path) => `    picture: ${relative(root, path)}`),
    `    again: ${buildRepeatCommand(file, test)}`,
  ]
}

/** A flaky test passed when it was repeated alone. A test that was not repeated stays failed. */
export function separateFlaky(failed: readonly ReportedTest[], repeated: readonly ReportedTest[]) {
  const flaky: (readonly [first: ReportedTest, again: ReportedTest])[] = []
  const red: ReportedTest[] = []
  for (const first of failed) {
    const again = repeated.find((test) => isSameTest(test, first) && test.status === 'passed')
    if (again) flaky.push([first, again])
    else red.push(first)
  }
  return { flaky, red }
}

const isSameTest = (one: ReportedTest, other: ReportedTest) =>
  one.file === other.file && one.title === other.title && one.project === other.project

export function describeFlaky([first, again]: readonly [ReportedTest, ReportedTest], root: string): string[] {
  const [place = '', ...rest] = describeFailure(first, root)
  return [place, `    failed after ${formatSeconds(first)}, passed alone in ${formatSeconds(again)}`, ...rest]
}

export const formatGitHubWarning = (title: string, lines: readonly string[]) =>
  `::warning title=${title}::${lines.join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A')}`

const formatSeconds = ({ duration = 0 }: ReportedTest) => `${(duration / SECOND).toFixed(1)} s`

function findPlace(file: string, messages: readonly string[]): string {
  const [, line] =
    messages
      .flatMap((message) => message.split('\n'))
      .map(createLineFinder(file))
      .find(Boolean) ?? []
  return line ? `${file}:${line}` : file
}

const createLineFinder = (file: string) => (text: string) =>
  text.includes(file) ? /:(\d+):\d+\)?$/.exec(text.trim()) : null

function shorten(message: string): string[] {
  const lines = message.trim().split('\n').slice(0, MAX_MESSAGE_LINES)
  return lines.map((line) => `    ${line.slice(0, MAX_LINE_LENGTH)}`)
}

function buildRepeatCommand(file: string, { title, project }: ReportedTest): string {
  const pattern = quoteForShell(`${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
  if (project) return `npm run e2e -- ${file} --project=${project} -g ${pattern}`
  return `npm run unit -- ${file} -t ${pattern}`
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
