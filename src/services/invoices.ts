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
import type { Invoice, InvoiceLookup, InvoicePayment } from '../../domain/invoice.ts'
import { asking, firestore, millis } from './firestore.ts'
import { callFunction } from './functions.ts'

/** The invoice with this supplier and reference. Fails with `function` when there is none, or with `network`. */
export async function lookUpInvoice({ supplier, reference }: InvoiceLookup): Promise<Invoice> {
  const { invoice } = await callFunction('lookup-invoice', { supplier, reference })
  return invoice
}

/** The invoices that a person paid, newest first, below `after`. Fails with `fetchInvoicePayments`. */
export async function fetchInvoicePayments(
  uid: string,
  after: Pick<InvoicePayment, 'id' | 'createdAt'> | null,
  most: number,
): Promise<readonly InvoicePayment[]> {
  const paid = query(
    collection(firestore, 'invoicePayments'),
    where('payerId', '==', uid),
    orderBy('createdAt', 'desc'),
    orderBy(documentId(), 'desc'),
    ...(after ? [startAfter(Timestamp.fromMillis(after.createdAt), after.id)] : []),
    limit(most),
  )
  const { docs } = await asking('fetchInvoicePayments', () => getDocs(paid))
  return docs.map((document) => {
    const data = document.data()
    return {
      ...data,
      id: document.id,
      createdAt: millis(data.createdAt) ?? 0,
      settledAt: millis(data.settledAt) ?? 0,
    } as InvoicePayment
  })
}
