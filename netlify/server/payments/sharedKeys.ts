import type Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import type { Attempt } from '../platform/documents.ts'
import { getCardKeys, getRecipientKey } from '../platform/persons.ts'

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
