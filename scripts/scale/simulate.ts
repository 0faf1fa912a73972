// `npm run simulate`: prints the tables of docs/scale.md.
import { createRandom } from '../../netlify/testing/network.ts'
import { countItemsPerRun, DUE_ITEM_KINDS, JOB_LIMITS } from './job.ts'
import { type SimulatedLoad, simulateDay } from './simulation.ts'

const WORKERS: readonly (readonly [string, Pick<SimulatedLoad, 'worker' | 'stripePerSecond'>])[] = [
  ['The job', { worker: 'job' }],
  ['A task queue', { worker: 'tasks' }],
  ['A task queue, and 500 calls of a kind from Stripe', { worker: 'tasks', stripePerSecond: 500 }],
]

const formatDuration = (seconds: number | null) => {
  if (seconds === null) return 'more than a day'
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
const { format } = new Intl.NumberFormat('en')
const printRow = (...cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

printRow('Due items of one kind', 'In a run', 'In an hour', 'In a day', 'In a run, services twice as slow')
printRow('---', '---', '---', '---', '---')
const random = createRandom(1)
for (const item of Object.values(DUE_ITEM_KINDS)) {
  const inRun = countItemsPerRun(item, random)
  const [inHour, inDay] = [3_600, 86_400].map((seconds) => format((inRun * seconds) / JOB_LIMITS.every))
  printRow(item.name, format(inRun), inHour ?? '', inDay ?? '', format(countItemsPerRun(item, random, 2)))
}
console.log()

printRow(
  'Transfers a day',
  'Late orders are handed over by',
  'Longest queue',
  '95 of 100 handed over within',
  'Left a day later',
)
printRow('---', '---', '---', '---', '---')
for (const transfersADay of [1_000, 10_000, 100_000, 10_000_000])
  for (const [name, how] of WORKERS) {
    const { longest, p95, left } = simulateDay({ transfersADay, seed: 1, ...how })
    printRow(format(transfersADay), name, format(longest), formatDuration(p95), format(left))
  }
