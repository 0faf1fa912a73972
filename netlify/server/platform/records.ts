import { createHash } from 'node:crypto'
import { type DocumentData, type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore'
import { emptyLedger } from '../../../domain/capUse.ts'
import { type Invoice, type InvoicePayment, invoiceDescription } from '../../../domain/invoice.ts'
import type { Language } from '../../../domain/language.ts'
import type { Money } from '../../../domain/money.ts'
import type { Subscription, Tier } from '../../../domain/plans.ts'
import { Misfit, type Reader } from '../../../domain/read.ts'
import {
  instantWith,
  invoicePayment,
  monthLedger,
  ownership,
  profileSubscription,
  transaction,
} from '../../../domain/stored.ts'
import { type Transaction, transferDescription } from '../../../domain/transaction.ts'
import type { CheckedTransfer } from '../../../domain/transfer.ts'
import type { Ownership } from '../../../domain/waysIn.ts'

/**
 * What the server promised for one attempt to pay, as plain data: amounts are integers in minor units, times UTC
 * milliseconds. What it pays for never changes once written, whatever happens to the profile or to the invoice.
 */
export type Attempt = TransferAttempt | InvoiceAttempt

export interface Promised {
  readonly uid: string
  readonly attemptId: string
  /** `refunded`: the card was charged, but what it paid for could not be recorded. */
  readonly status: 'reserved' | 'recorded' | 'released' | 'refunded'
  readonly paymentIntentId: string | null
  readonly createdAt: number
  /** When it was written again after a restore, or was open then (UTC ms). What else the database has forgotten, as the profile, is no reason to refund it. */
  readonly rebuilt?: number
  /** Whose it is, by the names of `personKeys`; nobody's once it has ended. */
  readonly persons?: readonly string[]
}

export interface TransferAttempt extends Promised {
  readonly kind: 'transfer'
  /** The UTC month whose cap this attempt counts in: 'YYYY-MM'. */
  readonly month: string
  readonly transfer: CheckedTransfer
  /** What counts toward the monthly cap, in EUR cents. */
  readonly capCents: number
  /** `lastReset` of the allowance that one transfer of the plan was taken from; null when none was. */
  readonly slotPeriod: number | null
  /** Within how many minutes of the payment it was promised to arrive; left out where nothing was. */
  readonly promisedMinutes?: number
}

export interface InvoiceAttempt extends Promised {
  readonly kind: 'invoice'
  /** As it was when it was reserved. */
  readonly invoice: Invoice
}

/**
 * What the server decides about the invoices with one supplier and reference, beside what it knows to be paid
 * (`invoicePayments`). There is none where there is nothing to say.
 */
export interface InvoiceClaim {
  /** The attempt that has reserved it, whatever its due date; null when nobody is paying. */
  readonly heldBy: string | null
  /** Whose attempt that is, by every name (`personKeys`); nobody when nobody is paying. */
  readonly holders: readonly string[]
  /** Due dates that an operator lets be paid although they are paid or seem to be; each of them once. */
  readonly allowed: readonly string[]
}

/** An attempt and the name of its document. */
export interface KeyedAttempt<A extends Attempt = Attempt> {
  readonly key: string
  readonly attempt: A
}

/** A user's use of one UTC month, in EUR cents. `reserved…` is what attempts hold that are not settled yet. */
export interface Ledger {
  readonly uid: string
  readonly month: string
  readonly recordedCents: number
  readonly reservedCents: number
  readonly reservedSlots: number
}

/**
 * What a person uses of one UTC month's cap, in EUR cents, under a name that outlives an account: whoever deletes it and signs
 * up again goes on where they were. Forgotten some hours after `endsAt` (UTC ms), the end of the month.
 */
export interface CapUse {
  readonly recordedCents: number
  readonly reservedCents: number
  readonly endsAt: number
}

/** A charge that could not be recorded as what it paid for, and goes back to the card in full. */
export interface Refund {
  readonly uid: string
  readonly reason:
    | 'attemptEnded'
    | 'otherPayment'
    | 'amountMismatch'
    | 'userGone'
    /** The supplier took the invoice back, or has been paid for it in another way. */
    | 'invoiceGone'
    /** An operator gave it back, in whole or in part, before it was recorded: what is left goes back too. */
    | 'refundedByHand'
    /** Its holder turned to the bank before it was recorded. */
    | 'disputed'
    /** It was owed by records that a restore lost: the provider has a refund of ours. */
    | 'owedBefore'
    /** It was recorded, and will never be paid out: the order says why. */
    | 'undelivered'
  /**
   * `disputed`: the bank has the money, and gives it to its customer or back to us; a refund meanwhile could be a second one.
   * `done`: the provider says that the whole charge went back, or somebody settled it in another way.
   */
  readonly status: 'due' | 'disputed' | 'done'
  /** The provider's refund, under way or done; null before there is one, after it failed, and for what was settled in another way. */
  readonly refundId: string | null
  /** How often the provider refused to begin one, once it has. */
  readonly refusals?: number
  readonly createdAt: number
  /** When the sweep asks again whether a refund that was done is still good; null when it can't fail any more. UTC ms. */
  readonly checkAt: number | null
}

/** Who has which orders in hand, and since when (UTC ms): the orders name their batch, and their owners don't learn who it is. */
export interface DeliveryBatch {
  readonly by: string
  readonly claimedAt: number
}

/**
 * An account that its owner wants deleted. It is there from the decision until nobody can hold a token of the account
 * any more; and where the law wants documents kept, until they go.
 */
export interface Deletion {
  readonly uid: string
  /** `kept`: all is gone but the identity documents and their records. */
  readonly status: 'due' | 'kept'
  readonly createdAt: number
  /** When what is kept goes, in UTC ms; only of one with status `kept`. */
  readonly checkAt?: number
}

/**
 * A device that its owner wants to be told on with the app closed, under a name made from its endpoint: a browser has one, whoever uses it.
 * Both instants are UTC ms.
 */
export interface PushSubscriptionRecord {
  readonly uid: string
  /** The address that the browser's push service gave it, and the keys that only this browser can read with. */
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly language: Language
  /** Of the token that it was made with: sessions that end take it with them. */
  readonly issuedAt: number
  readonly createdAt: number
}

/** Who pays: a person's customer at the provider, for whom it keeps cards, and what is under way there about plans. Times are UTC milliseconds. */
export interface Customer {
  readonly customerId: string
  /** The only checkout of this person that can be paid; null when there is none. */
  readonly checkout: Checkout | null
  /** The subscription that was stored in the profile last; null as long as none was. What never was has bought nothing. */
  readonly countedId: string | null
  /** Written again after a restore, and nobody has come back since whose profile may be lost. */
  readonly rebuilt?: true
  /** When the sweep compares the stored plan with the provider's; null when there is nothing to expect. */
  readonly checkAt: number | null
}

/** Everything that the provider is sent for a checkout, so that sending it again is the same call. */
export interface Checkout {
  readonly key: string
  readonly tier: Tier
  readonly priceId: string
  readonly locale: 'fr' | 'en'
  /** Where the provider's page leads back to. */
  readonly origin: string
  readonly createdAt: number
  /** Null until the session is known to exist; nobody has its address before that. */
  readonly sessionId: string | null
}

export const customers = (db: Firestore) => db.collection('customers')
export const attempts = (db: Firestore) => db.collection('attempts')
export const refunds = (db: Firestore) => db.collection('refunds')
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
  return { uid, ...(data ? inCollection('ledgers', monthLedger)(data) : emptyLedger(month)) }
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

const instant = instantWith((value) => (value instanceof Timestamp ? value.toMillis() : null))

/** The subscription of a stored profile. */
export const subscriptionOf = (stored: DocumentData | undefined): Subscription =>
  profileSubscription(instant)(stored?.subscription)

/** Who the account of a stored profile belongs to. @throws Misfit when nobody can tell. */
export const ownershipOf = (stored: DocumentData | undefined): Ownership =>
  inCollection('users', ownership(instant))(stored ?? {})

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

/** The opposite of `storedRecord`. @throws Misfit */
export const readTransaction = inCollection('transactions', transaction(instant))

/** The opposite of `storedRecord`. @throws Misfit */
export const readInvoicePayment = inCollection('invoicePayments', invoicePayment(instant))

/** Nothing about money is decided by a document that is not what it has to be: the call ends, and its log says where to look. */
export function inCollection<T>(collection: string, read: Reader<T>): Reader<T> {
  return (stored) => {
    try {
      return read(stored)
    } catch (error) {
      throw error instanceof Misfit ? new Misfit(`${collection}: ${error.message}`) : error
    }
  }
}

const INSTANTS = ['createdAt', 'settledAt', 'estimatedArrival']

function withInstants(fields: object, as: (at: unknown) => unknown): DocumentData {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, INSTANTS.includes(name) ? as(value) : value]),
  )
}
