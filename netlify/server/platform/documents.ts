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
import { buildInvoicePaymentSchema, invoiceOrderSchema } from '../../../domain/invoices/invoiceSchema.ts'
import { takenBackSchema } from '../../../domain/journal/takenBack.ts'
import { transferOrderSchema } from '../../../domain/transfers/shapes/orderSchema.ts'
import { buildTransactionSchema } from '../../../domain/transfers/shapes/transactionSchema.ts'
import { getTrace, type Log } from './log.ts'

// An invalid document never decides about money: the call ends with an error.

export const instantSchema = v.pipe(
  v.instance(Timestamp),
  v.transform((at) => at.toMillis()),
)

/** The parser throws a ValidationError that names the collection. */
export const createCollectionParser =
  <T>(collection: string, schema: v.GenericSchema<unknown, T>) =>
  (stored: unknown): T => {
    const parsed = v.safeParse(schema, stored)
    if (!parsed.success) throw new ValidationError(parsed.issues, collection)
    return parsed.output
  }

/** The parser returns undefined for a missing document. */
export const createDocumentParser =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (document: DocumentSnapshot | undefined): T | undefined => {
    const stored = document?.data()
    return document && stored ? createCollectionParser(document.ref.parent.id, schema)(stored) : undefined
  }

const attemptFields = {
  uid: v.string(),
  attemptId: v.string(),
  /** `refunded`: charged, but the payment could not be recorded or the transfer not delivered. */
  status: v.picklist(['reserved', 'recorded', 'released', 'refunded']),
  paymentIntentId: v.nullish(v.string(), null),
  /** As in the profile at `createdAt`; null after the legal term. */
  payerName: v.nullish(v.string(), null),
  createdAt: finiteNumber,
  /** The bank is asked to authenticate the payer of an account's first transfer or invoice. */
  isFirst: v.exactOptional(v.boolean()),
  /** From `buildPersonKeys`; empty once the attempt has ended. */
  persons: v.array(v.string()),
}

const transferAttemptSchema = v.object({
  ...attemptFields,
  kind: v.literal('transfer'),
  draftId: v.string(),
  /** UTC month whose cap this attempt counts in: 'YYYY-MM'. */
  month: v.string(),
  transfer: transferOrderSchema,
  /** In EUR cents. */
  capCents: integer,
  /** `lastReset` of the allowance that one transfer of the plan was taken from. */
  slotPeriod: v.nullish(finiteNumber, null),
  promisedMinutes: v.exactOptional(integer),
})

const invoiceAttemptSchema = v.object({
  ...attemptFields,
  kind: v.literal('invoice'),
  invoice: invoiceOrderSchema,
})

export type TransferAttempt = Output<typeof transferAttemptSchema>
export type InvoiceAttempt = Output<typeof invoiceAttemptSchema>

/** Times are UTC ms. The promised transfer or invoice never changes, even if the invoice itself does. */
export type Attempt = TransferAttempt | InvoiceAttempt

export const parseAttempt = createDocumentParser<Attempt>(
  v.variant('kind', [transferAttemptSchema, invoiceAttemptSchema]),
)

export function parseTransferAttempt(document: DocumentSnapshot): TransferAttempt | undefined {
  const attempt = parseAttempt(document)
  return attempt?.kind === 'transfer' ? attempt : undefined
}

export interface KeyedAttempt<A extends Attempt = Attempt> {
  readonly key: string
  readonly attempt: A
}

/** An unreadable attempt must not block the others. */
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
 * `invoiceGone`: the supplier withdrew the invoice or was paid elsewhere. `refundedByHand`, `disputed`:
 * before the charge was recorded. `undelivered`: the transfer was recorded and will never be paid out.
 * `unknownPayment`: the charge had no attempt.
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

/** `changes`: how many documents of the journal about the payment have led to this. */
const bookedTakenBackSchema = v.object({ ...takenBackSchema.entries, changes: integer })

/** The journal's amounts of a payment that stands, although some of its charge was taken back. */
export const parseReversal = createDocumentParser(bookedTakenBackSchema)

const refundSchema = v.object({
  uid: v.string(),
  reason: legacyString<RefundReason>(),
  /**
   * `due`: a refund must begin. `failing`: refunds have failed or were refused more than once. `unfunded`:
   * our balance at Stripe does not suffice. `disputed`: the bank has the money; a refund before its decision
   * could return it twice. `done`: refunds and disputes add up to the whole charge, but may still change.
   * `settled`: an operator paid it back in another way.
   */
  status: v.picklist(['due', 'failing', 'pending', 'unfunded', 'disputed', 'done', 'settled']),
  /** Stripe's last refund if refunds cover the whole charge, pending or done. */
  refundId: v.nullish(v.string(), null),
  refusals: v.exactOptional(integer),
  /** As the journal has it. */
  takenBack: v.exactOptional(bookedTakenBackSchema),
  createdAt: finiteNumber,
  /** UTC ms. */
  since: finiteNumber,
  /** UTC ms; null while it is `due`, which the job always handles, and once it can't change any more. */
  checkAt: v.nullish(finiteNumber, null),
})

