import type Stripe from 'stripe'
import type { Reversal } from '../../../domain/delivery.ts'
import type { Context } from '../platform/context.ts'

/**
 * Whether the bank has the money of a disputed charge until it decides. Of an inquiry it only asks: such a charge can be
 * given back, and then nobody takes it again.
 */
export const isOpen = ({ status, is_charge_refundable: canRefund }: Stripe.Dispute) =>
  !canRefund && !['won', 'lost', 'warning_closed', 'prevented'].includes(status)

/** Whether the bank has given the money to its customer. */
export const isLost = ({ status }: Stripe.Dispute) => status === 'lost'

/**
 * Finds out whether a charge that succeeded was refunded at the provider or disputed; null when its money is still whole.
 */
export function findReversal({
  disputed,
  amount_refunded: refunded,
}: Pick<Stripe.Charge, 'disputed' | 'amount_refunded'>): Reversal | null {
  if (disputed) return 'disputed'
  return refunded > 0 ? 'refundedByHand' : null
}

/** Finds an open review or a fraud warning of a charge that is not in `lifted`: its ID at Stripe, else null. */
export async function findDoubt(
  { stripe }: Context,
  { id, review }: Stripe.Charge,
  lifted: readonly string[],
): Promise<string | null> {
  const isOpen = review !== null && typeof review !== 'string' && review.open
  if (isOpen && !lifted.includes(review.id)) return review.id
  const { data } = await stripe.radar.earlyFraudWarnings.list({ charge: id, limit: 100 })
  return data.find((warning) => !lifted.includes(warning.id))?.id ?? null
}

/** The charge of a PaymentIntent that succeeded, with its review, as the provider has them now. */
export async function chargeNow(
  { stripe }: Context,
  { latest_charge: charge }: Stripe.PaymentIntent,
): Promise<Stripe.Charge> {
  if (charge === null) throw new Error('The payment has no charge')
  return stripe.charges.retrieve(typeof charge === 'string' ? charge : charge.id, {
    expand: ['review'],
  })
}

/**
 * Somebody has to look at a payment that is recorded, and so sent, while its money went back or may go. The record stays: it says
 * what was sent.
 */
export async function warnIfReversed(context: Context, intent: Stripe.PaymentIntent): Promise<void> {
  const charge = await chargeNow(context, intent)
  const reversal = findReversal(charge)
  if (reversal)
    context.log({
      level: 'error',
      event: 'recordedButReversed',
      paymentIntentId: intent.id,
      reversal,
      refunded: charge.amount_refunded,
    })
}
