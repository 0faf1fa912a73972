import type { DocumentData, DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore'
import type { Paid } from '../../../domain/api.ts'
import type { Context } from '../platform/context.ts'
import {
  type Attempt,
  type KeyedAttempt,
  parseAttempt,
  parseInvoicePayment,
  parseTransaction,
} from '../platform/documents.ts'
import { attempts, ended, invoicePayments, transactions } from '../platform/records.ts'
import { readInvoiceReservation } from './invoiceReservations.ts'
import type { Reservation } from './reservation.ts'
import { readTransferReservation } from './transferReservations.ts'

/** Reads all that it needs, because a database transaction reads before it writes. */
export function readReservation(
  context: Context,
  tx: Transaction,
  { key, attempt }: KeyedAttempt,
): Promise<Reservation> {
  return attempt.kind === 'invoice'
    ? readInvoiceReservation(context, tx, key, attempt)
    : readTransferReservation(context, tx, attempt)
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
      read: (stored) => ({ invoicePayment: parseInvoicePayment(stored) }),
    }
  return {
    ref: transactions(db).doc(paymentIntentId),
    read: (stored) => ({ transaction: parseTransaction(stored) }),
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
    const attempt = parseAttempt(await tx.get(ref))
    if (attempt?.status !== 'reserved') return attempt
    if (attempt.paymentIntentId !== null && attempt.paymentIntentId !== paymentIntentId) return attempt
    const reservation = await readReservation(context, tx, { key, attempt })
    reservation.giveBack()
    tx.update(ref, ended('released', paymentIntentId))
    return { ...attempt, status: 'released', paymentIntentId }
  })
}
