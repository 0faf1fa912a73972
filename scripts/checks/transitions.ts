// The walks of the machines' tests leave in the report which transitions they took. This counts them for each machine, and
// fails when there is one that no test takes. It reads the report of `npm test`, or another one:
// node scripts/checks/transitions.ts [report].
import { join } from 'node:path'
import { coverageOf } from '../statecharts/coverage.ts'
import { machines } from '../statecharts/machines.ts'
import { walksIn } from '../statecharts/walks.ts'

const report = process.argv[2] ?? join(import.meta.dirname, '../../.cache/reports/vitest.json')
const walks = walksIn(report)

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
