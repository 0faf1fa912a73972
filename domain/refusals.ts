import { boolean, fitting, integer, number, object, oneOf, type Read, type Reader, text } from './read.ts'
import { currency, monthLedger, sourceCurrency, subscription } from './stored.ts'

/** What says all by its code; a text may come with it for whoever reads the answer. */
const byItself: Reader<object> = () => ({})

/** In how many whole seconds the same is answered again. */
const wait = object({ retryAfterSeconds: integer })

/**
 * Every code that a function refuses with, and how what it depends on is read. Amounts are in minor units, instants in UTC
 * milliseconds. Which function refuses with what stands in `api.ts`, status and text in `netlify/server/platform/refusals.ts`.
 */
export const REFUSALS = {
  amountRequired: byItself,
  amountTooHigh: byItself,
  amountTooLow: byItself,
  attemptConflict: byItself,
  attemptEnded: byItself,
  capUnavailable: byItself,
  checkoutNotFound: byItself,
  checkoutReplaced: byItself,
  couponEnded: byItself,
  couponInvalid: byItself,
  emailUnverified: byItself,
  forbidden: byItself,
  /** A part of the present address of the other account, enough for its owner to know it. */
  formerAddress: object({ address: text }),
  invalidRequest: byItself,
  invalidSignature: byItself,
  invoiceAlreadyPaid: byItself,
  /** As it is now. */
  invoiceChanged: object({ amount: integer, currency, dueDate: text }),
  invoiceFieldsRequired: byItself,
  invoiceNotFound: byItself,
  invoicePaymentUnavailable: byItself,
  invoiceSeemsPaid: byItself,
  invoiceUnavailable: byItself,
  invoiceUnderWay: byItself,
  maximumPayment: byItself,
  methodNotAllowed: byItself,
  minimumPayment: byItself,
  /** What is left of the month in EUR cents, and when the next one starts. Specification, section 8. */
  monthlyCapExceeded: object({ leftCents: integer, resetsAt: number }),
  /** The way that confirms the address. */
  otherWayIn: object({ way: oneOf('phone', 'address') }),
  paymentNotFound: byItself,
  paymentOpen: byItself,
  paymentUnavailable: byItself,
  paymentsClosed: byItself,
  paymentsPaused: byItself,
  phoneInvalid: byItself,
  phonePrefix: byItself,
  phoneRequired: byItself,
  planActive: byItself,
  planNotFound: byItself,
  planRunning: byItself,
  planUnavailable: byItself,
  /** Messages are not sent to the push service of this browser. */
  pushServiceUnknown: byItself,
  /** Nobody is told with the app closed: there are no keys for it. */
  pushUnavailable: byItself,
  /** The price as it is now, and what it was made from at `at`: the subscription as it is stored, and the month without this attempt. */
  quoteChanged: object({
    fee: integer,
    net: integer,
    converted: integer,
    feeRule: text,
    at: number,
    subscription: subscription(number),
    ledger: monthLedger,
  }),
  recentSignInRequired: byItself,
  referenceInvalid: byItself,
  /** The same transfer that is open or was sent lately. Agreeing to it names its `id`. */
  sentAlready: object({
    id: text,
    phone: text,
    amount: integer,
    currency: sourceCurrency,
    at: number,
    isPaid: boolean,
  }),
  supplierUnknown: byItself,
  tooManyDeclines: wait,
  tooManyHolds: wait,
  tooManyRequests: wait,
  unauthenticated: byItself,
  unavailable: byItself,
  unsupportedDestination: byItself,
  userNotFound: byItself,
  walletRequired: byItself,
}

export type RefusalCode = keyof typeof REFUSALS

/** What a refusal depends on. */
export type DetailsOf<Code extends RefusalCode> = Read<(typeof REFUSALS)[Code]>

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
  const read: Reader<object> = REFUSALS[code]
  const fits = fitting(read, details)
  return fits ? ({ code, details: fits } as Received) : { code: 'unknown', details: {} }
}
