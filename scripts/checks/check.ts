// `npm run check`, for use before a commit: runs the static checks, and the unit tests that the uncommitted
// changes affect. `npm run check -- budgets transitions` runs the named checks.
import { printHeading, runShellCommand, STATIC_CHECKS } from './commands.ts'

const CHANGED = 'vitest run --changed --passWithNoTests'
const MACHINES = '.cache/reports/machines.json'

const CHECKS: Readonly<Record<string, string>> = {
  ...STATIC_CHECKS,
  changed: `${CHANGED} && ${CHANGED} --root emulators`,
  transitions: `vitest run machines --reporter=default --reporter=json --outputFile.json=${MACHINES} && node scripts/checks/transitions.ts ${MACHINES}`,
  budgets: 'node scripts/checks/budgets.ts',
  engines: 'node scripts/checks/engines.ts',
}

const named = process.argv.slice(2)
const unknown = named.find((name) => !(name in CHECKS))
if (unknown) {
  console.error(`'${unknown}' is not a check. Choose from ${Object.keys(CHECKS).join(', ')}.`)
  process.exit(1)
}

const failed: string[] = []
for (const name of named.length > 0 ? named : [...Object.keys(STATIC_CHECKS), 'changed']) {
  printHeading(name)
  if (!(await runShellCommand(CHECKS[name] ?? ''))) failed.push(name)
}
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll checks passed')
process.exit(failed.length > 0 ? 1 : 0)
