import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELIVERY_STATES, FINAL_FAILURES, isOurs, nextLook } from './delivery.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const CREATED = Date.UTC(2026, 10, 20, 12)

test('a failure is ours, and waits, or final, and goes back', () => {
  for (const failure of ['noBalance', 'ourLimit', 'notSetUp'] as const)
    expect(isOurs(failure), failure).toBe(true)
  for (const failure of FINAL_FAILURES) expect(isOurs(failure), failure).toBe(false)
})

test.each([
  ['due', 0, 0],
  ['due', HOUR, 0],
  ['handingOver', 0, MINUTE],
  ['handingOver', HOUR, HOUR + MINUTE],
  ['handedOver', 0, MINUTE],
  ['handedOver', 8 * MINUTE, 10 * MINUTE],
  ['handedOver', 100 * HOUR, 101 * HOUR],
  ['waiting', 0, MINUTE],
  ['waiting', 100 * HOUR, 101 * HOUR],
] as const)('an order that is %s and %i ms old is looked at again when it is %i', (state, age, next) => {
  const order = { state, isByHand: false, createdAt: CREATED }
  expect(nextLook(order, CREATED + age)).toBe(CREATED + next)
})

test('no program looks at what only people can change', () => {
  for (const state of DELIVERY_STATES)
    expect(nextLook({ state, isByHand: true, createdAt: CREATED }, CREATED), state).toBe(null)
  for (const state of ['claimed', 'held', 'delivered', 'failed', 'paidBack'] as const)
    expect(nextLook({ state, isByHand: false, createdAt: CREATED }, CREATED), state).toBe(null)
})

test('what was looked at comes behind all that nobody has looked at', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('handingOver' as const, 'handedOver' as const, 'waiting' as const),
      fc.nat(1_000 * HOUR),
      (state, age) => {
        const now = CREATED + age
        const next = nextLook({ state, isByHand: false, createdAt: CREATED }, now) ?? 0
        expect(next).toBeGreaterThanOrEqual(now + MINUTE)
        expect(next).toBeLessThanOrEqual(now + HOUR)
      },
    ),
  )
})
