import type { InvoicePayment } from '../invoice.ts'
import {
  fail,
  fallback,
  integer,
  maxLength,
  nullable,
  number,
  object,
  optional,
  pattern,
  picklist,
  positive,
  type Schema,
  strictObject,
  string,
  union,
  uuid,
} from '../schema.ts'
import { invoicePaymentSchema } from '../schemas/invoice.ts'
import { transactionSchema } from '../schemas/transaction.ts'
import type { Transaction } from '../transaction.ts'
import { defineFunction, MAY_PAY, SIGNED_IN } from './definition.ts'

/** A UUID that the device made, the same for each try to pay the same thing. */
const attemptRequestSchema = strictObject({ attemptId: uuid })

/** What the browser needs to pay at Stripe. */
export const paymentStartedSchema = object({
  paymentIntentId: string,
  clientSecret: string,
  /** Opens the person's saved cards to Stripe's form, once and for half an hour; null where there are none. */
  customerSession: nullable(string),
  /** Stripe's status of the PaymentIntent: an attempt that is sent again may have been paid already. */
  status: string,
})

/** What a card payment ends as: the record of what it paid for. */
export type Paid = { readonly transaction: Transaction } | { readonly invoicePayment: InvoicePayment }

/**
 * Where a payment stands. `status`: the PaymentIntent's. `unpaid`: nothing is charged. `unclear`: it may still be charged.
 * `disputed`: its holder turned to the bank, which decides who gets the money; nothing was sent.
 */
export type Settlement =
  | ({ readonly outcome: 'paid' } & Paid)
  | { readonly outcome: 'unpaid' | 'unclear'; readonly status: string }
  | { readonly outcome: 'refunded' | 'disputed' }

/** What became of an attempt that was given up. */
export type Release = { readonly outcome: 'released' } | Settlement

const outcomeSchema = object({
  outcome: picklist('paid', 'unpaid', 'unclear', 'refunded', 'disputed'),
})
const statusSchema = object({ status: string })
const paidSchema = object({
  transaction: nullable(transactionSchema(number)),
  invoicePayment: nullable(invoicePaymentSchema(number)),
})

const settlementSchema: Schema<Settlement> = (value) => {
  const { outcome } = outcomeSchema(value)
  if (outcome === 'refunded' || outcome === 'disputed') return { outcome }
  if (outcome !== 'paid') return { outcome, ...statusSchema(value) }
  const { transaction, invoicePayment } = paidSchema(value)
  if (transaction) return { outcome, transaction }
  return invoicePayment ? { outcome, invoicePayment } : fail()
}

/** Checks, quotes and reserves a transfer, and makes the PaymentIntent of its attempt. */
export const CREATE_PAYMENT_INTENT = defineFunction({
  name: 'create-payment-intent',
  method: 'POST',
  most: 60,
  beginsPayment: true,
  request: strictObject({
    attemptId: uuid,
    /** Any other value than a whole number is refused like an amount that can't be read. */
    amount: fallback(integer, null),
    currency: picklist('eur', 'cad'),
    description: maxLength(200),
    senderId: string,
    recipientPhone: maxLength(40),
    receivingMethod: nullable(maxLength(40)),
    couponCode: nullable(maxLength(100)),
    /** What the screen showed, and within how many minutes it promised the arrival: another price is refused. */
    expected: strictObject({ fee: integer, converted: integer, minutes: optional(positive(integer)) }),
    /** The ID of the same recent transfer, once the user was asked about it and wants it once more. */
    again: nullable(maxLength(255)),
  }),
  response: paymentStartedSchema,
  refusals: [
    ...SIGNED_IN,
    ...MAY_PAY,
    'amountRequired',
    'amountTooHigh',
    'amountTooLow',
    'attemptConflict',
    'attemptEnded',
    'capUnavailable',
    'couponEnded',
    'couponInvalid',
    'forbidden',
    'monthlyCapExceeded',
    'phoneInvalid',
    'phonePrefix',
    'phoneRequired',
    'quoteChanged',
    'sentAlready',
    'unsupportedDestination',
    'walletRequired',
  ],
})

/** Settles a payment of a transfer or an invoice, or says where it stands. */
export const RECORD_TRANSFER = defineFunction({
  name: 'record-transfer',
  method: 'POST',
  // The app asks about an open payment after 2, 4, 8 … 60 seconds, in each of its tabs.
  most: 100,
  request: union(attemptRequestSchema, strictObject({ paymentIntentId: pattern(/^pi_\w{1,250}$/) })),
  response: settlementSchema,
  refusals: [...SIGNED_IN, 'paymentNotFound', 'forbidden'],
})

/** Ends an attempt that was given up, and gives its reservation back. */
export const CANCEL_PAYMENT_INTENT = defineFunction({
  name: 'cancel-payment-intent',
  method: 'POST',
  most: 60,
  request: attemptRequestSchema,
  response: ((value) => {
    const { outcome } = object({ outcome: string })(value)
    return outcome === 'released' ? { outcome } : settlementSchema(value)
  }) as Schema<Release>,
  refusals: [...SIGNED_IN, 'paymentNotFound'],
})
