import type Stripe from 'stripe'
import type { Reversal } from '../../../domain/money/reconciliation.ts'
import type { Context } from '../platform/context.ts'

/**
 * Whether the bank keeps the money of a disputed charge until it decides. During an inquiry the charge can
 * still be refunded, which ends the inquiry.
 */
export const isDisputeOpen = ({ status, is_charge_refundable: canRefund }: Stripe.Dispute) =>
  !canRefund && !['won', 'lost', 'warning_closed', 'prevented'].includes(status)

/** Whether the bank has returned the money to its customer. */
export const isDisputeLost = ({ status }: Stripe.Dispute) => status === 'lost'

/**
 * Finds out whether a charge that succeeded was refunded at Stripe or disputed; null if its money is
 * untouched.
 */
export function findReversal({
  disputed,
  amount_refunded: refunded,
}: Pick<Stripe.Charge, 'disputed' | 'amount_refunded'>): Reversal | null {
  if (disputed) return 'disputed'
  return refunded > 0 ? 'refundedByHand' : null
}

/**
 * Finds an open review or a fraud warning of a charge, except those in `lifted`. Returns its ID at Stripe, or
 * null.
 */
export async function findRiskSignal(
  { stripe }: Context,
  { id, review }: Stripe.Charge,
  lifted: readonly string[],
): Promise<string | null> {
  const isOpen = review !== null && typeof review !== 'string' && review.open
  if (isOpen && !lifted.includes(review.id)) return review.id
  const { data } = await stripe.radar.earlyFraudWarnings.list({ charge: id, limit: 100 })
  return data.find((warning) => !lifted.includes(warning.id))?.id ?? null
}

/** Fetches the charge of a PaymentIntent that succeeded, with its review. */
export async function fetchCharge(
  { stripe }: Context,
  { latest_charge: charge }: Stripe.PaymentIntent,
): Promise<Stripe.Charge> {
  if (charge === null) throw new Error('The payment has no charge')
  return stripe.charges.retrieve(typeof charge === 'string' ? charge : charge.id, {
    expand: ['review'],
  })
}

/**
 * Alerts an operator if a recorded payment was refunded or disputed, because its money was sent anyway.
 * The record stays, because it says what was sent.
 */
export async function warnIfReversed(context: Context, intent: Stripe.PaymentIntent): Promise<void> {
  const charge = await fetchCharge(context, intent)
  const reversal = findReversal(charge)
  if (reversal)
    context.log({
      level: 'error',
      event: 'recordedPaymentReversed',
      paymentIntentId: intent.id,
      reversal,
      refunded: charge.amount_refunded,
    })
}
