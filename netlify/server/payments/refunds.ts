import type Stripe from 'stripe'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { parseRefund, type Refund } from '../platform/documents.ts'
import { enqueue } from '../platform/enqueue.ts'
import { getTrace } from '../platform/log.ts'
import { arePaymentsClosed } from '../platform/paymentsState.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { refunds } from '../platform/records.ts'
import { isDisputeLost, isDisputeOpen } from './reversals.ts'

/** How long after the start of a refund a bank may still return it, in milliseconds. */
const MAY_FAIL_FOR = 30 * DAY

/** Builds the record of a charge that is owed back since `createdAt` (UTC ms), before any refund. */
export const buildDebt = (uid: string, reason: Refund['reason'], createdAt: number): Refund => ({
  uid,
  reason,
  status: 'due',
  refundId: null,
  createdAt,
  checkAt: null,
})

/**
 * State of a debt. `refundPending`: the bank is working on it. `disputed`: the bank decides. `refundFailed`:
 * still owed. `refundWaits`: payments are closed.
 */
export type RefundOutcome = 'paidBack' | 'refundPending' | 'disputed' | 'refundFailed' | 'refundWaits'

/**
 * Refunds the rest of a charge that is recorded as owed. Calling again is safe: a refund is begun only if
 * Stripe has none that covers the charge or may still do so. A retry after a failed or refused refund uses a
 * new key, because Stripe repeats the old answer for a day.
 *
 * @param evenClosed refunds while payments are closed, for an operator.
 * @throws Stripe's or Firestore's error; the debt then stays.
 */
export async function refundCharge(
  context: PaymentContext,
  paymentIntentId: string,
  { evenClosed = false } = {},
): Promise<RefundOutcome> {
  const { outcome, rest, failed, refusals } = await compare(context, paymentIntentId)
  if (outcome !== 'owed') return outcome
  if (!evenClosed && (await arePaymentsClosed(context))) return 'refundWaits'
  const before = { ...(failed && { insteadOf: failed }), ...(refusals > 0 && { refusals }) }
  try {
    await context.stripe.refunds.create(
      {
        payment_intent: paymentIntentId,
        amount: rest,
        metadata: { deployment: context.deployment, ...before },
      },
      { idempotencyKey: ['refund', paymentIntentId, rest, ...Object.values(before)].join(':') },
    )
  } catch (error) {
    if (isPermanentError(error)) await countRefusal(context, paymentIntentId, refusals)
    throw error
  }
  // Compare again: a reused idempotency key returns the answer of its first use.
  const after = await compare(context, paymentIntentId)
  if (after.outcome !== 'owed') return after.outcome
  const { failed: refundId } = after
  context.log({ level: 'error', event: 'refundFailed', paymentIntentId, refundId })
  return 'refundFailed'
}

/**
 * Refunds immediately; leaves a failure to a task and to the due-work job. Never throws. @returns the state
 * of the debt; null if the call failed.
 */
