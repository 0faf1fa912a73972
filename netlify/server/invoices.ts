import type { DocumentData, Firestore, Transaction } from 'firebase-admin/firestore'
import { z } from 'zod'
import {
  type Invoice,
  type InvoiceLookup,
  invoicePaymentOf,
  isSameInvoice,
  isSameMoney,
} from '../../src/domain/invoice.ts'
import { checkCharge } from '../../src/domain/limits.ts'
import { fromMajor, type Money } from '../../src/domain/money.ts'
import { err, ok, type Result } from '../../src/domain/result.ts'
import { supplierById } from '../../src/domain/suppliers.ts'
import type { Context } from './context.ts'
import type { Hold } from './holds.ts'
import { invoiceChanged, type Problem, problem, refused } from './problems.ts'
import {
  type Attempt,
  attemptKey,
  attempts,
  type InvoiceAttempt,
  invoicePayments,
  type Reservation,
  storedRecord,
  users,
} from './records.ts'

/** One document for each invoice, under its supplier and reference; neither can hold what separates them. */
const invoiceRef = (db: Firestore, { supplier, reference }: InvoiceLookup) =>
  db.doc(`invoices/${supplier}_${reference}`)

/** Suppliers write these documents in ways of their own, so each is read with care. */
const issued = z.object({
  amount: z.number().positive(),
  currency: z.enum(['EUR', 'CAD', 'GNF']),
  dueDate: z.iso.date(),
  status: z.enum(['due', 'paid']),
  /** The attempt that has reserved it. */
  heldBy: z.string().nullish(),
})

/** The invoice with this supplier and reference; null when there is none, or none that can be read. */
export async function findInvoice({ db }: Context, lookup: InvoiceLookup): Promise<Invoice | null> {
  return readInvoice(lookup, (await invoiceRef(db, lookup).get()).data())?.invoice ?? null
}

/**
 * Reserves an invoice for an attempt in one database transaction, so that nobody else can begin to pay it. A refusal
 * writes nothing. The same attempt for the same invoice gets its first reservation again, at the amount of then.
 *
 * @param expected the amount that the screen showed: nobody is charged one that they have not seen.
 */
export async function reserveInvoice(
  { db, now }: Context,
  uid: string,
  { attemptId, lookup, expected }: { attemptId: string; lookup: InvoiceLookup; expected: Money },
): Promise<Result<Reservation<InvoiceAttempt>, Problem>> {
  const key = attemptKey(uid, attemptId)
  const createdAt = now()
  const attempt = attempts(db).doc(key)
  const document = invoiceRef(db, lookup)

  return db.runTransaction(async (tx): Promise<Result<Reservation<InvoiceAttempt>, Problem>> => {
    const [known, profile, stored] = await tx.getAll(attempt, users(db).doc(uid), document)
    if (known?.exists) return sameAgain(key, known.data() as Attempt, lookup, expected)
    if (!profile?.exists) return err(problem('userNotFound'))
    const read = readInvoice(lookup, stored?.data())
    if (!read) return err(problem('invoiceNotFound'))
    const { invoice } = read
    if (invoice.status === 'paid') return err(problem('invoiceAlreadyPaid'))
    if (invoice.status === 'processing') return err(problem('invoiceUnderWay'))
    if (!isSameMoney(invoice.amount, expected)) return err(invoiceChanged(invoice.amount))
    const charge = checkCharge(invoice.amount)
    if (!charge.ok) return err(refused(charge.error))

    const made: InvoiceAttempt = {
      kind: 'invoice',
      uid,
      attemptId,
      status: 'reserved',
      invoice,
      paymentIntentId: null,
      createdAt,
    }
    tx.create(attempt, made)
    tx.update(document, { heldBy: key })
    return ok({ key, attempt: made })
  })
}

/** The invoice itself: nobody else can pay it. It counts toward no cap, which is one of transfers. */
export async function holdOfInvoice(
  tx: Transaction,
  db: Firestore,
  key: string,
  { uid, invoice, createdAt }: InvoiceAttempt,
): Promise<Hold> {
  const document = invoiceRef(db, invoice)
  const stored = (await tx.get(document)).data()
  const read = readInvoice(invoice, stored)
  const isFree = read !== null && read.invoice.status !== 'paid' && (read.heldBy ?? key) === key
  return {
    obstacle: isFree ? null : 'invoiceGone',
    giveBack() {
      // Even of one that can't be read now: its supplier may mend it.
      if (stored?.heldBy === key) tx.update(document, { heldBy: null })
    },
    record(id, settledAt) {
      const invoicePayment = invoicePaymentOf(invoice, { id, payerId: uid, createdAt, settledAt })
      tx.create(invoicePayments(db).doc(id), storedRecord(invoicePayment))
      tx.update(document, { status: 'paid', heldBy: null })
      return { invoicePayment }
    },
  }
}

function sameAgain(
  key: string,
  attempt: Attempt,
  lookup: InvoiceLookup,
  expected: Money,
): Result<Reservation<InvoiceAttempt>, Problem> {
  if (attempt.kind !== 'invoice' || !isSameInvoice(attempt.invoice, lookup))
    return err(problem('attemptConflict'))
  const { amount } = attempt.invoice
  return isSameMoney(amount, expected) ? ok({ key, attempt }) : err(invoiceChanged(amount))
}

function readInvoice(
  lookup: InvoiceLookup,
  stored: DocumentData | undefined,
): { readonly invoice: Invoice; readonly heldBy: string | null } | null {
  const supplier = supplierById(lookup.supplier)
  const read = issued.safeParse(stored)
  if (!supplier || !read.success) return null
  const { amount, currency, dueDate, status, heldBy = null } = read.data
  return {
    invoice: {
      supplier: supplier.id,
      reference: lookup.reference,
      type: supplier.type,
      amount: fromMajor(amount, currency),
      dueDate,
      status: status === 'due' && heldBy !== null ? 'processing' : status,
    },
    heldBy,
  }
}
