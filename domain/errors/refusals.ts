import * as v from 'valibot'
import { buildSubscriptionSchema, ledgerSchema } from '../account/profileSchema.ts'
import { finiteNumber, integer, type Output } from '../common/schema.ts'
import { currencySchema, sourceCurrencySchema } from '../money/moneySchema.ts'

/**
 * Every refusal: status, text for developers, and the functions that refuse with it. Groups of functions:
 * 'all'; 'signedIn', which need a token; 'paying', which begin a payment or a plan. The texts are those of the
 * specification's section 8 where it has one. The app imports only types of this table.
 */
export const REFUSALS = {
  amountRequired: [400, 'Please enter a valid amount', 'create-payment-intent'],
  amountTooHigh: [400, 'Maximum transfer amount is €500', 'create-payment-intent'],
  amountTooLow: [400, 'Minimum transfer amount is €10', 'create-payment-intent'],
  attemptConflict: [
    409,
    'This payment was already started with other details',
    'create-payment-intent',
    'pay-invoice',
  ],
  attemptEnded: [
    409,
    'This payment was canceled. Please start it again.',
    'create-payment-intent',
    'pay-invoice',
  ],
  /** Handed over, claimed, or the window is over. */
  cancellationTooLate: [
    409,
    'This transfer can no longer be canceled, because its delivery has begun',
    'cancel-transfer',
  ],
  /** Held or waiting for us. It may become cancelable. */
  cancellationUnavailable: [409, 'This transfer cannot be canceled at the moment', 'cancel-transfer'],
  capUnavailable: [
    503,
    'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.',
    'create-payment-intent',
  ],
  checkoutNotFound: [404, 'Failed to verify subscription', 'verify-subscription'],
  checkoutReplaced: [409, 'Another checkout was started. Please start it again.', 'create-subscription'],
  couponEnded: [409, 'This coupon is no longer valid', 'create-payment-intent'],
  couponInvalid: [400, 'Invalid coupon code format', 'create-payment-intent'],
  emailUnverified: [403, 'Please verify your email address first', 'signedIn'],
  forbidden: [
    403,
    'You may not use this',
    'create-payment-intent',
    'record-transfer',
    'cancel-transfer',
    'mail-receipt',
    'create-subscription',
    'verify-subscription',
    'cancel-subscription',
    'change-card',
    'push-subscription',
  ],
  /** The form has another attempt, which is open or was charged. */
  formSentAlready: [409, 'This form was already sent. Please check its payment.', 'create-payment-intent'],
  formerAddress: [403, 'This address belonged to an account that now has another address', 'confirm-address'],
  identityRequired: [403, 'Please verify your identity to send this amount', 'create-payment-intent'],
  invalidRequest: [400, 'Invalid request', 'all'],
  invalidSignature: [400, 'Invalid signature', 'stripe-webhook'],
  invoiceAlreadyPaid: [409, 'Failed to process invoice payment', 'pay-invoice'],
  invoiceChanged: [409, 'Failed to process invoice payment', 'pay-invoice'],
  invoiceFieldsRequired: [
    400,
    'Please select a supplier and enter a reference number',
    'lookup-invoice',
    'pay-invoice',
  ],
  invoiceNotFound: [404, 'Failed to fetch invoice details', 'lookup-invoice', 'pay-invoice'],
  invoicePaymentUnavailable: [503, 'Failed to process invoice payment', 'pay-invoice'],
  invoiceSeemsPaid: [409, 'Failed to process invoice payment', 'pay-invoice'],
  invoiceUnavailable: [503, 'Failed to fetch invoice details', 'lookup-invoice'],
  invoiceUnderWay: [409, 'Failed to process invoice payment', 'pay-invoice'],
  mailNotSent: [502, 'The email could not be sent. Please try again later.', 'mail-receipt'],
  mailUnavailable: [503, 'Receipts are not available by email', 'mail-receipt'],
  maximumPayment: [409, 'Maximum payment amount reached', 'pay-invoice'],
  methodNotAllowed: [405, 'Method not allowed', 'all'],
  minimumPayment: [409, 'Minimum payment amount not reached', 'pay-invoice'],
  monthlyCapExceeded: [409, 'MONTHLY_CAP_EXCEEDED', 'create-payment-intent'],
  /** Specification, section 5. */
  nameRequired: [400, 'Please enter your full name', 'create-payment-intent'],
  otherWayIn: [403, 'Please sign in another way', 'confirm-address'],
  overseasFrance: [400, 'Transfers to overseas France are not supported', 'create-payment-intent'],
  paymentNotFound: [
    404,
    'Payment not found',
    'record-transfer',
    'cancel-payment-intent',
    'cancel-transfer',
    'mail-receipt',
  ],
  paymentOpen: [409, 'A payment is still in progress. Please try again when it has ended.', 'delete-account'],
  paymentUnavailable: [502, 'The payment service does not answer. Please try again.', 'all'],
  paymentsClosed: [
    503,
    'Payments are closed for the moment. Please try again later.',
    'paying',
    'cancel-transfer',
  ],
  paymentsPaused: [403, 'Payments are paused for this account. Please contact our support.', 'paying'],
  phoneInvalid: [400, 'Invalid phone number format', 'create-payment-intent', 'check-phone-user'],
  phonePrefix: [400, 'Invalid phone number format', 'create-payment-intent'],
  phoneRequired: [400, 'Please enter a phone number', 'create-payment-intent', 'check-phone-user'],
  planActive: [409, 'This account already has a plan', 'create-subscription'],
  planNotFound: [404, 'No active subscription found', 'cancel-subscription', 'change-card'],
  planRunning: [409, 'Please cancel your plan first', 'delete-account'],
  planUnavailable: [503, 'Failed to create subscription', 'create-subscription', 'change-card'],
  pushServiceUnknown: [400, "Notifications can't be sent to this browser", 'push-subscription'],
  pushUnavailable: [503, 'Notifications are not available', 'push-subscription'],
  quoteChanged: [
    409,
    'The price of this transfer has changed. Please check it again.',
    'create-payment-intent',
  ],
  recentSignInRequired: [403, 'Please sign in again to do this', 'delete-account'],
  recipientNameRequired: [400, 'Please enter the name of the recipient', 'create-payment-intent'],
  referenceInvalid: [
    400,
    'Please select a supplier and enter a reference number',
    'lookup-invoice',
    'pay-invoice',
  ],
  sentAlready: [
    409,
    'You have already sent this amount to this number. Please confirm to send it again.',
    'create-payment-intent',
  ],
  supplierUnknown: [
    400,
    'Please select a supplier and enter a reference number',
    'lookup-invoice',
    'pay-invoice',
  ],
  tooManyCanceled: [
    429,
    'Too many transfers were canceled. Please try again later.',
    'create-payment-intent',
  ],
  tooManyDeclines: [429, 'Too many cards were declined. Please try again later.', 'paying'],
  tooManyHolds: [429, 'Failed to process invoice payment', 'pay-invoice'],
  tooManyRequests: [
    429,
    'Too many attempts. Please try again later.',
    'signedIn',
    'check-phone-user',
    'report-error',
  ],
  tooManyUndelivered: [
    429,
    'Too many transfers could not be delivered. Please try again later.',
    'create-payment-intent',
  ],
  unauthenticated: [401, 'Not authenticated', 'signedIn'],
  unavailable: [503, 'The service is not available right now. Please try again.', 'all'],
  unsupportedDestination: [400, 'Unsupported destination country', 'create-payment-intent'],
  userNotFound: [404, 'User not found', 'paying', 'confirm-address'],
  walletLimitExceeded: [409, 'This wallet does not take so much in one transfer', 'create-payment-intent'],
  walletMissing: [409, 'This number has no wallet of this kind', 'create-payment-intent'],
  walletRequired: [400, 'Please choose a mobile wallet', 'create-payment-intent'],
} as const satisfies Readonly<Record<string, readonly [status: number, error: string, ...by: string[]]>>

