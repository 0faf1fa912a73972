import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DELIVERY_STATES,
  isFollowed,
  isOurs,
  isSameNews,
  newsOf,
  nextLook,
  providerName,
} from './delivery.ts'
import { HOUR, MINUTE } from './duration.ts'
import { FINAL_FAILURES } from './schemas/delivery.ts'

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

describe('what the sender may know of an order', () => {
  const ORDER = {
    ...{ provider: 'mtn', wallet: 'mtn_money' },
    ...{ failure: null, proof: null, handedOverAt: null, deliveredAt: null },
  }
  const NEWS = {
    ...{ by: 'mtn', isLate: false },
    ...{ handedOverAt: null, deliveredAt: null, proof: null, failure: null },
  }
  const [taken, there] = [CREATED + 5_000, CREATED + MINUTE]

  test.each([
    ['due', {}, { stage: 'ordered' }],
    ['handingOver', {}, { stage: 'ordered' }],
    ['claimed', {}, { stage: 'ordered' }],
    ['held', {}, { stage: 'ordered' }],
    ['handedOver', { handedOverAt: taken }, { stage: 'handedOver', handedOverAt: taken }],
    [
      'delivered',
      { handedOverAt: taken, deliveredAt: there, proof: '363440463' },
      { stage: 'delivered', handedOverAt: taken, deliveredAt: there, proof: '363440463' },
    ],
    // By hand nobody is in between.
    ['delivered', { deliveredAt: there }, { stage: 'delivered', deliveredAt: there }],
    ['failed', { failure: 'recipientUnknown' }, { stage: 'failed', failure: 'recipientUnknown' }],
    ['paidBack', { failure: 'expired' }, { stage: 'paidBack', failure: 'expired' }],
    // Its charge went back, of which the order says more than the sender reads.
    ['failed', {}, { stage: 'failed' }],
    ['failed', { failure: 'noBalance' }, { stage: 'failed' }],
  ] as const)('%s %j: %j', (state, change, expected) => {
    expect(newsOf({ ...ORDER, ...change, state })).toEqual({ ...NEWS, ...expected })
  })

  test.each(['waiting', 'due', 'handingOver', 'held'] as const)(
    'it is late as long as the provider has not got it since it waited for us: %s',
    (state) => {
      const order = { ...ORDER, state, failure: 'noBalance', handedOverAt: taken } as const
      expect(newsOf(order)).toEqual({ ...NEWS, stage: 'ordered', isLate: true })
    },
  )

  test('nothing of it tells why an order is held, who has it in hand, and what became of the charge', () => {
    const order = { ...ORDER, state: 'held', holds: ['issfr_1'], batch: 'b1', reversal: 'disputed' } as const
    expect(Object.keys(newsOf(order)).sort()).toEqual([...Object.keys(NEWS), 'stage'].sort())
  })

  test('a provider is called by its name, and people who pay by hand by none', () => {
    expect(['mtn', 'byHand', 'somebodyNew'].map(providerName)).toEqual(['MTN Mobile Money', null, null])
  })

  test('is news when any of it is another', () => {
    const news = newsOf({ ...ORDER, state: 'handedOver', handedOverAt: taken })
    expect(isSameNews(news, { ...news })).toBe(true)
    for (const change of [{ stage: 'failed' }, { by: 'byHand' }, { isLate: true }, { proof: '1' }] as const)
      expect(isSameNews(news, { ...news, ...change }), JSON.stringify(change)).toBe(false)
    for (const change of [{ handedOverAt: 1 }, { deliveredAt: 1 }, { failure: 'expired' }] as const)
      expect(isSameNews(news, { ...news, ...change }), JSON.stringify(change)).toBe(false)
  })

  test.each([
    ['ordered', 0, true],
    ['handedOver', 30 * 24 * HOUR - 1, true],
    ['failed', HOUR, true],
    ['handedOver', 30 * 24 * HOUR, false],
    ['delivered', 0, false],
    ['paidBack', 0, false],
  ] as const)('%s, %i ms after the payment: asked about: %s', (stage, age, expected) => {
    const row = { delivery: { ...NEWS, stage }, createdAt: CREATED }
    expect(isFollowed(row, CREATED + age)).toBe(expected)
  })

  test('a transfer without a delivery is not asked about', () => {
    expect(isFollowed({ delivery: null, createdAt: CREATED }, CREATED)).toBe(false)
  })
})
