// `npm test`: every check of the project, one after the other, and one line at the end that counts them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureBuilt } from './build.ts'

interface Counts {
  passed: number
  failed: number
}

const REPORTS = '.cache/reports'
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const total: Counts = { passed: 0, failed: 0 }

check('Format and lint', ['biome', 'check', '--error-on-warnings', '.'])
check('Types', ['tsc', '--noEmit'])
check('Nothing that nobody uses', ['knip', '--no-progress'])
check('Messages of both languages are complete', ['node', 'scripts/check-messages.ts'])
suite('Unit, property and contract tests', ['vitest', 'run'], vitestCounts, [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${REPORTS}/vitest.json`,
])
check('Each transition of each machine is taken by a test', ['node', 'scripts/check-transitions.ts'])
heading('Build')
ensureBuilt('sandbox')
check('Budgets', ['node', 'scripts/check-budgets.ts'])
suite('End to end, in Chromium', ['playwright', 'test'], playwrightCounts, ['--reporter=list,json'])
check('Each line of the specification has its test', ['node', 'scripts/check-specification.ts'])

console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)

function check(title: string, command: string[]) {
  heading(title)
  const isGood = run(command)
  total[isGood ? 'passed' : 'failed'] += 1
}

function suite(title: string, command: string[], countsOf: () => Counts, reporters: string[]) {
  heading(title)
  const isGood = run([...command, ...reporters])
  const counts = countsOf()
  total.passed += counts.passed
  // A runner that fails without naming a test (a stray error, a broken teardown) is a failure too.
  total.failed += isGood ? counts.failed : Math.max(counts.failed, 1)
}

function run([name = '', ...args]: string[]): boolean {
  const { status } = spawnSync(`node_modules/.bin/${name}`, args, {
    stdio: 'inherit',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: `${REPORTS}/playwright.json` },
  })
  return status === 0
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

function heading(title: string) {
  console.log(`\n── ${title}`)
}
