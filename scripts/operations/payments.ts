import type { Result } from '../../domain/common/result.ts'
import { isZeroCoupon, normalizeCoupon } from '../../domain/prices/coupon.ts'
import {
  changePaymentsState,
  type PaymentsState,
  readPaymentsState,
  setPaymentsClosed,
  setPaymentsOpen,
} from '../../netlify/server/payments/paymentsState.ts'
import type { RefundOutcome } from '../../netlify/server/payments/refunds.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { CommandError } from './commandError.ts'
import { formatStripeAmount, formatTime } from './format.ts'
import { keepUnknownPayment, listUnknownPayments, refundUnknownPayment } from './unknownPayments.ts'

const REFUNDED: Record<RefundOutcome, string> = {
  paidBack: 'Stripe has refunded it.',
  refundPending: 'Its refund has begun, and the bank is processing it.',
  refundUnfunded:
    'Its refund has begun, and waits until the Stripe balance suffices: add funds in Stripe, Balances.',
  disputed: 'The cardholder disputes it: nothing is refunded until the bank decides.',
  refundFailed: 'Its refund failed. The due-work job begins another one.',
  refundWaits: 'Its refund begins when payments are open.',
}

/** Payments in progress are settled, and refunds wait. */
export async function closePayments(context: PayoutContext): Promise<readonly string[]> {
  await setPaymentsClosed(context)
  return showPayments(context)
}

export async function openPayments(context: PayoutContext): Promise<readonly string[]> {
  await setPaymentsOpen(context)
  return showPayments(context)
}

export async function showPayments(context: PayoutContext): Promise<readonly string[]> {
  const { closedSince, endedCoupons } = await readPaymentsState(context)
  return [
    closedSince === null
      ? 'Payments are open.'
      : `Payments have been closed since ${formatTime(closedSince)}.`,
    endedCoupons.length > 0 ? `Ended coupons: ${endedCoupons.join(', ')}.` : 'No coupon has ended.',
  ]
}

export async function showUnknownPayments(context: PayoutContext): Promise<readonly string[]> {
  const unknown = await listUnknownPayments(context)
  if (unknown.length === 0) return ['No payment of the last 30 days waits for a decision.']
  return unknown.map(
    ({ id, amount_received: amount, currency, created, metadata: { uid } }) =>
      `${id}: user ${uid} paid ${formatStripeAmount(amount, currency)} at ${formatTime(created * 1000)}.`,
  )
}

export const refundUnknownPayments = (context: PayoutContext, ids: readonly string[]) =>
  decideEach(
    ids,
    (id) => refundUnknownPayment(context, id),
    (outcome) => REFUNDED[outcome],
  )

/** Their transfers were delivered. */
export const keepUnknownPayments = (context: PayoutContext, ids: readonly string[]) =>
  decideEach(
    ids,
    (id) => keepUnknownPayment(context, id),
    () => "kept. It leaves the list, and 'unknown-payments refund' can still refund it.",
  )

async function decideEach<Decision>(
  ids: readonly string[],
  decide: (id: string) => Promise<Result<Decision, 'notListed'>>,
  format: (decision: Decision) => string,
) {
  const lines: string[] = []
  let isBad = false
  for (const id of ids) {
    const decision = await decide(id)
    isBad ||= !decision.ok
    const answer = decision.ok
      ? format(decision.value)
      : 'nothing was changed, because it is not an unknown payment.'
    lines.push(`${id}: ${answer}`)
  }
  return { lines, isBad }
}

/** @throws CommandError for a coupon that does not exist. */
export const endCoupon = (context: PayoutContext, coupon: string) => changeCoupon(context, coupon, true)
export const allowCoupon = (context: PayoutContext, coupon: string) => changeCoupon(context, coupon, false)

async function changeCoupon(
  context: PayoutContext,
  written: string,
  hasEnded: boolean,
): Promise<readonly string[]> {
  const coupon = normalizeCoupon(written)
  await changePaymentsState(context, (state: PaymentsState) => {
    // An ended coupon may have been removed from the app.
    const isKnown = isZeroCoupon(coupon) || (!hasEnded && state.endedCoupons.includes(coupon))
    if (!isKnown)
      throw new CommandError(
        `There is no coupon ${coupon}. The app has ZERO; 'payments show' lists ended coupons.`,
      )
    const others = state.endedCoupons.filter((one) => one !== coupon)
    return { ...state, endedCoupons: hasEnded ? [...others, coupon] : others }
  })
  return showPayments(context)
}
