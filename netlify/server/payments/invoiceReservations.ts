import type { Transaction } from 'firebase-admin/firestore'
import { HOUR } from '../../../domain/duration.ts'
import {
  type Invoice,
  type InvoiceLookup,
  invoicePaymentOf,
  isSameInvoice,
  isSameMoney,
  paymentOfSame,
  UNPAYABLE,
} from '../../../domain/invoice.ts'
import { checkCharge } from '../../../domain/limits.ts'
import type { Money } from '../../../domain/money.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Attempt, type InvoiceAttempt, type KeyedAttempt, parseAttempt } from '../platform/documents.ts'
import { personKeys } from '../platform/persons.ts'
import { addUse, type Limit, limitRef, nextUse, parseUses, type Turn } from '../platform/rateLimits.ts'
import { attemptKey, attempts, invoicePayments, storedRecord, users } from '../platform/records.ts'
import { invoiceChanged, type RefusalBy, refusal, refused, tooManyHolds } from '../platform/refusals.ts'
import {
  buildInvoiceId,
  paymentInTheWay,
  readStanding,
  type Standing,
  writeClaim,
} from './invoiceStanding.ts'
import { checkMayPay } from './mayPay.ts'
import type { Reservation } from './reservation.ts'

/** The invoice with this supplier and reference; null when there is none, or none that can be read. */
export async function findInvoice(context: Context, lookup: InvoiceLookup): Promise<Invoice | null> {
  const { db } = context
  const standing = await db.runTransaction((tx) => readStanding(tx, db, lookup), { readOnly: true })
  if (standing.invoice?.status === 'seemsPaid') alertOperator(context, standing.invoice, standing)
  return standing.invoice
}

/**
 * How often one person may begin to pay one invoice and not pay it. Each time keeps it from everybody else, until the sweep
 * 30 to 45 minutes later at most: others get two thirds of any half day. A card that is declined ends nothing.
 */
export const UNPAID_HOLDS: Limit = { name: 'invoiceHolds/person', most: 5, windowMs: 12 * HOUR }

const holdsOf = (lookup: InvoiceLookup, persons: readonly string[]): readonly Turn[] =>
  persons.map((person) => ({ limit: UNPAID_HOLDS, of: `${person}:${buildInvoiceId(lookup)}` }))

/** What the screen showed: nobody is charged what they have not seen. */
export interface ShownInvoice {
  readonly amount: Money
  readonly dueDate: string
}

/**
 * Reserves an invoice for an attempt in one database transaction, so that nobody else can begin to pay it. A refusal
 * writes nothing. The same attempt for the same invoice gets its first reservation again, at the amount of then.
 */
export async function reserveInvoice(
  context: Context,
  caller: Caller,
  { attemptId, lookup, expected }: { attemptId: string; lookup: InvoiceLookup; expected: ShownInvoice },
): Promise<Result<KeyedAttempt<InvoiceAttempt>, RefusalBy<'pay-invoice'>>> {
  const { db, now } = context
  const { uid } = caller
  const key = attemptKey(uid, attemptId)
  const createdAt = now()
  const attempt = attempts(db).doc(key)
  const holders = personKeys(context, caller)
  const holds = holdsOf(lookup, holders).map((turn) => limitRef(context, turn))

  return db.runTransaction(
    async (tx): Promise<Result<KeyedAttempt<InvoiceAttempt>, RefusalBy<'pay-invoice'>>> => {
      const [known, profile, ...held] = await tx.getAll(attempt, users(db).doc(uid), ...holds)
      const first = parseAttempt(known)
      if (first) return sameAgain(key, first, lookup, expected)
      if (!profile?.exists) return err(refusal('userNotFound'))
      const allowed = await checkMayPay(context, tx, caller)
      if (!allowed.ok) return allowed
      const standing = await readStanding(tx, db, lookup)
      const { invoice, claim } = standing
      if (!invoice) return err(refusal('invoiceNotFound'))
      if (invoice.status === 'seemsPaid') alertOperator(context, invoice, standing)
      if (invoice.status !== 'due') return err(refusal(UNPAYABLE[invoice.status]))
      if (!isAsShown(invoice, expected)) return err(invoiceChanged(invoice))
      const charge = checkCharge(invoice.amount)
      if (!charge.ok) return err(refused(charge.error))

      const wait = held.map((one) => nextUse(parseUses(one), UNPAID_HOLDS, createdAt))
      const waitMs = Math.max(...wait.map((turn) => (turn.ok ? 0 : turn.error.waitMs)))
      if (waitMs > 0) return err(tooManyHolds(waitMs))

      const made: InvoiceAttempt = {
        kind: 'invoice',
        uid,
        attemptId,
        status: 'reserved',
        invoice,
        paymentIntentId: null,
        createdAt,
        persons: holders,
      }
      tx.create(attempt, made)
      writeClaim(tx, db, lookup, { ...claim, heldBy: key, holders })
      return ok({ key, attempt: made })
    },
  )
}

/** The invoice itself: nobody else can pay it. It counts toward no cap, which is one of transfers. */
export async function readInvoiceReservation(
  context: Context,
  tx: Transaction,
  key: string,
  { uid, invoice, paymentIntentId, createdAt }: InvoiceAttempt,
): Promise<Reservation> {
  const { db, now } = context
  const { dueDate } = invoice
  const standing = await readStanding(tx, db, invoice)
  const { claim, isPaidElsewhere } = standing
  const isDue = standing.invoice !== null && !isPaidElsewhere
  return {
    obstacle: isDue && claim.heldBy === key ? null : 'invoiceGone',
    giveBack() {
      if (claim.heldBy !== key) return
      writeClaim(tx, db, invoice, { ...claim, heldBy: null, holders: [] })
      // Where the provider made no payment nobody was kept from anything for long.
      if (paymentIntentId === null) return
      for (const turn of holdsOf(invoice, claim.holders)) addUse(tx, context, turn, now())
    },
    record(id, settledAt) {
      const invoicePayment = invoicePaymentOf(invoice, { id, payerId: uid, createdAt, settledAt })
      tx.create(invoicePayments(db).doc(id), storedRecord(invoicePayment))
      // The date may have moved since an operator allowed it: what was allowed for this invoice is used up all the same.
      const allowed = claim.allowed.filter((date) => paymentOfSame(date, [{ dueDate }]) === null)
      writeClaim(tx, db, invoice, { heldBy: null, holders: [], allowed })
      return { invoicePayment }
    },
  }
}

/** What looks like one that was paid waits for an operator, who finds the invoice by that payment. */
function alertOperator({ log }: Context, { dueDate }: Invoice, standing: Standing): void {
  const paymentIntentId = paymentInTheWay(dueDate, standing)?.id ?? null
  log({ level: 'error', event: 'invoiceSeemsPaid', paymentIntentId, dueDate })
}

function sameAgain(
  key: string,
  attempt: Attempt,
  lookup: InvoiceLookup,
  expected: ShownInvoice,
): Result<KeyedAttempt<InvoiceAttempt>, RefusalBy<'pay-invoice'>> {
  if (attempt.kind !== 'invoice' || !isSameInvoice(attempt.invoice, lookup))
    return err(refusal('attemptConflict'))
  const { invoice } = attempt
  return isAsShown(invoice, expected) ? ok({ key, attempt }) : err(invoiceChanged(invoice))
}

const isAsShown = (invoice: Invoice, { amount, dueDate }: ShownInvoice): boolean =>
  isSameMoney(invoice.amount, amount) && invoice.dueDate === dueDate
