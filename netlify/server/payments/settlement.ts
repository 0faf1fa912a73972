import type { Paid, Settlement } from '../../../domain/api.ts'
import { closeIn, mayTrustRecords, type UnknownPayment, unknownPayments } from '../platform/closing.ts'
import type { Context } from '../platform/context.ts'
import { parseAttempt, parseRefund, type Refund } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import type { AttemptIntent } from '../platform/metadata.ts'
import { attempts, chargeOf, ended, refunds } from '../platform/records.ts'
import { beginDelivery } from './deliveryOrders.ts'
import { newDebt, payBack } from './refunds.ts'
import { freeReservation, paidRecord, reservationOf } from './reservations.ts'
import { chargeNow, reversalOf } from './reversals.ts'

/**
 * Brings the records to what the provider just said about a PaymentIntent. Any number of calls in any order end
 * the same: a succeeded payment as exactly one record or one full refund, a canceled one as a reservation given
 * back. One that nobody knows is an alarm, and closes payments. Specification, section 4.
 */
export async function settle(context: Context, intent: AttemptIntent): Promise<Settlement> {
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

async function settlementOf(context: Context, intent: AttemptIntent): Promise<Settlement> {
  const { status } = intent
  if (status === 'succeeded') return settleCharge(context, intent)
  if (status === 'canceled') await freeReservation(context, intent.metadata.attemptKey, intent.id)
  const unpaid = status === 'canceled' || status === 'requires_payment_method'
  return { outcome: unpaid ? 'unpaid' : 'unclear', status }
}

async function settleCharge(context: Context, intent: AttemptIntent): Promise<Settlement> {
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
  | { readonly outcome: 'unknown' | 'undecided' }

/**
 * One database transaction that ends with the charge recorded or owed, and never with both. A charge that the database knows no
 * attempt for is neither: the attempt was there before it, so the database is an older one, and an operator has to rebuild it. Nor
 * is, while payments are closed, one that somebody else had a hand in: it may have been recorded, and sent, before that.
 * The provider is asked about the charge while the attempt is locked: who is told of a refund or a dispute later, and settles,
 * finds the record.
 */
function recordOrOwe(context: Context, intent: AttemptIntent): Promise<Charge> {
  const { db, now } = context
  const settledAt = now()
  const { kind, attemptKey, uid } = intent.metadata
  const record = paidRecord(db, kind, intent.id)
  const debt = refunds(db).doc(intent.id)
  const attempt = attempts(db).doc(attemptKey)

  return db.runTransaction(async (tx): Promise<Charge> => {
    // The ids are read first rather than created blindly: the SDK tries a refused `create` again and again.
    const [recorded, owed, held] = await tx.getAll(record.ref, debt, attempt)
    // Of a transfer that could not be paid out there is a record too.
    const known = parseRefund(owed)
    if (known) return { outcome: 'owed', debt: known }
    const stored = recorded?.data()
    if (stored) return { outcome: 'paid', ...record.read(stored) }

    const owe = (reason: Refund['reason']): Charge => {
      const owed = newDebt(uid, reason, settledAt)
      tx.create(debt, owed)
      return { outcome: 'owed', debt: owed }
    }
    const promised = parseAttempt(held)
    if (promised?.uid !== uid) {
      const close = await closeIn(context, tx, 'unknownPayment')
      const alarm: UnknownPayment = { uid, createdAt: settledAt }
      tx.set(unknownPayments(db).doc(intent.id), alarm)
      close()
      return { outcome: 'unknown' }
    }
    const { paymentIntentId } = promised
    if (paymentIntentId !== null && paymentIntentId !== intent.id) return owe('otherPayment')
    if (promised.status !== 'reserved') return owe('attemptEnded')

    const reservation = await reservationOf(context, tx, { key: attemptKey, attempt: promised })
    const { amount } = chargeOf(promised)
    const isAsPromised =
      intent.amount_received === amount.minor && intent.currency === amount.currency.toLowerCase()
    const hindrance = isAsPromised ? reservation.obstacle : 'amountMismatch'
    const charge = hindrance ? null : await chargeNow(context, intent)
    const isRestored = charge !== null && charge.created * 1000 <= (promised.rebuilt ?? 0)
    const reversal = charge && reversalOf(context, charge, promised)
    const isByOthers = reversal === 'disputed' || reversal === 'refundedByHand'
    if (isByOthers && !isRestored && !(await mayTrustRecords(context))) return { outcome: 'undecided' }
    // What a restore lost may have been paid out: its order finds that out before anything is owed.
    const isAskedAbout = isRestored && promised.kind === 'transfer' && context.providers.length > 0
    const obstacle = hindrance ?? (isByOthers && isAskedAbout ? null : reversal)
    // What a restore lost was paid then, and not now.
    const paidAt = charge && promised.rebuilt ? charge.created * 1000 : settledAt
    tx.update(attempt, ended(obstacle ? 'refunded' : 'recorded', intent.id))
    if (obstacle) {
      reservation.giveBack()
      return owe(obstacle)
    }
    const delivery =
      promised.kind === 'transfer'
        ? beginDelivery(context, tx, intent.id, { key: attemptKey, attempt: promised, isRestored })
        : null
    return { outcome: 'paid', ...reservation.record(intent.id, paidAt, delivery) }
  })
}
