// `npm test`: every check of the project, one after the other, and one line at the end that counts them.
// On several machines at once: `-- --part code` without a browser, `-- --part browser --shard 1/4` a share of what needs one.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureBuilt } from '../build/build.ts'
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

const REPORTS = '.cache/reports'
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const total: Counts = { passed: 0, failed: 0 }
const times: [title: string, seconds: number][] = []

if (part !== 'browser') {
  for (const [title, command] of READING) await check(title, command)
  await suite('Unit, property and contract tests', vitestCounts, [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORTS}/vitest.json`,
  ])
  await check('Each transition of each machine is taken by a test', ['node', 'scripts/checks/transitions.ts'])
}
await timed('Build', async () => ensureBuilt('sandbox'))
if (part !== 'browser') await check('Budgets', ['node', 'scripts/checks/budgets.ts'])
if (part !== 'code')
  await suite('End to end, in Chromium', playwrightCounts, [
    'playwright',
    'test',
    '--reporter=list,json',
    ...(shard ? [`--shard=${shard}`] : []),
    ...(trace ? [`--trace=${trace}`] : []),
  ])
// It looks into the reports of both.
if (!part)
  await check('Each line of the specification has its test', [
    'node',
    'scripts/checks/checkSpecification.ts',
    '--all',
  ])

heading('Time')
for (const [title, seconds] of times) console.log(`${String(seconds).padStart(5)} s  ${title}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)

async function check(title: string, command: Check[1]) {
  const isGood = await timed(title, () => run(command))
  total[isGood ? 'passed' : 'failed'] += 1
}

async function suite(title: string, countsOf: () => Counts, command: Check[1]) {
  const isGood = await timed(title, () =>
    run(command, { PLAYWRIGHT_JSON_OUTPUT_NAME: `${REPORTS}/playwright.json` }),
  )
  const counts = countsOf()
  total.passed += counts.passed
  // A runner that fails without naming a test (a stray error, a broken teardown) is a failure too.
  total.failed += isGood ? counts.failed : Math.max(counts.failed, 1)
}

async function timed<Outcome>(title: string, work: () => Promise<Outcome>): Promise<Outcome> {
  heading(title)
  const startedAt = performance.now()
  const outcome = await work()
  times.push([title, Math.round((performance.now() - startedAt) / 1000)])
  return outcome
}

function vitestCounts(): Counts {
  const report = readReport('vitest')
  return { passed: Number(report?.numPassedTests ?? 0), failed: Number(report?.numFailedTests ?? 1) }
}

function playwrightCounts(): Counts {
  const stats = readReport('playwright')?.stats as { expected: number; unexpected: number } | undefined
  return { passed: stats?.expected ?? 0, failed: stats?.unexpected ?? 1 }
}

function readReport(name: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(`${REPORTS}/${name}.json`, 'utf8'))
  } catch {
    return null
  }
}
