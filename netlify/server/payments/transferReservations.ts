import { type DocumentSnapshot, Timestamp, type Transaction } from 'firebase-admin/firestore'
import { allowanceFor } from '../../../domain/allowance.ts'
import { couponName } from '../../../domain/coupon.ts'
import { MINUTE } from '../../../domain/duration.ts'
import { checkCap, eurCents } from '../../../domain/limits.ts'
import { monthOf } from '../../../domain/month.ts'
import { countsAt, PLANS, resetIfNewMonth } from '../../../domain/plans.ts'
import { keptPromise, promisedMinutes } from '../../../domain/promise.ts'
import { type Quote, quoteTransfer } from '../../../domain/quote.ts'
import {
  findDuplicate,
  RECENT_FOR,
  type RecentTransfer,
  recentTransfers,
} from '../../../domain/recentTransfers.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { transactionOf } from '../../../domain/transaction.ts'
import { type CheckedTransfer, isSameTransfer } from '../../../domain/transfer.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import {
  type Attempt,
  type KeyedAttempt,
  parseAttempt,
  parseTransaction,
  parseTransferAttempt,
  type TransferAttempt,
} from '../platform/documents.ts'
import { indexed } from '../platform/indexed.ts'
import { personKeys } from '../platform/persons.ts'
import { type Limit, limitRef, nextUse, parseUses } from '../platform/rateLimits.ts'
import {
  attemptKey,
  attempts,
  type Ledger,
  ledgerOf,
  ledgerRef,
  storedRecord,
  subscriptionOf,
  transactions,
  users,
  withoutReservation,
  withReservation,
} from '../platform/records.ts'
import {
  monthlyCapExceeded,
  quoteChanged,
  type RefusalBy,
  refusal,
  sentAlready,
  tooManyRequests,
} from '../platform/refusals.ts'
import { readCapUses } from './capUses.ts'
import { checkMayPay } from './mayPay.ts'
import { sumOfMonth } from './monthSum.ts'
import type { Reservation } from './reservation.ts'

/**
 * New attempts of one user. The cap leaves room for 100 transfers in a month; whoever starts so many in minutes tries
 * out stolen cards. The same attempt may be sent again at any time.
 */
const NEW_ATTEMPTS: Limit = { name: 'createPaymentIntent/user', most: 30, windowMs: 10 * MINUTE }

/** More than anybody sends within `RECENT_FOR`. */
const MOST_RECENT = 50

/** A transfer that keeps the rules of the form, and what the user has agreed to. */
export interface TransferRequest {
  readonly attemptId: string
  readonly transfer: Omit<CheckedTransfer, 'quote'>
  /** The price that they saw, in minor units. */
  readonly expected: { readonly fee: number; readonly converted: number }
  /** Within how many minutes they saw it promised; null of an app that promised nothing. */
  readonly shownMinutes: number | null
  /** The id of the same transfer that they were asked about and want once more. */
  readonly again: string | null
}

/**
 * Reserves an amount under the monthly cap, and a transfer of the plan when the quote uses one, in one database
 * transaction. A refusal writes nothing. The same attempt with the same details gets its first reservation again.
 * Specification, section 9.
 */
