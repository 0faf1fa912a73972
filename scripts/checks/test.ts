// `npm test`: proves a change. Runs every rule, function, machine, journey and screen at least once.
// `npm test -- --all` runs everything (docs/testing.md says what else that is). To use several machines,
// `--part code` runs what needs no browser, and `--part browser --shard 1/4` a share of the end-to-end tests.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../build/build.ts'
import { printHeading, runQuietly, runShellCommand, STATIC_CHECKS } from './commands.ts'
import { describeFailure } from './failures.ts'
import { createProgress } from './progress.ts'
import { readReport } from './reports.ts'

const REPORTS = '.cache/reports'

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    part: { type: 'string' },
    shard: { type: 'string' },
    trace: { type: 'string' },
  },
})
const { all, part, shard, trace } = values
if (part && part !== 'code' && part !== 'browser') throw new Error(`'${part}' is not a part of the checks.`)

rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

let passed = 0
const failures: string[] = []
const progress = createProgress(
  [
    ...(part === 'browser' ? [] : ['static checks', 'unit', 'budgets']),
    'build',
    ...(part === 'code' ? [] : ['end to end']),
  ],
  `.cache/durations/${all ? 'all' : 'proof'}.json`,
)

if (part !== 'browser') {
  await progress.measure('static checks', () =>
    Promise.all(Object.entries(STATIC_CHECKS).map(([title, command]) => check(title, command))),
  )
  endIfRed()
}
await progress.measure('build', async () => ensureBuilt('sandbox'))
if (part !== 'browser') {
  await Promise.all([
    progress.measure('unit', runUnitTests),
    progress.measure('budgets', async () => {
      await check('budgets', 'node scripts/checks/budgets.ts')
      await check('engines', 'node scripts/checks/engines.ts')
    }),
  ])
  await check('transitions', `node scripts/checks/transitions.ts ${REPORTS}/vitest.json`)
  endIfRed()
}
if (part !== 'code') {
  const options = `${shard ? ` --shard=${shard}` : ''}${trace ? ` --trace=${trace}` : ''}`
  const report = `${REPORTS}/playwright.json`
  await progress.measure('end to end', () =>
    runTests('end to end', report, `playwright test --reporter=list,json${options}`, {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...(!all && { PROOF: 'true' }),
    }),
  )
}
// Needs the reports of both parts.
if (!part) await check('specification, by the reports', 'node scripts/checks/specification.ts --ran')
end()

async function check(title: string, command: string) {
  if (await runQuietly(title, command)) passed += 1
  else failures.push(title)
}

function runUnitTests() {
  const report = `${REPORTS}/vitest.json`
  const reporters = `--reporter=default --reporter=json --outputFile.json=${resolve(report)}`
  return runTests('unit', report, `vitest run ${reporters}`, all ? { MONEY_RUNS: '2000' } : {})
}

async function runTests(title: string, report: string, command: string, env: Record<string, string>) {
  printHeading(title)
  const hasSucceeded = await runShellCommand(command, env)
  const tests = existsSync(report) ? readReport(report) : []
  passed += tests.filter(({ status }) => status === 'passed').length
  // A runner can also fail without a failed test, for example with an error in a teardown.
  if (!hasSucceeded) failures.push(title)
  for (const test of tests)
    if (test.status === 'failed') failures.push(...describeFailure(test, process.cwd()))
}

/** Stops before the slower parts if a check has failed. */
function endIfRed() {
  if (failures.length > 0) end()
}

function end(): never {
  const times = progress.end()
  printHeading('time')
  console.log(times.join('\n'))
  if (failures.length > 0) {
    printHeading('failures')
    console.log(failures.join('\n'))
  }
  console.log(`\n${passed} passed, ${failures.length > 0 ? 'and failures above' : '0 failed'}`)
  process.exit(failures.length > 0 ? 1 : 0)
}
