import type { CheckoutVerification, FunctionRequest } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { applySavedCard, getCardChangeSubscription } from '../plans/cardChange.ts'
import { isLiveSubscription, syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { parsePlanMetadata } from '../platform/metadata.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'
import { getStripeId, returnNullIfMissing } from '../platform/returnNullIfMissing.ts'

/** Asking again does not refill the plan's allowance. Specification, sections 4 and 7. */
export async function verifySubscription(
  context: Context,
  { uid }: Caller,
  { session_id: sessionId }: FunctionRequest<'verify-subscription'>,
): Promise<Result<CheckoutVerification, FunctionRefusal<'verify-subscription'>>> {
  const session = await returnNullIfMissing(context.stripe.checkout.sessions.retrieve(sessionId))
  const metadata = session && parsePlanMetadata(context, session.metadata)
  if (!metadata) return err(buildRefusal('checkoutNotFound'))
  if (metadata.uid !== uid) return err(buildRefusal('forbidden'))
  const { tier } = metadata
  const cardChangeSubscription = getCardChangeSubscription(context, session)
  if (cardChangeSubscription !== null) {
    const isDeclined = (await applySavedCard(context, session)) === 'declined'
    const plan = await syncPlan(context, uid)
    const isPaid = plan?.billed?.id === cardChangeSubscription && plan.billed.status === 'active'
    if (isPaid)
      return ok({
        success: true,
        tier: plan.subscription?.tier ?? tier,
        subscriptionId: cardChangeSubscription,
      })
    const isOver = !plan?.billed || !isLiveSubscription(plan.billed)
    // The refusal of a card that needs a confirmation looks like a declined one.
    const isUnconfirmed = !isOver && plan?.subscription?.confirmation !== undefined
    const status = isUnconfirmed ? 'unconfirmed' : isDeclined ? 'declined' : isOver ? 'ended' : 'open'
    return ok({ success: false, tier, subscriptionId: cardChangeSubscription, status })
  }
  const subscriptionId = session.subscription && getStripeId(session.subscription)
  if (session.status !== 'complete' || session.payment_status === 'unpaid' || subscriptionId === null)
    return ok({
      success: false,
      tier,
      subscriptionId,
      status: session.status === 'expired' ? 'expired' : 'open',
    })
  const plan = await syncPlan(context, uid)
  if (!plan) {
    context.log({ level: 'error', event: 'planUnknown', uid })
    return err(buildRefusal('unavailable'))
  }
  const isRunning = plan.billed?.id === subscriptionId && isLiveSubscription(plan.billed)
  return ok(
    isRunning
      ? { success: true, tier: plan.subscription?.tier ?? tier, subscriptionId }
      : { success: false, tier, subscriptionId, status: 'ended' },
  )
}
