import Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import { planOwner } from '../platform/metadata.ts'
import { idOf } from '../platform/nullIfMissing.ts'
import { isLive } from './plans.ts'

/** The plan of this deployment whose card a session changes; null for any other session. */
export const cardChangeOf = (context: Context, { metadata }: Stripe.Checkout.Session): string | null =>
  planOwner(context, metadata) === null ? null : (metadata?.changesCardOf ?? null)

/**
 * Makes the card that was saved the card of the plan, and pays with it what the plan owes. Any number of calls end the same, in any
 * order: of several cards the one that was typed last stays, because a session is told of for days, and each time somebody comes
 * back by its address. `declined`: the bank refused a card again, and the plan owes still.
 *
 * @throws Stripe's error; calling again is safe.
 */
export async function takeCard(
  context: Context,
  session: Stripe.Checkout.Session,
): Promise<'taken' | 'declined' | 'notSaved'> {
  const { stripe } = context
  const subscriptionId = cardChangeOf(context, session)
  if (session.status !== 'complete' || subscriptionId === null || !session.setup_intent) return 'notSaved'
  const { payment_method: card } = await stripe.setupIntents.retrieve(idOf(session.setup_intent), {
    expand: ['payment_method'],
  })
  if (!card || typeof card === 'string') return 'notSaved'
  const subscription = await stripe.subscriptions.retrieve(subscriptionId)
  if (!isLive(subscription)) return 'taken'
  // Of two cards that were saved within one second the one that is told of last stays.
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

/** The way back and the webhook come at the same time: the same card is charged once. */
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
