import type { Transaction } from 'firebase-admin/firestore'
import { HOUR } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import {
  buildInvoicePayment,
  findMatchingPayment,
  INVOICE_STATUS_PROBLEMS,
  type Invoice,
  type InvoiceLookup,
  isSameInvoice,
  isSameMoney,
} from '../../../domain/invoices/invoice.ts'
import type { Money } from '../../../domain/money/money.ts'
import { truncateName } from '../../../domain/people/name.ts'
import { checkInvoiceAmount } from '../../../domain/prices/limits.ts'
import { buildPersonKeys } from '../accounts/persons.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Attempt, type InvoiceAttempt, type KeyedAttempt, parseAttempt } from '../platform/documents.ts'
import {
  addRateLimitUse,
  countRateLimitUses,
  type RateLimit,
  type RateLimitKey,
  rateLimitRef,
} from '../platform/rateLimits.ts'
import { attempts, buildAttemptKey, invoicePayments, toStoredRecord, users } from '../platform/records.ts'
import {
  buildInvoiceChangedRefusal,
  buildRefusal,
  buildTooManyHoldsRefusal,
  buildTooManyRequestsRefusal,
  type FunctionRefusal,
  toRefusal,
} from '../platform/refusals.ts'
import {
  buildInvoiceId,
  findBlockingPayment,
  type InvoiceState,
  readInvoiceState,
  writeInvoiceClaim,
} from './invoiceState.ts'
import type { Reservation, ReservedAttempt } from './reservation.ts'
import { checkNewPaymentAllowed } from './restrictions.ts'
import { fetchSavedCards } from './savedCards.ts'
import { createSupplierNotice, NEW_INVOICES_LIMIT } from './supplierNotices.ts'

export async function findInvoice(context: Context, lookup: InvoiceLookup): Promise<Invoice | null> {
  const { db } = context
  const standing = await db.runTransaction((tx) => readInvoiceState(tx, db, lookup), { readOnly: true })
  if (standing.invoice?.status === 'seemsPaid') alertOperator(context, standing.invoice, standing)
  return standing.invoice
}

/** Each attempt blocks other payers for 30 to 45 minutes; five leave them two thirds of any half day. */
export const UNPAID_HOLDS_LIMIT: RateLimit = { name: 'invoiceHolds/person', most: 5, windowMs: 12 * HOUR }

const buildHoldKeys = (lookup: InvoiceLookup, persons: readonly string[]): readonly RateLimitKey[] =>
  persons.map((person) => ({ limit: UNPAID_HOLDS_LIMIT, of: `${person}:${buildInvoiceId(lookup)}` }))

/** An invoice that differs from what the screen showed is not charged. */
export interface ShownInvoice {
  readonly amount: Money
  readonly dueDate: string
}

/** A refusal writes nothing. The same attempt gets its first reservation again, with the amount of then. */
export async function reserveInvoice(
  context: Context,
  caller: Caller,
  { attemptId, lookup, expected }: { attemptId: string; lookup: InvoiceLookup; expected: ShownInvoice },
): Promise<Result<ReservedAttempt<InvoiceAttempt>, FunctionRefusal<'pay-invoice'>>> {
  const { db, now } = context
  const { uid } = caller
  const key = buildAttemptKey(uid, attemptId)
  const createdAt = now()
  const attempt = attempts(db).doc(key)
  const holders = buildPersonKeys(context, caller)
  const holds = buildHoldKeys(lookup, holders)
  const [{ empty: isFirst }, savedCards] = await Promise.all([
    invoicePayments(db).where('payerId', '==', uid).limit(1).get(),
    fetchSavedCards(context, uid),
  ])
  const toDay = (of: string): RateLimitKey => ({ limit: NEW_INVOICES_LIMIT, of })
  const [days, daysOfCards] = [holders.map(toDay), savedCards.keys.map(toDay)]
  const limits = [...holds, ...days, ...daysOfCards].map((turn) => rateLimitRef(context, turn))

  const reserved = await db.runTransaction(
    async (tx): Promise<Result<KeyedAttempt<InvoiceAttempt>, FunctionRefusal<'pay-invoice'>>> => {
      const [stored, profile, ...uses] = await tx.getAll(attempt, users(db).doc(uid), ...limits)
      const first = parseAttempt(stored)
      if (first) return reuseReservation(key, first, lookup, expected)
      if (!profile?.exists) return err(buildRefusal('userNotFound'))
      const allowed = await checkNewPaymentAllowed(context, tx, caller)
      if (!allowed.ok) return allowed
      const standing = await readInvoiceState(tx, db, lookup)
      const { invoice, claim } = standing
      if (!invoice) return err(buildRefusal('invoiceNotFound'))
      if (invoice.status === 'seemsPaid') alertOperator(context, invoice, standing)
      if (invoice.status !== 'due') return err(buildRefusal(INVOICE_STATUS_PROBLEMS[invoice.status]))
      if (!isAsShown(invoice, expected)) return err(buildInvoiceChangedRefusal(invoice))
      const charge = checkInvoiceAmount(invoice.amount)
      if (!charge.ok) return err(toRefusal(charge.error))

      const count = (turns: readonly RateLimitKey[], from: number) =>
        countRateLimitUses(tx, uses.slice(from), turns, createdAt)
      const { waitMs } = count(holds, 0)
      if (waitMs > 0) return err(buildTooManyHoldsRefusal(waitMs))
      const day = count(days, holds.length)
      const dayOfCards = count(daysOfCards, holds.length + days.length)
      const dayMs = Math.max(allowed.value.openWaitMs, day.waitMs, dayOfCards.waitMs)
      if (dayMs > 0) return err(buildTooManyRequestsRefusal(dayMs))

      const made: InvoiceAttempt = {
        kind: 'invoice',
        uid,
        attemptId,
        status: 'reserved',
        invoice,
        paymentIntentId: null,
        payerName: truncateName(String(profile.get('name') ?? '')),
        createdAt,
        persons: holders,
        ...(isFirst && { isFirst }),
      }
      tx.create(attempt, made)
      // Counts for its card only once paid, because the user may choose another card.
      day.store()
      writeInvoiceClaim(tx, db, lookup, { ...claim, heldBy: key, holders })
      return ok({ key, attempt: made })
    },
  )
  return reserved.ok ? ok({ ...reserved.value, customerId: savedCards.customerId }) : reserved
}