export async function tryRefundCharge(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<RefundOutcome | null> {
  try {
    return await refundCharge(context, paymentIntentId)
  } catch (error) {
    context.log({ level: 'error', event: 'refundPostponed', paymentIntentId, ...getTrace(error) })
    const at = context.now() + MINUTE
    enqueue(context, { work: 'refund', id: paymentIntentId, service: 'stripe', at })
    return null
  }
}

/**
 * Counts a refusal by Stripe to begin a refund. Concurrent refusals used the same key, so they count as one.
 */
async function countRefusal(
  { db }: PaymentContext,
  paymentIntentId: string,
  refusals: number,
): Promise<void> {
  const ref = refunds(db).doc(paymentIntentId)
  await db.runTransaction(async (tx) => {
    const debt = parseRefund(await tx.get(ref))
    if (debt && (debt.refusals ?? 0) === refusals) tx.update(ref, { refusals: refusals + 1 })
  })
}

/**
 * Updates a debt from the state at Stripe: a refund that succeeded may have failed since, and a won dispute
 * makes the charge owed again. Begins no refund and leaves a charge that was never owed unchanged.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function syncDebt(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<'refundChecked' | 'refundOwed'> {
  const { outcome } = await compare(context, paymentIntentId)
  return outcome === 'owed' ? 'refundOwed' : 'refundChecked'
}

/** Whether a refund has succeeded or still may. */
export const canRefundSucceed = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled'

/** State at Stripe of a charge that is owed. */
interface AtProvider {
  readonly outcome: 'owed' | 'refundPending' | 'disputed' | 'paidBack'
  /** Amount of the charge that was neither returned nor is on its way, in minor units. */
  readonly rest: number
  /** The last refund once the whole charge is covered; null until then. */
  readonly refund: Stripe.Refund | null
  /** ID of the last refund that failed. */
  readonly failed: string | null
}

/**
 * Updates a debt from Stripe, which is asked while the transaction locks the debt. If two calls run
 * concurrently, the last to write also asked last, so an old answer never hides a refund that has failed
 * since.
 */
async function compare(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<AtProvider & { readonly refusals: number }> {
  const { db, stripe, now, log } = context
  const ref = refunds(db).doc(paymentIntentId)
  const { debt, found, announce } = await db.runTransaction(async (tx) => {
    const debt = parseRefund(await tx.get(ref))
    const isSettledByHand = debt?.status === 'done' && debt.refundId === null
    if (!debt || isSettledByHand) return { found: NOTHING_OWED }
    const payout =
      debt.reason === 'undelivered'
        ? await context.payouts?.readForRefund(context, tx, paymentIntentId)
        : undefined
    const found = await askProvider(stripe, paymentIntentId)
    const { outcome, refund } = found
    const begunAt = (refund?.created ?? 0) * 1000
    const mayChange = outcome === 'disputed' || (outcome === 'paidBack' && now() < begunAt + MAY_FAIL_FOR)
    const change: Partial<Refund> = {
      status: STATUS[outcome],
      refundId: refund?.id ?? null,
      checkAt: mayChange ? now() + DAY : null,
    }
    tx.update(ref, change)
    return { debt, found, announce: payout?.(outcome === 'paidBack') }
  })
  announce?.()
  const { outcome, refund } = found
  if (debt?.status === 'due' && outcome === 'paidBack')
    log({ level: 'info', event: 'chargeRefunded', paymentIntentId, refundId: refund?.id ?? null })
  if (debt?.refundId && outcome === 'owed')
    log({ level: 'error', event: 'refundFailed', paymentIntentId, refundId: debt.refundId })
  return { ...found, refusals: debt?.refusals ?? 0 }
}

const STATUS: Record<AtProvider['outcome'], Refund['status']> = {
  owed: 'due',
  refundPending: 'due',
  disputed: 'disputed',
  paidBack: 'done',
}

const NOTHING_OWED: AtProvider = { outcome: 'paidBack', rest: 0, refund: null, failed: null }

async function askProvider(stripe: Stripe, paymentIntentId: string): Promise<AtProvider> {
  const { data: refunds } = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 })
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(paymentIntentId, {
    expand: ['latest_charge'],
  })
  if (charge === null || typeof charge === 'string') throw new Error('The payment has no charge')
  const disputes = charge.disputed ? (await stripe.disputes.list({ charge: charge.id, limit: 100 })).data : []
  const standing = refunds.filter(canRefundSucceed)
  const failed = refunds.find((one) => !canRefundSucceed(one))?.id ?? null
  // An operator may have refunded a part by hand, and a bank another: the rest is owed.
  const rest = charge.amount_captured - total(standing) - total(disputes.filter(isDisputeLost))
  if (rest > 0)
    return { outcome: disputes.some(isDisputeOpen) ? 'disputed' : 'owed', rest, refund: null, failed }
  const isOver = standing.every(({ status }) => status === 'succeeded')
  return { outcome: isOver ? 'paidBack' : 'refundPending', rest: 0, refund: standing[0] ?? null, failed }
}

const total = (parts: readonly { readonly amount: number }[]) =>
  parts.reduce((sum, { amount }) => sum + amount, 0)
