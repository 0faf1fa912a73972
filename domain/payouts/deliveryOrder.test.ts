import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../common/duration.ts'
import { FINAL_FAILURES } from '../transfers/deliverySchema.ts'
import {
  DELIVERY_STATES,
  deriveDeliverySummary,
  getNextCheckTime,
  isInternalFailure,
  VELOCITY_CAUSES,
} from './deliveryOrder.ts'
import { SCREENING_CAUSES } from './screening.ts'

const CREATED = Date.UTC(2026, 10, 20, 12)
const BY_HAND = { isByHand: true, cancelableUntil: null, createdAt: CREATED }
const BY_PROVIDER = { isByHand: false, cancelableUntil: CREATED, createdAt: CREATED }

test('classifies each payout failure as internal (waits) or final (is refunded)', () => {
  for (const failure of ['noBalance', 'limit', 'notSetUp', 'unclear'] as const)
    expect(isInternalFailure(failure), failure).toBe(true)
  for (const failure of FINAL_FAILURES) expect(isInternalFailure(failure), failure).toBe(false)
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
] as const)('an order in state %s aged %i ms is checked at %i', (state, age, next) => {
  expect(getNextCheckTime({ ...BY_PROVIDER, state }, CREATED + age)).toBe(CREATED + next)
})

test('schedules no check of an order that no check can change', () => {
  for (const state of DELIVERY_STATES)
    expect(getNextCheckTime({ ...BY_HAND, state }, CREATED), state).toBe(null)
  for (const state of ['claimed', 'held', 'delivered', 'failed', 'canceled', 'paidBack'] as const)
    expect(getNextCheckTime({ ...BY_PROVIDER, state }, CREATED), state).toBe(null)
})

test('schedules a due order for the end of its cancellation window', () => {
  const order = { ...BY_PROVIDER, state: 'due', cancelableUntil: CREATED + MINUTE } as const
  for (const at of [CREATED, CREATED + HOUR]) expect(getNextCheckTime(order, at)).toBe(CREATED + MINUTE)
})

test('schedules the next check in one minute to one hour', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('handingOver' as const, 'handedOver' as const, 'waiting' as const),
      fc.nat(1_000 * HOUR),
      (state, age) => {
        const now = CREATED + age
        const next = getNextCheckTime({ ...BY_PROVIDER, state }, now) ?? 0
        expect(next).toBeGreaterThanOrEqual(now + MINUTE)
        expect(next).toBeLessThanOrEqual(now + HOUR)
      },
    ),
  )
})

describe('deriveDeliverySummary', () => {
  const ORDER = {
    ...{ provider: 'mtn', wallet: 'mtn_money', cancelableUntil: CREATED + MINUTE, canceledAt: null },
    ...{ holds: [], failure: null, proof: null, handedOverAt: null, deliveredAt: null, screening: null },
  }
  const NEWS = {
    ...{ by: 'mtn', isLate: false, isChecked: false, answerBy: null },
    ...{ isCancelable: false, cancelableUntil: null, canceledAt: null },
    ...{ handedOverAt: null, deliveredAt: null, proof: null, failure: null },
  }
  const [taken, there] = [CREATED + 5_000, CREATED + MINUTE]
  const CANCELABLE = { isCancelable: true, cancelableUntil: CREATED + MINUTE }

  test.each([
    ['due', {}, { stage: 'ordered', ...CANCELABLE }],
    ['due', { cancelableUntil: null }, { stage: 'ordered', isCancelable: true }],
    // Its time has passed.
    ['handingOver', {}, { stage: 'ordered', ...CANCELABLE }],
    ['claimed', { cancelableUntil: null }, { stage: 'ordered' }],
    // A hold does not show.
    ['held', {}, { stage: 'ordered', ...CANCELABLE }],
    ['handedOver', { handedOverAt: taken }, { stage: 'handedOver', handedOverAt: taken }],
    [
      'delivered',
      { handedOverAt: taken, deliveredAt: there, proof: '363440463' },
      { stage: 'delivered', handedOverAt: taken, deliveredAt: there, proof: '363440463' },
    ],
    // A payout by hand is never handed over to a provider.
    ['delivered', { deliveredAt: there }, { stage: 'delivered', deliveredAt: there }],
    ['failed', { failure: 'recipientUnknown' }, { stage: 'failed', failure: 'recipientUnknown' }],
    ['paidBack', { failure: 'expired' }, { stage: 'paidBack', failure: 'expired' }],
    ['canceled', { canceledAt: taken }, { stage: 'canceled', canceledAt: taken }],
    ['paidBack', { canceledAt: taken }, { stage: 'paidBack', canceledAt: taken }],
    // After a reversed charge, the sender does not see the reason.
    ['failed', {}, { stage: 'failed' }],
    ['failed', { failure: 'noBalance' }, { stage: 'failed' }],
  ] as const)('shows the sender an order in state %s with %j as %j', (state, change, expected) => {
    expect(deriveDeliverySummary({ ...ORDER, ...change, state })).toEqual({ ...NEWS, ...expected })
  })

  test.each(['waiting', 'due', 'handingOver', 'held'] as const)(
    'shows an order in state %s as late after a failed payout',
    (state) => {
      const order = { ...ORDER, state, failure: 'noBalance', handedOverAt: taken } as const
      expect(deriveDeliverySummary(order)).toEqual({ ...NEWS, stage: 'ordered', isLate: true, ...CANCELABLE })
    },
  )

  test('reports a review only if daily limit or sanctions list holds', () => {
    for (const cause of VELOCITY_CAUSES) {
      const order = { ...ORDER, state: 'held', holds: ['operator', cause] } as const
      expect(deriveDeliverySummary(order)).toEqual({
        ...NEWS,
        stage: 'ordered',
        isLate: true,
        isChecked: true,
      })
    }
    for (const cause of SCREENING_CAUSES) {
      const screening = { answerBy: there, hits: [] }
      const order = { ...ORDER, state: 'held', holds: ['velocityOfCard', cause], screening } as const
      expect(deriveDeliverySummary(order)).toEqual({
        ...{ ...NEWS, stage: 'ordered', isLate: true, isChecked: true },
        answerBy: there,
      })
      // The promise ends with the hold.
      expect(deriveDeliverySummary({ ...order, state: 'due', holds: [] }).answerBy).toBe(null)
    }
    for (const holds of [['operator'], ['stop'], ['issfr_1']])
      expect(deriveDeliverySummary({ ...ORDER, state: 'held', holds })).toEqual({
        ...{ ...NEWS, stage: 'ordered' },
        ...CANCELABLE,
      })
  })

  test('hides holds, claims and reversals from the sender', () => {
    const order = { ...ORDER, state: 'held', holds: ['issfr_1'], batch: 'b1', reversal: 'disputed' } as const
    expect(Object.keys(deriveDeliverySummary(order)).sort()).toEqual([...Object.keys(NEWS), 'stage'].sort())
  })
})