/** Invoices don't count toward the monthly cap. */
export async function readInvoiceReservation(
  context: Context,
  tx: Transaction,
  key: string,
  { uid, invoice, paymentIntentId, payerName, createdAt, persons }: InvoiceAttempt,
): Promise<Reservation> {
  const { db, now } = context
  const { dueDate } = invoice
  const standing = await readInvoiceState(tx, db, invoice)
  const { claim, isPaidElsewhere } = standing
  const isDue = standing.invoice !== null && !isPaidElsewhere
  return {
    obstacle: isDue && claim.heldBy === key ? null : 'invoiceGone',
    uses: null,
    giveBack() {
      if (claim.heldBy !== key) return
      writeInvoiceClaim(tx, db, invoice, { ...claim, heldBy: null, holders: [] })
      // Without a PaymentIntent the hold was too short to count.
      if (paymentIntentId === null) return
      for (const turn of buildHoldKeys(invoice, claim.holders)) addRateLimitUse(tx, context, turn, now())
    },
    record(id, { settledAt, cards }) {
      const invoicePayment = buildInvoicePayment(invoice, {
        id,
        payerId: uid,
        payerName,
        createdAt,
        settledAt,
      })
      tx.create(invoicePayments(db).doc(id), toStoredRecord(invoicePayment))
      createSupplierNotice(tx, db, invoicePayment, persons)
      for (const of of cards) addRateLimitUse(tx, context, { limit: NEW_INVOICES_LIMIT, of }, settledAt)
      // The due date may have moved since an operator allowed it.
      const allowed = claim.allowed.filter((date) => findMatchingPayment(date, [{ dueDate }]) === null)
      writeInvoiceClaim(tx, db, invoice, { heldBy: null, holders: [], allowed })
      return { invoicePayment }
    },
  }
}

/** The log names the payment, not the invoice. */
function alertOperator({ log }: Context, { dueDate }: Invoice, standing: InvoiceState): void {
  const paymentIntentId = findBlockingPayment(dueDate, standing)?.id ?? null
  log({ level: 'error', event: 'invoiceSeemsPaid', paymentIntentId, dueDate })
}

function reuseReservation(
  key: string,
  attempt: Attempt,
  lookup: InvoiceLookup,
  expected: ShownInvoice,
): Result<KeyedAttempt<InvoiceAttempt>, FunctionRefusal<'pay-invoice'>> {
  if (attempt.kind !== 'invoice' || !isSameInvoice(attempt.invoice, lookup))
    return err(buildRefusal('attemptConflict'))
  const { invoice } = attempt
  return isAsShown(invoice, expected) ? ok({ key, attempt }) : err(buildInvoiceChangedRefusal(invoice))
}

const isAsShown = (invoice: Invoice, { amount, dueDate }: ShownInvoice): boolean =>
  isSameMoney(invoice.amount, amount) && invoice.dueDate === dueDate
