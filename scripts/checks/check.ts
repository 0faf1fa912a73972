// `npm run check`: runs the static checks, and the tests that the uncommitted changes can reach.
// `npm run check -- budgets transitions` runs the named checks.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { chooseTests } from './changedTests.ts'
import { printHeading, runShellCommand, STATIC_CHECKS } from './commands.ts'

const MAX_BROWSER_TESTS = 40
/** Leaves out what only `npm test -- --all` checks. */
const PROOF = { PROOF: 'true' }
const MACHINES = '.cache/reports/machines.json'
const TEST_LIST = '.cache/changedTests.txt'

const CHECKS: Readonly<Record<string, () => Promise<boolean>>> = {
  ...Object.fromEntries(
    Object.entries(STATIC_CHECKS).map(([name, command]) => [name, () => runShellCommand(command)]),
  ),
  changed: () => runShellCommand('vitest run --changed --passWithNoTests'),
  browser: runChangedBrowserTests,
  transitions: () =>
    runShellCommand(
      `vitest run machines --reporter=default --reporter=json --outputFile.json=${MACHINES} && node scripts/checks/transitions.ts ${MACHINES}`,
    ),
  budgets: () => runShellCommand('node scripts/checks/budgets.ts'),
  engines: () => runShellCommand('node scripts/checks/engines.ts'),
}

const names = process.argv.slice(2)
const unknown = names.find((name) => !(name in CHECKS))
if (unknown) {
  console.error(`'${unknown}' is not a check. Choose from ${Object.keys(CHECKS).join(', ')}.`)
  process.exit(1)
}

const failed: string[] = []
for (const name of names.length > 0 ? names : [...Object.keys(STATIC_CHECKS), 'changed', 'browser']) {
  printHeading(name)
  if (!(await CHECKS[name]?.())) failed.push(name)
  // A build or type error would fail every browser test.
  if (failed.length > 0 && name === 'changed') break
}
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed')
process.exit(failed.length > 0 ? 1 : 0)

async function runChangedBrowserTests(): Promise<boolean> {
  const changed = readLines('git', 'status', '--porcelain', '--untracked-files=all').map((line) =>
    line.slice(3),
  )
  const lines = readLines('playwright', 'test', '--list')
    .filter((line) => line.includes(' › '))
    .map((line) => line.trim())
  const selection = chooseTests(changed, lines)
  const remainder = selection.slice(MAX_BROWSER_TESTS)
  if (remainder.length > 0) console.log(`Left to npm test:\n  ${remainder.join('\n  ')}`)
  if (selection.length === 0) {
    console.log('No end-to-end test shows the changed files.')
    return true
  }
  mkdirSync('.cache', { recursive: true })
  writeFileSync(TEST_LIST, selection.slice(0, MAX_BROWSER_TESTS).join('\n'))
  return runShellCommand(`playwright test --test-list ${TEST_LIST}`, PROOF)
}

function readLines(command: string, ...args: readonly string[]): string[] {
  return execFileSync(command, args, { encoding: 'utf8', env: { ...process.env, ...PROOF } })
    .split('\n')
    .filter(Boolean)
}