export async function reserve(
  context: Context,
  caller: Caller,
  { attemptId, transfer, expected, shownMinutes, again }: TransferRequest,
  endedCoupons: readonly string[],
): Promise<Result<KeyedAttempt<TransferAttempt>, RefusalBy<'create-payment-intent'>>> {
  const { db, now } = context
  const { uid } = caller
  const persons = personKeys(context, caller)
  const key = attemptKey(uid, attemptId)
  const attempt = attempts(db).doc(key)
  const user = users(db).doc(uid)
  const limit = limitRef(context, { limit: NEW_ATTEMPTS, of: uid })

  return db.runTransaction(
    async (tx): Promise<Result<KeyedAttempt<TransferAttempt>, RefusalBy<'create-payment-intent'>>> => {
      const [known, profile, turns] = await tx.getAll(attempt, user, limit)
      const stored = subscriptionOf(profile?.data())
      // Only now, and anew in each try: another one may have begun the new month meanwhile. Month, price, transfer of the plan and
      // ledger are of this one instant.
      const createdAt = countsAt(stored, now())
      const month = monthOf(createdAt)
      const monthly = ledgerRef(db, uid, month)
      const used = await tx.get(monthly)
      const begun = parseAttempt(known)
      if (begun) {
        const first = sameAgain(key, begun, transfer)
        if (!first.ok || isExpected(first.value.attempt.transfer.quote, expected)) return first
        const { attempt } = first.value
        const ledger = await ledgerFrom(context, used, { uid, month })
        const isHeld = attempt.status === 'reserved' && attempt.month === month
        const facts = {
          at: createdAt,
          subscription: stored,
          ledger: isHeld ? withoutReservation(ledger, attempt) : ledger,
        }
        return err(quoteChanged(attempt.transfer.quote, facts))
      }
      if (!profile?.exists) return err(refusal('userNotFound'))
      const allowed = await checkMayPay(context, tx, caller)
      if (!allowed.ok) return allowed
      if (transfer.coupon !== null && endedCoupons.includes(couponName(transfer.coupon)))
        return err(refusal('couponEnded'))

      const turn = nextUse(parseUses(turns), NEW_ATTEMPTS, createdAt)
      if (!turn.ok) return err(tooManyRequests(turn.error.waitMs))
      const ledger = await ledgerFrom(context, used, { uid, month })
      const uses = await readCapUses(context, tx, { uid, month, persons })
      const usedCents = Math.max(ledger.recordedCents + ledger.reservedCents, uses.usedCents)
      const cap = checkCap(usedCents, transfer.gross, createdAt)
      if (!cap.ok) return err(monthlyCapExceeded(cap.error))

      const subscription = resetIfNewMonth(stored, createdAt)
      const quote = quoteTransfer({
        ...transfer,
        subscription: allowanceFor(subscription, ledger, createdAt),
        now: createdAt,
      })
      if (!isExpected(quote, expected))
        return err(quoteChanged(quote, { at: createdAt, subscription: stored, ledger }))
      const duplicate = await duplicateInRecords(context, tx, uid, { transfer, again }, createdAt)
      if (duplicate) return err(sentAlready(duplicate))

      const promised = keptPromise(promisedMinutes(transfer.receivingMethod, context.longest), shownMinutes)
      const made: TransferAttempt = {
        kind: 'transfer',
        uid,
        attemptId,
        status: 'reserved',
        month,
        transfer: { ...transfer, quote },
        capCents: eurCents(transfer.gross),
        slotPeriod: quote.usesSlot ? subscription.lastReset : null,
        ...(promised !== null && { promisedMinutes: promised }),
        persons,
        paymentIntentId: null,
        createdAt,
      }
      tx.create(attempt, made)
      tx.set(limit, turn.value)
      tx.set(monthly, withReservation(ledger, made))
      uses.reserve(made.capCents)
      if (subscription !== stored)
        tx.update(user, {
          'subscription.transactionsLeft': subscription.transactionsLeft,
          'subscription.lastReset': Timestamp.fromMillis(createdAt),
        })
      return ok({ key, attempt: made })
    },
  )
}

/**
 * The ledger of a month as it was read in a transaction. One that is missing is made from the month's transfers; they
 * can't change meanwhile, because whoever records one writes the ledger too.
 */
async function ledgerFrom(
  context: Context,
  stored: DocumentSnapshot | undefined,
  { uid, month }: Pick<Ledger, 'uid' | 'month'>,
): Promise<Ledger> {
  const ledger = ledgerOf(stored, { uid, month })
  return stored?.exists ? ledger : { ...ledger, recordedCents: await sumOfMonth(context, uid, month) }
}

/** The amount in the month's ledger, and one of the plan's transfers when the quote uses one. */
export async function readTransferReservation(
  context: Context,
  tx: Transaction,
  attempt: TransferAttempt,
): Promise<Reservation> {
  const { db } = context
  const { uid, month, transfer, capCents, slotPeriod, promisedMinutes = null, createdAt } = attempt
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)
  const [profile, used] = await tx.getAll(user, monthly)
  const uses = await readCapUses(context, tx, attempt)
  const ledger = withoutReservation(await ledgerFrom(context, used, attempt), attempt)
  return {
    obstacle: profile?.exists ? null : 'userGone',
    giveBack() {
      tx.set(monthly, ledger)
      uses.giveBack(capCents)
    },
    record(id, settledAt, { delivery, recipientLink }) {
      const transaction = {
        ...transactionOf(transfer, { id, senderId: uid, now: settledAt, delivery, promisedMinutes }),
        // The instant of the reservation: so the transactions of a month add up to its ledger.
        createdAt,
        recipientLink,
      }
      tx.create(transactions(db).doc(id), storedRecord(transaction))
      tx.set(monthly, { ...ledger, recordedCents: ledger.recordedCents + capCents })
      uses.record(capCents)
      const { lastReset, transactionsLeft } = subscriptionOf(profile?.data())
      // After a reset or with a new plan, the allowance it was taken from is gone.
      if (transactionsLeft !== null && slotPeriod !== null && slotPeriod === lastReset)
        tx.update(user, { 'subscription.transactionsLeft': Math.max(0, transactionsLeft - 1) })
      return { transaction }
    },
  }
}

