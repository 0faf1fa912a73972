import type Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import type { Attempt } from '../platform/documents.ts'
import { getCardKeys, getRecipientKey } from '../platform/persons.ts'
import { invoicePayments, transactions } from '../platform/records.ts'
import { fetchCharge } from './reversals.ts'

/**
 * Returns the keys that a payment may share with other senders: of its card and its recipient. A stop
 * under one of them holds payouts but refuses no payment.
 */
export const listSharedKeys = (
  context: Context,
  attempt: Attempt,
  charge: Stripe.Charge,
): readonly string[] => [
  ...getCardKeys(context, charge),
  ...(attempt.kind === 'transfer' ? [getRecipientKey(context, attempt.transfer.phone)] : []),
]

/** How many of an account's latest payments of each kind are searched for cards. */
const MAX_PAYMENTS = 20

/**
 * Finds the keys of the cards with which an account paid lately, also for transfers that were delivered.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function findCardKeys(context: Context, uid: string): Promise<readonly string[]> {
  const { db, stripe } = context
  const sent = transactions(db).where('senderId', '==', uid).orderBy('settledAt', 'desc')
  const paid = invoicePayments(db).where('payerId', '==', uid).orderBy('createdAt', 'desc')
  const found = await Promise.all([sent, paid].map((latest) => latest.limit(MAX_PAYMENTS).get()))
  const keys: string[] = []
  for (const { id } of found.flatMap(({ docs }) => docs))
    keys.push(...getCardKeys(context, await fetchCharge(context, await stripe.paymentIntents.retrieve(id))))
  return [...new Set(keys)]
}
