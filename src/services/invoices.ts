import {
  collection,
  documentId,
  getDocs,
  limit,
  orderBy,
  query,
  startAfter,
  Timestamp,
  where,
} from 'firebase/firestore/lite'
import { LOOKUP_INVOICE } from '../../domain/api/invoices.ts'
import type { Invoice, InvoiceLookup, InvoicePayment } from '../../domain/invoice.ts'
import { parseOrNull } from '../../domain/schema.ts'
import { invoicePaymentSchema } from '../../domain/schemas/invoice.ts'
import { asking, firestore, instant, rowsIn } from './firestore.ts'
import { callFunction } from './functions.ts'

/** The invoice with this supplier and reference. Fails with `function` when there is none, or with `network`. */
export async function lookUpInvoice({ supplier, reference }: InvoiceLookup): Promise<Invoice> {
  const { invoice } = await callFunction(LOOKUP_INVOICE, { supplier, reference })
  return invoice
}

/** A place in the list of paid invoices. */
type Place = Pick<InvoicePayment, 'id' | 'createdAt'>

/** Some paid invoices that follow each other. `next`: below which there may be more; null when there are none. */
export interface InvoicePage {
  readonly payments: readonly InvoicePayment[]
  readonly next: Place | null
}

/** The invoices that a person paid, newest first, below `after`. Fails with `fetchInvoicePayments`. */
export async function fetchInvoicePayments(
  uid: string,
  after: Place | null,
  most: number,
): Promise<InvoicePage> {
  const paid = query(
    collection(firestore, 'invoicePayments'),
    where('payerId', '==', uid),
    orderBy('createdAt', 'desc'),
    orderBy(documentId(), 'desc'),
    ...(after ? [startAfter(Timestamp.fromMillis(after.createdAt), after.id)] : []),
    limit(most),
  )
  const { docs } = await asking('fetchInvoicePayments', () => getDocs(paid))
  const last = docs.length < most ? undefined : docs.at(-1)
  const createdAt = parseOrNull(instant, last?.get('createdAt'))
  return {
    payments: rowsIn(invoicePaymentSchema(instant), docs),
    next: last && createdAt !== null ? { id: last.id, createdAt } : null,
  }
}