export type RefusalCode = keyof typeof REFUSALS

/** The codes with which these functions, or groups of functions, can refuse. */
export type CodeBy<Name extends string> = {
  [Code in RefusalCode]: Name & (typeof REFUSALS)[Code][number] extends never ? never : Code
}[RefusalCode]

const wait = v.object({ retryAfterSeconds: integer })
const waitUntil = v.object({ retryAfterSeconds: integer, until: finiteNumber })

/** Schemas of the refusals that have details: minor units, UTC ms. */
const DETAILS = {
  formerAddress: v.object({ address: v.string() }),
  /** The month's use would exceed `limitCents` (EUR cents) without an approved document. */
  identityRequired: v.object({
    limitCents: integer,
    document: v.picklist(['none', 'pending', 'rejected', 'expired']),
  }),
  invoiceChanged: v.object({ amount: integer, currency: currencySchema, dueDate: v.string() }),
  /** EUR cents; UTC ms. Specification, section 8. */
  monthlyCapExceeded: v.object({ leftCents: integer, resetsAt: finiteNumber }),
  /** The sign-in method that confirms the address. */
  otherWayIn: v.object({ way: v.picklist(['phone', 'address']) }),
  /** The price and its basis at `at`; the ledger excludes this attempt. */
  quoteChanged: v.object({
    fee: integer,
    net: integer,
    converted: integer,
    feeRule: v.string(),
    at: finiteNumber,
    subscription: buildSubscriptionSchema(finiteNumber),
    ledger: ledgerSchema,
  }),
  /** A recent or open duplicate; sending again requires its `id`. */
  sentAlready: v.object({
    id: v.string(),
    phone: v.string(),
    amount: integer,
    currency: sourceCurrencySchema,
    at: finiteNumber,
    isPaid: v.boolean(),
  }),
  tooManyCanceled: waitUntil,
  tooManyDeclines: wait,
  tooManyHolds: wait,
  tooManyRequests: wait,
  tooManyUndelivered: waitUntil,
  /** Minor units; `fits` is the amount to pay. */
  walletLimitExceeded: v.object({ limit: integer, fits: integer }),
} satisfies { readonly [Code in RefusalCode]?: v.GenericSchema<unknown, object> }

