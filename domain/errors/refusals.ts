import * as v from 'valibot'
import { buildSubscriptionSchema, ledgerSchema } from '../account/profileSchema.ts'
import { finiteNumber, integer, type Output } from '../common/schema.ts'
import { currencySchema, sourceCurrencySchema } from '../money/moneySchema.ts'

const noDetails = v.fallback(v.object({}), {})

const wait = v.object({ retryAfterSeconds: integer })
const waitUntil = v.object({ retryAfterSeconds: integer, until: finiteNumber })

/**
 * Every refusal code with the schema of its details: minor units, UTC ms. `api.ts` lists the codes of each
 * function; `netlify/server/platform/refusals.ts` has status and text.
 */
export const REFUSALS = {
  amountRequired: noDetails,
  amountTooHigh: noDetails,
  amountTooLow: noDetails,
  attemptConflict: noDetails,
  attemptEnded: noDetails,
  /** Handed over, claimed, or the window is over. */
  cancellationTooLate: noDetails,
  /** Held or waiting for us. It may become cancelable. */
  cancellationUnavailable: noDetails,
  capUnavailable: noDetails,
  checkoutNotFound: noDetails,
  checkoutReplaced: noDetails,
  couponEnded: noDetails,
  couponInvalid: noDetails,
  emailUnverified: noDetails,
  forbidden: noDetails,
  /** Masked, so that only its owner recognizes it. */
  formerAddress: v.object({ address: v.string() }),
  /** The month's use would exceed `limitCents` (EUR cents) without an approved document. */
  identityRequired: v.object({
    limitCents: integer,
    document: v.picklist(['none', 'pending', 'rejected', 'expired']),
  }),
  invalidRequest: noDetails,
  invalidSignature: noDetails,
  invoiceAlreadyPaid: noDetails,
  invoiceChanged: v.object({ amount: integer, currency: currencySchema, dueDate: v.string() }),
  invoiceFieldsRequired: noDetails,
  invoiceNotFound: noDetails,
  invoicePaymentUnavailable: noDetails,
  invoiceSeemsPaid: noDetails,
  invoiceUnavailable: noDetails,
  invoiceUnderWay: noDetails,
  mailNotSent: noDetails,
  mailUnavailable: noDetails,
  maximumPayment: noDetails,
  methodNotAllowed: noDetails,
  minimumPayment: noDetails,
  /** EUR cents; UTC ms. Specification, section 8. */
  monthlyCapExceeded: v.object({ leftCents: integer, resetsAt: finiteNumber }),
  /** Specification, section 5. */
  nameRequired: noDetails,
  /** The sign-in method that confirms the address. */
  otherWayIn: v.object({ way: v.picklist(['phone', 'address']) }),
  overseasFrance: noDetails,
  paymentNotFound: noDetails,
  paymentOpen: noDetails,
  paymentUnavailable: noDetails,
  paymentsClosed: noDetails,
  paymentsPaused: noDetails,
  phoneInvalid: noDetails,
  phonePrefix: noDetails,
  phoneRequired: noDetails,
  planActive: noDetails,
  planNotFound: noDetails,
  planRunning: noDetails,
  planUnavailable: noDetails,
  pushServiceUnknown: noDetails,
  pushUnavailable: noDetails,
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
  recentSignInRequired: noDetails,
  recipientNameRequired: noDetails,
  referenceInvalid: noDetails,
  /** A recent or open duplicate; sending again requires its `id`. */
  sentAlready: v.object({
    id: v.string(),
    phone: v.string(),
    amount: integer,
    currency: sourceCurrencySchema,
    at: finiteNumber,
    isPaid: v.boolean(),
  }),
  supplierUnknown: noDetails,
  /** `until`: UTC ms. */
  tooManyCanceled: waitUntil,
  tooManyDeclines: wait,
  tooManyHolds: wait,
  tooManyRequests: wait,
  /** `until`: UTC ms. */
  tooManyUndelivered: waitUntil,
  unauthenticated: noDetails,
  unavailable: noDetails,
  unsupportedDestination: noDetails,
  userNotFound: noDetails,
  /** Minor units; `fits` is the amount to pay. */
  walletLimitExceeded: v.object({ limit: integer, fits: integer }),
  walletMissing: noDetails,
  walletRequired: noDetails,
}

export type RefusalCode = keyof typeof REFUSALS

export type RefusalDetails<Code extends RefusalCode> = Output<(typeof REFUSALS)[Code]>

export type BareRefusalCode = {
  [Code in RefusalCode]: object extends RefusalDetails<Code> ? Code : never
}[RefusalCode]

export type KnownRefusal<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { readonly code: Each; readonly details: RefusalDetails<Each> }
}[Code]

/** 'unknown': a code or details of a newer server. '': a text without a code. */
export type UnknownRefusal = { readonly code: 'unknown' | ''; readonly details: object }

const isCode = (code: unknown): code is RefusalCode =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)

export function parseRefusal(code: unknown, details: unknown): KnownRefusal | UnknownRefusal {
  if (!isCode(code)) return { code: typeof code === 'string' && code !== '' ? 'unknown' : '', details: {} }
  const schema: v.GenericSchema<unknown, object> = REFUSALS[code]
  const parsed = v.safeParse(schema, details)
  return parsed.success
    ? ({ code, details: parsed.output } as KnownRefusal)
    : { code: 'unknown', details: {} }
}
