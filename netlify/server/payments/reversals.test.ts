import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { reversalOf } from './reversals.ts'

const CHARGED = 1_795_000_000
const charge = (change: Partial<Stripe.Charge>) =>
  ({ created: CHARGED, disputed: false, amount: 1000, amount_refunded: 0, ...change }) as Stripe.Charge

const refunds = (...metadata: Stripe.Metadata[]) =>
  ({ refunds: { data: metadata.map((one) => ({ metadata: one })) } }) as unknown as Partial<Stripe.Charge>

const BEFORE = CHARGED * 1000 - 1
const AFTER = CHARGED * 1000 + 1

test.each<[string, Partial<Stripe.Charge>, number | undefined, ReturnType<typeof reversalOf>]>([
  ['as it was', {}, undefined, null],
  ['given back in part', { amount_refunded: 1 }, undefined, 'refundedByHand'],
  ['disputed', { disputed: true }, undefined, 'disputed'],
  ['disputed, charged before a restore', { disputed: true }, AFTER, null],
  ['given back in part, charged before a restore', { amount_refunded: 1 }, AFTER, null],
  ['given back in whole, charged before a restore', { amount_refunded: 1000 }, AFTER, 'refundedByHand'],
  ['disputed, charged after a restore', { disputed: true }, BEFORE, 'disputed'],
  ['given back in part, charged after a restore', { amount_refunded: 1 }, BEFORE, 'refundedByHand'],
  ['given back by us, in vain', refunds({ deployment: 'here' }), undefined, 'owedBefore'],
  ['given back by us, in vain, before a restore', refunds({}, { deployment: 'here' }), AFTER, 'owedBefore'],
  ['given back by others, in vain, before a restore', refunds({}, { deployment: 'there' }), AFTER, null],
])('a charge that is %s', (_, change, rebuilt, reversal) => {
  expect(reversalOf({ deployment: 'here' }, charge(change), rebuilt === undefined ? {} : { rebuilt })).toBe(
    reversal,
  )
})
