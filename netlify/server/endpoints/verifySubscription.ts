import type { RequestOf, Verification } from '../../../domain/api.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { Tier } from '../../../domain/schemas/profile.ts'
import { cardChangeOf, takeCard } from '../plans/cardChange.ts'
import { isLive, syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { planOwner } from '../platform/metadata.ts'
import { idOf, nullIfMissing } from '../platform/nullIfMissing.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/**
 * Where the checkout of a returning person stands, by the provider. The plan is stored when it is paid; asking again
 * refills nothing. Only the owner can ask. Specification, sections 4 and 7.
 */
export async function verifySubscription(
  context: Context,
  { uid }: Caller,
  { session_id: sessionId }: RequestOf<'verify-subscription'>,
): Promise<Result<Verification, RefusalBy<'verify-subscription'>>> {
  const session = await nullIfMissing(context.stripe.checkout.sessions.retrieve(sessionId))
  const owner = session && planOwner(context, session.metadata)
  if (!session || owner === null) return err(refusal('checkoutNotFound'))
  if (owner !== uid) return err(refusal('forbidden'))
  const tier = session.metadata?.tier as Tier
  const changesCardOf = cardChangeOf(context, session)
  if (changesCardOf !== null) {
    const isDeclined = (await takeCard(context, session)) === 'declined'
    const plan = await syncPlan(context, uid)
    const isPaid = plan?.billed?.id === changesCardOf && plan.billed.status === 'active'
    if (isPaid) return ok({ success: true, tier, subscriptionId: changesCardOf })
    const isOver = !plan?.billed || !isLive(plan.billed)
    const status = isDeclined ? 'declined' : isOver ? 'ended' : 'open'
    return ok({ success: false, tier, subscriptionId: changesCardOf, status })
  }
  const subscriptionId = session.subscription && idOf(session.subscription)
  if (session.status !== 'complete' || session.payment_status !== 'paid' || subscriptionId === null)
    return ok({
      success: false,
      tier,
      subscriptionId,
      status: session.status === 'expired' ? 'expired' : 'open',
    })
  const plan = await syncPlan(context, uid)
  if (!plan) {
    context.log({ level: 'error', event: 'planUnknown', uid })
    return err(refusal('unavailable'))
  }
  const isRunning = plan.billed?.id === subscriptionId && isLive(plan.billed)
  return ok(
    isRunning
      ? { success: true, tier, subscriptionId }
      : { success: false, tier, subscriptionId, status: 'ended' },
  )
}
