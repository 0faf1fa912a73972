import type Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import type { Refund } from '../platform/documents.ts'

/**
 * Whether the bank has the money of a disputed charge until it decides. Of an inquiry it only asks: such a charge can be
 * given back, and then nobody takes it again.
 */
export const isOpen = ({ status, is_charge_refundable: canRefund }: Stripe.Dispute) =>
  !canRefund && !['won', 'lost', 'warning_closed', 'prevented'].includes(status)

/** Whether the bank has given the money to its customer. */
export const isLost = ({ status }: Stripe.Dispute) => status === 'lost'

/**
 * Why a charge that succeeded is not what it was: it was owed before a restore, somebody gave it back by hand, or its holder
 * disputes it. Null when it is. The product gives back only what is owed, and never sends that: a refund of its own says so, whatever
 * became of it.
 *
 * @param rebuilt when the records were rebuilt after a restore (UTC ms): what was charged before may have been recorded, and so
 * sent. What others gave back says that it was not only when that is all of it.
 */
export function reversalOf(
  { deployment }: Pick<Context, 'deployment'>,
  { created, disputed, amount, amount_refunded: refunded, refunds }: Stripe.Charge,
  { rebuilt = 0 }: { readonly rebuilt?: number } = {},
): Extract<Refund['reason'], 'disputed' | 'refundedByHand' | 'owedBefore'> | null {
  if (refunds?.data.some(({ metadata }) => metadata?.deployment === deployment)) return 'owedBefore'
  if (created * 1000 <= rebuilt) return refunded >= amount ? 'refundedByHand' : null
  if (disputed) return 'disputed'
  return refunded > 0 ? 'refundedByHand' : null
}

/**
 * A warning of the card's issuer about a charge, or a review of it that is open: its id at the provider. Null when there is none but
 * those that are `lifted`.
 */
export async function doubtOf(
  { stripe }: Context,
  { id, review }: Stripe.Charge,
  lifted: readonly string[],
): Promise<string | null> {
  const isOpen = review !== null && typeof review !== 'string' && review.open
  if (isOpen && !lifted.includes(review.id)) return review.id
  const { data } = await stripe.radar.earlyFraudWarnings.list({ charge: id, limit: 100 })
  return data.find((warning) => !lifted.includes(warning.id))?.id ?? null
}

/** The charge of a PaymentIntent that succeeded, with its last refunds and its review, as the provider has them now. */
export async function chargeNow(
  { stripe }: Context,
  { latest_charge: charge }: Stripe.PaymentIntent,
): Promise<Stripe.Charge> {
  if (charge === null) throw new Error('The payment has no charge')
  return stripe.charges.retrieve(typeof charge === 'string' ? charge : charge.id, {
    expand: ['refunds', 'review'],
  })
}

/**
 * Somebody has to look at a payment that is recorded, and so sent, while its money went back or may go. The record stays: it says
 * what was sent.
 */
export async function warnIfReversed(context: Context, intent: Stripe.PaymentIntent): Promise<void> {
  const charge = await chargeNow(context, intent)
  const reversal = reversalOf(context, charge)
  if (reversal)
    context.log({
      level: 'error',
      event: 'recordedButReversed',
      paymentIntentId: intent.id,
      reversal,
      refunded: charge.amount_refunded,
    })
}
