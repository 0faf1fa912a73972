import { couponName, isZeroCoupon } from '../../domain/coupon.ts'
import { rebuild } from '../../netlify/server/operations/rebuild.ts'
import {
  changeState,
  close,
  compareWithProvider,
  isBeingRebuilt,
  open,
  type PaymentsState,
  paymentsState,
  unknownPayments,
  type WhyClosed,
} from '../../netlify/server/platform/closing.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { CommandError } from './commandError.ts'
import { formatTime } from './format.ts'

const REASONS: Record<WhyClosed, string> = {
  unknownPayment: 'Stripe has payments that the database does not know',
  unknownPlan: 'Stripe has a plan that the database does not know',
  rebuilding: 'the records are being rebuilt',
  byHand: 'somebody closed them by hand',
}

/** Closes payments: no user begins one, while payments that were begun are settled and refunds wait. */
export async function closePayments(context: Context): Promise<readonly string[]> {
  await close(context, 'byHand')
  return showPayments(context)
}

/** Describes whether users can pay, and which coupons have ended. */
export async function showPayments(context: Context): Promise<readonly string[]> {
  const { closed, comparedUntil, endedCoupons } = await paymentsState(context)
  const unknown = (await unknownPayments(context.db).get()).docs.map(({ id }) => id)
  return [
    closed ? `Nobody can pay since ${formatTime(closed.since)}: ${REASONS[closed.why]}.` : 'People can pay.',
    comparedUntil === 0
      ? 'The records were never compared with Stripe.'
      : `The records were compared with Stripe at ${formatTime(comparedUntil)}.`,
    ...(unknown.length > 0 ? [`The database knows no attempt for ${unknown.join(', ')}.`] : []),
    endedCoupons.length > 0 ? `Ended coupons: ${endedCoupons.join(', ')}.` : 'No coupon has ended.',
  ]
}

/** Opens payments, unless Stripe has payments that the database does not know. */
export async function openPayments(context: Context): Promise<readonly string[]> {
  // Before anything is compared: what is found is taken for looked at, and a rebuilding has more to look at.
  if (isBeingRebuilt(await paymentsState(context)))
    return [
      'Payments stay closed: a rebuilding has begun and has not ended. Rebuild again: what was done stays done.',
    ]
  const since = context.now()
  if (!(await compareWithProvider(context, { evenClosed: true })))
    return [
      'Payments stay closed: Stripe has payments or plans that the database does not know. Rebuild first.',
    ]
  await open(context, since)
  return showPayments(context)
}

export async function rebuildRecords(context: Context): Promise<readonly string[]> {
  const done = await rebuild(context)
  const ends = Object.entries(done.payments).map(([outcome, times]) => `${times} ${outcome}`)
  return [
    `Payments that were written again or were open: ${ends.join(', ') || 'none'}.`,
    `Customers that were written again: ${done.customers}. Plans that were compared: ${done.plans}. Checkouts that were ended: ${done.checkoutsEnded}.`,
    ...done.lostProfiles.map(
      (uid) => `The profile of user ${uid} is lost: they are asked for it at their next sign-in.`,
    ),
    ...done.unreadable.map(
      (id) =>
        `${id} does not say what was promised: its metadata were changed at Stripe. Payments stay closed.`,
    ),
    ...(await showPayments(context)),
  ]
}

/** @throws CommandError for a coupon that does not exist. */
export const endCoupon = (context: Context, coupon: string) => changeCoupon(context, coupon, true)
export const allowCoupon = (context: Context, coupon: string) => changeCoupon(context, coupon, false)

async function changeCoupon(
  context: Context,
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
