import Stripe from 'stripe'
import { z } from 'zod'
import { err, ok, type Result } from '../../src/domain/result.ts'
import type { Caller } from './caller.ts'
import type { Context } from './context.ts'
import { found, idOf } from './found.ts'
import { planOwner } from './metadata.ts'
import { isLive } from './plans.ts'
import { type Problem, problem } from './problems.ts'

/** `locale`: the language of the provider's page. */
export const cardChangeRequest = z.strictObject({
  subscriptionId: z.string().regex(/^sub_\w{1,250}$/),
  locale: z.enum(['fr', 'en']).default('fr'),
})

/**
 * Opens the provider's page that saves another card for a plan, whose renewal the first one may have refused. Nothing is
 * charged there. The owner is checked at the provider.
 *
 * @param origin where the app is, for the way back, which is that of a checkout.
 * @throws Stripe's error; calling again is safe, a page that nobody uses ends by itself.
 */
export async function changeCard(
  context: Context,
  { uid }: Caller,
  { subscriptionId, locale }: z.infer<typeof cardChangeRequest>,
  origin: string,
): Promise<Result<{ readonly url: string }, Problem>> {
  const { stripe } = context
  const subscription = await found(stripe.subscriptions.retrieve(subscriptionId))
  const owner = subscription && planOwner(context, subscription.metadata)
  if (!subscription || owner === null) return err(problem('planNotFound'))
  if (owner !== uid) return err(problem('forbidden'))
  if (!isLive(subscription)) return err(problem('planNotFound'))
  const { url } = await stripe.checkout.sessions.create({
    mode: 'setup',
    currency: subscription.currency,
    customer: idOf(subscription.customer),
    allowed_payment_method_types: ['card'],
    locale,
    metadata: { ...subscription.metadata, changesCardOf: subscription.id },
    success_url: `${origin}/settings?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/settings`,
  })
  return url ? ok({ url }) : err(problem('planUnavailable'))
}

/** The plan of this deployment whose card a session changes; null for any other session. */
export const cardChangeOf = (context: Context, { mode, metadata }: Stripe.Checkout.Session): string | null =>
  mode === 'setup' && planOwner(context, metadata) !== null ? (metadata?.changesCardOf ?? null) : null

/**
 * Makes the card that was saved the card of the plan, and pays with it what the plan owes. Any number of calls end the same.
 * `declined`: the bank refused this card too, and the plan owes still.
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
  const { payment_method: card } = await stripe.setupIntents.retrieve(idOf(session.setup_intent))
  if (!card) return 'notSaved'
  const subscription = await stripe.subscriptions.retrieve(subscriptionId)
  if (!isLive(subscription)) return 'taken'
  await stripe.subscriptions.update(subscriptionId, { default_payment_method: idOf(card) })
  const { data } = await stripe.invoices.list({ subscription: subscriptionId, status: 'open', limit: 1 })
  const owed = data[0]
  if (!owed?.id) return 'taken'
  return pay(stripe, owed.id, idOf(card))
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
