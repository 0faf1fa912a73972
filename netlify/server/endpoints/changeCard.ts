import type { FunctionRequest } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { checkPaymentsOpen } from '../payments/paymentsState.ts'
import { checkNewPaymentAllowed } from '../payments/restrictions.ts'
import { expireCheckoutSession } from '../plans/checkouts.ts'
import { fetchOwnPlan, isLiveSubscription } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import { getStripeId } from '../platform/returnNullIfMissing.ts'

/** A user who may not begin a payment must not test cards here. @throws Stripe's error; repeating is safe. */
export async function changeCard(
  context: Context,
  caller: Caller,
  { subscriptionId, locale = 'fr' }: FunctionRequest<'change-card'>,
  origin: string,
): Promise<Result<{ readonly url: string }, FunctionRefusal<'change-card'>>> {
  const { stripe, db } = context
  const open = await checkPaymentsOpen(context)
  if (!open.ok) return open
  const check = () =>
    db.runTransaction((tx) => checkNewPaymentAllowed(context, tx, caller), { readOnly: true })
  const allowed = await check()
  if (!allowed.ok) return allowed
  const plan = await fetchOwnPlan(context, caller.uid, subscriptionId)
  if (!plan.ok) return plan
  const subscription = plan.value
  if (!isLiveSubscription(subscription)) return err(buildRefusal('planNotFound'))
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'setup',
    currency: subscription.currency,
    customer: getStripeId(subscription.customer),
    allowed_payment_method_types: ['card'],
    locale,
    metadata: { ...subscription.metadata, changesCardOf: subscription.id },
    success_url: `${origin}/settings?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/settings`,
  })
  // A pause that began in the meantime has not seen this page.
  const stillAllowed = await check()
  if (!stillAllowed.ok) {
    await expireCheckoutSession(context, id)
    return stillAllowed
  }
  return url ? ok({ url }) : err(buildRefusal('planUnavailable'))
}
