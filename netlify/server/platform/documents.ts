import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { tierSchema } from '../../../domain/account/profileSchema.ts'
import {
  finiteNumber,
  integer,
  legacyString,
  type Output,
  ValidationError,
} from '../../../domain/common/schema.ts'
import { buildInvoicePaymentSchema } from '../../../domain/invoices/invoiceSchema.ts'
import { invoiceOrderSchema, transferOrderSchema } from '../../../domain/prices/order.ts'
import { buildTransactionSchema } from '../../../domain/transfers/transactionSchema.ts'
import { getTrace, type Log } from './log.ts'

// Schemas of documents that only functions write. An invalid document never decides about money: the call
// ends with an error, and the log names the collection and the field.

/** Schema of an instant as Firestore stores it. */
export const instantSchema = v.pipe(
  v.instance(Timestamp),
  v.transform((at) => at.toMillis()),
)

/** Creates a parser of a collection's documents. It throws a ValidationError that names the collection. */
export const createCollectionParser =
  <T>(collection: string, schema: v.GenericSchema<unknown, T>) =>
  (stored: unknown): T => {
    const parsed = v.safeParse(schema, stored)
    if (!parsed.success) throw new ValidationError(parsed.issues, collection)
    return parsed.output
  }

/** Creates a parser that returns undefined for a missing document. */
export const createDocumentParser =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (document: DocumentSnapshot | undefined): T | undefined => {
    const stored = document?.data()
    return document && stored ? createCollectionParser(document.ref.parent.id, schema)(stored) : undefined
  }

const attemptFields = {
  uid: v.string(),
  attemptId: v.string(),
  /**
   * `refunded`: the card was charged, but the payment could not be recorded or the transfer not delivered.
   */
  status: v.picklist(['reserved', 'recorded', 'released', 'refunded']),
  paymentIntentId: v.nullish(v.string(), null),
  /** The payer's name in the profile at `createdAt`; null without one, and after the legal term. */
  payerName: v.nullish(v.string(), null),
  createdAt: finiteNumber,
  /**
   * Whether this is the account's first transfer, or first invoice; the bank is then asked to authenticate
   * the payer.
   */
  isFirst: v.exactOptional(v.boolean()),
  /** Keys of the payer (`buildPersonKeys`); empty once the attempt has ended. */
  persons: v.array(v.string()),
}

const transferAttemptSchema = v.object({
  ...attemptFields,
  kind: v.literal('transfer'),
  /** The UTC month whose cap this attempt counts in: 'YYYY-MM'. */
  month: v.string(),
  transfer: transferOrderSchema,
  /** The amount that counts toward the monthly cap, in EUR cents. */
  capCents: integer,
  /** `lastReset` of the allowance that one transfer of the plan was taken from; null if none was. */
  slotPeriod: v.nullish(finiteNumber, null),
  /** The promised delivery time after the payment, in minutes; missing if none was promised. */
  promisedMinutes: v.exactOptional(integer),
})

const invoiceAttemptSchema = v.object({
  ...attemptFields,
  kind: v.literal('invoice'),
  /** The invoice as it was when the attempt reserved it. */
  invoice: invoiceOrderSchema,
})

export type TransferAttempt = Output<typeof transferAttemptSchema>
export type InvoiceAttempt = Output<typeof invoiceAttemptSchema>

/**
 * The server's promise for one attempt to pay. Amounts are integers in minor units, times UTC milliseconds.
 * The promised transfer or invoice never changes, even if the profile or the invoice itself does.
 */
export type Attempt = TransferAttempt | InvoiceAttempt

