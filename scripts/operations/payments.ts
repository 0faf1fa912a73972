import { couponName, isZeroCoupon } from '../../domain/coupon.ts'
import { listUnknownPayments, refundUnknownPayment } from '../../netlify/server/operations/unknownPayments.ts'
import type { PaidBack } from '../../netlify/server/payments/refunds.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import {
  changeState,
  close,
  open,
  type PaymentsState,
  paymentsState,
} from '../../netlify/server/platform/closing.ts'
import { CommandError } from './commandError.ts'
import { formatStripeAmount, formatTime } from './format.ts'

const REFUNDED: Record<PaidBack, string> = {
  paidBack: 'Stripe has refunded it.',
  refundPending: 'Its refund has begun, and the bank is working on it.',
  disputed: 'The cardholder disputes it, so the bank decides: nothing is refunded until then.',
  refundFailed: 'Its refund failed. The sweep begins another one.',
  refundWaits: 'Its refund begins when payments are open.',
}

/** Closes payments: no user begins one, while payments that were begun are settled and refunds wait. */
export async function closePayments(context: PayoutContext): Promise<readonly string[]> {
  await close(context)
  return showPayments(context)
}

export async function openPayments(context: PayoutContext): Promise<readonly string[]> {
  await open(context)
  return showPayments(context)
}

/** Describes whether users can pay, and which coupons have ended. */
export async function showPayments(context: PayoutContext): Promise<readonly string[]> {
  const { closedSince, endedCoupons } = await paymentsState(context)
  return [
    closedSince === null ? 'Payments are open.' : `Payments are closed since ${formatTime(closedSince)}.`,
    endedCoupons.length > 0 ? `Ended coupons: ${endedCoupons.join(', ')}.` : 'No coupon has ended.',
  ]
}

/** Lists the payments of this deployment at Stripe that the database does not know. */
export async function showUnknownPayments(context: PayoutContext): Promise<readonly string[]> {
  const unknown = await listUnknownPayments(context)
  if (unknown.length === 0) return ['The database knows every payment of the last 30 days.']
  return unknown.map(
    ({ paymentIntentId, uid, amount, currency, createdAt }) =>
      `${paymentIntentId}: user ${uid} paid ${formatStripeAmount(amount, currency)} at ${formatTime(createdAt)}.`,
  )
}

/** Refunds these unknown payments in full, each once. */
export async function refundUnknownPayments(
  context: PayoutContext,
  ids: readonly string[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const id of ids) {
    const refunded = await refundUnknownPayment(context, id)
    lines.push(
      refunded.ok
        ? `${id}: ${REFUNDED[refunded.value]}`
        : `${id}: nothing is refunded, because it is not an unknown payment.`,
    )
  }
  return lines
}

/** @throws CommandError for a coupon that does not exist. */
export const endCoupon = (context: PayoutContext, coupon: string) => changeCoupon(context, coupon, true)
export const allowCoupon = (context: PayoutContext, coupon: string) => changeCoupon(context, coupon, false)

async function changeCoupon(
  context: PayoutContext,
  written: string,
  hasEnded: boolean,
): Promise<readonly string[]> {
  const coupon = couponName(written)
  await changeState(context, (state: PaymentsState) => {
    // An ended coupon may have left the app since.
    const isKnown = isZeroCoupon(coupon) || (!hasEnded && state.endedCoupons.includes(coupon))
    if (!isKnown)
      throw new CommandError(
        `There is no coupon ${coupon}. The app knows ZERO; 'payments show' lists the ended ones.`,
      )
    const others = state.endedCoupons.filter((one) => one !== coupon)
    return { ...state, endedCoupons: hasEnded ? [...others, coupon] : others }
  })
  return showPayments(context)
}
