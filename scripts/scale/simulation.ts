import { createRandom } from '../../netlify/testing/network.ts'
import { countItemsPerRun, DUE_ITEM_KINDS, JOB_LIMITS, sampleDuration } from './job.ts'

// Simulates how long transfers wait for their hand-over on a busy day, with the limits in docs/scale.md.
// Nothing is measured: it shows which limit is reached first.

/** In transfers, calls and seconds. */
export const ASSUMPTIONS = {
  /** Relative to the mean. */
  peak: 10,
  /** Stripe limits calls of each kind; a transfer makes three of the most frequent kind. */
  stripePerSecond: 25,
  callsForEach: 3,
  /** The provider was slow or its function ended. */
  ordersPerLateOne: 100,
} as const

/** For the record, then for the hand-over. */
const CALLS_AT_ONCE = { stripe: 6, firestore: 14, provider: 1 }

/** `tasks`: one for each order, as soon as Stripe accepts the calls. */
export type HandOverWorker = 'job' | 'tasks'

export interface SimulatedLoad {
  readonly transfersADay: number
  readonly worker: HandOverWorker
  readonly seed: number
  readonly stripePerSecond?: number
}

export interface SimulatedDay {
  readonly arrived: number
  readonly longest: number
  /** In seconds; null if longer than the next day. */
  readonly p95: number | null
  /** At the end of the next day. */
  readonly left: number
}

const HOUR = 3_600
const DAY = 24 * HOUR
const PEAK_AT = 18 * HOUR

/** The queue drains during a day without transfers. */
export function simulateDay({
  transfersADay,
  worker,
  seed,
  stripePerSecond = ASSUMPTIONS.stripePerSecond,
}: SimulatedLoad): SimulatedDay {
  const random = createRandom(seed)
  const { peak, callsForEach, ordersPerLateOne } = ASSUMPTIONS
  const atPeak = (transfersADay * peak) / DAY
  const otherwise = (transfersADay - atPeak * HOUR) / (DAY - HOUR)
  const durations = Array.from({ length: 1_000 }, () => Math.ceil(sampleDuration(CALLS_AT_ONCE, random)))
  let drawn = 0
  const nextDuration = () => {
    drawn += 1
    return durations[drawn % durations.length] ?? 0
  }
  /** By seconds of waiting. */
  const waits = new Uint32Array(2 * DAY + 1)
  /** Oldest first; those before `head` are handed over. */
  const queue: { readonly since: number; count: number }[] = []
  let head = 0
  let waiting = 0
  let longest = 0
  let arrived = 0
  /** Fractions carry over to the next second. */
  let allowed = 0

  const take = (most: number, now: number) => {
    let rest = Math.min(most, waiting)
    const taken = rest
    waiting -= taken
    while (rest > 0) {
      const group = queue[head]
      if (!group) break
      const some = Math.min(group.count, rest)
      for (let n = 0; n < some; n += 1) count(waits, now - group.since + nextDuration())
      group.count -= some
      rest -= some
      if (group.count === 0) head += 1
    }
    return taken
  }

  for (let now = 0; now < 2 * DAY; now += 1) {
    const eachSecond = stripePerSecond / callsForEach
    // Unused calls carry over for two seconds at most.
    allowed = Math.min(allowed + eachSecond, Math.max(1, eachSecond) * 2)
    const mean = now >= DAY ? 0 : now >= PEAK_AT && now < PEAK_AT + HOUR ? atPeak : otherwise
    const come = poisson(mean, random)
    arrived += come
    const late = poisson(come / ordersPerLateOne, random)
    const atOnce = Math.min(Math.max(0, come - late), Math.floor(allowed))
    allowed -= atOnce
    for (let n = 0; n < atOnce; n += 1) count(waits, nextDuration())
    if (come > atOnce) {
      queue.push({ since: now, count: come - atOnce })
      waiting += come - atOnce
      longest = Math.max(longest, waiting)
    }
    if (worker === 'tasks') allowed -= take(Math.floor(allowed), now)
    else if (now % JOB_LIMITS.every === 0) take(countItemsPerRun(DUE_ITEM_KINDS.order, random), now)
  }
  return { arrived, longest, p95: percentile(waits, arrived, 0.95), left: waiting }
}

function count(waits: Uint32Array, seconds: number) {
  const at = Math.min(seconds, waits.length - 1)
  waits[at] = (waits[at] ?? 0) + 1
}

function percentile(waits: Uint32Array, of: number, share: number): number | null {
  let seen = 0
  for (const [seconds, times] of waits.entries()) {
    seen += times
    if (seen >= of * share) return seconds
  }
  return null
}

/** Uses Knuth's algorithm, or for large means a normal distribution. */
function poisson(mean: number, random: () => number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const end = Math.exp(-mean)
  let events = -1
  for (let product = 1; product > end; product *= random()) events += 1
  return Math.max(0, events)
}
