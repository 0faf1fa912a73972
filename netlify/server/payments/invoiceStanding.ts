import type { Firestore, Transaction } from 'firebase-admin/firestore'
import { z } from 'zod'
import {
  type Invoice,
  type InvoiceLookup,
  type InvoicePayment,
  type InvoiceStatus,
  paymentOfSame,
} from '../../../domain/invoice.ts'
import { fromMajor } from '../../../domain/money.ts'
import { supplierById } from '../../../domain/suppliers.ts'
import { type InvoiceClaim, parseInvoiceClaim, parseInvoicePayment } from '../platform/documents.ts'
import { invoiceClaims, invoicePayments } from '../platform/records.ts'

/** Suppliers write these documents in ways of their own, whenever they like, so each is read with care. */
const issued = z.object({
  amount: z.number().positive(),
  currency: z.enum(['EUR', 'CAD', 'GNF']),
  dueDate: z.iso.date(),
  /** `paid`: in another way than here. Many leave it out of what is due. */
  status: z.enum(['due', 'paid']).nullish(),
})

/** How an invoice stands, as one database transaction has read it. */
export interface Standing {
  /** As its supplier issues it now, with what the server makes of it; null when there is none that can be read. */
  readonly invoice: Invoice | null
  /** The supplier says that it was paid in another way. */
  readonly isPaidElsewhere: boolean
  readonly claim: InvoiceClaim
  /** What was paid here with its supplier and reference, whatever the due date. */
  readonly payments: readonly InvoicePayment[]
}

/** One name for each supplier and reference; neither can hold what separates them. */
export const buildInvoiceId = ({ supplier, reference }: InvoiceLookup) => `${supplier}_${reference}`

const NO_CLAIM: InvoiceClaim = { heldBy: null, holders: [], allowed: [] }

/**
 * Reads how an invoice stands. What its supplier wrote says what is asked for; whether it can be paid is decided by what the
 * server itself has written, so that nothing which suppliers write makes payable what was paid, or what somebody is paying.
 */
export async function readStanding(tx: Transaction, db: Firestore, lookup: InvoiceLookup): Promise<Standing> {
  const { supplier, reference } = lookup
  const [document, claimed] = await tx.getAll(
    db.doc(`invoices/${buildInvoiceId(lookup)}`),
    invoiceClaims(db).doc(buildInvoiceId(lookup)),
  )
  const { docs } = await tx.get(
    invoicePayments(db).where('supplier', '==', supplier).where('reference', '==', reference),
  )
  const claim = parseInvoiceClaim(claimed) ?? NO_CLAIM
  const payments = docs.map((payment) => parseInvoicePayment(payment.data()))
  const known = supplierById(supplier)
  const read = issued.safeParse(document?.data())
  if (!known || !read.success) return { invoice: null, isPaidElsewhere: false, claim, payments }

  const { amount, currency, dueDate, status } = read.data
  const isPaidElsewhere = status === 'paid'
  return {
    invoice: {
      supplier: known.id,
      reference,
      type: known.type,
      amount: fromMajor(amount, currency),
      dueDate,
      status: isPaidElsewhere ? 'paid' : statusOf(dueDate, { claim, payments }),
    },
    isPaidElsewhere,
    claim,
    payments,
  }
}

/** What keeps an invoice with this due date from being paid: a payment here that no operator has set aside. */
export function paymentInTheWay(
  dueDate: string,
  { claim, payments }: Pick<Standing, 'claim' | 'payments'>,
): InvoicePayment | null {
  return claim.allowed.includes(dueDate) ? null : paymentOfSame(dueDate, payments)
}

function statusOf(dueDate: string, standing: Pick<Standing, 'claim' | 'payments'>): InvoiceStatus {
  const payment = paymentInTheWay(dueDate, standing)
  if (payment?.dueDate === dueDate) return 'paid'
  if (standing.claim.heldBy !== null) return 'processing'
  return payment ? 'seemsPaid' : 'due'
}

/** Writes what the server decides about an invoice, and nothing that says nothing. */
export function writeClaim(tx: Transaction, db: Firestore, lookup: InvoiceLookup, claim: InvoiceClaim): void {
  const ref = invoiceClaims(db).doc(buildInvoiceId(lookup))
  if (claim.heldBy === null && claim.allowed.length === 0) tx.delete(ref)
  else tx.set(ref, claim)
}
