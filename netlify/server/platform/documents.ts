import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore'
import {
  array,
  boolean,
  type InferOutput,
  integer,
  legacyString,
  nullable,
  number,
  object,
  optional,
  picklist,
  type Schema,
  string,
  ValidationError,
} from '../../../domain/schema.ts'
import { createInstantSchema } from '../../../domain/schemas/instant.ts'
import { buildInvoicePaymentSchema } from '../../../domain/schemas/invoice.ts'
import { invoiceOrderSchema, transferOrderSchema } from '../../../domain/schemas/order.ts'
import { tierSchema } from '../../../domain/schemas/profile.ts'
import { buildTransactionSchema } from '../../../domain/schemas/transaction.ts'
import { getTrace, type Log } from './log.ts'

// Schemas of documents that only functions write. An invalid document never decides about money: the call
// ends with an error, and the log names the collection and the field.

/** Schema of an instant as Firestore stores it. */
export const instantSchema = createInstantSchema((value) =>
  value instanceof Timestamp ? value.toMillis() : null,
)

/** Wraps the schema of a document, so that its error names the collection. */
export const createCollectionSchema =
  <T>(collection: string, schema: Schema<T>): Schema<T> =>
  (value) => {
    try {
      return schema(value)
    } catch (error) {
      throw error instanceof ValidationError
        ? new ValidationError(`${collection}: ${error.message}`, error.reason)
        : error
    }
  }

/** Creates a parser that returns undefined for a missing document. */
export const createDocumentParser =
  <T>(schema: Schema<T>) =>
  (document: DocumentSnapshot | undefined): T | undefined => {
    const stored = document?.data()
    return document && stored ? createCollectionSchema(document.ref.parent.id, schema)(stored) : undefined
  }

const attemptFields = {
  uid: string,
  attemptId: string,
  /**
   * `refunded`: the card was charged, but the payment could not be recorded or the transfer not delivered.
   */
  status: picklist('reserved', 'recorded', 'released', 'refunded'),
  paymentIntentId: nullable(string),
  /** The payer's name in the profile at `createdAt`; null without one, and after the legal term. */
  payerName: nullable(string),
  createdAt: number,
  /**
   * Whether this is the account's first transfer, or first invoice; the bank is then asked to authenticate
   * the payer.
   */
  isFirst: optional(boolean),
  /** Keys of the payer (`buildPersonKeys`); empty once the attempt has ended. */
  persons: array(string),
}

const transferAttemptSchema = object({
  ...attemptFields,
  kind: picklist('transfer'),
  /** The UTC month whose cap this attempt counts in: 'YYYY-MM'. */
  month: string,
  transfer: transferOrderSchema,
  /** The amount that counts toward the monthly cap, in EUR cents. */
  capCents: integer,
  /** `lastReset` of the allowance that one transfer of the plan was taken from; null if none was. */
  slotPeriod: nullable(number),
  /** The promised delivery time after the payment, in minutes; missing if none was promised. */
  promisedMinutes: optional(integer),
})

const invoiceAttemptSchema = object({
  ...attemptFields,
  kind: picklist('invoice'),
  /** The invoice as it was when the attempt reserved it. */
  invoice: invoiceOrderSchema,
})

export type TransferAttempt = InferOutput<typeof transferAttemptSchema>
export type InvoiceAttempt = InferOutput<typeof invoiceAttemptSchema>

/**
 * The server's promise for one attempt to pay. Amounts are integers in minor units, times UTC milliseconds.
 * The promised transfer or invoice never changes, even if the profile or the invoice itself does.
 */
export type Attempt = TransferAttempt | InvoiceAttempt

const kindSchema = object({ kind: picklist('transfer', 'invoice') })

export const parseAttempt = createDocumentParser<Attempt>((value) =>
  kindSchema(value).kind === 'invoice' ? invoiceAttemptSchema(value) : transferAttemptSchema(value),
)

export function parseTransferAttempt(document: DocumentSnapshot): TransferAttempt | undefined {
  const attempt = parseAttempt(document)
  return attempt?.kind === 'transfer' ? attempt : undefined
}

/** An attempt and its document ID. */
export interface KeyedAttempt<A extends Attempt = Attempt> {
  readonly key: string
  readonly attempt: A
}

/** Parses attempts. Logs an unreadable one instead of failing, so that it does not block the others. */
export const parseReadableAttempts = (
  { log }: { readonly log: Log },
  documents: readonly DocumentSnapshot[],
): readonly KeyedAttempt[] =>
  documents.flatMap((document) => {
    try {
      const attempt = parseAttempt(document)
      return attempt ? [{ key: document.id, attempt }] : []
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      log({ level: 'error', event: 'documentUnreadable', document: document.ref.path, ...getTrace(error) })
      return []
    }
  })

/**
 * `invoiceGone`: the supplier withdrew the invoice or was paid elsewhere. `refundedByHand`: an operator
 * refunded the charge, in whole or in part, before it was recorded. `disputed`: the cardholder disputed the
 * charge before it was recorded. `undelivered`: the transfer was recorded and will never be paid out.
 * `unknownPayment`: the charge had no attempt, and an operator refunded it.
 */
