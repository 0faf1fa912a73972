import { type DocumentSnapshot, type Firestore, Timestamp, type Transaction } from 'firebase-admin/firestore'
import type { TransferPaymentRequest } from '../../../domain/api/api.ts'
import { MINUTE } from '../../../domain/common/duration.ts'
import { toMonth } from '../../../domain/common/month.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { truncateName } from '../../../domain/people/name.ts'
import { getAvailableSubscription } from '../../../domain/prices/allowance.ts'
import { normalizeCoupon } from '../../../domain/prices/coupon.ts'
import { checkMonthlyCap, toEurCents } from '../../../domain/prices/limits.ts'
import { getEffectiveTime, PLANS, refillAllowanceIfNewMonth } from '../../../domain/prices/plans.ts'
import { type Quote, quoteTransfer } from '../../../domain/prices/quote.ts'
import {
  DUPLICATE_PERIOD,
  findDuplicate,
  listRecentTransfers,
  type RecentTransfer,
} from '../../../domain/transfers/recentTransfers.ts'
import type { UnpricedTransfer } from '../../../domain/transfers/shapes/orderSchema.ts'
import { buildTransaction } from '../../../domain/transfers/shapes/transaction.ts'
import type { Transaction as StoredTransaction } from '../../../domain/transfers/transaction.ts'
import { isSameTransfer } from '../../../domain/transfers/transfer.ts'
import { checkWalletLimit } from '../../../domain/transfers/walletTariffs.ts'
import { buildPersonKeys, getRecipientKey } from '../accounts/persons.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import {
  type Attempt,
  type KeyedAttempt,
  parseAttempt,
  parseTransaction,
  type TransferAttempt,
} from '../platform/documents.ts'
import {
  addReservation,
  attempts,
  buildAttemptKey,
  type Ledger,
  ledgerRef,
  parseLedger,
  parseSubscription,
  subtractReservation,
  toStoredRecord,
  transactions,
  unreleasedAttempts,
  users,
} from '../platform/records.ts'
import {
  buildMonthlyCapExceededRefusal,
  buildQuoteChangedRefusal,
  buildRefusal,
  buildSentAlreadyRefusal,
  buildTooManyRequestsRefusal,
  buildWalletLimitRefusal,
  type FunctionRefusal,
} from '../platform/refusals.ts'
import { listCapKeys, readCapUses } from './capUses.ts'
import { checkIdentityLimit } from './identityLimit.ts'
import { queryWithFallback } from './queryWithFallback.ts'
import type { Reservation, ReservedAttempt } from './reservation.ts'
import { checkIncidents, checkNewPaymentAllowed } from './restrictions.ts'
import { fetchSavedCards } from './savedCards.ts'
import { sumMonthlyTransfers } from './sumMonthlyTransfers.ts'

/** A user who begins this many within minutes is testing stolen cards. */
const MAX_NEW_ATTEMPTS = 30
const NEW_ATTEMPTS_PERIOD = 10 * MINUTE

const MAX_RECENT_TRANSFERS = 50

/**
 * Reserves an amount under the monthly cap, and a transfer of the plan if the quote uses one, in one
 * transaction. A refusal writes nothing. The same attempt gets its first reservation again. A form has one
 * attempt that is not released. Specification, section 9.
 */
