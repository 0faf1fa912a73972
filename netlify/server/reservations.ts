import { Timestamp } from 'firebase-admin/firestore'
import { checkCap, eurCents } from '../../src/domain/limits.ts'
import { monthOf } from '../../src/domain/month.ts'
import { resetIfNewMonth, type Subscription } from '../../src/domain/plans.ts'
import { type Quote, quoteTransfer } from '../../src/domain/quote.ts'
import { err, ok, type Result } from '../../src/domain/result.ts'
import type { CheckedTransfer } from '../../src/domain/transfer.ts'
import type { Context } from './context.ts'
import { monthlyCapExceeded, type Problem, problem, quoteChanged } from './problems.ts'
import {
  type Attempt,
  attemptKey,
  attempts,
  type Ledger,
  ledgerOf,
  ledgerRef,
  type Reservation,
  subscriptionOf,
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
): Promise<Result<Reservation, Problem>> {
  const key = attemptKey(uid, attemptId)
  // Read once: a transaction that is tried again across midnight still belongs to the month it began in.
  const createdAt = now()
  const month = monthOf(createdAt)
  const attempt = attempts(db).doc(key)
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)

  return db.runTransaction(async (tx): Promise<Result<Reservation, Problem>> => {
    const [known, profile, used] = await tx.getAll(attempt, user, monthly)
    if (known?.exists) return sameAgain({ key, attempt: known.data() as Attempt }, transfer, expected)
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

    const made: Attempt = {
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

/**
 * Gives a reservation back. Only for an attempt whose PaymentIntent the provider confirmed as canceled (pass its
 * id), or that has none which anybody could pay (pass null). An attempt that has ended stays as it is.
 */
export async function freeReservation(
  { db }: Context,
  key: string,
  paymentIntentId: string | null,
): Promise<void> {
  const attempt = attempts(db).doc(key)
  await db.runTransaction(async (tx) => {
    const held = (await tx.get(attempt)).data() as Attempt | undefined
    if (held?.status !== 'reserved') return
    if (held.paymentIntentId !== null && held.paymentIntentId !== paymentIntentId) return
    const monthly = ledgerRef(db, held.uid, held.month)
    const ledger = ledgerOf(await tx.get(monthly), held)
    tx.set(monthly, withoutReservation(ledger, held))
    tx.update(attempt, { status: 'released', paymentIntentId })
  })
}

function sameAgain(
  reservation: Reservation,
  { gross, phone, receivingMethod, coupon }: TransferRequest['transfer'],
  expected: TransferRequest['expected'],
): Result<Reservation, Problem> {
  const { transfer } = reservation.attempt
  const same =
    transfer.gross.minor === gross.minor &&
    transfer.gross.currency === gross.currency &&
    transfer.phone === phone &&
    transfer.receivingMethod === receivingMethod &&
    transfer.coupon === coupon
  if (!same) return err(problem('attemptConflict'))
  return isExpected(transfer.quote, expected) ? ok(reservation) : err(quoteChanged(transfer.quote))
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
