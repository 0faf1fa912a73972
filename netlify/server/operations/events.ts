import type Stripe from 'stripe'
import { followDeclines } from '../payments/declines.ts'
import { checkRefund } from '../payments/refunds.ts'
import { warnIfReversed } from '../payments/reversals.ts'
import { settle, settleAndPayOut } from '../payments/settlement.ts'
import { cardChangeOf, takeCard } from '../plans/cardChange.ts'
import { syncPlan } from '../plans/plans.ts'
import { isAttemptIntent, planOwner } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { followDispute, followReview, followWarning } from './pauses.ts'

/** What the provider has to tell us of. */
export const WEBHOOK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
  'review.opened',
  'review.closed',
  'refund.updated',
  'refund.failed',
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
] as const satisfies readonly Stripe.Event['type'][]

type FollowedEvent = Extract<Stripe.Event, { readonly type: (typeof WEBHOOK_EVENTS)[number] }>

export const isFollowed = (event: Stripe.Event): event is FollowedEvent =>
  WEBHOOK_EVENTS.some((type) => type === event.type)

/** Does what an event is about. @throws Stripe's or Firestore's error; calling again is safe. */
export async function follow(context: PaymentContext, event: FollowedEvent): Promise<void> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled': {
      const intent = event.data.object
      if (!isAttemptIntent(context, intent)) return
      const current = await context.stripe.paymentIntents.retrieve(intent.id)
      if (isAttemptIntent(context, current)) await settleAndPayOut(context, current)
      return
    }
    case 'payment_intent.payment_failed': {
      const intent = event.data.object
      return isAttemptIntent(context, intent) ? followDeclines(context, intent) : undefined
    }
    case 'charge.refunded':
      return followCharge(context, event.data.object.payment_intent)
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      await followCharge(context, event.data.object.payment_intent)
      return followDispute(context, event.data.object.id)
    case 'radar.early_fraud_warning.created':
      return followWarning(context, event.data.object)
    case 'review.opened':
    case 'review.closed':
      return followReview(context, event.data.object.id)
    case 'refund.updated':
    case 'refund.failed': {
      const { payment_intent: id } = event.data.object
      if (typeof id === 'string') await checkRefund(context, id)
      return
    }
    case 'checkout.session.completed':
      if (cardChangeOf(context, event.data.object) !== null) await takeCard(context, event.data.object)
      return followPlan(context, event.data.object.metadata)
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return followPlan(context, event.data.object.metadata)
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return followPlan(context, event.data.object.parent?.subscription_details?.metadata ?? null)
  }
}

/** What became of a charge in other hands than ours. */
async function followCharge(
  context: PaymentContext,
  of: string | Stripe.PaymentIntent | null,
): Promise<void> {
  if (of === null) return
  const intent = await context.stripe.paymentIntents.retrieve(typeof of === 'string' ? of : of.id)
  // First what it paid for, so that a debt that it leads to is compared too.
  const settlement = isAttemptIntent(context, intent) ? await settle(context, intent) : null
  await checkRefund(context, intent.id)
  if (settlement?.outcome !== 'paid') return
  const payout = await context.payouts?.onChargeReversed(context, intent)
  // A payout that was called off in time is not a loss.
  if (payout !== 'calledOff') await warnIfReversed(context, intent)
}

async function followPlan(context: PaymentContext, metadata: Stripe.Metadata | null): Promise<void> {
  const uid = planOwner(context, metadata)
  if (uid === null) return
  // A customer is stored before they can buy a plan, so a missing one is an error.
  if ((await syncPlan(context, uid)) === null) context.log({ level: 'error', event: 'planUnknown', uid })
}
