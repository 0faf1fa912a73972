import { createHash } from 'node:crypto'
import { type DocumentData, type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore'
import * as v from 'valibot'
import type { Ownership } from '../../../domain/account/ownership.ts'
import type { Subscription } from '../../../domain/account/profileSchema.ts'
import {
  buildOwnershipSchema,
  buildProfileSubscriptionSchema,
  ledgerSchema,
} from '../../../domain/account/profileSchema.ts'
import { describeInvoice, type InvoicePayment } from '../../../domain/invoices/invoice.ts'
import type { Money } from '../../../domain/money/money.ts'
import { createEmptyLedger, type MonthLedger } from '../../../domain/prices/capUse.ts'
import { describeTransfer, type Transaction } from '../../../domain/transfers/transaction.ts'
import {
  type Attempt,
  createCollectionParser,
  instantSchema,
  type KeyedAttempt,
  parseAttempt,
  type TransferAttempt,
} from './documents.ts'

/** `reserved…`: held by attempts that are not settled. */
export interface Ledger extends MonthLedger {
  readonly uid: string
}

export const customers = (db: Firestore) => db.collection('customers')
export const attempts = (db: Firestore) => db.collection('attempts')
export const unreleasedAttempts = (db: Firestore, uid: string) =>
  attempts(db).where('uid', '==', uid).where('status', 'in', ['reserved', 'recorded', 'refunded'])
export const refunds = (db: Firestore) => db.collection('refunds')
export const reversals = (db: Firestore) => db.collection('reversals')
export const unknownPayments = (db: Firestore) => db.collection('unknownPayments')
export const operatorActions = (db: Firestore) => db.collection('operatorActions')
export const deletions = (db: Firestore) => db.collection('deletions')
export const pushSubscriptions = (db: Firestore) => db.collection('pushSubscriptions')
export const transactions = (db: Firestore) => db.collection('transactions')
export const invoicePayments = (db: Firestore) => db.collection('invoicePayments')
export const invoiceClaims = (db: Firestore) => db.collection('invoiceClaims')
export const users = (db: Firestore) => db.collection('users')
export const files = (db: Firestore) => db.collection('files')
export const capUses = (db: Firestore) => db.collection('capUses')
export const ledgerRef = (db: Firestore, uid: string, month: string) => db.doc(`ledgers/${uid}_${month}`)

/** A user can't produce another user's key. */
export function buildAttemptKey(uid: string, attemptId: string): string {
  return createHash('sha256').update(`${uid}:${attemptId}`).digest('hex')
}

export function getAttemptCharge(attempt: Attempt): { readonly amount: Money; readonly description: string } {
  if (attempt.kind === 'invoice')
    return { amount: attempt.invoice.amount, description: describeInvoice(attempt.invoice) }
  const { gross, phone } = attempt.transfer
  return { amount: gross, description: describeTransfer(phone) }
}

export const buildEndedFields = (status: Attempt['status'], paymentIntentId: string | null) => ({
  status,
  paymentIntentId,
  persons: [],
})

export function parseLedger(
  stored: DocumentSnapshot | undefined,
  { uid, month }: Pick<Ledger, 'uid' | 'month'>,
): Ledger {
  const data = stored?.data()
  return { uid, ...(data ? createCollectionParser('ledgers', ledgerSchema)(data) : createEmptyLedger(month)) }
}

export function addReservation(ledger: Ledger, attempt: TransferAttempt): Ledger {
  return {
    ...ledger,
    reservedCents: ledger.reservedCents + attempt.capCents,
    reservedSlots: ledger.reservedSlots + (attempt.slotPeriod === null ? 0 : 1),
  }
}

/** Never below zero, even if the document was lost. */
export function subtractReservation(ledger: Ledger, attempt: TransferAttempt): Ledger {
  return {
    ...ledger,
    reservedCents: Math.max(0, ledger.reservedCents - attempt.capCents),
    reservedSlots: Math.max(0, ledger.reservedSlots - (attempt.slotPeriod === null ? 0 : 1)),
  }
}

export const parseSubscription = (stored: DocumentData | undefined): Subscription =>
  v.parse(buildProfileSubscriptionSchema(instantSchema), stored?.subscription)

/** @throws ValidationError */
export const parseOwnership = (stored: DocumentData | undefined): Ownership =>
  createCollectionParser('users', buildOwnershipSchema(instantSchema))(stored ?? {})

const parseSole = createCollectionParser(
  'users',
  v.object({ soleMethod: v.nullish(v.object({ way: v.string(), since: instantSchema }), null) }),
)

/** Null if other methods may have opened some sessions. `since`: UTC ms. @throws ValidationError */
export const parseSoleMethod = (stored: DocumentData | undefined) => parseSole(stored ?? {}).soleMethod

const parseKeys = createCollectionParser('users', v.object({ knownKeys: v.nullish(v.array(v.string()), []) }))

/** None without a profile. @throws ValidationError */
export const parseKnownKeys = (stored: DocumentData | undefined): readonly string[] =>
  parseKeys(stored ?? {}).knownKeys

export function toStoredSubscription(subscription: Subscription): DocumentData {
  const instants = (['startDate', 'lastReset', 'cancelAt'] as const).map((field) => {
    const at = subscription[field]
    return [field, at === null ? null : Timestamp.fromMillis(at)]
  })
  const { confirmation: page } = subscription
  const keptUntil = page && page.keptUntil !== null ? Timestamp.fromMillis(page.keptUntil) : null
  const confirmation = page && { confirmation: { ...page, keptUntil } }
  return { ...subscription, ...Object.fromEntries(instants), ...confirmation }
}

const INSTANTS = ['createdAt', 'settledAt', 'estimatedArrival']

export const toStoredRecord = (record: Transaction | InvoicePayment): DocumentData =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'number' && INSTANTS.includes(name) ? Timestamp.fromMillis(value) : value,
    ]),
  )

export async function findAttempt(
  db: Firestore,
  uid: string,
  attemptId: string,
): Promise<KeyedAttempt | null> {
  const key = buildAttemptKey(uid, attemptId)
  const attempt = parseAttempt(await attempts(db).doc(key).get())
  return attempt ? { key, attempt } : null
}

/** A charge of this deployment without an attempt. Times are UTC ms. */
export interface UnknownPaymentAlarm {
  readonly uid: string
  readonly createdAt: number
  /** When an operator decided to refund or keep the charge. */
  readonly decidedAt: number | null
}
