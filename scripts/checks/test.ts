// `npm test`: runs every check, then repeats the failures and prints the counts. To use several machines,
// `npm test -- --part code` runs what needs no browser, and `npm test -- --part browser --shard 1/4` a share
// of the end-to-end tests.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../build/build.ts'
import { printHeading, runShellCommand, STATIC_CHECKS } from './commands.ts'
import { readReport } from './reports.ts'

const REPORTS = '.cache/reports'
const MAX_MESSAGE_LINES = 12
const MAX_LINE_LENGTH = 300

const { values } = parseArgs({
  options: { part: { type: 'string' }, shard: { type: 'string' }, trace: { type: 'string' } },
})
const { part, shard, trace } = values
if (part && part !== 'code' && part !== 'browser') throw new Error(`'${part}' is not a part of the checks.`)

rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

let passed = 0
let failed = 0
const times: string[] = []
const failures: string[] = []

if (part !== 'browser') {
  for (const [title, command] of Object.entries(STATIC_CHECKS)) await check(title, command)
  await runUnitTests('unit', `${REPORTS}/vitest.json`)
  await runUnitTests('unit, emulators', `${REPORTS}/emulators/vitest.json`, '--root emulators')
  await check('transitions', `node scripts/checks/transitions.ts ${REPORTS}/vitest.json`)
}
await measure('build', async () => ensureBuilt('sandbox'))
if (part !== 'browser') await check('budgets', 'node scripts/checks/budgets.ts')
if (part !== 'browser') await check('engines', 'node scripts/checks/engines.ts')
if (part !== 'code') {
  const options = `${shard ? ` --shard=${shard}` : ''}${trace ? ` --trace=${trace}` : ''}`
  await runTests('e2e', `${REPORTS}/playwright.json`, `playwright test --reporter=list,json${options}`)
}
// Needs the reports of both parts.
if (!part) await check('specification, by the reports', 'node scripts/checks/specification.ts --ran')

printHeading('time')
console.log(times.join('\n'))
if (failures.length > 0) {
  printHeading('failures')
  console.log(failures.join('\n'))
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

async function check(title: string, command: string) {
  if (await measure(title, () => runShellCommand(command))) passed += 1
  else {
    failed += 1
    failures.push(title)
  }
}

function runUnitTests(title: string, report: string, options = '') {
  const reporters = `--reporter=default --reporter=json --outputFile.json=${resolve(report)}`
  return runTests(title, report, `vitest run ${reporters} ${options}`)
}

async function runTests(title: string, report: string, command: string) {
  const hasSucceeded = await measure(title, () =>
    runShellCommand(command, { PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
  )
  const tests = existsSync(report) ? readReport(report) : []
  const failedTests = tests.filter(({ status }) => status === 'failed')
  passed += tests.filter(({ status }) => status === 'passed').length
  // A runner can also fail without a failed test, for example with an error in a teardown.
  failed += hasSucceeded ? failedTests.length : Math.max(failedTests.length, 1)
  if (!hasSucceeded) failures.push(title)
  for (const test of failedTests)
    failures.push(`  ${relative(process.cwd(), test.file)}: ${test.title}`, ...test.messages.map(shorten))
}

/** Returns the first lines, which contain the expectation. */
function shorten(message: string): string {
  const lines = message.split('\n').slice(0, MAX_MESSAGE_LINES)
  return lines.map((line) => `    ${line.slice(0, MAX_LINE_LENGTH)}`).join('\n')
}

async function measure<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  printHeading(title)
  const startedAt = performance.now()
  const result = await work()
  times.push(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(5)} s  ${title}`)
  return result
}
