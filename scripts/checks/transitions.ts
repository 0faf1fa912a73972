// `node scripts/checks/transitions.ts REPORT`: checks that the walks in a report of the machine tests take
// every transition.
import { computeCoverage } from '../statecharts/coverage.ts'
import { machines } from '../statecharts/machines.ts'
import { parseWalks } from '../statecharts/walks.ts'

const walks = parseWalks(process.argv[2] ?? '')

let hasFailed = false
for (const { id } of machines) {
  const coverage = computeCoverage(id, walks)
  hasFailed ||= coverage === null || coverage.untaken.length > 0
  console.log(
    coverage
      ? `${id}: ${coverage.taken} of ${coverage.transitions} transitions taken`
      : `${id}: no test walks this machine`,
  )
  for (const one of coverage?.untaken ?? []) console.error(`  never taken: ${one}`)
}
process.exit(hasFailed ? 1 : 0)
