import type Stripe from 'stripe'
import { DAY } from '../../../domain/duration.ts'
import { areClosed } from '../platform/closing.ts'
import { parseRefund, type Refund } from '../platform/documents.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { refunds } from '../platform/records.ts'
import { isLost, isOpen } from './reversals.ts'

/** How long after a refund was begun a bank may still send it back, in milliseconds. */
const MAY_FAIL_FOR = 30 * DAY

/** A charge that is owed back as of `createdAt` (UTC ms), with nothing done about it yet. */
export const newDebt = (uid: string, reason: Refund['reason'], createdAt: number): Refund => ({
  uid,
  reason,
  status: 'due',
  refundId: null,
  createdAt,
  checkAt: null,
})

/**
 * What became of a debt. `refundPending`: the bank works on it. `disputed`: the bank decides about it. `refundFailed`: it is owed
 * still. `refundWaits`: payments are closed.
 */
export type PaidBack = 'paidBack' | 'refundPending' | 'disputed' | 'refundFailed' | 'refundWaits'

/**
 * Pays back what is left of a charge that is written down as owed, so that all of it is with the payer at the end. Calling again
 * is safe: a refund is begun only when the provider
 * has none that gives the charge back or may still do so. One that failed, or that the provider refused to begin, is followed by
 * one more with a key of its own, because the old key would answer for a day what it answered before.
 *
 * @param evenClosed for a refund that an operator asked for.
 * @throws Stripe's or Firestore's error; the debt then stays.
 */
export async function payBack(
  context: PaymentContext,
  paymentIntentId: string,
  { evenClosed = false } = {},
): Promise<PaidBack> {
  const { outcome, rest, failed, refusals } = await compare(context, paymentIntentId)
  if (outcome !== 'owed') return outcome
  if (!evenClosed && (await areClosed(context))) return 'refundWaits'
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
  // Its answer is not what counts: a key that was used before answers with what was true then.
  const after = await compare(context, paymentIntentId)
  if (after.outcome !== 'owed') return after.outcome
  const { failed: refundId } = after
  context.log({ level: 'error', event: 'refundFailed', paymentIntentId, refundId })
  return 'refundFailed'
}

/** Those who were refused at once have used one key, and count as one. */
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
 * Brings what is written down about a debt to what the provider has now: a refund that succeeded may have failed
 * since, and a dispute may have been won, and then the charge is owed again. Begins no refund. A charge that was never owed stays as it is.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function checkRefund(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<'refundChecked' | 'refundOwed'> {
  const { outcome } = await compare(context, paymentIntentId)
  return outcome === 'owed' ? 'refundOwed' : 'refundChecked'
}

/** Whether a refund has given its amount back, or may still do so. */
export const isStanding = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled'

/** What the provider has of a charge that is owed. */
interface AtProvider {
  readonly outcome: 'owed' | 'refundPending' | 'disputed' | 'paidBack'
  /** How much of the charge neither went back nor is on its way, in minor units. */
  readonly rest: number
  /** The last of those that give the whole charge back; null as long as none does. */
  readonly refund: Stripe.Refund | null
  /** The last one that came to nothing. */
  readonly failed: string | null
}

/**
 * The provider is asked while the database transaction holds the debt: of two who compare at once the one that writes last
 * has asked last, so that an old answer never hides a refund that has failed since.
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
    log({ level: 'info', event: 'refunded', paymentIntentId, refundId: refund?.id ?? null })
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
  const standing = refunds.filter(isStanding)
  const failed = refunds.find((one) => !isStanding(one))?.id ?? null
  // Somebody may have given a part back by hand, and the bank another: then the rest is owed.
  const rest = charge.amount_captured - total(standing) - total(disputes.filter(isLost))
  if (rest > 0) return { outcome: disputes.some(isOpen) ? 'disputed' : 'owed', rest, refund: null, failed }
  const isOver = standing.every(({ status }) => status === 'succeeded')
  return { outcome: isOver ? 'paidBack' : 'refundPending', rest: 0, refund: standing[0] ?? null, failed }
}

const total = (parts: readonly { readonly amount: number }[]) =>
  parts.reduce((sum, { amount }) => sum + amount, 0)
