import type { Firestore, Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { day } from '../../../domain/common/schema.ts'
import {
  findMatchingPayment,
  type Invoice,
  type InvoiceLookup,
  type InvoicePayment,
  type InvoiceStatus,
} from '../../../domain/invoices/invoice.ts'
import { findSupplier } from '../../../domain/invoices/suppliers.ts'
import { fromMajor } from '../../../domain/money/money.ts'
import { type InvoiceClaim, parseInvoiceClaim, parseInvoicePayment } from '../platform/documents.ts'
import { invoiceClaims, invoicePayments } from '../platform/records.ts'

/** In major units of any currency. A larger amount is a mistake, even in francs. */
export const INVOICE_AMOUNT_RANGE = { least: 0.01, most: 99_999_999 } as const

/** Suppliers can change these documents at any time, so each is validated. */
const issued = v.object({
  amount: v.pipe(v.number(), v.minValue(INVOICE_AMOUNT_RANGE.least), v.maxValue(INVOICE_AMOUNT_RANGE.most)),
  currency: v.picklist(['EUR', 'CAD', 'GNF']),
  dueDate: day,
  /** `paid`: outside of this app. Many suppliers omit the status of an invoice that is due. */
  status: v.nullish(v.picklist(['due', 'paid']), null),
})

export interface InvoiceState {
  /** Null if it is missing or unreadable. */
  readonly invoice: Invoice | null
  readonly isPaidElsewhere: boolean
  readonly claim: InvoiceClaim
  /** With any due date. */
  readonly payments: readonly InvoicePayment[]
}

/** Unique, because neither part can contain the separator. */
export const buildInvoiceId = ({ supplier, reference }: InvoiceLookup) => `${supplier}_${reference}`

const NO_CLAIM: InvoiceClaim = { heldBy: null, holders: [], allowed: [] }

/**
 * The supplier's document says what is owed; the server's own documents decide whether it can be paid, so
 * that a supplier can't reopen an invoice that was paid here or is being paid.
 */
export async function readInvoiceState(
  tx: Transaction,
  db: Firestore,
  lookup: InvoiceLookup,
): Promise<InvoiceState> {
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
  const payee = findSupplier(supplier)
  const read = v.safeParse(issued, document?.data())
  if (!payee || !read.success) return { invoice: null, isPaidElsewhere: false, claim, payments }

  const { amount, currency, dueDate, status } = read.output
  const isPaidElsewhere = status === 'paid'
  return {
    invoice: {
      supplier: payee.id,
      reference,
      type: payee.type,
      amount: fromMajor(amount, currency),
      dueDate,
      status: isPaidElsewhere ? 'paid' : determineInvoiceStatus(dueDate, { claim, payments }),
    },
    isPaidElsewhere,
    claim,
    payments,
  }
}

/** Null if an operator has allowed another payment. */
export function findBlockingPayment(
  dueDate: string,
  { claim, payments }: Pick<InvoiceState, 'claim' | 'payments'>,
): InvoicePayment | null {
  return claim.allowed.includes(dueDate) ? null : findMatchingPayment(dueDate, payments)
}

function determineInvoiceStatus(
  dueDate: string,
  standing: Pick<InvoiceState, 'claim' | 'payments'>,
): InvoiceStatus {
  const payment = findBlockingPayment(dueDate, standing)
  if (payment?.dueDate === dueDate) return 'paid'
  if (standing.claim.heldBy !== null) return 'processing'
  return payment ? 'seemsPaid' : 'due'
}

export function writeInvoiceClaim(
  tx: Transaction,
  db: Firestore,
  lookup: InvoiceLookup,
  claim: InvoiceClaim,
): void {
  const ref = invoiceClaims(db).doc(buildInvoiceId(lookup))
  if (claim.heldBy === null && claim.allowed.length === 0) tx.delete(ref)
  else tx.set(ref, claim)
}
