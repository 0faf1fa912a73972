import { type Transaction, transactionOf } from '../../src/domain/transaction.ts'
import type { Context } from './context.ts'
import type { TransferIntent } from './intents.ts'
import { traceOf } from './log.ts'
import {
  type Attempt,
  attempts,
  ledgerOf,
  ledgerRef,
  type Refund,
  readTransaction,
  refunds,
  storedTransaction,
  subscriptionOf,
  transactions,
  users,
  withoutReservation,
} from './records.ts'
import { freeReservation } from './reservations.ts'

/**
 * Where a payment stands. `refunded`: the card was charged, the transfer could not be recorded, and the charge goes
 * back in full. `unclear`: the provider has not decided yet; asking again will tell.
 */
export type Settlement =
  | { readonly outcome: 'paid'; readonly transaction: Transaction }
  | { readonly outcome: 'refunded' }
  | { readonly outcome: 'unpaid' | 'unclear'; readonly status: string }

/**
 * Brings the records to what the provider just said about a PaymentIntent. Any number of calls in any order end
 * the same: a succeeded payment as exactly one transaction or one full refund, a canceled one as a reservation given
 * back. Specification, section 4.
 */
export async function settle(context: Context, intent: TransferIntent): Promise<Settlement> {
  const { status } = intent
  if (status === 'succeeded') return settleCharge(context, intent)
  if (status === 'canceled') await freeReservation(context, intent.metadata.attemptKey, intent.id)
  const unpaid = status === 'canceled' || status === 'requires_payment_method'
  return { outcome: unpaid ? 'unpaid' : 'unclear', status }
}

async function settleCharge(context: Context, intent: TransferIntent): Promise<Settlement> {
  const charge = await recordOrOwe(context, intent)
  if (charge.outcome === 'paid') return charge
  // The debt is written down by now: should this call fail, the sweep pays it back.
  if (charge.isDue)
    await payBack(context, intent.id).catch((error) =>
      context.log({
        level: 'error',
        event: 'refundPostponed',
        paymentIntentId: intent.id,
        ...traceOf(error),
      }),
    )
  return { outcome: 'refunded' }
}

type Charge =
  | { readonly outcome: 'paid'; readonly transaction: Transaction }
  | { readonly outcome: 'owed'; readonly isDue: boolean }

/** One database transaction that ends with the charge recorded or owed, and never with both. */
function recordOrOwe({ db, now }: Context, intent: TransferIntent): Promise<Charge> {
  const settledAt = now()
  const record = transactions(db).doc(intent.id)
  const debt = refunds(db).doc(intent.id)
  const attempt = attempts(db).doc(intent.metadata.attemptKey)

  return db.runTransaction(async (tx): Promise<Charge> => {
    // The ids are read first rather than created blindly: the SDK tries a refused `create` again and again.
    const [recorded, owed, held] = await tx.getAll(record, debt, attempt)
    const stored = recorded?.data()
    if (stored) return { outcome: 'paid', transaction: readTransaction(stored) }
    const known = owed?.data() as Refund | undefined
    if (known) return { outcome: 'owed', isDue: known.status === 'due' }

    const { uid } = intent.metadata
    const owe = (reason: Refund['reason']): Charge => {
      const refund: Refund = { uid, reason, status: 'due', refundId: null, createdAt: settledAt }
      tx.create(debt, refund)
      return { outcome: 'owed', isDue: true }
    }
    const promised = held?.data() as Attempt | undefined
    if (promised?.uid !== uid) return owe('attemptUnknown')
    const { transfer, paymentIntentId } = promised
    if (paymentIntentId !== null && paymentIntentId !== intent.id) return owe('otherPayment')
    if (promised.status !== 'reserved') return owe('attemptEnded')

    const user = users(db).doc(uid)
    const monthly = ledgerRef(db, uid, promised.month)
    const [profile, used] = await tx.getAll(user, monthly)
    const ledger = withoutReservation(ledgerOf(used, promised), promised)
    const endAs = (status: Attempt['status']) => tx.update(attempt, { status, paymentIntentId: intent.id })
    const isAsPromised =
      intent.amount_received === transfer.gross.minor &&
      intent.currency === transfer.gross.currency.toLowerCase()
    if (!isAsPromised || !profile?.exists) {
      tx.set(monthly, ledger)
      endAs('refunded')
      return owe(isAsPromised ? 'userGone' : 'amountMismatch')
    }

    const transaction = {
      ...transactionOf(transfer, { id: intent.id, senderId: uid, now: settledAt }),
      // The instant of the reservation: so the transactions of a month add up to its ledger.
      createdAt: promised.createdAt,
    }
    tx.create(record, storedTransaction(transaction))
    tx.set(monthly, { ...ledger, recordedCents: ledger.recordedCents + promised.capCents })
    const { lastReset, transactionsLeft } = subscriptionOf(profile.data())
    // After a reset or with a new plan, the allowance it was taken from is gone.
    if (transactionsLeft !== null && promised.slotPeriod !== null && promised.slotPeriod === lastReset)
      tx.update(user, { 'subscription.transactionsLeft': Math.max(0, transactionsLeft - 1) })
    endAs('recorded')
    return { outcome: 'paid', transaction }
  })
}

/**
 * Pays back a charge that is written down as owed, in full. Calling again is safe: the provider knows the key for a
 * day, and after that refuses to refund the same charge twice.
 *
 * @throws Stripe's or Firestore's error; the debt then stays.
 */
export async function payBack({ stripe, db, log }: Context, paymentIntentId: string): Promise<void> {
  const refund = await stripe.refunds
    .create({ payment_intent: paymentIntentId }, { idempotencyKey: `refund:${paymentIntentId}` })
    .catch((error) => {
      if (error?.code === 'charge_already_refunded') return null
      throw error
    })
  if (refund?.status === 'failed' || refund?.status === 'canceled') {
    log({ level: 'error', event: 'refundFailed', paymentIntentId, refundId: refund.id })
    return
  }
  await refunds(db)
    .doc(paymentIntentId)
    .update({ status: 'done', refundId: refund?.id ?? null })
}
