import type Stripe from 'stripe'
import { syncDebt } from '../payments/refunds.ts'
import { warnIfReversed } from '../payments/reversals.ts'
import { settleAndPayOut, settlePayment } from '../payments/settlement.ts'
import { syncSupplierNotice } from '../payments/supplierNotices.ts'
import { applySavedCard, getCardChangeSubscription } from '../plans/cardChange.ts'
import { bookPlanCharges } from '../plans/planCharges.ts'
import { syncPlan } from '../plans/plans.ts'
import { isAttemptIntent, parsePlanMetadata } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { getStripeId } from '../platform/returnNullIfMissing.ts'
import { handleDeclinedCardCheck, handleDeclines, handlePlanDeclines } from './handleDeclines.ts'
import { handleDispute, handleFraudWarning, handleReview } from './pauses.ts'

export const WEBHOOK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'setup_intent.setup_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
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

type HandledEvent = Extract<Stripe.Event, { readonly type: (typeof WEBHOOK_EVENTS)[number] }>

export const isHandledEvent = (event: Stripe.Event): event is HandledEvent =>
  WEBHOOK_EVENTS.some((type) => type === event.type)

/** @throws Stripe's or Firestore's error; calling again is safe. */
export async function handleStripeEvent(context: PaymentContext, event: HandledEvent): Promise<void> {
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
      return isAttemptIntent(context, intent)
        ? handleDeclines(context, intent)
        : handlePlanDeclines(context, intent)
    }
    case 'setup_intent.setup_failed':
      return handleDeclinedCardCheck(context, event)
    case 'charge.refunded':
      return handleReversedCharge(context, event.data.object.payment_intent)
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
      // The person is stopped even if the payment can't be handled.
      try {
        await handleReversedCharge(context, event.data.object.payment_intent)
      } finally {
        await handleDispute(context, event.data.object.id)
      }
      return
    case 'radar.early_fraud_warning.created':
      return handleFraudWarning(context, event.data.object)
    case 'review.opened':
    case 'review.closed':
      return handleReview(context, event.data.object.id)
    // The funds may move after the dispute is closed.
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'refund.updated':
    case 'refund.failed': {
      const { payment_intent: of } = event.data.object
      if (of === null) return
      const id = getStripeId(of)
      await syncDebt(context, id)
      await syncSupplierNotice(context, id)
      return
    }
    case 'checkout.session.completed':
      if (getCardChangeSubscription(context, event.data.object) !== null)
        await applySavedCard(context, event.data.object)
      return handlePlanEvent(context, event.data.object.metadata)
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return handlePlanEvent(context, event.data.object.metadata)
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const { id, parent } = event.data.object
      const paid = event.type === 'invoice.paid' ? id : undefined
      return handlePlanEvent(context, parent?.subscription_details?.metadata ?? null, paid)
    }
  }
}

async function handleReversedCharge(
  context: PaymentContext,
  of: string | Stripe.PaymentIntent | null,
): Promise<void> {
  if (of === null) return
  const intent = await context.stripe.paymentIntents.retrieve(typeof of === 'string' ? of : of.id)
  // Settle first, so that a resulting debt is checked too.
  const settlement = isAttemptIntent(context, intent) ? await settlePayment(context, intent) : null
  const isPaid = settlement?.outcome === 'paid'
  // The payout stops before anything else can fail.
  const payout = isPaid ? await context.payouts?.onChargeReversed(context, intent) : undefined
  const debt = await syncDebt(context, intent.id)
  if (isPaid) await syncSupplierNotice(context, intent.id)
  if (isPaid ? payout !== 'calledOff' : debt === 'settled') await warnIfReversed(context, intent)
}

async function handlePlanEvent(
  context: PaymentContext,
  metadata: Stripe.Metadata | null,
  paid?: string,
): Promise<void> {
  const uid = parsePlanMetadata(context, metadata)?.uid
  if (uid === undefined) return
  const plan = await syncPlan(context, uid)
  if (plan) await bookPlanCharges(context, uid, plan, paid)
  // A customer is stored before they can buy a plan, so a missing one is an error.
  else context.log({ level: 'error', event: 'planUnknown', uid })
}
