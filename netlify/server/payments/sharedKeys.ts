import type Stripe from 'stripe'
import { getCardKeys, getRecipientKey } from '../accounts/persons.ts'
import type { Context } from '../platform/context.ts'
import type { Attempt } from '../platform/documents.ts'
import { invoicePayments, transactions } from '../platform/records.ts'
import { fetchCharge } from './reversals.ts'

/** A stop under the key of a card or a recipient holds payouts but refuses no payment. */
export const listSharedKeys = (
  context: Context,
  attempt: Attempt,
  charge: Stripe.Charge,
): readonly string[] => [
  ...getCardKeys(context, charge),
  ...(attempt.kind === 'transfer' ? [getRecipientKey(context, attempt.transfer.phone)] : []),
]

const MAX_PAYMENTS = 20

/** @throws Stripe's or Firestore's error; calling again is safe. */
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
