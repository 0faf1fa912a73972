// `npm test`: proves a change. Runs every rule, function, machine, journey and screen at least once.
// `npm test -- --all` runs everything (docs/testing.md says what else that is). To use several machines,
// `--part code` runs what needs no browser, and `--part browser --shard 1/4` a share of the end-to-end tests.
// A green whole run ends with one part of the rest (rotation.ts), which can't turn it red.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../../build/build.ts'
import { MINUTE } from '../../domain/common/duration.ts'
import { listMissingEngines } from '../setup/engines.mjs'
import { printHeading, runQuietly, runShellCommand, STATIC_CHECKS } from './commands.ts'
import { describeFailure, describeFlaky, formatGitHubWarning, separateFlaky } from './failures.ts'
import { createProgress } from './progress.ts'
import { type ReportedTest, readReport } from './reports.ts'
import { choosePart, type RotatedPart } from './rotation.ts'

const REPORTS = '.cache/reports'
// One slow moment of the machine fails fewer end-to-end tests.
const MAX_REPEATED = 20
const ROTATION_LIMIT = 8 * MINUTE

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
const flaky: string[] = []
const inTurn = part || shard ? null : choosePart(countCommits(), all)
const progress = createProgress(
  [
    ...(part === 'browser' ? [] : ['static checks', 'unit', 'budgets']),
    'build',
    ...(part === 'code' ? [] : ['end to end']),
    ...(inTurn ? [inTurn.name] : []),
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
if (part !== 'code') await progress.measure('end to end', runBrowserTests)
if (!part) await check('specification, by the reports', 'node scripts/checks/specification.ts --ran')
endIfRed()
if (inTurn) await progress.measure(inTurn.name, () => runInTurn(inTurn))
end()

async function check(title: string, command: string) {
  if (await runQuietly(title, command)) passed += 1
  else failures.push(title)
}

async function runUnitTests() {
  const report = `${REPORTS}/vitest.json`
  const reporters = `--reporter=default --reporter=json --outputFile.json=${resolve(report)}`
  const env = all ? { MONEY_RUNS: '2000' } : {}
  noteResults('unit', await runTests('unit', report, `vitest run ${reporters}`, env))
}

/** Repeats failed tests once, with one worker and nothing beside it. */
async function runBrowserTests() {
  const report = `${REPORTS}/playwright.json`
  const first = await runPlaywright('end to end', report, shard ? ` --shard=${shard}` : '')
  const failed = first.tests.filter(isFailed)
  if (failed.length === 0 || failed.length > MAX_REPEATED || first.hasErrors)
    return noteResults('end to end', first)
  const again = await runPlaywright(
    'repeated alone',
    `${REPORTS}/repeated.json`,
    ' --last-failed --last-failed-file=test-results/.last-run.json --output=test-results/repeated --workers=1',
  )
  const separated = separateFlaky(failed, again.tests)
  flaky.push(...separated.flaky.flatMap((pair) => describeFlaky(pair, process.cwd())))
  const passedFirst = first.tests.filter((test) => !isFailed(test))
  const passedAgain = separated.flaky.map(([, test]) => test)
  noteResults('end to end', {
    ...again,
    tests: [...passedFirst, ...passedAgain, ...separated.red],
  })
}

function runPlaywright(title: string, report: string, options: string) {
  const command = `playwright test --reporter=list,json${options}${trace ? ` --trace=${trace}` : ''}`
  return runTests(title, report, command, {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    ...(!all && { PROOF: 'true' }),
  })
}

interface TestRun {
  readonly hasSucceeded: boolean
  readonly tests: readonly ReportedTest[]
  readonly hasErrors: boolean
}

async function runTests(
  title: string,
  report: string,
  command: string,
  env: Record<string, string>,
): Promise<TestRun> {
  printHeading(title)
  const hasSucceeded = await runShellCommand(command, env)
  return { hasSucceeded, ...(existsSync(report) ? readReport(report) : { tests: [], hasErrors: false }) }
}

function noteResults(title: string, { hasSucceeded, tests }: TestRun) {
  passed += tests.filter(({ status }) => status === 'passed').length
  // A runner can also fail without a failed test, for example with an error in a teardown.
  if (!hasSucceeded) failures.push(title)
  for (const test of tests.filter(isFailed)) failures.push(...describeFailure(test, process.cwd()))
}

function countCommits() {
  return Number(spawnSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }).stdout)
}

// A failed part is listed like a flaky test.
async function runInTurn({ name, command, needsEngines }: RotatedPart) {
  printHeading(`in turn: ${name}`)
  const missing = needsEngines ? listMissingEngines() : []
  if (missing.length > 0)
    return console.log(`Left out, because these programs are missing: ${missing.join(', ')}.`)
  const limit = AbortSignal.timeout(ROTATION_LIMIT)
  if (await runShellCommand(command, {}, limit)) return
  const end = limit.aborted ? `did not end within ${ROTATION_LIMIT / MINUTE} minutes` : 'failed'
  flaky.push(`  ${name} ${end}`, `    again: ${command}`)
}

function isFailed({ status }: ReportedTest) {
  return status === 'failed'
}

function endIfRed() {
  if (failures.length > 0) end()
}

function end(): never {
  const times = progress.end()
  printHeading('time')
  console.log(times.join('\n'))
  if (flaky.length > 0) {
    printHeading('flaky, or red in turn: mend these before the next feature')
    console.log(flaky.join('\n'))
    if (process.env.GITHUB_ACTIONS) console.log(formatGitHubWarning('Flaky or red in turn', flaky))
  }
  if (failures.length > 0) {
    printHeading('failures')
    console.log(failures.join('\n'))
  }
  console.log(`\n${passed} passed, ${failures.length > 0 ? 'and failures above' : '0 failed'}`)
  process.exit(failures.length > 0 ? 1 : 0)
}
