// `npm run simulate`: the table of docs/scale.md, of days with a thousand, a hundred thousand and ten million transfers.
import { type Load, simulate } from './simulation.ts'

const WORKERS: readonly (readonly [string, Pick<Load, 'worker' | 'stripePerSecond'>])[] = [
  ['One sweep', { worker: 'sweep' }],
  ['A task queue', { worker: 'tasks' }],
  ['A task queue, and 500 calls of a kind from Stripe', { worker: 'tasks', stripePerSecond: 500 }],
]

const inWords = (seconds: number | null) => {
  if (seconds === null) return 'more than a day'
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
const number = new Intl.NumberFormat('en')

console.log(
  '| Transfers a day | Who hands over what was not at once | Longest queue | 95 of 100 handed over within | Left a day later |',
)
console.log('| --- | --- | --- | --- | --- |')
for (const transfersADay of [1_000, 100_000, 10_000_000])
  for (const [name, how] of WORKERS) {
    const { longest, p95, left } = simulate({ transfersADay, seed: 1, ...how })
    const cells = [
      number.format(transfersADay),
      name,
      number.format(longest),
      inWords(p95),
      number.format(left),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