export async function reserveTransfer(
  context: Context,
  caller: Caller,
  { attemptId, draftId, expected, again }: TransferPaymentRequest,
  transfer: UnpricedTransfer,
  endedCoupons: readonly string[],
): Promise<Result<ReservedAttempt<TransferAttempt>, FunctionRefusal<'create-payment-intent'>>> {
  const { db, now } = context
  const { uid } = caller
  const persons = buildPersonKeys(context, caller)
  const key = buildAttemptKey(uid, attemptId)
  const attempt = attempts(db).doc(key)
  const user = users(db).doc(uid)
  const savedCards = await fetchSavedCards(context, uid)

  const reserved = await db.runTransaction(
    async (tx): Promise<Result<KeyedAttempt<TransferAttempt>, FunctionRefusal<'create-payment-intent'>>> => {
      const [first, profile] = await tx.getAll(attempt, user)
      const stored = parseSubscription(profile?.data())
      // Another transaction may have begun the new month before a retry. Month, price, allowance and ledger
      // all refer to this instant.
      const createdAt = getEffectiveTime(stored, now())
      const month = toMonth(createdAt)
      const monthly = ledgerRef(db, uid, month)
      const used = await tx.get(monthly)
      const sameAttempt = parseAttempt(first)
      if (sameAttempt) {
        const reuse = reuseReservation(key, sameAttempt, transfer)
        if (!reuse.ok || isExpected(reuse.value.attempt.transfer.quote, expected)) return reuse
        const { attempt } = reuse.value
        const ledger = await readLedger(context, used, { uid, month })
        const isHeld = attempt.status === 'reserved' && attempt.month === month
        const facts = {
          at: createdAt,
          subscription: stored,
          ledger: isHeld ? subtractReservation(ledger, attempt) : ledger,
        }
        return err(buildQuoteChangedRefusal(attempt.transfer.quote, facts))
      }
      const ofForm = unreleasedAttempts(db, uid).where('draftId', '==', draftId).limit(1)
      if (!(await tx.get(ofForm)).empty) return err(buildRefusal('formSentAlready'))
      if (!profile?.exists) return err(buildRefusal('userNotFound'))
      const payerName = truncateName(String(profile.get('name') ?? ''))
      if (payerName === null) return err(buildRefusal('nameRequired'))
      const parties = [...savedCards.keys, getRecipientKey(context, transfer.phone)]
      const allowed = await checkNewPaymentAllowed(context, tx, caller, { parties })
      if (!allowed.ok) return allowed
      const incidents = checkIncidents(allowed.value.counted, now())
      if (!incidents.ok) return incidents
      if (transfer.coupon !== null && endedCoupons.includes(normalizeCoupon(transfer.coupon)))
        return err(buildRefusal('couponEnded'))

      const waitMs = await readNewAttemptsWait(db, tx, uid, createdAt)
      if (waitMs > 0) return err(buildTooManyRequestsRefusal(waitMs))
      const ledger = await readLedger(context, used, { uid, month })
      const capKeys = listCapKeys({ uid, persons })
      const uses = await readCapUses(context, tx, month, capKeys)
      const usedCents = Math.max(ledger.recordedCents + ledger.reservedCents, uses.getUsedCents(capKeys))
      const cap = checkMonthlyCap(usedCents, transfer.gross, createdAt)
      if (!cap.ok) return err(buildMonthlyCapExceededRefusal(cap.error))
      const identity = await checkIdentityLimit(context, tx, { uid, monthCents: cap.value, at: createdAt })
      if (!identity.ok) return identity
      const { openWaitMs } = allowed.value
      if (openWaitMs > 0) return err(buildTooManyRequestsRefusal(openWaitMs))

      const subscription = refillAllowanceIfNewMonth(stored, createdAt)
      const available = getAvailableSubscription(subscription, ledger, createdAt)
      const terms = { ...transfer, subscription: available, now: createdAt }
      const quote = quoteTransfer(terms)
      if (!isExpected(quote, expected))
        return err(buildQuoteChangedRefusal(quote, { at: createdAt, subscription: stored, ledger }))
      const payable = checkWalletLimit(quote, transfer.receivingMethod, terms, context.walletTariffs)
      if (!payable.ok) return err(buildWalletLimitRefusal(payable.error))
      // Read after the open attempts, so that a transfer that is recorded in between is found at least once.
      const transfers = await readSentTransfers(context, uid, createdAt - DUPLICATE_PERIOD)
      const open = allowed.value.open.flatMap(({ attempt: other }) =>
        other.kind === 'transfer' && other.uid === uid
          ? { id: other.attemptId, order: other.transfer, begunAt: other.createdAt }
          : [],
      )
      const recent = listRecentTransfers(transfers.recent, open)
      const duplicate = await findUnconfirmedDuplicate(db, tx, uid, { transfer, again }, recent, createdAt)
      if (duplicate) return err(buildSentAlreadyRefusal(duplicate))

      const made: TransferAttempt = {
        kind: 'transfer',
        uid,
        attemptId,
        draftId,
        status: 'reserved',
        month,
        transfer: { ...transfer, quote },
        payerName,
        capCents: toEurCents(transfer.gross),
        slotPeriod: quote.usesSlot ? subscription.lastReset : null,
        ...(expected.minutes !== undefined && { promisedMinutes: expected.minutes }),
        persons,
        ...(transfers.isFirst && { isFirst: true }),
        paymentIntentId: null,
        createdAt,
      }
      tx.create(attempt, made)
      tx.set(monthly, addReservation(ledger, made))
      uses.reserve(capKeys, made.capCents)
      uses.store()
      if (subscription !== stored)
        tx.update(user, {
          'subscription.transactionsLeft': subscription.transactionsLeft,
          'subscription.lastReset': Timestamp.fromMillis(createdAt),
        })
      return ok({ key, attempt: made })
    },
  )
  return reserved.ok ? ok({ ...reserved.value, customerId: savedCards.customerId }) : reserved
}

