import { expect, test } from 'vitest'
import { findReversal } from './reversals.ts'

test.each([
  ['is whole', { disputed: false, amount_refunded: 0 }, null],
  ['was refunded in part', { disputed: false, amount_refunded: 1 }, 'refundedByHand'],
  ['is disputed', { disputed: true, amount_refunded: 0 }, 'disputed'],
] as const)('a charge that %s is told apart', (_, charge, reversal) => {
  expect(findReversal(charge)).toBe(reversal)
})
