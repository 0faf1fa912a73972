// `npm test`: every check of the project, one after the other, and one line at the end that counts them.
// On several machines at once: `-- --part code` without a browser, `-- --part browser --shard 1/4` a share of what needs one.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../build/build.ts'
import {
  type PlaywrightReport,
  type RanTest,
  ranInPlaywright,
  ranInVitest,
  type VitestReport,
} from '../reports/ran.ts'
import { type Check, heading, READING, run } from './commands.ts'

const { values } = parseArgs({
  options: { part: { type: 'string' }, shard: { type: 'string' }, trace: { type: 'string' } },
})
const { part, shard, trace } = values
if (part && part !== 'code' && part !== 'browser') throw new Error(`There is no part '${part}'.`)

interface Counts {
  passed: number
  failed: number
}

interface Outcome extends Readonly<Counts> {
  readonly tests: readonly RanTest[]
}

/** Of a runner that left no report. */
const NOTHING: Outcome = { passed: 0, failed: 1, tests: [] }

/** Of what is told of a test that failed. */
const MOST_LINES = 12
const MOST_CHARACTERS = 300

const REPORTS = '.cache/reports'
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const total: Counts = { passed: 0, failed: 0 }
const times: [title: string, seconds: number][] = []
/** Told once more at the end: what stands above is long, and of a run elsewhere often only the end is kept. */
const failures: string[] = []

if (part !== 'browser') {
  for (const [title, command] of READING) await check(title, command)
  await unitTests('Unit, property and contract tests', `${REPORTS}/vitest`)
  await unitTests('Tests of the emulators', `${REPORTS}/emulators/vitest`, '--root', 'emulators')
  await check('Each transition of each machine is taken by a test', ['node', 'scripts/checks/transitions.ts'])
}
await timed('Build', async () => ensureBuilt('sandbox'))
if (part !== 'browser') await check('Budgets', ['node', 'scripts/checks/budgets.ts'])
if (part !== 'code')
  await suite('End to end, in Chromium', inPlaywright, [
    'playwright',
    'test',
    '--reporter=list,json',
    ...(shard ? [`--shard=${shard}`] : []),
    ...(trace ? [`--trace=${trace}`] : []),
  ])
// It looks into the reports of both.
if (!part)
  await check('Each row of the specification is proven', ['node', 'scripts/checks/specification.ts', '--ran'])

heading('Time')
for (const [title, seconds] of times) console.log(`${String(seconds).padStart(5)} s  ${title}`)
if (failures.length > 0) {
  heading('What failed')
  console.log(failures.join('\n'))
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)

async function check(title: string, command: Check[1]) {
  const isGood = await timed(title, () => run(command))
  total[isGood ? 'passed' : 'failed'] += 1
  if (!isGood) failures.push(title)
}

function unitTests(title: string, report: string, ...options: string[]) {
  const outputFile = `--outputFile.json=${resolve(`${report}.json`)}`
  const reporters = ['--reporter=default', '--reporter=json', outputFile]
  return suite(title, () => inVitest(report), ['vitest', 'run', ...options, ...reporters])
}

async function suite(title: string, outcome: () => Outcome, command: Check[1]) {
  const isGood = await timed(title, () =>
    run(command, { PLAYWRIGHT_JSON_OUTPUT_NAME: `${REPORTS}/playwright.json` }),
  )
  const { passed, failed, tests } = outcome()
  total.passed += passed
  // A runner that fails without naming a test (a stray error, a broken teardown) is a failure too.
  total.failed += isGood ? failed : Math.max(failed, 1)
  if (isGood) return
  failures.push(title)
  for (const { file, title: name, messages, hasPassed, wasLeftOut } of tests)
    if (!hasPassed && !wasLeftOut)
      failures.push(`  ${relative(process.cwd(), file)}: ${name}`, ...messages.map(shortened))
}

/** The first lines, which say what was expected. */
function shortened(message: string): string {
  const lines = message.split('\n').slice(0, MOST_LINES)
  return lines.map((line) => `    ${line.slice(0, MOST_CHARACTERS)}`).join('\n')
}

async function timed<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  heading(title)
  const startedAt = performance.now()
  const result = await work()
  times.push([title, Math.round((performance.now() - startedAt) / 1000)])
  return result
}

function inVitest(name: string): Outcome {
  const report = readReport<VitestReport & { numPassedTests: number; numFailedTests: number }>(name)
  if (!report) return NOTHING
  return { passed: report.numPassedTests, failed: report.numFailedTests, tests: ranInVitest(report) }
}

function inPlaywright(): Outcome {
  const report = readReport<PlaywrightReport & { stats: { expected: number; unexpected: number } }>(
    `${REPORTS}/playwright`,
  )
  if (!report) return NOTHING
  return { passed: report.stats.expected, failed: report.stats.unexpected, tests: ranInPlaywright(report) }
}

function readReport<Report>(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(`${path}.json`, 'utf8'))
  } catch {
    return null
  }
}