type Details = {
  [Code in RefusalCode]: Code extends keyof typeof DETAILS ? Output<(typeof DETAILS)[Code]> : object
}
export type RefusalDetails<Code extends RefusalCode> = Details[Code]

/** A refusal as a machine's problem: its kind is the code, beside the details. */
export type RefusalProblem<Code extends RefusalCode> = {
  [Each in Code]: { readonly kind: Each } & RefusalDetails<Each>
}[Code]

export type BareRefusalCode = Exclude<RefusalCode, keyof typeof DETAILS>

export type KnownRefusal<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { readonly code: Each; readonly details: RefusalDetails<Each> }
}[Code]

/** 'unknown': details of a newer server. '': a text without a code. */
export type UnknownRefusal = { readonly code: 'unknown' | ''; readonly details: object }

const hasDetails = (code: string): code is keyof typeof DETAILS => Object.hasOwn(DETAILS, code)

export function parseRefusal(code: unknown, details: unknown): KnownRefusal | UnknownRefusal {
  if (typeof code !== 'string' || code === '') return { code: '', details: {} }
  // Includes the codes of a newer server, for which the app has no text.
  if (!hasDetails(code)) return { code, details: {} } as KnownRefusal
  const schema: v.GenericSchema<unknown, object> = DETAILS[code]
  const parsed = v.safeParse(schema, details)
  return parsed.success
    ? ({ code, details: parsed.output } as KnownRefusal)
    : { code: 'unknown', details: {} }
}
