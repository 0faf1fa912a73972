import Stripe from 'stripe'
import { err, ok, type Result } from '../../src/domain/result.ts'
import { cardChangeOf, takeCard } from './cardChange.ts'
import { close } from './closing.ts'
import type { Context } from './context.ts'
import { followDeclines } from './declines.ts'
import { isAttemptIntent, planOwner } from './metadata.ts'
import { followDispute, followReview, followWarning } from './pauses.ts'
import { syncPlan } from './plans.ts'
import { type Problem, problem } from './problems.ts'
import { checkRefund } from './refunds.ts'
import { warnIfReversed } from './reversals.ts'
import { settle } from './settlement.ts'

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

/** How far a signature's time may lie in the past or in the future. */
const TOLERANCE_SECONDS = 300

/**
 * Takes the provider's signed events. An event only says that something happened: what is true now is asked from
 * the provider, so events may come twice, late and in any order. Those that are about no attempt to pay, no debt and no plan
 * of this deployment are ignored.
 *
 * @throws Stripe's or Firestore's error; the provider then delivers the event again.
 */
export async function receiveEvent(context: Context, request: Request): Promise<Result<object, Problem>> {
  const event = verifiedEvent(context, await request.text(), request.headers.get('stripe-signature') ?? '')
  if (!event) return err(problem('invalidSignature'))
  if (isFollowed(event)) await follow(context, event)
  return ok({ received: true })
}

/** Does what an event is about. @throws Stripe's or Firestore's error; calling again is safe. */
export async function follow(context: Context, event: FollowedEvent): Promise<void> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled': {
      const intent = event.data.object
      if (!isAttemptIntent(context, intent)) return
      const current = await context.stripe.paymentIntents.retrieve(intent.id)
      if (isAttemptIntent(context, current)) await settle(context, current)
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
async function followCharge(context: Context, of: string | Stripe.PaymentIntent | null): Promise<void> {
  if (of === null) return
  const intent = await context.stripe.paymentIntents.retrieve(typeof of === 'string' ? of : of.id)
  // First what it paid for, so that a debt that it leads to is compared too.
  const settlement = isAttemptIntent(context, intent) ? await settle(context, intent) : null
  await checkRefund(context, intent.id)
  if (settlement?.outcome === 'paid') await warnIfReversed(context, intent)
}

async function followPlan(context: Context, metadata: Stripe.Metadata | null): Promise<void> {
  const uid = planOwner(context, metadata)
  if (uid === null) return
  // A customer is written down before anything can be bought.
  if ((await syncPlan(context, uid)) === null) await close(context, 'unknownPlan')
}

function verifiedEvent({ stripe, webhookSecret, now }: Context, body: string, header: string) {
  // The SDK refuses what is too old but not what is dated in the future, which could be replayed until then.
  const signedAt = header.split(',').findLast((part) => part.startsWith('t='))
  if (Number(signedAt?.slice(2)) * 1000 > now() + TOLERANCE_SECONDS * 1000) return null
  try {
    return stripe.webhooks.constructEvent(body, header, webhookSecret, TOLERANCE_SECONDS, undefined, now())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}