/**
 * What gives back what a recorded transfer used: the amount in the ledger of its month, and one of the plan's transfers as long as the
 * allowance that it was taken from counts. A plan never has more than its allowance.
 */
export async function takeBackTransfer(
  context: Context,
  tx: Transaction,
  attempt: TransferAttempt,
): Promise<() => void> {
  const { db } = context
  const { uid, month, capCents, slotPeriod } = attempt
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)
  const [profile, used] = await tx.getAll(user, monthly)
  const uses = await readCapUses(context, tx, attempt)
  const ledger = await ledgerFrom(context, used, attempt)
  return () => {
    tx.set(monthly, { ...ledger, recordedCents: Math.max(0, ledger.recordedCents - capCents) })
    uses.takeBack(capCents)
    const { tier, lastReset, transactionsLeft } = subscriptionOf(profile?.data())
    if (tier !== null && transactionsLeft !== null && slotPeriod !== null && slotPeriod === lastReset)
      tx.update(user, {
        'subscription.transactionsLeft': Math.min(PLANS[tier].allowance, transactionsLeft + 1),
      })
  }
}

/**
 * The newest that this person has sent lately, or may still pay, to the same number with the same amount, on whichever
 * device; null when they were asked about exactly that one. Two that begin at once don't miss each other: both count their
 * limit in this transaction. `now`: UTC ms.
 */
async function duplicateInRecords(
  context: Context,
  tx: Transaction,
  uid: string,
  { transfer, again }: Pick<TransferRequest, 'transfer' | 'again'>,
  now: number,
): Promise<RecentTransfer | null> {
  const { db } = context
  const { phone, gross } = transfer
  const open = attempts(db)
    .where('uid', '==', uid)
    .where('status', '==', 'reserved')
    .where('transfer.phone', '==', phone)
    .where('transfer.gross.minor', '==', gross.minor)
  const sentSince = (instant: 'settledAt' | 'createdAt') =>
    transactions(db)
      .where('senderId', '==', uid)
      .where(instant, '>=', Timestamp.fromMillis(now - RECENT_FOR))
      .orderBy(instant, 'desc')
      .limit(MOST_RECENT)
  // In this order: one that is recorded in between was still open.
  const begun = (await tx.get(open)).docs.flatMap((document) => parseTransferAttempt(document) ?? [])
  const sent = await indexed(context, sentSince('settledAt'), sentSince('createdAt'))
  const recent = recentTransfers(
    sent.docs.map((document) => parseTransaction(document.data())),
    begun.map(({ attemptId: id, transfer, createdAt: begunAt }) => ({ id, transfer, begunAt })),
  )
  const duplicate = findDuplicate(transfer, recent, now)
  if (!duplicate || duplicate.id === again) return null
  if (again === null) return duplicate
  // It may have been open when they were asked, and be paid by now.
  const asked = parseAttempt(await tx.get(attempts(db).doc(attemptKey(uid, again))))
  return asked?.paymentIntentId === duplicate.id ? null : duplicate
}

function sameAgain(
  key: string,
  attempt: Attempt,
  transfer: TransferRequest['transfer'],
): Result<KeyedAttempt<TransferAttempt>, RefusalBy<'create-payment-intent'>> {
  return attempt.kind === 'transfer' && isSameTransfer(attempt.transfer, transfer)
    ? ok({ key, attempt })
    : err(refusal('attemptConflict'))
}

function isExpected({ fee, converted }: Quote, expected: TransferRequest['expected']): boolean {
  return fee.minor === expected.fee && converted.minor === expected.converted
}