type RefundReason =
  | 'amountMismatch'
  | 'attemptEnded'
  | 'disputed'
  | 'invoiceGone'
  | 'otherPayment'
  | 'refundedByHand'
  | 'undelivered'
  | 'unknownPayment'
  | 'userGone'

const refundSchema = object({
  uid: string,
  reason: legacyString<RefundReason>(),
  /**
   * `disputed`: the bank has the money, and gives it to its customer or back to us; a refund before that
   * could return it twice. `done`: Stripe says that the whole charge went back, or an operator settled it in
   * another way.
   */
  status: picklist('due', 'disputed', 'done'),
  /**
   * Stripe's refund, pending or done; null before there is one, after it failed, or if the debt was settled
   * in another way.
   */
  refundId: nullable(string),
  /** How often Stripe refused to begin a refund. */
  refusals: optional(integer),
  createdAt: number,
  /** When a refund that is done is checked again (UTC ms); null if it can't fail any more. */
  checkAt: nullable(number),
})

/** A charge that is owed back in full, because it could not be recorded or delivered. */
export type Refund = InferOutput<typeof refundSchema>
export const parseRefund = createDocumentParser(refundSchema)

const checkoutSchema = object({
  key: string,
  tier: tierSchema,
  priceId: string,
  locale: picklist('fr', 'en'),
  /** Origin of the app, to which Stripe's page returns the user. */
  origin: string,
  createdAt: number,
  /** Checkout Session ID; null until stored. The session URL is returned only once the ID is stored. */
  sessionId: nullable(string),
})

/** All parameters of the call that creates a checkout, so that a retry makes the same call. */
export type Checkout = InferOutput<typeof checkoutSchema>

const customerSchema = object({
  customerId: string,
  /** The user's only checkout that can be paid; null if there is none. */
  checkout: nullable(checkoutSchema),
  /** The subscription that was last stored in the profile; null if none was. */
  countedId: nullable(string),
  /** When the due-work job compares the stored plan with Stripe's (UTC ms); null if no change is expected. */
  checkAt: nullable(number),
})

/**
 * A user's customer at Stripe, with its saved cards and the state of its plans. Times are UTC milliseconds.
 */
export type Customer = InferOutput<typeof customerSchema>
export const parseCustomer = createDocumentParser(customerSchema)

/** Parses a customer. @throws if there is none. */
export function requireCustomer(document: DocumentSnapshot): Customer {
  const customer = parseCustomer(document)
  if (!customer) throw new Error('The person has no customer')
  return customer
}

const capUseSchema = object({ recordedCents: integer, reservedCents: integer, endsAt: number })

/**
 * A person's use of one UTC month's cap, in EUR cents, under a key that outlives an account. Deleted some
 * hours after `endsAt` (UTC ms), the end of the month.
 */
export type CapUse = InferOutput<typeof capUseSchema>
export const parseCapUse = createDocumentParser(capUseSchema)

const invoiceClaimSchema = object({
  /** Key of the attempt that has reserved the invoice, whatever its due date; null if there is none. */
  heldBy: nullable(string),
  /** Keys of that attempt's payer (`buildPersonKeys`). */
  holders: array(string),
  /** Due dates whose invoice an operator allowed to be paid again, although it is paid or seems to be. */
  allowed: array(string),
})

/**
 * The server's decisions about the invoices with one supplier and reference. Payments are stored
 * separately.
 */
export type InvoiceClaim = InferOutput<typeof invoiceClaimSchema>
export const parseInvoiceClaim = createDocumentParser(invoiceClaimSchema)

const deletionSchema = object({
  uid: string,
  /** `kept`: everything is deleted except the identity documents and their records. */
  status: picklist('due', 'kept'),
  createdAt: number,
  /** When the kept documents are deleted (UTC ms); only with status `kept`. */
  checkAt: optional(number),
})

/**
 * An account that its owner wants deleted. Stored from the decision until no token of the account is valid
 * any more, or until documents that the law requires are deleted.
 */
export type Deletion = InferOutput<typeof deletionSchema>
export const parseDeletion = createDocumentParser(deletionSchema)

const pushSubscriptionSchema = object({
  uid: string,
  /** URL at the browser's push service, and keys for messages that only this browser can decrypt. */
  endpoint: string,
  p256dh: string,
  auth: string,
  language: picklist('fr', 'en'),
  /**
   * Issue time (UTC ms) of the token that registered the device, which is notified until that session ends.
   */
  issuedAt: number,
  createdAt: number,
})

/** A device on which its owner wants to be notified. Its document ID is a hash of the endpoint. */
export type PushSubscriptionRecord = InferOutput<typeof pushSubscriptionSchema>
export const parsePushSubscription = createDocumentParser(pushSubscriptionSchema)

/** Parses a stored record; inverse of `toStoredRecord`. @throws ValidationError */
export const parseTransaction = createCollectionSchema('transactions', buildTransactionSchema(instantSchema))

/** Parses a stored record; inverse of `toStoredRecord`. @throws ValidationError */
export const parseInvoicePayment = createCollectionSchema(
  'invoicePayments',
  buildInvoicePaymentSchema(instantSchema),
)
