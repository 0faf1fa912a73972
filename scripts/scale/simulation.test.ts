import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIGURES, type Load, simulate } from './simulation.ts'

const day = (changes: Partial<Load> = {}) =>
  simulate({ transfersADay: 10_000, worker: 'sweep', seed: 1, ...changes })

test('the same seed is the same day, and another one another', () => {
  expect(day()).toEqual(day())
  expect(day({ seed: 2 })).not.toEqual(day())
})

test('about as many come as a day has', () => {
  for (const transfersADay of [1_000, 100_000]) {
    const { arrived } = day({ transfersADay })
    expect(Math.abs(arrived - transfersADay)).toBeLessThan(5 * Math.sqrt(transfersADay))
  }
})

test('below every limit nearly all are handed over at once, and nobody is left', () => {
  const { p95, longest, left } = day({ transfersADay: 1_000 })
  expect([p95, left]).toEqual([FIGURES.soon, 0])
  expect(longest).toBeLessThan(FIGURES.sweepTakes)
})

test('a sweep takes so many in a run and no more: what is over is left', () => {
  const { left, p95 } = day({ transfersADay: 200_000 })
  const runs = (2 * 86_400) / FIGURES.sweepEvery
  expect(left).toBeGreaterThan(0)
  expect(p95).toBe(null)
  // All that waited is the left and what the runs have taken.
  expect(left).toBeLessThan(200_000 - runs * FIGURES.sweepTakes)
})

test('tasks work off a peak as fast as Stripe takes the calls', () => {
  const { longest, left, p95 } = day({ transfersADay: 100_000, worker: 'tasks' })
  expect(left).toBe(0)
  expect(p95).toBeGreaterThan(FIGURES.soon)
  const seconds = longest / (FIGURES.stripePerSecond / FIGURES.callsForEach)
  expect(p95).toBeLessThan(2 * seconds)
})

test('tasks leave nobody whom the sweep does not, and more calls slow nothing down', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 150_000 }), fc.nat(1_000), (transfersADay, seed) => {
      const orNever = ({ p95 }: { readonly p95: number | null }) => p95 ?? Number.POSITIVE_INFINITY
      const sweep = day({ transfersADay, seed })
      const tasks = day({ transfersADay, seed, worker: 'tasks' })
      const raised = day({ transfersADay, seed, worker: 'tasks', stripePerSecond: 500 })
      expect(orNever(raised)).toBeLessThanOrEqual(orNever(tasks))
      expect(tasks.left).toBeLessThanOrEqual(sweep.left)
    }),
    { numRuns: 25 },
  )
})
