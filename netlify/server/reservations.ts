import { type Firestore, Timestamp, type Transaction } from 'firebase-admin/firestore'
import { checkCap, eurCents } from '../../src/domain/limits.ts'
import { monthOf } from '../../src/domain/month.ts'
import { resetIfNewMonth, type Subscription } from '../../src/domain/plans.ts'
import { type Quote, quoteTransfer } from '../../src/domain/quote.ts'
import { err, ok, type Result } from '../../src/domain/result.ts'
import { transactionOf } from '../../src/domain/transaction.ts'
import type { CheckedTransfer } from '../../src/domain/transfer.ts'
import type { Context } from './context.ts'
import type { Hold } from './holds.ts'
import { monthlyCapExceeded, type Problem, problem, quoteChanged } from './problems.ts'
import {
  type Attempt,
  attemptKey,
  attempts,
  type Ledger,
  ledgerOf,
  ledgerRef,
  type Reservation,
  storedRecord,
  subscriptionOf,
  type TransferAttempt,
  transactions,
  users,
  withoutReservation,
  withReservation,
} from './records.ts'

/** A transfer that keeps the rules of the form, and the price that the user saw, in minor units. */
export interface TransferRequest {
  readonly attemptId: string
  readonly transfer: Omit<CheckedTransfer, 'quote'>
  readonly expected: { readonly fee: number; readonly converted: number }
}

/**
 * Reserves an amount under the monthly cap, and a transfer of the plan when the quote uses one, in one database
 * transaction. A refusal writes nothing. The same attempt with the same details gets its first reservation again.
 * Specification, section 9.
 */
export async function reserve(
  { db, now }: Context,
  uid: string,
  { attemptId, transfer, expected }: TransferRequest,
): Promise<Result<Reservation<TransferAttempt>, Problem>> {
  const key = attemptKey(uid, attemptId)
  // Read once: a transaction that is tried again across midnight still belongs to the month it began in.
  const createdAt = now()
  const month = monthOf(createdAt)
  const attempt = attempts(db).doc(key)
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)

  return db.runTransaction(async (tx): Promise<Result<Reservation<TransferAttempt>, Problem>> => {
    const [known, profile, used] = await tx.getAll(attempt, user, monthly)
    if (known?.exists) return sameAgain(key, known.data() as Attempt, transfer, expected)
    if (!profile?.exists) return err(problem('userNotFound'))

    const ledger = ledgerOf(used, { uid, month })
    const cap = checkCap(ledger.recordedCents + ledger.reservedCents, transfer.gross, createdAt)
    if (!cap.ok) return err(monthlyCapExceeded(cap.error))

    const stored = subscriptionOf(profile.data())
    const subscription = resetIfNewMonth(stored, createdAt)
    const quote = quoteTransfer({
      ...transfer,
      subscription: withoutReservedSlots(subscription, ledger),
      now: createdAt,
    })
    if (!isExpected(quote, expected)) return err(quoteChanged(quote))

    const made: TransferAttempt = {
      kind: 'transfer',
      uid,
      attemptId,
      status: 'reserved',
      month,
      transfer: { ...transfer, quote },
      capCents: eurCents(transfer.gross),
      slotPeriod: quote.usesSlot ? subscription.lastReset : null,
      paymentIntentId: null,
      createdAt,
    }
    tx.create(attempt, made)
    tx.set(monthly, withReservation(ledger, made))
    if (subscription !== stored)
      tx.update(user, {
        'subscription.transactionsLeft': subscription.transactionsLeft,
        'subscription.lastReset': Timestamp.fromMillis(createdAt),
      })
    return ok({ key, attempt: made })
  })
}

/** The amount in the month's ledger, and one of the plan's transfers when the quote uses one. */
export async function holdOfTransfer(
  tx: Transaction,
  db: Firestore,
  attempt: TransferAttempt,
): Promise<Hold> {
  const { uid, month, transfer, capCents, slotPeriod, createdAt } = attempt
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)
  const [profile, used] = await tx.getAll(user, monthly)
  const ledger = withoutReservation(ledgerOf(used, attempt), attempt)
  return {
    obstacle: profile?.exists ? null : 'userGone',
    giveBack: () => void tx.set(monthly, ledger),
    record(id, settledAt) {
      const transaction = {
        ...transactionOf(transfer, { id, senderId: uid, now: settledAt }),
        // The instant of the reservation: so the transactions of a month add up to its ledger.
        createdAt,
      }
      tx.create(transactions(db).doc(id), storedRecord(transaction))
      tx.set(monthly, { ...ledger, recordedCents: ledger.recordedCents + capCents })
      const { lastReset, transactionsLeft } = subscriptionOf(profile?.data())
      // After a reset or with a new plan, the allowance it was taken from is gone.
      if (transactionsLeft !== null && slotPeriod !== null && slotPeriod === lastReset)
        tx.update(user, { 'subscription.transactionsLeft': Math.max(0, transactionsLeft - 1) })
      return { transaction }
    },
  }
}

function sameAgain(
  key: string,
  attempt: Attempt,
  { gross, phone, receivingMethod, coupon }: TransferRequest['transfer'],
  expected: TransferRequest['expected'],
): Result<Reservation<TransferAttempt>, Problem> {
  if (attempt.kind !== 'transfer') return err(problem('attemptConflict'))
  const { transfer } = attempt
  const same =
    transfer.gross.minor === gross.minor &&
    transfer.gross.currency === gross.currency &&
    transfer.phone === phone &&
    transfer.receivingMethod === receivingMethod &&
    transfer.coupon === coupon
  if (!same) return err(problem('attemptConflict'))
  return isExpected(transfer.quote, expected) ? ok({ key, attempt }) : err(quoteChanged(transfer.quote))
}

function isExpected({ fee, converted }: Quote, expected: TransferRequest['expected']): boolean {
  return fee.minor === expected.fee && converted.minor === expected.converted
}

/** What other attempts hold is as good as used: two payments can't have the same transfer of the plan. */
function withoutReservedSlots(subscription: Subscription, { reservedSlots }: Ledger): Subscription {
  const { transactionsLeft } = subscription
  if (transactionsLeft === null) return subscription
  return { ...subscription, transactionsLeft: Math.max(0, transactionsLeft - reservedSlots) }
}
