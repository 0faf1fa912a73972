import { z } from 'zod'
import { err, ok, type Result } from '../../../domain/result.ts'
import { isLive, syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { planOwner } from '../platform/metadata.ts'
import { nullIfMissing } from '../platform/nullIfMissing.ts'
import { type Problem, problem } from '../platform/problems.ts'

export const cancellationRequest = z.strictObject({ subscriptionId: z.string().regex(/^sub_\w{1,250}$/) })

/**
 * Ends a plan at the end of the paid period; the answer has that moment as `cancelAt` (UTC ms). A plan that was canceled before
 * stays as it is. The owner is checked at the provider. Specification, sections 4 and 7.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function cancelSubscription(
  context: Context,
  { uid }: Caller,
  { subscriptionId }: z.infer<typeof cancellationRequest>,
): Promise<Result<{ readonly cancelAt: number }, Problem>> {
  const subscription = await nullIfMissing(context.stripe.subscriptions.retrieve(subscriptionId))
  const owner = subscription && planOwner(context, subscription.metadata)
  if (!subscription || owner === null) return err(problem('planNotFound'))
  if (owner !== uid) return err(problem('forbidden'))
  if (!isLive(subscription)) return endedAlready(context, uid)
  await context.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
  const plan = await syncPlan(context, uid)
  const cancelAt = plan?.subscription?.cancelAt
  return typeof cancelAt === 'number' ? ok({ cancelAt }) : err(problem('planNotFound'))
}

async function endedAlready(context: Context, uid: string) {
  await syncPlan(context, uid)
  return err(problem('planNotFound'))
}
