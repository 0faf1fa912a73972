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
import * as v from 'valibot'
import { LOOK_UP_INVOICE } from '../../domain/api/invoices.ts'
import type { Invoice, InvoiceLookup, InvoicePayment } from '../../domain/invoices/invoice.ts'
import { buildInvoicePaymentSchema } from '../../domain/invoices/invoiceSchema.ts'
import { firestore, instantSchema, listUnread, parseDocuments, withFirestoreErrors } from './firestore.ts'
import { callFunction } from './functions.ts'

/** @throws a failure of kind `function` if there is none, or `network`. */
export async function lookUpInvoice({ supplier, reference }: InvoiceLookup): Promise<Invoice> {
  const { invoice } = await callFunction(LOOK_UP_INVOICE, { supplier, reference })
  return invoice
}

type Place = Pick<InvoicePayment, 'id' | 'createdAt'>

/** Null when there are no more payments below. */
export interface InvoicePage {
  readonly payments: readonly InvoicePayment[]
  readonly unreadIds: readonly string[]
  readonly next: Place | null
}

/** Newest first. @throws a failure of the operation `fetchInvoicePayments`. */
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
  const { docs } = await withFirestoreErrors('fetchInvoicePayments', () => getDocs(paid))
  const last = docs.length < most ? undefined : docs.at(-1)
  const createdAt = v.safeParse(instantSchema, last?.get('createdAt'))
  const payments = parseDocuments(buildInvoicePaymentSchema(instantSchema), docs)
  return {
    payments,
    unreadIds: listUnread(docs, payments),
    next: last && createdAt.success ? { id: last.id, createdAt: createdAt.output } : null,
  }
}
