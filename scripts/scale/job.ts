import { DUE_WORK_CONCURRENCY, DUE_WORK_STOP_AFTER } from '../../netlify/server/endpoints/dueWork.ts'
import { LATENCIES, type SimulatedService } from '../../netlify/testing/network.ts'

/** Times in seconds. */
export const JOB_LIMITS = {
  every: 900,
  beginsFor: DUE_WORK_STOP_AFTER / 1000,
  atOnce: { stripe: DUE_WORK_CONCURRENCY.stripe, provider: DUE_WORK_CONCURRENCY.others },
} as const

interface Item {
  readonly name: string
  readonly waitsFor: keyof typeof JOB_LIMITS.atOnce
  readonly calls: Readonly<Partial<Record<SimulatedService, number>>>
}

/** The calls are those of each additional item. */
export const DUE_ITEM_KINDS = {
  form: { name: 'Abandoned card forms', waitsFor: 'stripe', calls: { stripe: 1, firestore: 3 } },
  payment: { name: 'Paid transfers to record', waitsFor: 'stripe', calls: { stripe: 3, firestore: 4 } },
  refund: { name: 'Owed refunds', waitsFor: 'stripe', calls: { stripe: 5, firestore: 5 } },
  order: {
    name: 'Orders to hand over',
    waitsFor: 'provider',
    calls: { stripe: 3, provider: 2, firestore: 6 },
  },
  check: { name: 'Payouts to ask about', waitsFor: 'provider', calls: { provider: 1, firestore: 2 } },
} as const satisfies Record<string, Item>

/** In seconds. `slower`: multiplier of the usual latency. */
export function sampleDuration(calls: Item['calls'], random: () => number, slower = 1): number {
  let ms = 0
  for (const [service, times] of Object.entries(calls)) {
    const [least, most] = LATENCIES[service as SimulatedService]
    for (let n = 0; n < times; n += 1) ms += least + random() * (most - least)
  }
  return (ms * slower) / 1000
}

export function countItemsPerRun({ waitsFor, calls }: Item, random: () => number, slower = 1): number {
  const freeAt = Array.from({ length: JOB_LIMITS.atOnce[waitsFor] }, () => 0)
  let items = 0
  for (;;) {
    const next = Math.min(...freeAt)
    if (next >= JOB_LIMITS.beginsFor) return items
    freeAt[freeAt.indexOf(next)] = next + sampleDuration(calls, random, slower)
    items += 1
  }
}
