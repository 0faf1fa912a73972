import type Stripe from 'stripe'
import type { Paid, Settlement } from '../../../domain/api.ts'
import { type Attempt, parseAttempt, parseRefund, type Refund } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import type { AttemptIntent } from '../platform/metadata.ts'
import { NO_PAYOUT, type PaymentContext } from '../platform/payouts.ts'
import {
  attempts,
  chargeOf,
  ended,
  refunds,
  type UnknownPaymentAlarm,
  unknownPayments,
} from '../platform/records.ts'
import { newDebt, payBack } from './refunds.ts'
import { freeReservation, paidRecord, readReservation } from './reservations.ts'
import { chargeNow, findReversal } from './reversals.ts'

/**
 * Brings the records to what the provider just said about a PaymentIntent. Any number of calls in any order end
 * the same: a succeeded payment as exactly one record or one full refund, a canceled one as a reservation given
 * back. One that no attempt knows raises an alarm. Specification, section 4.
 */
export async function settle(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
  const settlement = await settlementOf(context, intent)
  const { id: paymentIntentId, status, metadata } = intent
  const { outcome } = settlement
  context.log({
    level: 'info',
    event: 'settled',
    attempt: metadata.attemptKey,
    paymentIntentId,
    status,
    outcome,
  })
  return settlement
}

/** Settles a payment while its payer may be waiting: a transfer is paid out at once, where that is possible. */
export async function settleAndPayOut(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
  const settlement = await settle(context, intent)
  if ('transaction' in settlement) await context.payouts?.payOutSoon(context, settlement.transaction.id)
  return settlement
}

async function settlementOf(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
  const { status } = intent
  if (status === 'succeeded') return settleCharge(context, intent)
  if (status === 'canceled') await freeReservation(context, intent.metadata.attemptKey, intent.id)
  const unpaid = status === 'canceled' || status === 'requires_payment_method'
  return { outcome: unpaid ? 'unpaid' : 'unclear', status }
}

async function settleCharge(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
  const charge = await recordOrOwe(context, intent)
  if (charge.outcome === 'paid') return charge
  if (charge.outcome === 'unknown')
    context.log({ level: 'error', event: 'paymentUnknown', paymentIntentId: intent.id })
  if (!('debt' in charge)) return { outcome: 'unclear', status: intent.status }
  const { status, reason } = charge.debt
  if (status !== 'due') return { outcome: status === 'disputed' ? 'disputed' : 'refunded' }
  // The debt is written down by now: should this call fail, the sweep pays it back.
  const paidBack = await payBack(context, intent.id).catch((error) => {
    context.log({
      level: 'error',
      event: 'refundPostponed',
      paymentIntentId: intent.id,
      ...traceOf(error),
    })
    return reason
  })
  return { outcome: paidBack === 'disputed' ? 'disputed' : 'refunded' }
}

type Charge =
  | ({ readonly outcome: 'paid' } & Paid)
  | { readonly outcome: 'owed'; readonly debt: Pick<Refund, 'status' | 'reason'> }
  | { readonly outcome: 'unknown' }

/**
 * Ends with the charge recorded or owed, and never with both, in one database transaction. A charge that no attempt knows is
 * neither: an operator decides about it. Stripe is asked about the charge while the attempt is locked, so a refund or a dispute
 * that comes later finds the record.
 */
function recordOrOwe(context: PaymentContext, intent: AttemptIntent): Promise<Charge> {
  const { db, now } = context
  const settledAt = now()
  const { kind, attemptKey, uid } = intent.metadata
  const record = paidRecord(db, kind, intent.id)
  const debtRef = refunds(db).doc(intent.id)
  const attemptRef = attempts(db).doc(attemptKey)
  const alarmRef = unknownPayments(db).doc(intent.id)

  return db.runTransaction(async (tx): Promise<Charge> => {
    // The documents are read first, because the SDK retries a refused `create` again and again.
    const [recorded, owed, held] = await tx.getAll(record.ref, debtRef, attemptRef)
    // A transfer that could not be paid out has both a debt and a record.
    const debt = parseRefund(owed)
    if (debt) return { outcome: 'owed', debt }
    const stored = recorded?.data()
    if (stored) return { outcome: 'paid', ...record.read(stored) }

    const attempt = parseAttempt(held)
    if (attempt?.uid !== uid) {
      const raised: UnknownPaymentAlarm = { uid, createdAt: settledAt, refundedAt: null }
      if (!(await tx.get(alarmRef)).exists) tx.create(alarmRef, raised)
      return { outcome: 'unknown' }
    }
    const owe = (reason: Refund['reason']): Charge => {
      const made = newDebt(uid, reason, settledAt)
      tx.create(debtRef, made)
      return { outcome: 'owed', debt: made }
    }
    if (attempt.paymentIntentId !== null && attempt.paymentIntentId !== intent.id) return owe('otherPayment')
    if (attempt.status !== 'reserved') return owe('attemptEnded')

    const reservation = await readReservation(context, tx, { key: attemptKey, attempt })
    const obstacle =
      findMismatch(attempt, intent) ?? reservation.obstacle ?? findReversal(await chargeNow(context, intent))
    tx.update(attemptRef, ended(obstacle ? 'refunded' : 'recorded', intent.id))
    if (obstacle) {
      reservation.giveBack()
      return owe(obstacle)
    }
    const payout =
      attempt.kind === 'transfer'
        ? context.payouts?.onTransferRecorded(context, tx, { id: intent.id, attemptKey, attempt })
        : undefined
    return { outcome: 'paid', ...reservation.record(intent.id, settledAt, payout ?? NO_PAYOUT) }
  })
}

function findMismatch(attempt: Attempt, intent: Stripe.PaymentIntent): 'amountMismatch' | null {
  const { amount } = chargeOf(attempt)
  const isAsPromised =
    intent.amount_received === amount.minor && intent.currency === amount.currency.toLowerCase()
  return isAsPromised ? null : 'amountMismatch'
}