export const parseAttempt = createDocumentParser<Attempt>(
  v.variant('kind', [transferAttemptSchema, invoiceAttemptSchema]),
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

const refundSchema = v.object({
  uid: v.string(),
  reason: legacyString<RefundReason>(),
  /**
   * `due`: a refund must begin. `failing`: refunds have failed or were refused more than once. `pending`: the
   * bank is working on a refund. `unfunded`: a refund waits until our balance at Stripe suffices. `disputed`:
   * the bank has the money, and gives it to its customer or back to us; a refund before that could return it
   * twice. `done`: refunds and the movements of disputes add up to the whole charge; they may still change.
   * `settled`: an operator paid it back in another way.
   */
  status: v.picklist(['due', 'failing', 'pending', 'unfunded', 'disputed', 'done', 'settled']),
  /** Stripe's last refund if refunds cover the whole charge, pending or done; null otherwise. */
  refundId: v.nullish(v.string(), null),
  /** How often Stripe refused to begin a refund. */
  refusals: v.exactOptional(integer),
  createdAt: finiteNumber,
  /** When the debt entered its status (UTC ms). */
  since: finiteNumber,
  /**
   * When the due-work job asks Stripe about it again (UTC ms); null while it is `due`, which the job always
   * handles, and once it can't change any more.
   */
  checkAt: v.nullish(finiteNumber, null),
})

/** A charge that is owed back in full, because it could not be recorded or delivered. */
export type Refund = Output<typeof refundSchema>
export const parseRefund = createDocumentParser(refundSchema)

const checkoutSchema = v.object({
  key: v.string(),
  tier: tierSchema,
  priceId: v.string(),
  locale: v.picklist(['fr', 'en']),
  /** Origin of the app, to which Stripe's page returns the user. */
  origin: v.string(),
  createdAt: finiteNumber,
  /** Checkout Session ID; null until stored. The session URL is returned only once the ID is stored. */
  sessionId: v.nullish(v.string(), null),
})

/** All parameters of the call that creates a checkout, so that a retry makes the same call. */
export type Checkout = Output<typeof checkoutSchema>

const customerSchema = v.object({
  customerId: v.string(),
  /** The user's only checkout that can be paid; null if there is none. */
  checkout: v.nullish(checkoutSchema, null),
  /** The subscription that was last stored in the profile; null if none was. */
  countedId: v.nullish(v.string(), null),
  /** When the due-work job compares the stored plan with Stripe's (UTC ms); null if no change is expected. */
  checkAt: v.nullish(finiteNumber, null),
})

/**
 * A user's customer at Stripe, with its saved cards and the state of its plans. Times are UTC milliseconds.
 */
export type Customer = Output<typeof customerSchema>
export const parseCustomer = createDocumentParser(customerSchema)

/** Parses a customer. @throws if there is none. */
export function requireCustomer(document: DocumentSnapshot): Customer {
  const customer = parseCustomer(document)
  if (!customer) throw new Error('The person has no customer')
  return customer
}

const capUseSchema = v.object({ recordedCents: integer, reservedCents: integer, endsAt: finiteNumber })

/**
 * A person's use of one UTC month's cap, in EUR cents, under a key that outlives an account. Deleted some
 * hours after `endsAt` (UTC ms), the end of the month.
 */
export type CapUse = Output<typeof capUseSchema>
export const parseCapUse = createDocumentParser(capUseSchema)

const invoiceClaimSchema = v.object({
  /** Key of the attempt that has reserved the invoice, whatever its due date; null if there is none. */
  heldBy: v.nullish(v.string(), null),
  /** Keys of that attempt's payer (`buildPersonKeys`). */
  holders: v.array(v.string()),
  /** Due dates whose invoice an operator allowed to be paid again, although it is paid or seems to be. */
  allowed: v.array(v.string()),
})

/**
 * The server's decisions about the invoices with one supplier and reference. Payments are stored
 * separately.
 */
export type InvoiceClaim = Output<typeof invoiceClaimSchema>
export const parseInvoiceClaim = createDocumentParser(invoiceClaimSchema)

const deletionSchema = v.object({
  uid: v.string(),
  /** `kept`: everything is deleted except the proofs that the law requires. */
  status: v.picklist(['due', 'kept']),
  createdAt: finiteNumber,
  /** A payer's name, and the address and number of the sign-in. */
  payer: v.exactOptional(
    v.object({
      name: v.nullish(v.string(), null),
      address: v.nullish(v.string(), null),
      phone: v.nullish(v.string(), null),
    }),
  ),
  /** When the kept proofs are deleted (UTC ms); only with status `kept`. */
  checkAt: v.exactOptional(finiteNumber),
})

/**
 * An account that its owner wants deleted. Stored from the decision until no token of the account is valid
 * any more, or until documents that the law requires are deleted.
 */
export type Deletion = Output<typeof deletionSchema>
export const parseDeletion = createDocumentParser(deletionSchema)

const pushSubscriptionSchema = v.object({
  uid: v.string(),
  /** URL at the browser's push service, and keys for messages that only this browser can decrypt. */
  endpoint: v.string(),
  p256dh: v.string(),
  auth: v.string(),
  language: v.picklist(['fr', 'en']),
  /**
   * Issue time (UTC ms) of the token that registered the device, which is notified until that session ends.
   */
  issuedAt: finiteNumber,
  createdAt: finiteNumber,
})

/** A device on which its owner wants to be notified. Its document ID is a hash of the endpoint. */
export type PushSubscriptionRecord = Output<typeof pushSubscriptionSchema>
export const parsePushSubscription = createDocumentParser(pushSubscriptionSchema)

/** Parses a stored record; inverse of `toStoredRecord`. @throws ValidationError */
export const parseTransaction = createCollectionParser('transactions', buildTransactionSchema(instantSchema))

/** Parses a stored record; inverse of `toStoredRecord`. @throws ValidationError */
export const parseInvoicePayment = createCollectionParser(
  'invoicePayments',
  buildInvoicePaymentSchema(instantSchema),
)
