import fc from 'fast-check'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { findReversal, isDisputeOpen, sumWithdrawn } from './reversals.ts'

test.each([
  ['was neither refunded nor disputed', { disputed: false, amount_refunded: 0 }, null],
  ['was refunded in part', { disputed: false, amount_refunded: 1 }, 'refundedByHand'],
  ['is disputed', { disputed: true, amount_refunded: 0 }, 'disputed'],
] as const)('findReversal classifies a charge that %s', (_, charge, reversal) => {
  expect(findReversal(charge)).toBe(reversal)
})

type Movement = readonly [amount: number, rate?: number]

const buildDispute = (movements: readonly Movement[], status: Stripe.Dispute.Status = 'lost') =>
  ({
    amount: 10_000,
    status,
    is_charge_refundable: status === 'won',
    balance_transactions: movements.map(([amount, rate]) => ({ amount, exchange_rate: rate ?? null })),
  }) as unknown as Stripe.Dispute

test.each<[what: string, movements: readonly Movement[], withdrawn: number]>([
  ['no movement', [], 0],
  ['a withdrawal', [[-10_000]], 10_000],
  ['a withdrawal and its return', [[-10_000], [10_000]], 0],
  ['a return of a part', [[-10_000], [4_000]], 6_000],
  ['a second withdrawal after a return', [[-10_000], [10_000], [-10_000]], 10_000],
  ['more returned than withdrawn', [[-10_000], [10_100]], 0],
  ['a withdrawal in another currency', [[-6_000, 0.6]], 10_000],
  [
    'a withdrawal and its return at another rate',
    [
      [-6_000, 0.6],
      [6_100, 0.61],
    ],
    0,
  ],
  [
    'a return of a part at another rate',
    [
      [-6_000, 0.6],
      [2_440, 0.61],
    ],
    6_000,
  ],
  ['a rounded withdrawal', [[-94, 1 / 106]], 10_000],
  [
    'a rounded withdrawal and its return',
    [
      [-94, 1 / 106],
      [93, 1 / 107],
    ],
    0,
  ],
])('sumWithdrawn adds up %s', (_, movements, withdrawn) => {
  expect(sumWithdrawn([buildDispute(movements)])).toBe(withdrawn)
})

test('sumWithdrawn finds nothing after a return at any exchange rate', () => {
  const rate = fc.double({ min: 0.001, max: 100, noNaN: true })
  fc.assert(
    fc.property(rate, rate, (then, now) => {
      const withdrawal: Movement = [-Math.round(10_000 * then), then]
      expect(sumWithdrawn([buildDispute([withdrawal])])).toBe(10_000)
      expect(sumWithdrawn([buildDispute([withdrawal, [Math.round(10_000 * now), now]])])).toBe(0)
    }),
  )
})

test.each<[Stripe.Dispute.Status, readonly Movement[], boolean]>([
  ['needs_response', [[-10_000]], true],
  ['lost', [[-10_000]], false],
  ['won', [[-10_000]], true],
  ['won', [[-10_000], [10_000]], false],
])('a dispute that is %s with the movements %j is open: %s', (status, movements, isOpen) => {
  expect(isDisputeOpen(buildDispute(movements, status))).toBe(isOpen)
})
