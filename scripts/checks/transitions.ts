// `node scripts/checks/transitions.ts REPORT`: checks that the walks in a report of the machine tests take
// every transition.
import { readFileSync } from 'node:fs'
import type { WalkReport } from '../../machines/testing/walk.ts'
import { computeCoverage } from '../../statecharts/coverage.ts'
import { machines } from '../../statecharts/machines.ts'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly meta: { readonly walks?: readonly WalkReport[] } }[]
  }[]
}

const { testResults }: Report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const walks = testResults.flatMap(({ assertionResults }) =>
  assertionResults.flatMap(({ meta }) => meta.walks ?? []),
)

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
