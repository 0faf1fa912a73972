import Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import { parsePlanMetadata } from '../platform/metadata.ts'
import { getStripeId } from '../platform/returnNullIfMissing.ts'
import { isLiveSubscription } from './plans.ts'

/** Null for a session that changes no card. */
export const getCardChangeSubscription = (
  context: Context,
  { metadata }: Stripe.Checkout.Session,
): string | null => parsePlanMetadata(context, metadata)?.changesCardOf ?? null

/**
 * Makes the saved card the plan's, and pays with it what the plan owes. The card saved last wins for any
 * number and order of calls, because webhooks repeat old sessions for days. `declined`: the plan still owes.
 * @throws Stripe's error; calling again is safe.
 */
export async function applySavedCard(
  context: Context,
  session: Stripe.Checkout.Session,
): Promise<'taken' | 'declined' | 'notSaved'> {
  const { stripe } = context
  const subscriptionId = getCardChangeSubscription(context, session)
  if (session.status !== 'complete' || subscriptionId === null || !session.setup_intent) return 'notSaved'
  const { payment_method: card } = await stripe.setupIntents.retrieve(getStripeId(session.setup_intent), {
    expand: ['payment_method'],
  })
  if (!card || typeof card === 'string') return 'notSaved'
  const subscription = await stripe.subscriptions.retrieve(subscriptionId)
  if (!isLiveSubscription(subscription)) return 'taken'
  if (Number(subscription.metadata.cardSince ?? 0) > card.created)
    return subscription.status === 'past_due' ? 'declined' : 'taken'
  await stripe.subscriptions.update(subscriptionId, {
    default_payment_method: card.id,
    metadata: { cardSince: card.created },
  })
  const { data } = await stripe.invoices.list({ subscription: subscriptionId, status: 'open', limit: 1 })
  const owed = data[0]
  if (!owed?.id) return 'taken'
  return pay(stripe, owed.id, card.id)
}

/** The returning user and the webhook may call at the same time; the key ensures one charge. */
async function pay(stripe: Stripe, invoice: string, card: string): Promise<'taken' | 'declined'> {
  try {
    await stripe.invoices.pay(
      invoice,
      { payment_method: card },
      { idempotencyKey: `renewal:${invoice}:${card}` },
    )
    return 'taken'
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return 'declined'
    const { status } = await stripe.invoices.retrieve(invoice)
    if (status === 'paid') return 'taken'
    throw error
  }
}
