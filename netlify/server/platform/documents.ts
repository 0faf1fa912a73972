import { type DocumentSnapshot, Timestamp } from 'firebase-admin/firestore'
import {
  DELIVERY_STATES,
  type DeliveryOrder,
  type HoldCause,
  type PayoutFailure,
  type Reversal,
} from '../../../domain/delivery.ts'
import {
  array,
  boolean,
  formerly,
  type InferOutput,
  integer,
  nullable,
  number,
  object,
  optional,
  picklist,
  type Schema,
  string,
  ValidationError,
} from '../../../domain/schema.ts'
import { instantWith } from '../../../domain/schemas/instant.ts'
import { invoicePaymentSchema } from '../../../domain/schemas/invoice.ts'
import { moneySchema } from '../../../domain/schemas/money.ts'
import { orderedInvoiceSchema, transferOrderSchema } from '../../../domain/schemas/order.ts'
import { tierSchema } from '../../../domain/schemas/profile.ts'
import { transactionSchema } from '../../../domain/schemas/transaction.ts'
import { type Log, traceOf } from './log.ts'

// The documents that only functions write. A document that its schema refuses decides nothing about money: the call ends with an
// error, and its log names collection and field.

/** Instants as the database has them. */
export const instant = instantWith((value) => (value instanceof Timestamp ? value.toMillis() : null))

/** The schema of a document of a collection, which its error names. */
export const inCollection =
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

/** Parses a document; undefined when there is none. */
export const documentParser =
  <T>(schema: Schema<T>) =>
  (document: DocumentSnapshot | undefined): T | undefined => {
    const stored = document?.data()
    return document && stored ? inCollection(document.ref.parent.id, schema)(stored) : undefined
  }

const attemptFields = {
  uid: string,
  attemptId: string,
  /** `refunded`: the card was charged, but what it paid for could not be recorded. */
  status: picklist('reserved', 'recorded', 'released', 'refunded'),
  paymentIntentId: nullable(string),
  createdAt: number,
  /** Its payer, by the names of `personKeys`; empty once it has ended. */
  persons: optional(array(string)),
}

const transferAttemptSchema = object({
  ...attemptFields,
  kind: picklist('transfer'),
  /** The UTC month whose cap this attempt counts in: 'YYYY-MM'. */
  month: string,
  transfer: transferOrderSchema,
  /** What counts toward the monthly cap, in EUR cents. */
  capCents: integer,
  /** `lastReset` of the allowance that one transfer of the plan was taken from; null when none was. */
  slotPeriod: nullable(number),
  /** Within how many minutes of the payment it was promised to arrive; missing where no time was promised. */
  promisedMinutes: optional(integer),
})

const invoiceAttemptSchema = object({
  ...attemptFields,
  kind: picklist('invoice'),
  /** As it was when it was reserved. */
  invoice: orderedInvoiceSchema,
})

export type TransferAttempt = InferOutput<typeof transferAttemptSchema>
export type InvoiceAttempt = InferOutput<typeof invoiceAttemptSchema>

/**
 * What the server promised for one attempt to pay: amounts are integers in minor units, times UTC milliseconds. What it pays for
 * never changes once written, whatever happens to the profile or to the invoice.
 */
export type Attempt = TransferAttempt | InvoiceAttempt

const kindSchema = object({ kind: picklist('transfer', 'invoice') })

export const parseAttempt = documentParser<Attempt>((value) =>
  kindSchema(value).kind === 'invoice' ? invoiceAttemptSchema(value) : transferAttemptSchema(value),
)

export function parseTransferAttempt(document: DocumentSnapshot): TransferAttempt | undefined {
  const attempt = parseAttempt(document)
  return attempt?.kind === 'transfer' ? attempt : undefined
}

/** An attempt and the name of its document. */
export interface KeyedAttempt<A extends Attempt = Attempt> {
  readonly key: string
  readonly attempt: A
}

/** The attempts that can be parsed. The log names each other one, so that none of them keeps the rest waiting. */
export const readableAttempts = (
  { log }: { readonly log: Log },
  documents: readonly DocumentSnapshot[],
): readonly KeyedAttempt[] =>
  documents.flatMap((document) => {
    try {
      const attempt = parseAttempt(document)
      return attempt ? [{ key: document.id, attempt }] : []
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      log({ level: 'error', event: 'unreadable', document: document.ref.path, ...traceOf(error) })
      return []
    }
  })

/**
 * `invoiceGone`: the supplier took the invoice back, or has been paid for it in another way. `refundedByHand`: an operator gave it
 * back, in whole or in part, before it was recorded. `disputed`: its holder turned to the bank before it was recorded.
 * `undelivered`: it was recorded, and will never be paid out. `unknownPayment`: no attempt knew the charge, and an operator refunded it.
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
  reason: formerly<RefundReason>(),
  /**
   * `disputed`: the bank has the money, and gives it to its customer or back to us; a refund meanwhile could be a second one.
   * `done`: Stripe says that the whole charge went back, or an operator settled it in another way.
   */
  status: picklist('due', 'disputed', 'done'),
  /** Stripe's refund, under way or done; null before there is one, after it failed, and where it was settled in another way. */
  refundId: nullable(string),
  /** How often Stripe refused to begin one, once it has. */
  refusals: optional(integer),
  createdAt: number,
  /** When a refund that was done is checked again; null when it can't fail any more. UTC ms. */
  checkAt: nullable(number),
})

