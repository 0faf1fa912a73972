import type { FunctionRequest } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { fetchOwnPlan, isLiveSubscription, syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'

/**
 * Cancels a plan at the end of the paid period; `cancelAt` is UTC ms. Specification, sections 4 and 7.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function cancelSubscription(
  context: Context,
  { uid }: Caller,
  { subscriptionId }: FunctionRequest<'cancel-subscription'>,
): Promise<Result<{ readonly cancelAt: number }, FunctionRefusal<'cancel-subscription'>>> {
  const plan = await fetchOwnPlan(context, uid, subscriptionId)
  if (!plan.ok) return plan
  if (!isLiveSubscription(plan.value)) return endedAlready(context, uid)
  await context.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  const synced = await syncPlan(context, uid)
  const cancelAt = synced?.subscription?.cancelAt
  return typeof cancelAt === 'number' ? ok({ cancelAt }) : err(buildRefusal('planNotFound'))
}

async function endedAlready(context: Context, uid: string) {
  await syncPlan(context, uid)
  return err(buildRefusal('planNotFound'))
}
