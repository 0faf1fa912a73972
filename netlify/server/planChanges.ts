import { z } from 'zod'
import type { Tier } from '../../src/domain/plans.ts'
import { err, ok, type Result } from '../../src/domain/result.ts'
import type { Caller } from './caller.ts'
import { cardChangeOf, takeCard } from './cardChange.ts'
import { close } from './closing.ts'
import type { Context } from './context.ts'
import { found, idOf } from './found.ts'
import { planOwner } from './metadata.ts'
import { isLive, syncPlan } from './plans.ts'
import { type Problem, problem } from './problems.ts'

export const verificationRequest = z.strictObject({ session_id: z.string().regex(/^cs_\w{1,250}$/) })
export const cancellationRequest = z.strictObject({ subscriptionId: z.string().regex(/^sub_\w{1,250}$/) })

/**
 * `status` says why it is no success: not paid yet, never to be paid any more, a plan that has ended since, or another card
 * that the bank refused too.
 */
export type Verification =
  | { readonly success: true; readonly tier: Tier; readonly subscriptionId: string }
  | {
      readonly success: false
      readonly tier: Tier
      readonly subscriptionId: string | null
      readonly status: 'open' | 'expired' | 'ended' | 'declined'
    }

/**
 * Where the checkout of a returning person stands, by the provider. The plan is stored when it is paid; asking again
 * refills nothing. Only the owner can ask. Specification, sections 4 and 7.
 */
export async function verifySubscription(
  context: Context,
  { uid }: Caller,
  { session_id: sessionId }: z.infer<typeof verificationRequest>,
): Promise<Result<Verification, Problem>> {
  const session = await found(context.stripe.checkout.sessions.retrieve(sessionId))
  const owner = session && planOwner(context, session.metadata)
  if (!session || owner === null) return err(problem('checkoutNotFound'))
  if (owner !== uid) return err(problem('forbidden'))
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
    await close(context, 'unknownPlan')
    return err(problem('unavailable'))
  }
  const isRunning = plan.billed?.id === subscriptionId && isLive(plan.billed)
  return ok(
    isRunning
      ? { success: true, tier, subscriptionId }
      : { success: false, tier, subscriptionId, status: 'ended' },
  )
}

/**
 * Ends a plan when what is paid ends, which `cancelAt` tells in UTC ms. A plan that is to end already stays so. The
 * owner is checked at the provider. Specification, sections 4 and 7.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function cancelSubscription(
  context: Context,
  { uid }: Caller,
  { subscriptionId }: z.infer<typeof cancellationRequest>,
): Promise<Result<{ readonly cancelAt: number }, Problem>> {
  const subscription = await found(context.stripe.subscriptions.retrieve(subscriptionId))
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
