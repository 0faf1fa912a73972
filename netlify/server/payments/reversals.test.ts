import { expect, test } from 'vitest'
import { findReversal } from './reversals.ts'

test.each([
  ['was neither refunded nor disputed', { disputed: false, amount_refunded: 0 }, null],
  ['was refunded in part', { disputed: false, amount_refunded: 1 }, 'refundedByHand'],
  ['is disputed', { disputed: true, amount_refunded: 0 }, 'disputed'],
] as const)('findReversal classifies a charge that %s', (_, charge, reversal) => {
  expect(findReversal(charge)).toBe(reversal)
})
