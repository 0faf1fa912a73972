import {
  boolean,
  type InferOutput,
  integer,
  number,
  object,
  parseOrNull,
  picklist,
  type Schema,
  string,
} from './schema.ts'
import { currencySchema, sourceCurrencySchema } from './schemas/money.ts'
import { ledgerSchema, subscriptionSchema } from './schemas/profile.ts'

/** What says all by its code; a text may come with it for whoever reads the answer. */
const noDetails: Schema<object> = () => ({})

/** In how many whole seconds the same is answered again. */
const wait = object({ retryAfterSeconds: integer })

/**
 * Every code that a function refuses with, and how what it depends on is read. Amounts are in minor units, instants in UTC
 * milliseconds. Which function refuses with what stands in `api.ts`, status and text in `netlify/server/platform/refusals.ts`.
 */
export const REFUSALS = {
  amountRequired: noDetails,
  amountTooHigh: noDetails,
  amountTooLow: noDetails,
  attemptConflict: noDetails,
  attemptEnded: noDetails,
  capUnavailable: noDetails,
  checkoutNotFound: noDetails,
  checkoutReplaced: noDetails,
  couponEnded: noDetails,
  couponInvalid: noDetails,
  emailUnverified: noDetails,
  forbidden: noDetails,
  /** A part of the present address of the other account, enough for its owner to know it. */
  formerAddress: object({ address: string }),
  invalidRequest: noDetails,
  invalidSignature: noDetails,
  invoiceAlreadyPaid: noDetails,
  /** As it is now. */
  invoiceChanged: object({ amount: integer, currency: currencySchema, dueDate: string }),
  invoiceFieldsRequired: noDetails,
  invoiceNotFound: noDetails,
  invoicePaymentUnavailable: noDetails,
  invoiceSeemsPaid: noDetails,
  invoiceUnavailable: noDetails,
  invoiceUnderWay: noDetails,
  maximumPayment: noDetails,
  methodNotAllowed: noDetails,
  minimumPayment: noDetails,
  /** What is left of the month in EUR cents, and when the next one starts. Specification, section 8. */
  monthlyCapExceeded: object({ leftCents: integer, resetsAt: number }),
  /** The way that confirms the address. */
  otherWayIn: object({ way: picklist('phone', 'address') }),
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
  /** Messages are not sent to the push service of this browser. */
  pushServiceUnknown: noDetails,
  /** Nobody is told with the app closed: there are no keys for it. */
  pushUnavailable: noDetails,
  /** The price as it is now, and what it was made from at `at`: the subscription as it is stored, and the month without this attempt. */
  quoteChanged: object({
    fee: integer,
    net: integer,
    converted: integer,
    feeRule: string,
    at: number,
    subscription: subscriptionSchema(number),
    ledger: ledgerSchema,
  }),
  recentSignInRequired: noDetails,
  referenceInvalid: noDetails,
  /** The same transfer that is open or was sent lately. Agreeing to it names its `id`. */
  sentAlready: object({
    id: string,
    phone: string,
    amount: integer,
    currency: sourceCurrencySchema,
    at: number,
    isPaid: boolean,
  }),
  supplierUnknown: noDetails,
  tooManyDeclines: wait,
  tooManyHolds: wait,
  tooManyRequests: wait,
  unauthenticated: noDetails,
  unavailable: noDetails,
  unsupportedDestination: noDetails,
  userNotFound: noDetails,
  walletRequired: noDetails,
}

export type RefusalCode = keyof typeof REFUSALS

/** What a refusal depends on. */
export type DetailsOf<Code extends RefusalCode> = InferOutput<(typeof REFUSALS)[Code]>

/** The codes that say all by themselves. */
export type BareCode = {
  [Code in RefusalCode]: object extends DetailsOf<Code> ? Code : never
}[RefusalCode]

/** A refusal as it arrives in the browser. */
export type Received<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { readonly code: Each; readonly details: DetailsOf<Each> }
}[Code]

/** 'unknown': a code of a newer server, or one with other details than it has. '': words without a code. */
export type UnknownRefusal = { readonly code: 'unknown' | ''; readonly details: object }

const isCode = (code: unknown): code is RefusalCode =>
  typeof code === 'string' && Object.hasOwn(REFUSALS, code)

/** What a refused call says, with its details checked. */
export function readRefusal(code: unknown, details: unknown): Received | UnknownRefusal {
  if (!isCode(code)) return { code: typeof code === 'string' && code !== '' ? 'unknown' : '', details: {} }
  const read: Schema<object> = REFUSALS[code]
  const fits = parseOrNull(read, details)
  return fits ? ({ code, details: fits } as Received) : { code: 'unknown', details: {} }
}
