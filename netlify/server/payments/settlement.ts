import type Stripe from 'stripe'
import type { PaymentRecord, Settlement } from '../../../domain/api/api.ts'
import { bookCharge, bookInvoicePaid } from '../../../domain/journal/movements.ts'
import { wasSent } from '../../../domain/transfers/recipient.ts'
import { getCardKeys, getRecipientKey } from '../accounts/persons.ts'
import { type Attempt, parseAttempt, parseRefund, type Refund } from '../platform/documents.ts'
import { toStripeAmount, writeJournal } from '../platform/journal.ts'
import type { AttemptIntent } from '../platform/metadata.ts'
import { NO_PAYOUT, type PaymentContext } from '../platform/payouts.ts'
import {
  attempts,
  buildEndedFields,
  getAttemptCharge,
  refunds,
  type UnknownPaymentAlarm,
  unknownPayments,
} from '../platform/records.ts'
import { buildDebt, tryRefundCharge } from './refunds.ts'
import { freeReservation, locatePaymentRecord, readReservation } from './reservations.ts'
import { fetchCharge, findReversal } from './reversals.ts'

/**
 * For any number and order of calls, a succeeded payment leads to exactly one record or one full refund, and
 * a canceled one frees its reservation. A payment without an attempt raises an alarm. Specification, section
 * 4.
 */
export async function settlePayment(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
  const settlement = await settleByStatus(context, intent)
  const { id: paymentIntentId, status, metadata } = intent
  const { outcome } = settlement
  context.log({
    level: 'info',
    event: 'paymentSettled',
    attempt: metadata.attemptKey,
    paymentIntentId,
    status,
    outcome,
  })
  return settlement
}

export async function settleAndPayOut(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
  const settlement = await settlePayment(context, intent)
  if ('transaction' in settlement) context.payouts?.payOutSoon(context, settlement.transaction)
  return settlement
}

async function settleByStatus(context: PaymentContext, intent: AttemptIntent): Promise<Settlement> {
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
  const paidBack = (await tryRefundCharge(context, intent.id)) ?? reason
  return { outcome: paidBack === 'disputed' ? 'disputed' : 'refunded' }
}

type Charge =
  | ({ readonly outcome: 'paid' } & PaymentRecord)
  | { readonly outcome: 'owed'; readonly debt: Pick<Refund, 'status' | 'reason'> }
  | { readonly outcome: 'unknown' }

/** Asks Stripe while the attempt is locked, so a later refund or dispute finds the record. */
async function recordOrOwe(context: PaymentContext, intent: AttemptIntent): Promise<Charge> {
  const { db, now } = context
  const settledAt = now()
  const { kind, attemptKey, uid } = intent.metadata
  const record = locatePaymentRecord(db, kind, intent.id)
  const debtRef = refunds(db).doc(intent.id)
  const attemptRef = attempts(db).doc(attemptKey)
  const alarmRef = unknownPayments(db).doc(intent.id)

  let announce = () => {}
  const charge = await db.runTransaction(async (tx): Promise<Charge> => {
    announce = () => {}
    // Read the documents first, because the SDK keeps retrying a refused `create`.
    const stored = (await tx.get(record.ref)).data()
    const recorded = stored && record.read(stored)
    if (recorded && !isCalledOff(recorded)) return { outcome: 'paid', ...recorded }
    const [owed, held] = await tx.getAll(debtRef, attemptRef)
    const debt = parseRefund(owed)
    if (debt) return { outcome: 'owed', debt }
    if (recorded) return { outcome: 'paid', ...recorded }

    const attempt = parseAttempt(held)
    if (attempt?.uid !== uid) {
      const raised: UnknownPaymentAlarm = { uid, createdAt: settledAt, decidedAt: null }
      if (!(await tx.get(alarmRef)).exists) tx.create(alarmRef, raised)
      return { outcome: 'unknown' }
    }
    const charge = await fetchCharge(context, intent)
    const received = toStripeAmount(charge)
    const owe = (reason: Refund['reason']): Charge => {
      const made = buildDebt(uid, reason, settledAt)
      tx.create(debtRef, made)
      writeJournal(context, tx, intent.id, 'received', bookCharge(received))
      return { outcome: 'owed', debt: made }
    }
    if (attempt.paymentIntentId !== null && attempt.paymentIntentId !== intent.id) return owe('otherPayment')
    if (attempt.status !== 'reserved') return owe('attemptEnded')

    const reservation = await readReservation(context, tx, { key: attemptKey, attempt })
    const obstacle = findMismatch(attempt, intent) ?? reservation.obstacle ?? findReversal(charge)
    if (obstacle) {
      tx.update(attemptRef, buildEndedFields('refunded', intent.id))
      reservation.giveBack()
      return owe(obstacle)
    }
    const cards = getCardKeys(context, charge)
    const beginPayout =
      attempt.kind === 'transfer' && reservation.uses
        ? await context.payouts?.readForRecord(context, tx, {
            id: intent.id,
            attemptKey,
            attempt,
            card: cards,
            recipient: getRecipientKey(context, attempt.transfer.phone),
            uses: reservation.uses,
          })
        : undefined
    tx.update(attemptRef, buildEndedFields('recorded', intent.id))
    const paid = attempt.kind === 'invoice' ? bookInvoicePaid(received.charged) : []
    writeJournal(context, tx, intent.id, 'received', [...bookCharge(received), ...paid])
    const begun = beginPayout?.()
    if (begun) ({ announce } = begun)
    const payout = begun?.fields ?? NO_PAYOUT
    return { outcome: 'paid', ...reservation.record(intent.id, { settledAt, cards, payout }) }
  })
  announce()
  return charge
}

/** A transfer that is not paid out has both a debt and a record. */
const isCalledOff = (record: PaymentRecord) => 'transaction' in record && !wasSent(record.transaction.status)

function findMismatch(attempt: Attempt, intent: Stripe.PaymentIntent): 'amountMismatch' | null {
  const { amount } = getAttemptCharge(attempt)
  const isAsPromised =
    intent.amount_received === amount.minor && intent.currency === amount.currency.toLowerCase()
  return isAsPromised ? null : 'amountMismatch'
}