/** A charge that is owed back in full. */
export type Refund = Output<typeof refundSchema>
export const parseRefund = createDocumentParser(refundSchema)

const checkoutSchema = v.object({
  key: v.string(),
  tier: tierSchema,
  priceId: v.string(),
  locale: v.picklist(['fr', 'en']),
  origin: v.string(),
  createdAt: finiteNumber,
  /** The session URL is returned only once the ID is stored. */
  sessionId: v.nullish(v.string(), null),
})

/** Everything that a retry needs to make the same call. */
export type Checkout = Output<typeof checkoutSchema>

const customerSchema = v.object({
  customerId: v.string(),
  /** The only one that can be paid. */
  checkout: v.nullish(checkoutSchema, null),
  /** The subscription that was last stored in the profile. */
  countedId: v.nullish(v.string(), null),
  /** IDs of the paid invoices at Stripe that the journal has. */
  bookedInvoices: v.exactOptional(v.array(v.string())),
  /** UTC ms; null if no change is expected. */
  checkAt: v.nullish(finiteNumber, null),
})

/** A user's customer at Stripe. Times are UTC ms. */
export type Customer = Output<typeof customerSchema>
export const parseCustomer = createDocumentParser(customerSchema)

/** @throws if there is none. */
export function requireCustomer(document: DocumentSnapshot): Customer {
  const customer = parseCustomer(document)
  if (!customer) throw new Error('The person has no customer')
  return customer
}

const monthUseSchema = v.object({ recordedCents: integer, reservedCents: integer })

const capUseSchema = v.object({
  /** By UTC month: 'YYYY-MM'. */
  months: v.record(v.string(), monthUseSchema),
  /** The latest recorded transfers; those of the last day count. */
  sent: v.array(v.object({ at: finiteNumber, cents: finiteNumber })),
  endsAt: finiteNumber,
})

export type MonthUse = Output<typeof monthUseSchema>

/** In EUR cents, under a key that outlives an account. Deleted some hours after `endsAt` (UTC ms). */
export type PartyCapUse = Output<typeof capUseSchema>
export const parseCapUse = createDocumentParser(capUseSchema)

const invoiceClaimSchema = v.object({
  /** The attempt that has reserved the invoice, whatever its due date. */
  heldBy: v.nullish(v.string(), null),
  /** Keys of its payer (`buildPersonKeys`). */
  holders: v.array(v.string()),
  /** Due dates that an operator allowed to be paid again. */
  allowed: v.array(v.string()),
})

/** The server's decisions about the invoices with one supplier and reference. */
export type InvoiceClaim = Output<typeof invoiceClaimSchema>
export const parseInvoiceClaim = createDocumentParser(invoiceClaimSchema)

const deletionSchema = v.object({
  uid: v.string(),
  /** `kept`: everything is deleted except the proofs that the law requires. */
  status: v.picklist(['due', 'kept']),
  createdAt: finiteNumber,
  payer: v.exactOptional(
    v.object({
      name: v.nullish(v.string(), null),
      address: v.nullish(v.string(), null),
      phone: v.nullish(v.string(), null),
    }),
  ),
  /** UTC ms; only with status `kept`. */
  checkAt: v.exactOptional(finiteNumber),
})

/** Stored until no token of the account is valid any more, or until the kept documents are deleted. */
export type Deletion = Output<typeof deletionSchema>
export const parseDeletion = createDocumentParser(deletionSchema)

const pushSubscriptionSchema = v.object({
  uid: v.string(),
  /** URL at the browser's push service, and keys for messages that only this browser can decrypt. */
  endpoint: v.string(),
  p256dh: v.string(),
  auth: v.string(),
  language: v.picklist(['fr', 'en']),
  /** Issue time (UTC ms) of the token that registered the device. Notifications end with its session. */
  issuedAt: finiteNumber,
  createdAt: finiteNumber,
})

/** The document ID is a hash of the endpoint. */
export type PushSubscriptionRecord = Output<typeof pushSubscriptionSchema>
export const parsePushSubscription = createDocumentParser(pushSubscriptionSchema)

/** Inverse of `toStoredRecord`. @throws ValidationError */
export const parseTransaction = createCollectionParser('transactions', buildTransactionSchema(instantSchema))

export const parseInvoicePayment = createCollectionParser(
  'invoicePayments',
  buildInvoicePaymentSchema(instantSchema),
)
