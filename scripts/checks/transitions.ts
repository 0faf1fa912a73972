// The walks of the machines' tests leave in the report which transitions they took. This counts them for each machine, and
// fails when there is one that no test takes. It reads the report of `npm test`, or another one:
// node scripts/checks/transitions.ts [report].
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WalkReport } from '../../machines/testing/walk.ts'
import { coverageOf } from '../statecharts/coverage.ts'
import { machines } from '../statecharts/machines.ts'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly meta: { readonly walks?: readonly WalkReport[] } }[]
  }[]
}

const report = process.argv[2] ?? join(import.meta.dirname, '../../.cache/reports/vitest.json')
const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
const walks = testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .flatMap(({ meta }) => meta.walks ?? [])

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
