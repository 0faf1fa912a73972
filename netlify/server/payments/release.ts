import type Stripe from 'stripe'
import type { Release } from '../../../domain/api.ts'
import type { KeyedAttempt } from '../platform/documents.ts'
import { isAttemptIntent } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { findOrCreateIntent, freeUnlinked } from './intents.ts'
import { settle } from './settlement.ts'

/**
 * Ends an attempt: its PaymentIntent is canceled at the provider, and only when the provider confirms that, or makes none, is
 * the reservation given back. A payment that turns out to have succeeded is settled instead.
 *
 * @throws Stripe's or Firestore's error; the reservation then stays, and calling again is safe.
 */
export async function release(context: PaymentContext, { key, attempt }: KeyedAttempt): Promise<Release> {
  const id = attempt.paymentIntentId ?? (await findOrCreateIntent(context, { key, attempt }))?.id
  if (!id) {
    await freeUnlinked(context, key)
    context.log({ level: 'info', event: 'released', attempt: key })
    return { outcome: 'released' }
  }
  const intent = await cancel(context, id)
  if (!isAttemptIntent(context, intent))
    throw new Error('The PaymentIntent of an attempt has lost its metadata')
  const settlement = await settle(context, intent)
  return intent.status === 'canceled' ? { outcome: 'released' } : settlement
}

/** The PaymentIntent after trying to cancel it: canceled, or whatever made that impossible. */
async function cancel({ stripe }: PaymentContext, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.cancel(id)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'payment_intent_unexpected_state') throw error
    return stripe.paymentIntents.retrieve(id)
  }
}
