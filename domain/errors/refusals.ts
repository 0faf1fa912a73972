import * as v from 'valibot'
import { buildSubscriptionSchema, ledgerSchema } from '../account/profileSchema.ts'
import { finiteNumber, integer, type Output } from '../common/schema.ts'
import { currencySchema, sourceCurrencySchema } from '../money/moneySchema.ts'

/** The schema of a code without details. */
const noDetails = v.fallback(v.object({}), {})

/** Details of a temporary refusal: after how many whole seconds a retry can succeed. */
const wait = v.object({ retryAfterSeconds: integer })
const waitUntil = v.object({ retryAfterSeconds: integer, until: finiteNumber })

/**
 * Every refusal code of the functions, with the schema of its details. Amounts are in minor units, instants
 * in UTC milliseconds. `api.ts` lists the codes of each function; `netlify/server/platform/refusals.ts` has
 * status and text.
 */
export const REFUSALS = {
  amountRequired: noDetails,
  amountTooHigh: noDetails,
  amountTooLow: noDetails,
  attemptConflict: noDetails,
  attemptEnded: noDetails,
  /** The transfer was handed over or claimed, or its window is over. */
  cancellationTooLate: noDetails,
  /** The transfer is held or waits for us, so the money is not on its way. It may become cancelable. */
  cancellationUnavailable: noDetails,
  capUnavailable: noDetails,
  checkoutNotFound: noDetails,
  checkoutReplaced: noDetails,
  couponEnded: noDetails,
  couponInvalid: noDetails,
  emailUnverified: noDetails,
  forbidden: noDetails,
  /** The other account's present address, masked so that only its owner recognizes it. */
  formerAddress: v.object({ address: v.string() }),
  /**
   * The month's use would exceed `limitCents` (EUR cents), and the user has no valid, approved document.
   */
  identityRequired: v.object({
    limitCents: integer,
    document: v.picklist(['none', 'pending', 'rejected', 'expired']),
  }),
  invalidRequest: noDetails,
  invalidSignature: noDetails,
  invoiceAlreadyPaid: noDetails,
  /** The invoice's current values. */
  invoiceChanged: v.object({ amount: integer, currency: currencySchema, dueDate: v.string() }),
  invoiceFieldsRequired: noDetails,
  invoiceNotFound: noDetails,
  invoicePaymentUnavailable: noDetails,
  invoiceSeemsPaid: noDetails,
  invoiceUnavailable: noDetails,
  invoiceUnderWay: noDetails,
  /** The mail server refused the mail, or did not answer. */
  mailNotSent: noDetails,
  /** Mail is not configured. */
  mailUnavailable: noDetails,
  maximumPayment: noDetails,
  methodNotAllowed: noDetails,
  minimumPayment: noDetails,
  /** EUR cents left this month, and when the next month starts. Specification, section 8. */
  monthlyCapExceeded: v.object({ leftCents: integer, resetsAt: finiteNumber }),
  /** The sender's profile has no name. Specification, section 5. */
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
  /** The push service of this browser is not supported. */
  pushServiceUnknown: noDetails,
  /** Push notifications are not configured: the keys are missing. */
  pushUnavailable: noDetails,
  /**
   * The current price and its basis at `at`: the stored subscription, and the month's ledger without this
   * attempt.
   */
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
  /** The deployment requires the recipient's name. */
  recipientNameRequired: noDetails,
  referenceInvalid: noDetails,
  /** A recent or open duplicate of the transfer. Sending again requires its `id`. */
  sentAlready: v.object({
    id: v.string(),
    phone: v.string(),
    amount: integer,
    currency: sourceCurrencySchema,
    at: finiteNumber,
    isPaid: v.boolean(),
  }),
  supplierUnknown: noDetails,
  /** `until`: when a transfer may begin again (UTC ms). */
  tooManyCanceled: waitUntil,
  tooManyDeclines: wait,
  tooManyHolds: wait,
  tooManyRequests: wait,
  /** `until`: when a transfer may begin again (UTC ms). */
  tooManyUndelivered: waitUntil,
  unauthenticated: noDetails,
  unavailable: noDetails,
  unsupportedDestination: noDetails,
  userNotFound: noDetails,
  /** The wallet's maximum of one transfer, and the amount to pay that fits, in minor units. */
  walletLimitExceeded: v.object({ limit: integer, fits: integer }),
  /** The provider reports no such wallet for the number. */
  walletMissing: noDetails,
  walletRequired: noDetails,
}

export type RefusalCode = keyof typeof REFUSALS

/** The details of a refusal. */
export type RefusalDetails<Code extends RefusalCode> = Output<(typeof REFUSALS)[Code]>

/** The codes without details. */
export type BareRefusalCode = {
  [Code in RefusalCode]: object extends RefusalDetails<Code> ? Code : never
}[RefusalCode]

/** A refusal as it arrives in the browser. */
export type KnownRefusal<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { readonly code: Each; readonly details: RefusalDetails<Each> }
}[Code]

/** 'unknown': a code or details of a newer server. '': a text without a code. */
export type UnknownRefusal = { readonly code: 'unknown' | ''; readonly details: object }

const isCode = (code: unknown): code is RefusalCode =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)

/** Parses a refusal and validates its details. */
export function parseRefusal(code: unknown, details: unknown): KnownRefusal | UnknownRefusal {
  if (!isCode(code)) return { code: typeof code === 'string' && code !== '' ? 'unknown' : '', details: {} }
  const schema: v.GenericSchema<unknown, object> = REFUSALS[code]
  const parsed = v.safeParse(schema, details)
  return parsed.success
    ? ({ code, details: parsed.output } as KnownRefusal)
    : { code: 'unknown', details: {} }
}