/** A charge that could not be recorded as what it paid for, and goes back to the card in full. */
export type Refund = InferOutput<typeof refundSchema>
export const parseRefund = documentParser(refundSchema)

export const parseDeliveryOrder = documentParser<DeliveryOrder>(
  object({
    uid: string,
    state: picklist(...DELIVERY_STATES),
    provider: string,
    attemptKey: string,
    amount: moneySchema,
    phone: string,
    wallet: string,
    createdAt: number,
    since: number,
    reference: nullable(string),
    lookedAt: nullable(number),
    checkAt: nullable(number),
    isByHand: boolean,
    attempt: integer,
    sentAt: nullable(number),
    holds: array(formerly<HoldCause>()),
    lifted: array(formerly<HoldCause>()),
    batch: nullable(string),
    failure: nullable(formerly<PayoutFailure>()),
    proof: nullable(string),
    handedOverAt: nullable(number),
    deliveredAt: nullable(number),
    reversal: nullable(formerly<Reversal>()),
    loss: nullable(formerly<Reversal>()),
  }),
)

/** The operator that has some orders in hand, and since when (UTC ms). The orders name only their batch. */
export const parseDeliveryBatch = documentParser(object({ by: string, claimedAt: number }))

const checkoutSchema = object({
  key: string,
  tier: tierSchema,
  priceId: string,
  locale: picklist('fr', 'en'),
  /** Where Stripe's page leads back to. */
  origin: string,
  createdAt: number,
  /** Null until the session is known to exist; its address is not given out before that. */
  sessionId: nullable(string),
})

/** Everything that Stripe is sent for a checkout, so that sending it again is the same call. */
export type Checkout = InferOutput<typeof checkoutSchema>

const customerSchema = object({
  customerId: string,
  /** The only checkout of this person that can be paid; null when there is none. */
  checkout: nullable(checkoutSchema),
  /** The subscription that was stored in the profile last; null as long as none was. */
  countedId: nullable(string),
  /** When the reconciliation job compares the stored plan with Stripe's; null when there is nothing to expect. */
  checkAt: nullable(number),
})

/** A person's customer at Stripe, which keeps cards, and what is under way there about plans. Times are UTC milliseconds. */
export type Customer = InferOutput<typeof customerSchema>
export const parseCustomer = documentParser(customerSchema)

/** @throws when the person has no customer. */
export function requireCustomer(document: DocumentSnapshot): Customer {
  const customer = parseCustomer(document)
  if (!customer) throw new Error('The person has no customer')
  return customer
}

const capUseSchema = object({ recordedCents: integer, reservedCents: integer, endsAt: number })

/**
 * What a person uses of one UTC month's cap, in EUR cents, under a name that outlives an account. It is deleted some hours after
 * `endsAt` (UTC ms), the end of the month.
 */
export type CapUse = InferOutput<typeof capUseSchema>
export const parseCapUse = documentParser(capUseSchema)

const invoiceClaimSchema = object({
  /** The attempt that has reserved it, whatever its due date; null when it is not being paid. */
  heldBy: nullable(string),
  /** The payer of that attempt, by every name (`personKeys`). */
  holders: array(string),
  /** Due dates that an operator lets be paid although they are paid or seem to be; each of them once. */
  allowed: array(string),
})

/** What the server decides about the invoices with one supplier and reference, besides what it knows to be paid. */
export type InvoiceClaim = InferOutput<typeof invoiceClaimSchema>
export const parseInvoiceClaim = documentParser(invoiceClaimSchema)

const deletionSchema = object({
  uid: string,
  /** `kept`: all is gone but the identity documents and their records. */
  status: picklist('due', 'kept'),
  createdAt: number,
  /** When what is kept goes, in UTC ms; only with status `kept`. */
  checkAt: optional(number),
})

/**
 * An account that its owner wants deleted. It is there from the decision until no token of the account is valid any more; and
 * where the law wants documents kept, until they go.
 */
export type Deletion = InferOutput<typeof deletionSchema>
export const parseDeletion = documentParser(deletionSchema)

const pushSubscriptionSchema = object({
  uid: string,
  /** The address that the browser's push service gave it, and the keys that only this browser can read with. */
  endpoint: string,
  p256dh: string,
  auth: string,
  language: picklist('fr', 'en'),
  /** Issue time of the token that it was made with: sessions that end take it with them. UTC ms. */
  issuedAt: number,
  createdAt: number,
})

/** A device that its owner wants to be notified on, under a name made from its endpoint. */
export type PushSubscriptionRecord = InferOutput<typeof pushSubscriptionSchema>
export const parsePushSubscription = documentParser(pushSubscriptionSchema)

/** The opposite of `storedRecord`. @throws ValidationError */
export const parseTransaction = inCollection('transactions', transactionSchema(instant))

/** The opposite of `storedRecord`. @throws ValidationError */
export const parseInvoicePayment = inCollection('invoicePayments', invoicePaymentSchema(instant))
