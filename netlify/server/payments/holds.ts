import type { DocumentData, DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore'
import type { Context } from '../platform/context.ts'
import {
  type Attempt,
  attempts,
  ended,
  invoicePayments,
  type Reservation,
  readInvoicePayment,
  readTransaction,
  transactions,
} from '../platform/records.ts'
import type { Hold, Paid, Take } from './hold.ts'
import { holdOfInvoice, takeInvoice } from './invoices.ts'
import { holdOfTransfer, takeTransfer } from './reservations.ts'

/** Reads all that it needs, because a database transaction reads before it writes. */
export function holdOf(context: Context, tx: Transaction, { key, attempt }: Reservation): Promise<Hold> {
  return attempt.kind === 'invoice'
    ? holdOfInvoice(context, tx, key, attempt)
    : holdOfTransfer(context, tx, attempt)
}

/** Reads what it needs, for an attempt that holds nothing yet. Nothing is refused: what was promised once holds. */
export function takeHold(context: Context, tx: Transaction, { key, attempt }: Reservation): Promise<Take> {
  return attempt.kind === 'invoice'
    ? takeInvoice(tx, context.db, key, attempt)
    : takeTransfer(context, tx, attempt)
}

/** Where the record of a PaymentIntent is, once there is one, and what it says. */
export function paidRecord(
  db: Firestore,
  kind: Attempt['kind'],
  paymentIntentId: string,
): { readonly ref: DocumentReference; read(stored: DocumentData): Paid } {
  if (kind === 'invoice')
    return {
      ref: invoicePayments(db).doc(paymentIntentId),
      read: (stored) => ({ invoicePayment: readInvoicePayment(stored) }),
    }
  return {
    ref: transactions(db).doc(paymentIntentId),
    read: (stored) => ({ transaction: readTransaction(stored) }),
  }
}

/**
 * Gives a reservation back. Only for an attempt whose PaymentIntent the provider confirmed as canceled (pass its
 * id), or that has none which anybody could pay (pass null). An attempt that has ended stays as it is. Answers the attempt
 * as it is then: still reserved, when it has another PaymentIntent.
 */
export async function freeReservation(
  context: Context,
  key: string,
  paymentIntentId: string | null,
): Promise<Attempt | undefined> {
  const { db } = context
  const ref = attempts(db).doc(key)
  return db.runTransaction(async (tx) => {
    const attempt = (await tx.get(ref)).data() as Attempt | undefined
    if (attempt?.status !== 'reserved') return attempt
    if (attempt.paymentIntentId !== null && attempt.paymentIntentId !== paymentIntentId) return attempt
    const hold = await holdOf(context, tx, { key, attempt })
    hold.giveBack()
    tx.update(ref, ended(attempt, 'released', paymentIntentId))
    return { ...attempt, status: 'released', paymentIntentId }
  })
}
