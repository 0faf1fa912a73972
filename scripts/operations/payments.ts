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
import { Usage } from './chosenSettings.ts'

const HELP = `What about the payments of this deployment? Say one of these:
  show                  whether people can pay, and which coupons have ended
  close                 nobody begins to pay; what was begun is settled, and refunds wait
  open                  people can pay again, unless Stripe has payments that the database does not know, or a rebuilding was cut off
  rebuild               after a restore: writes again what the database has forgotten, then opens
  end-coupon ZERO       the coupon is refused from now on; payments that were begun keep their price
  allow-coupon ZERO     it is good again`

const REASONS: Record<WhyClosed, string> = {
  unknownPayment: 'Stripe has payments that the database does not know',
  unknownPlan: 'Stripe has a plan that the database does not know',
  rebuilding: 'the records are being rebuilt',
  byHand: 'somebody closed them by hand',
}

/**
 * Does what an operator asks for all payments of the deployment, and says it in sentences.
 *
 * @throws Usage for what is no command; Stripe's or Firestore's error, after which asking again is safe.
 */
export async function payments(context: Context, command = '', coupon = ''): Promise<readonly string[]> {
  switch (command) {
    case 'show':
      return stateLines(context)
    case 'close':
      await close(context, 'byHand')
      return stateLines(context)
    case 'open':
      return openIfKnown(context)
    case 'rebuild':
      return rebuildLines(context)
    case 'end-coupon':
    case 'allow-coupon':
      return changeCoupon(context, command === 'end-coupon', couponName(coupon))
    default:
      throw new Usage(HELP)
  }
}

async function stateLines(context: Context): Promise<string[]> {
  const { closed, comparedUntil, endedCoupons } = await paymentsState(context)
  const unknown = (await unknownPayments(context.db).get()).docs.map(({ id }) => id)
  return [
    closed ? `Nobody can pay since ${time(closed.since)}: ${REASONS[closed.why]}.` : 'People can pay.',
    comparedUntil === 0
      ? 'The records were never compared with Stripe.'
      : `The records were compared with Stripe at ${time(comparedUntil)}.`,
    ...(unknown.length > 0 ? [`The database knows no attempt for ${unknown.join(', ')}.`] : []),
    endedCoupons.length > 0 ? `Ended coupons: ${endedCoupons.join(', ')}.` : 'No coupon has ended.',
  ]
}

async function openIfKnown(context: Context): Promise<readonly string[]> {
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
  return stateLines(context)
}

async function rebuildLines(context: Context): Promise<string[]> {
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
    ...(await stateLines(context)),
  ]
}

async function changeCoupon(context: Context, hasEnded: boolean, coupon: string): Promise<string[]> {
  if (coupon === '') throw new Usage(HELP)
  await changeState(context, (state: PaymentsState) => {
    // One that the app knows no more may still stand among those that have ended.
    const isKnown = isZeroCoupon(coupon) || (!hasEnded && state.endedCoupons.includes(coupon))
    if (!isKnown)
      throw new Usage(`There is no coupon ${coupon}. The app knows ZERO; 'show' names what has ended.`)
    const others = state.endedCoupons.filter((one) => one !== coupon)
    return { ...state, endedCoupons: hasEnded ? [...others, coupon] : others }
  })
  return stateLines(context)
}

/** UTC milliseconds as '2026-11-20 12:00:00 UTC'. */
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
