import { createHash } from 'node:crypto'
import { type DocumentData, type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore'
import { emptyLedger } from '../../../domain/capUse.ts'
import { type InvoicePayment, invoiceDescription } from '../../../domain/invoice.ts'
import type { Money } from '../../../domain/money.ts'
import type { Subscription } from '../../../domain/schemas/profile.ts'
import { ledgerSchema, ownershipSchema, profileSubscriptionSchema } from '../../../domain/schemas/profile.ts'
import { type Transaction, transferDescription } from '../../../domain/transaction.ts'
import type { Ownership } from '../../../domain/waysIn.ts'
import {
  type Attempt,
  inCollection,
  instant,
  type KeyedAttempt,
  parseAttempt,
  type TransferAttempt,
} from './documents.ts'

/** A user's use of one UTC month, in EUR cents. `reserved…` is what attempts hold that are not settled yet. */
export interface Ledger {
  readonly uid: string
  readonly month: string
  readonly recordedCents: number
  readonly reservedCents: number
  readonly reservedSlots: number
}

export const customers = (db: Firestore) => db.collection('customers')
export const attempts = (db: Firestore) => db.collection('attempts')
export const refunds = (db: Firestore) => db.collection('refunds')
export const unknownPayments = (db: Firestore) => db.collection('unknownPayments')
export const deliveries = (db: Firestore) => db.collection('deliveries')
export const deliveryBatches = (db: Firestore) => db.collection('deliveryBatches')
export const deletions = (db: Firestore) => db.collection('deletions')
export const pushSubscriptions = (db: Firestore) => db.collection('pushSubscriptions')
export const transactions = (db: Firestore) => db.collection('transactions')
export const invoicePayments = (db: Firestore) => db.collection('invoicePayments')
export const invoiceClaims = (db: Firestore) => db.collection('invoiceClaims')
export const users = (db: Firestore) => db.collection('users')
export const capUses = (db: Firestore) => db.collection('capUses')
export const ledgerRef = (db: Firestore, uid: string, month: string) => db.doc(`ledgers/${uid}_${month}`)

/** The same user and attempt id name the same attempt, and nobody can name another user's. */
export function attemptKey(uid: string, attemptId: string): string {
  return createHash('sha256').update(`${uid}:${attemptId}`).digest('hex')
}

/** What the card is charged for an attempt, and what the payment is called at the provider. */
export function chargeOf(attempt: Attempt): { readonly amount: Money; readonly description: string } {
  if (attempt.kind === 'invoice')
    return { amount: attempt.invoice.amount, description: invoiceDescription(attempt.invoice) }
  const { gross, phone } = attempt.transfer
  return { amount: gross, description: transferDescription(phone) }
}

/** How an attempt is written down when it ends: what it said about the person goes. */
export const ended = (status: Attempt['status'], paymentIntentId: string | null) => ({
  status,
  paymentIntentId,
  persons: [],
})

/** The stored ledger; an empty one for a month in which nothing happened yet. */
export function ledgerOf(
  stored: DocumentSnapshot | undefined,
  { uid, month }: Pick<Ledger, 'uid' | 'month'>,
): Ledger {
  const data = stored?.data()
  return { uid, ...(data ? inCollection('ledgers', ledgerSchema)(data) : emptyLedger(month)) }
}

/** The ledger with an attempt's reservation put into it. */
export function withReservation(ledger: Ledger, attempt: TransferAttempt): Ledger {
  return {
    ...ledger,
    reservedCents: ledger.reservedCents + attempt.capCents,
    reservedSlots: ledger.reservedSlots + (attempt.slotPeriod === null ? 0 : 1),
  }
}

/** The ledger with an attempt's reservation taken out of it. Never below zero, even if the document was lost. */
export function withoutReservation(ledger: Ledger, attempt: TransferAttempt): Ledger {
  return {
    ...ledger,
    reservedCents: Math.max(0, ledger.reservedCents - attempt.capCents),
    reservedSlots: Math.max(0, ledger.reservedSlots - (attempt.slotPeriod === null ? 0 : 1)),
  }
}

/** The subscription of a stored profile. */
export const subscriptionOf = (stored: DocumentData | undefined): Subscription =>
  profileSubscriptionSchema(instant)(stored?.subscription)

/** Who the account of a stored profile belongs to. @throws ValidationError when nobody can tell. */
export const ownershipOf = (stored: DocumentData | undefined): Ownership =>
  inCollection('users', ownershipSchema(instant))(stored ?? {})

/** The opposite of `subscriptionOf`: what a profile stores. */
export function storedSubscription(subscription: Subscription): DocumentData {
  const instants = (['startDate', 'lastReset', 'cancelAt'] as const).map((field) => {
    const at = subscription[field]
    return [field, at === null ? null : Timestamp.fromMillis(at)]
  })
  return { ...subscription, ...Object.fromEntries(instants) }
}

/** The document of a transfer or of a paid invoice: its instants are stored as timestamps. */
export function storedRecord(record: Transaction | InvoicePayment): DocumentData {
  return withInstants(record, (at) => (typeof at === 'number' ? Timestamp.fromMillis(at) : null))
}

const INSTANTS = ['createdAt', 'settledAt', 'estimatedArrival']

function withInstants(fields: object, as: (at: unknown) => unknown): DocumentData {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, INSTANTS.includes(name) ? as(value) : value]),
  )
}

/** The attempt of a user with this id; null when there is none. */
export async function findAttempt(
  db: Firestore,
  uid: string,
  attemptId: string,
): Promise<KeyedAttempt | null> {
  const key = attemptKey(uid, attemptId)
  const attempt = parseAttempt(await attempts(db).doc(key).get())
  return attempt ? { key, attempt } : null
}

/** A charge of this deployment that no attempt knows. An operator decides about it. Times are UTC milliseconds. */
export interface UnknownPaymentAlarm {
  readonly uid: string
  readonly createdAt: number
  /** When an operator decided to refund it. */
  readonly refundedAt: number | null
}
