import type Stripe from 'stripe'
import type { ReleaseResult } from '../../../domain/api/api.ts'
import type { KeyedAttempt } from '../platform/documents.ts'
import { isAttemptIntent, parsePersonKeys } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { listDeclines, recordDeclines } from './declines.ts'
import { findOrCreateIntent, freeUnlinkedReservation } from './intents.ts'
import { settlePayment } from './settlement.ts'

/**
 * Frees a reservation only after Stripe confirms that the PaymentIntent is canceled, or if there is none. A
 * payment that has succeeded is settled instead.
 * @throws Stripe's or Firestore's error; the reservation then stays, and calling again is safe.
 */
export async function releaseAttempt(
  context: PaymentContext,
  { key, attempt }: KeyedAttempt,
): Promise<ReleaseResult> {
  const id = attempt.paymentIntentId ?? (await findOrCreateIntent(context, { key, attempt }))?.id
  if (!id) {
    await freeUnlinkedReservation(context, key)
    context.log({ level: 'info', event: 'attemptReleased', attempt: key })
    return { outcome: 'released' }
  }
  const intent = await cancel(context, id)
  if (!isAttemptIntent(context, intent))
    throw new Error('The PaymentIntent of the attempt lacks its metadata')
  // The webhooks may arrive only after another payment begins.
  if (intent.last_payment_error)
    await recordDeclines(context, await listDeclines(context, intent.id), parsePersonKeys(intent))
  const settlement = await settlePayment(context, intent)
  return intent.status === 'canceled' ? { outcome: 'released' } : settlement
}

/** Returns the PaymentIntent canceled, or in the state that prevented it. */
async function cancel({ stripe }: PaymentContext, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.cancel(id)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'payment_intent_unexpected_state') throw error
    return stripe.paymentIntents.retrieve(id)
  }
}
