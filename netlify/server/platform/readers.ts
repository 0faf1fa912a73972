import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore'
import {
  DELIVERY_STATES,
  type DeliveryOrder,
  type PayoutFailure,
  type Reversal,
} from '../../../domain/delivery.ts'
import type { Destination } from '../../../domain/destinations.ts'
import type { Invoice } from '../../../domain/invoice.ts'
import {
  boolean,
  integer,
  listOf,
  Misfit,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Reader,
  text,
} from '../../../domain/read.ts'
import { currency, sourceCurrency, tier } from '../../../domain/stored.ts'
import type { Context } from './context.ts'
import { traceOf } from './log.ts'
import {
  type Attempt,
  attemptKey,
  attempts,
  type CapUse,
  type Checkout,
  type Customer,
  type Deletion,
  type DeliveryBatch,
  type InvoiceAttempt,
  type InvoiceClaim,
  inCollection,
  type KeyedAttempt,
  type Promised,
  type PushSubscriptionRecord,
  type Refund,
  type TransferAttempt,
} from './records.ts'

// How the documents are read that only functions write. Nothing about money is decided by one that is not what it has to be: the
// call ends with an error, and its log names collection and field.

/** What a document holds; undefined when there is none. */
export const reading =
  <T>(read: Reader<T>) =>
  (document: DocumentSnapshot | undefined): T | undefined => {
    const stored = document?.data()
    return document && stored ? inCollection(document.ref.parent.id, read)(stored) : undefined
  }

/**
 * What only describes what was promised. It was one of the values of its day, and a list of today may lack it: a charge is
 * recorded or paid back all the same.
 */
const ofItsDay =
  <T extends string>(): Reader<T> =>
  (value) =>
    text(value) as T

const money = object({ minor: integer, currency })
const sourceMoney = object({ minor: integer, currency: sourceCurrency })

const transfer = object<TransferAttempt['transfer']>({
  gross: sourceMoney,
  phone: text,
  destination: object<Destination>({
    code: ofItsDay(),
    name: text,
    currency,
    flag: text,
    phonePrefix: text,
  }),
  receivingMethod: ofItsDay(),
  coupon: orNull(text),
  quote: object<TransferAttempt['transfer']['quote']>({
    gross: sourceMoney,
    fee: sourceMoney,
    net: sourceMoney,
    converted: money,
    rate: object({ from: sourceCurrency, to: currency, numerator: number, denominator: number }),
    feeRule: oneOf('coupon', 'premium', 'basic', 'default'),
    usesSlot: boolean,
  }),
})

const promised = object<Promised>({
  uid: text,
  attemptId: text,
  status: oneOf('reserved', 'recorded', 'released', 'refunded'),
  paymentIntentId: orNull(text),
  createdAt: number,
  rebuilt: optional(number),
  persons: optional(listOf(text)),
})

const ofTransfer = object<Omit<TransferAttempt, keyof Promised | 'kind'>>({
  month: text,
  transfer,
  capCents: integer,
  slotPeriod: orNull(number),
  promisedMinutes: optional(integer),
})

const ofInvoice = object<Omit<InvoiceAttempt, keyof Promised | 'kind'>>({
  invoice: object<Invoice>({
    supplier: text,
    reference: text,
    type: ofItsDay(),
    amount: money,
    dueDate: text,
    status: ofItsDay(),
  }),
})

const attempt: Reader<Attempt> = (value) => {
  const { kind } = object({ kind: oneOf('transfer', 'invoice') })(value)
  return kind === 'invoice'
    ? { kind, ...promised(value), ...ofInvoice(value) }
    : { kind, ...promised(value), ...ofTransfer(value) }
}

export const attemptIn = reading(attempt)

/** Those that can be read; of each other one the log tells, and none of them keeps the rest waiting. */
export const readableAttempts = (
  { log }: Pick<Context, 'log'>,
  documents: readonly DocumentSnapshot[],
): readonly KeyedAttempt[] =>
  documents.flatMap((document) => {
    try {
      const found = attemptIn(document)
      return found ? [{ key: document.id, attempt: found }] : []
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      log({ level: 'error', event: 'unreadable', document: document.ref.path, ...traceOf(error) })
      return []
    }
  })

/** An attempt to transfer. */
export function transferAttemptIn(document: DocumentSnapshot): TransferAttempt | undefined {
  const found = attemptIn(document)
  return found?.kind === 'transfer' ? found : undefined
}

export const refundIn = reading(
  object<Refund>({
    uid: text,
    reason: ofItsDay(),
    status: oneOf('due', 'disputed', 'done'),
    refundId: orNull(text),
    refusals: optional(integer),
    createdAt: number,
    checkAt: orNull(number),
  }),
)

export const deliveryIn = reading(
  object<DeliveryOrder>({
    uid: text,
    state: oneOf(...DELIVERY_STATES),
    provider: text,
    attemptKey: text,
    amount: money,
    phone: text,
    wallet: text,
    createdAt: number,
    reference: orNull(text),
    lookedAt: orNull(number),
    checkAt: orNull(number),
    isByHand: boolean,
    attempt: integer,
    sentAt: orNull(number),
    isRestored: boolean,
    holds: listOf(text),
    batch: orNull(text),
    failure: orNull(ofItsDay<PayoutFailure>()),
    proof: orNull(text),
    handedOverAt: orNull(number),
    deliveredAt: orNull(number),
    reversal: orNull(ofItsDay<Reversal>()),
    loss: orNull(ofItsDay<Reversal>()),
    lifted: listOf(text),
    since: number,
  }),
)

export const deliveryBatchIn = reading(object<DeliveryBatch>({ by: text, claimedAt: number }))

const checkout = object<Checkout>({
  key: text,
  tier,
  priceId: text,
  locale: oneOf('fr', 'en'),
  origin: text,
  createdAt: number,
  sessionId: orNull(text),
})

export const customerIn = reading(
  object<Customer>({
    customerId: text,
    checkout: orNull(checkout),
    countedId: orNull(text),
    rebuilt: optional(oneOf(true)),
    checkAt: orNull(number),
  }),
)

/** Of somebody who has one by now. @throws when there is none. */
export function knownCustomerIn(document: DocumentSnapshot): Customer {
  const found = customerIn(document)
  if (!found) throw new Error('The person has no customer')
  return found
}

export const capUseIn = reading<CapUse>(
  object({ recordedCents: integer, reservedCents: integer, endsAt: number }),
)

export const claimIn = reading(
  object<InvoiceClaim>({ heldBy: orNull(text), holders: listOf(text), allowed: listOf(text) }),
)

export const deletionIn = reading(
  object<Deletion>({
    uid: text,
    status: oneOf('due', 'kept'),
    createdAt: number,
    checkAt: optional(number),
  }),
)

export const pushSubscriptionIn = reading(
  object<PushSubscriptionRecord>({
    uid: text,
    endpoint: text,
    p256dh: text,
    auth: text,
    language: oneOf('fr', 'en'),
    issuedAt: number,
    createdAt: number,
  }),
)

/** What a person reserved under an attempt's id; null when there is no such attempt of theirs. */
export async function keyedAttemptOf(
  db: Firestore,
  uid: string,
  attemptId: string,
): Promise<KeyedAttempt | null> {
  const key = attemptKey(uid, attemptId)
  const found = attemptIn(await attempts(db).doc(key).get())
  return found ? { key, attempt: found } : null
}
