import type { RequestOf } from '../../../domain/api.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { isLive, ownPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { idOf } from '../platform/nullIfMissing.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

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
  { subscriptionId, locale = 'fr' }: RequestOf<'change-card'>,
  origin: string,
): Promise<Result<{ readonly url: string }, RefusalBy<'change-card'>>> {
  const { stripe } = context
  const plan = await ownPlan(context, uid, subscriptionId)
  if (!plan.ok) return plan
  const subscription = plan.value
  if (!isLive(subscription)) return err(refusal('planNotFound'))
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
  return url ? ok({ url }) : err(refusal('planUnavailable'))
}