/** In milliseconds; 0 if the user may begin another attempt at `now` (UTC ms). */
async function readNewAttemptsWait(
  db: Firestore,
  tx: Transaction,
  uid: string,
  now: number,
): Promise<number> {
  const latest = attempts(db)
    .where('uid', '==', uid)
    .where('kind', '==', 'transfer')
    .where('createdAt', '>', now - NEW_ATTEMPTS_PERIOD)
    .orderBy('createdAt', 'desc')
    .limit(MAX_NEW_ATTEMPTS)
  const first: number | undefined = (await tx.get(latest)).docs[MAX_NEW_ATTEMPTS - 1]?.get('createdAt')
  return first === undefined ? 0 : first + NEW_ATTEMPTS_PERIOD - now
}

/** The month's transfers can't change during the transaction, because recording one writes the ledger. */
async function readLedger(
  context: Context,
  stored: DocumentSnapshot | undefined,
  { uid, month }: Pick<Ledger, 'uid' | 'month'>,
): Promise<Ledger> {
  const ledger = parseLedger(stored, { uid, month })
  return stored?.exists
    ? ledger
    : { ...ledger, recordedCents: await sumMonthlyTransfers(context, uid, month) }
}

export async function readTransferReservation(
  context: Context,
  tx: Transaction,
  attempt: TransferAttempt,
): Promise<Reservation> {
  const { db } = context
  const { uid, month, transfer, payerName, capCents, slotPeriod, promisedMinutes = null, createdAt } = attempt
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)
  const capKeys = listCapKeys(attempt)
  const [[profile, used], uses] = await Promise.all([
    tx.getAll(user, monthly),
    readCapUses(context, tx, month, capKeys),
  ])
  const ledger = subtractReservation(await readLedger(context, used, attempt), attempt)
  return {
    obstacle: profile?.exists ? null : 'userGone',
    uses,
    giveBack() {
      tx.set(monthly, ledger)
      uses.giveBack(capKeys, capCents)
      uses.store()
    },
    record(id, { settledAt, payout }) {
      const transaction = buildTransaction(transfer, {
        id,
        senderId: uid,
        senderName: payerName,
        // The transactions of a month must add up to its ledger.
        createdAt,
        settledAt,
        promisedMinutes,
        ...payout,
      })
      tx.create(transactions(db).doc(id), toStoredRecord(transaction))
      tx.set(monthly, { ...ledger, recordedCents: ledger.recordedCents + capCents })
      uses.record(capKeys, capCents)
      uses.store()
      const { lastReset, transactionsLeft } = parseSubscription(profile?.data())
      // The allowance that the transfer was taken from may no longer exist.
      if (transactionsLeft !== null && slotPeriod !== null && slotPeriod === lastReset)
        tx.update(user, { 'subscription.transactionsLeft': Math.max(0, transactionsLeft - 1) })
      return { transaction }
    },
  }
}

