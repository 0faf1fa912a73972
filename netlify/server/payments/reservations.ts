import type { DocumentData, DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore'
import type { PaymentRecord } from '../../../domain/api/api.ts'
import type { Context } from '../platform/context.ts'
import {
  type Attempt,
  type KeyedAttempt,
  parseAttempt,
  parseInvoicePayment,
  parseTransaction,
} from '../platform/documents.ts'
import { attempts, buildEndedFields, invoicePayments, transactions } from '../platform/records.ts'
import { readInvoiceReservation } from './invoiceReservations.ts'
import type { Reservation } from './reservation.ts'
import { readTransferReservation } from './transferReservations.ts'

export function readReservation(
  context: Context,
  tx: Transaction,
  { key, attempt }: KeyedAttempt,
): Promise<Reservation> {
  return attempt.kind === 'invoice'
    ? readInvoiceReservation(context, tx, key, attempt)
    : readTransferReservation(context, tx, attempt)
}

export function locatePaymentRecord(
  db: Firestore,
  kind: Attempt['kind'],
  paymentIntentId: string,
): { readonly ref: DocumentReference; read(stored: DocumentData): PaymentRecord } {
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

/** `paymentIntentId`: one that Stripe has canceled, or null if none can be paid. */
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
    tx.update(ref, buildEndedFields('released', paymentIntentId))
    return { ...attempt, status: 'released', paymentIntentId }
  })
}
