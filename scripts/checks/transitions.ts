// Checks that the walks of the machines' tests take every transition, by the report of their run:
// node scripts/checks/transitions.ts REPORT
import { coverageOf } from '../statecharts/coverage.ts'
import { machines } from '../statecharts/machines.ts'
import { walksIn } from '../statecharts/walks.ts'

const walks = walksIn(process.argv[2] ?? '')

let hasFailed = false
for (const { id } of machines) {
  const coverage = coverageOf(id, walks)
  hasFailed ||= coverage === null || coverage.untaken.length > 0
  console.log(
    coverage ? `${id}: ${coverage.taken} of ${coverage.transitions} transitions taken` : `${id}: not walked`,
  )
  for (const one of coverage?.untaken ?? []) console.error(`  never taken: ${one}`)
}
process.exit(hasFailed ? 1 : 0)