/** Refills a transfer of the plan only if the same allowance still applies. */
export async function prepareTransferReversal(
  context: Context,
  tx: Transaction,
  attempt: TransferAttempt,
): Promise<() => void> {
  const { db } = context
  const { uid, month, capCents, slotPeriod } = attempt
  const user = users(db).doc(uid)
  const monthly = ledgerRef(db, uid, month)
  const [profile, used] = await tx.getAll(user, monthly)
  const capKeys = listCapKeys(attempt)
  const uses = await readCapUses(context, tx, month, capKeys)
  const ledger = await readLedger(context, used, attempt)
  return () => {
    tx.set(monthly, { ...ledger, recordedCents: Math.max(0, ledger.recordedCents - capCents) })
    uses.takeBack(capKeys, capCents)
    uses.store()
    const { tier, lastReset, transactionsLeft } = parseSubscription(profile?.data())
    if (tier !== null && transactionsLeft !== null && slotPeriod !== null && slotPeriod === lastReset)
      tx.update(user, {
        'subscription.transactionsLeft': Math.min(PLANS[tier].allowance, transactionsLeft + 1),
      })
  }
}

/** Reads one document if the user has sent nothing since `since` (UTC ms). */
async function readSentTransfers(
  context: Context,
  uid: string,
  since: number,
): Promise<{ readonly isFirst: boolean; readonly recent: readonly StoredTransaction[] }> {
  const sent = (instant: 'settledAt' | 'createdAt') =>
    transactions(context.db).where('senderId', '==', uid).orderBy(instant, 'desc')
  const { docs } = await queryWithFallback(context, sent('settledAt').limit(1), sent('createdAt').limit(1))
  const settledAt: unknown = docs[0]?.get('settledAt')
  if (!docs[0] || (settledAt instanceof Timestamp && settledAt.toMillis() < since))
    return { isFirst: docs.length === 0, recent: [] }
  const sentSince = (instant: 'settledAt' | 'createdAt') =>
    sent(instant).where(instant, '>=', Timestamp.fromMillis(since)).limit(MAX_RECENT_TRANSFERS)
  const recent = await queryWithFallback(context, sentSince('settledAt'), sentSince('createdAt'))
  return { isFirst: false, recent: recent.docs.map((document) => parseTransaction(document.data())) }
}

/**
 * Finds the user's newest recent or open transfer with the same number and amount, unless the user confirmed
 * it. Two concurrent attempts can't miss each other, because each reads what the other creates. `now`: UTC ms.
 */
async function findUnconfirmedDuplicate(
  db: Firestore,
  tx: Transaction,
  uid: string,
  { transfer, again }: { readonly transfer: UnpricedTransfer; readonly again: string | null },
  recent: readonly RecentTransfer[],
  now: number,
): Promise<RecentTransfer | null> {
  const duplicate = findDuplicate(transfer, recent, now)
  if (!duplicate || duplicate.id === again) return null
  if (again === null) return duplicate
  // The confirmed transfer may have been open when the user was asked, and recorded since.
  const asked = parseAttempt(await tx.get(attempts(db).doc(buildAttemptKey(uid, again))))
  return asked?.paymentIntentId === duplicate.id ? null : duplicate
}

function reuseReservation(
  key: string,
  attempt: Attempt,
  transfer: UnpricedTransfer,
): Result<KeyedAttempt<TransferAttempt>, FunctionRefusal<'create-payment-intent'>> {
  return attempt.kind === 'transfer' && isSameTransfer(attempt.transfer, transfer)
    ? ok({ key, attempt })
    : err(buildRefusal('attemptConflict'))
}

function isExpected({ fee, converted }: Quote, expected: TransferPaymentRequest['expected']): boolean {
  return fee.minor === expected.fee && converted.minor === expected.converted
}
