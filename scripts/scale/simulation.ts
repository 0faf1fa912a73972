import { MOST_IN_A_RUN } from '../../netlify/server/payouts/deliver.ts'

// How long people wait until their transfer is handed over, on a day of so many: second by second, with the limits that docs/scale.md names.
// Nothing here is measured. It shows where a limit is met, and what a queue does about it.

/** Seconds, transfers and calls. The home of the figures that docs/scale.md reckons with. */
export const FIGURES = {
  /** The mean of the day times this is the load of its busiest hour. */
  peak: 10,
  /** Calls of one kind that Stripe takes in a second, and how many of the kind of which there are most a transfer makes. */
  stripePerSecond: 25,
  callsForEach: 3,
  /** From the payment to its record and the provider's answer. */
  soon: 2,
  /** One of so many is not handed over at once: its provider was slow, or its function died. */
  oneLateIn: 100,
  sweepEvery: 900,
  sweepTakes: MOST_IN_A_RUN,
} as const

/** Who hands over what was not handed over at once: the sweep, or a task for each order as soon as Stripe takes the calls. */
export type Worker = 'sweep' | 'tasks'

export interface Load {
  readonly transfersADay: number
  readonly worker: Worker
  /** By which the random numbers begin: the same day again. */
  readonly seed: number
  /** What Stripe takes for this account, if it is not the usual. */
  readonly stripePerSecond?: number
}

export interface Day {
  readonly arrived: number
  /** Most that waited at a time. */
  readonly longest: number
  /** Seconds within which 95 of 100 were handed over; null when that was not the same day or the next. */
  readonly p95: number | null
  /** Still waiting when the next day is over. */
  readonly left: number
}

const HOUR = 3_600
const DAY = 24 * HOUR
/** When the busiest hour begins. */
const PEAK_AT = 18 * HOUR

/** A day of transfers, and one of none, in which what waits is worked off. */
export function simulate({
  transfersADay,
  worker,
  seed,
  stripePerSecond = FIGURES.stripePerSecond,
}: Load): Day {
  const random = randomFrom(seed)
  const { peak, callsForEach, soon, oneLateIn, sweepEvery, sweepTakes } = FIGURES
  const atPeak = (transfersADay * peak) / DAY
  const otherwise = (transfersADay - atPeak * HOUR) / (DAY - HOUR)
  /** Handed over after so many seconds. */
  const waits = new Uint32Array(2 * DAY + 1)
  /** When those came that wait, the longest waiting first, and from where on they still do. */
  const queue: { readonly since: number; count: number }[] = []
  let head = 0
  let waiting = 0
  let longest = 0
  let arrived = 0
  /** What Stripe takes of whole transfers: a part of one is kept for the next second. */
  let allowed = 0

  const take = (most: number, now: number) => {
    let rest = Math.min(most, waiting)
    const taken = rest
    waiting -= taken
    while (rest > 0) {
      const group = queue[head]
      if (!group) break
      const some = Math.min(group.count, rest)
      count(waits, now - group.since + soon, some)
      group.count -= some
      rest -= some
      if (group.count === 0) head += 1
    }
    return taken
  }

  for (let now = 0; now < 2 * DAY; now += 1) {
    const eachSecond = stripePerSecond / callsForEach
    // Who did not call for a while may not make up for it: no more than two seconds are kept.
    allowed = Math.min(allowed + eachSecond, Math.max(1, eachSecond) * 2)
    const mean = now >= DAY ? 0 : now >= PEAK_AT && now < PEAK_AT + HOUR ? atPeak : otherwise
    const come = poisson(mean, random)
    arrived += come
    const late = poisson(come / oneLateIn, random)
    const atOnce = Math.min(Math.max(0, come - late), Math.floor(allowed))
    allowed -= atOnce
    count(waits, soon, atOnce)
    if (come > atOnce) {
      queue.push({ since: now, count: come - atOnce })
      waiting += come - atOnce
      longest = Math.max(longest, waiting)
    }
    if (worker === 'tasks') allowed -= take(Math.floor(allowed), now)
    else if (now % sweepEvery === 0) take(sweepTakes, now)
  }
  return { arrived, longest, p95: percentile(waits, arrived, 0.95), left: waiting }
}

function count(waits: Uint32Array, seconds: number, times: number) {
  const at = Math.min(seconds, waits.length - 1)
  waits[at] = (waits[at] ?? 0) + times
}

function percentile(waits: Uint32Array, of: number, share: number): number | null {
  let seen = 0
  for (const [seconds, times] of waits.entries()) {
    seen += times
    if (seen >= of * share) return seconds
  }
  return null
}

/** Knuth's way; of many, by the normal distribution, which is near enough then. */
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

/** Mulberry32: numbers from 0 to 1 that look random, the same for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
