import type { RequestOf } from '../../../domain/api.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { isLive, ownPlan, syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/**
 * Ends a plan at the end of the paid period; the answer has that moment as `cancelAt` (UTC ms). A plan that was canceled before
 * stays as it is. The owner is checked at the provider. Specification, sections 4 and 7.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function cancelSubscription(
  context: Context,
  { uid }: Caller,
  { subscriptionId }: RequestOf<'cancel-subscription'>,
): Promise<Result<{ readonly cancelAt: number }, RefusalBy<'cancel-subscription'>>> {
  const plan = await ownPlan(context, uid, subscriptionId)
  if (!plan.ok) return plan
  if (!isLive(plan.value)) return endedAlready(context, uid)
  await context.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  const synced = await syncPlan(context, uid)
  const cancelAt = synced?.subscription?.cancelAt
  return typeof cancelAt === 'number' ? ok({ cancelAt }) : err(refusal('planNotFound'))
}

async function endedAlready(context: Context, uid: string) {
  await syncPlan(context, uid)
  return err(refusal('planNotFound'))
}
