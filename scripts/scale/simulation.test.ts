import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../../netlify/testing/network.ts'
import { countItemsPerRun, DUE_ITEM_KINDS, JOB_LIMITS } from './job.ts'
import { ASSUMPTIONS, type SimulatedLoad, simulateDay } from './simulation.ts'

const day = (changes: Partial<SimulatedLoad> = {}) =>
  simulateDay({ transfersADay: 10_000, worker: 'job', seed: 1, ...changes })

test('a seed determines the simulated day', () => {
  expect(day()).toEqual(day())
  expect(day({ seed: 2 })).not.toEqual(day())
})

test('simulates about the expected number of transfers', () => {
  for (const transfersADay of [1_000, 100_000]) {
    const { arrived } = day({ transfersADay })
    expect(Math.abs(arrived - transfersADay)).toBeLessThan(5 * Math.sqrt(transfersADay))
  }
})

test('below every limit, 95 % are handed over within 10 seconds', () => {
  const { p95, longest, left } = day({ transfersADay: 1_000 })
  expect([p95 !== null && p95 < 10, left]).toEqual([true, 0])
  expect(longest).toBeLessThan(10)
})

test('above its limit, the job leaves orders for later runs', () => {
  const { longest, left, p95 } = day({ transfersADay: 200_000 })
  const runs = (2 * 86_400) / JOB_LIMITS.every
  const most = 1.2 * countItemsPerRun(DUE_ITEM_KINDS.order, createRandom(1))
  expect(left).toBeGreaterThan(0)
  expect(p95).toBe(null)
  expect(longest - left).toBeLessThan(runs * most)
})

test('the job’s items per run follow from their mean duration', () => {
  const { calls, waitsFor } = DUE_ITEM_KINDS.order
  const mean = (calls.stripe * 240 + calls.provider * 1_050 + calls.firestore * 30) / 1000
  const expected = (JOB_LIMITS.atOnce[waitsFor] * JOB_LIMITS.beginsFor) / mean
  const inRun = countItemsPerRun(DUE_ITEM_KINDS.order, createRandom(1))
  expect(Math.abs(inRun - expected)).toBeLessThan(0.2 * expected)
  const slowly = countItemsPerRun(DUE_ITEM_KINDS.order, createRandom(1), 2)
  expect(Math.abs(slowly - expected / 2)).toBeLessThan(0.2 * expected)
})

test.each(Object.entries(DUE_ITEM_KINDS))(
  'an hour’s runs process 500 due items of one kind (%s)',
  (_, item) => {
    const runs = 3_600 / JOB_LIMITS.every
    expect(runs * countItemsPerRun(item, createRandom(1))).toBeGreaterThanOrEqual(500)
  },
)

test('simulated tasks drain a peak as fast as Stripe accepts the calls', () => {
  const { longest, left, p95 } = day({ transfersADay: 100_000, worker: 'tasks' })
  expect(left).toBe(0)
  const seconds = longest / (ASSUMPTIONS.stripePerSecond / ASSUMPTIONS.callsForEach)
  expect(p95).toBeGreaterThan(60)
  expect(p95).toBeLessThan(2 * seconds)
})

test('tasks leave no more transfers open than the job', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 150_000 }), fc.nat(1_000), (transfersADay, seed) => {
      const orNever = ({ p95 }: { readonly p95: number | null }) => p95 ?? Number.POSITIVE_INFINITY
      const job = day({ transfersADay, seed })
      const tasks = day({ transfersADay, seed, worker: 'tasks' })
      const raised = day({ transfersADay, seed, worker: 'tasks', stripePerSecond: 500 })
      // The random latencies are drawn in another order, which can add a second.
      expect(orNever(raised)).toBeLessThanOrEqual(orNever(tasks) + 1)
      expect(tasks.left).toBeLessThanOrEqual(job.left)
    }),
    { numRuns: 25 },
  )
})
