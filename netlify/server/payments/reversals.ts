import type Stripe from 'stripe'
import type { Reversal } from '../../../domain/money/reversal.ts'
import type { Context } from '../platform/context.ts'

/** Finds all refunds of a payment or charge, with their movements, newest first. @throws Stripe's error. */
export async function fetchRefunds(
  { stripe }: Pick<Context, 'stripe'>,
  of: Pick<Stripe.RefundListParams, 'payment_intent' | 'charge'>,
): Promise<readonly Stripe.Refund[]> {
  const found: Stripe.Refund[] = []
  const expand = ['data.balance_transaction', 'data.failure_balance_transaction']
  for await (const refund of stripe.refunds.list({ ...of, limit: 100, expand })) found.push(refund)
  return found
}

/** Movements of our balance. */
export const listMovements = (
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): readonly Stripe.BalanceTransaction[] =>
  [
    ...refunds.flatMap((one) => [one.balance_transaction, one.failure_balance_transaction]),
    ...disputes.flatMap((one) => one.balance_transactions),
  ].flatMap((one) => (one && typeof one === 'object' ? one : []))

type DisputedFunds = Pick<Stripe.Dispute, 'amount' | 'balance_transactions'>

/**
 * In minor units of the charge. The movements of our balance decide, because a lost dispute can be returned
 * in part, or won later. A movement in another currency is converted back at its own rate; a difference
 * within its rounding is zero.
 */
export const sumWithdrawn = (disputes: readonly DisputedFunds[]): number =>
  sum(disputes.map(getWithdrawnAmount))

function getWithdrawnAmount({ amount, balance_transactions: movements }: DisputedFunds): number {
  const withdrawn = -sum(movements.map((moved) => moved.amount / (moved.exchange_rate ?? 1)))
  const rounding = sum(movements.map(({ exchange_rate: rate }) => (rate === null ? 0 : 0.5 / rate)))
  const whole = [0, amount].find((exact) => Math.abs(withdrawn - exact) <= rounding)
  return whole ?? Math.max(0, Math.round(withdrawn))
}

const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0)

/**
 * Whether the bank keeps the money, or has decided for us and not returned it yet. During an inquiry the
 * charge can still be refunded, which ends the inquiry.
 */
export function isDisputeOpen(dispute: Stripe.Dispute): boolean {
  const { status, amount, is_charge_refundable: canRefund } = dispute
  if (status === 'won') return sumWithdrawn([dispute]) >= amount
  return !canRefund && !['lost', 'warning_closed', 'prevented'].includes(status)
}

/** UTC ms. */
export const getLastMovementTime = ({ created, balance_transactions: movements }: Stripe.Dispute): number =>
  Math.max(created, ...movements.map((moved) => moved.created)) * 1000

export function findReversal({
  disputed,
  amount_refunded: refunded,
}: Pick<Stripe.Charge, 'disputed' | 'amount_refunded'>): Reversal | null {
  if (disputed) return 'disputed'
  return refunded > 0 ? 'refundedByHand' : null
}

/** Finds an open review or a fraud warning of a charge. Returns its ID at Stripe. */
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

export async function fetchCharge(
  { stripe }: Context,
  { latest_charge: charge }: Stripe.PaymentIntent,
): Promise<Stripe.Charge> {
  if (charge === null) throw new Error('The payment has no charge')
  return stripe.charges.retrieve(typeof charge === 'string' ? charge : charge.id, {
    expand: ['review', 'balance_transaction'],
  })
}

/** The record stays, because it says what was sent. */
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
