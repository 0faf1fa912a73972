import type { CodeOf, FunctionName } from '../../../domain/api.ts'
import type { MonthLedger } from '../../../domain/capUse.ts'
import type { Invoice } from '../../../domain/invoice.ts'
import { MONTHLY_CAP_EUR_CENTS, type MonthlyCapExceeded } from '../../../domain/limits.ts'
import { formatMoney, formatMoneyShort, money } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/month.ts'
import type { Quote } from '../../../domain/quote.ts'
import type { RecentTransfer } from '../../../domain/recentTransfers.ts'
import type { BareCode, DetailsOf, RefusalCode } from '../../../domain/refusals.ts'
import type { Subscription } from '../../../domain/schemas/profile.ts'
import { type WalletMissing, walletNames } from '../../../domain/wallets.ts'

/** What a refused call answers: its code, a text that can be shown as it is, and what it depends on. */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  readonly code: Code
  readonly status: number
  readonly error: string
  readonly message: string
  readonly details?: DetailsOf<Code>
}

/** What a function of the contract may refuse with. */
export type RefusalBy<Name extends FunctionName> = Refusal<CodeOf<Name>>

/** HTTP status and text of each refusal. The texts are those of the specification's section 8 where it has one. */
const TEXTS = {
  invalidRequest: [400, 'Invalid request'],
  invalidSignature: [400, 'Invalid signature'],
  unauthenticated: [401, 'Not authenticated'],
  emailUnverified: [403, 'Please verify your email address first'],
  otherWayIn: [403, 'Please sign in another way'],
  formerAddress: [403, 'This address was that of an account that has another one now'],
  recentSignInRequired: [403, 'Please sign in again to do this'],
  tooManyDeclines: [429, 'Too many cards were declined. Please try again later.'],
  paymentsPaused: [403, 'Payments are paused for this account. Please contact our support.'],
  forbidden: [403, 'This is not yours to use'],
  userNotFound: [404, 'User not found'],
  paymentNotFound: [404, 'Payment not found'],
  planNotFound: [404, 'No active subscription found'],
  checkoutNotFound: [404, 'Failed to verify subscription'],
  methodNotAllowed: [405, 'Method not allowed'],
  amountRequired: [400, 'Please enter a valid amount'],
  amountTooLow: [400, 'Minimum transfer amount is €10'],
  amountTooHigh: [400, 'Maximum transfer amount is €500'],
  phoneRequired: [400, 'Please enter a phone number'],
  phoneInvalid: [400, 'Invalid phone number format'],
  phonePrefix: [400, 'Invalid phone number format'],
  unsupportedDestination: [400, 'Unsupported destination country'],
  couponInvalid: [400, 'Invalid coupon code format'],
  walletRequired: [400, 'Please choose a mobile wallet'],
  couponEnded: [409, 'This coupon is no longer good'],
  tooManyRequests: [429, 'Too many attempts. Please try again later.'],
  quoteChanged: [409, 'The price of this transfer has changed. Please check it again.'],
  sentAlready: [
    409,
    'You have sent this amount to this number already. Please say if you mean it once more.',
  ],
  attemptConflict: [409, 'This payment was already started with other details'],
  attemptEnded: [409, 'This payment was canceled. Please start it again.'],
  paymentOpen: [409, 'A payment is still under way. Please try again when it is over.'],
  planRunning: [409, 'Please cancel your plan first'],
  planActive: [409, 'There is a plan already'],
  checkoutReplaced: [409, 'Another checkout was started. Please start it again.'],
  monthlyCapExceeded: [409, 'MONTHLY_CAP_EXCEEDED'],
  invoiceFieldsRequired: [400, 'Please select a supplier and enter a reference number'],
  supplierUnknown: [400, 'Please select a supplier and enter a reference number'],
  referenceInvalid: [400, 'Please select a supplier and enter a reference number'],
  invoiceNotFound: [404, 'Failed to fetch invoice details'],
  invoiceUnavailable: [503, 'Failed to fetch invoice details'],
  invoiceAlreadyPaid: [409, 'Failed to process invoice payment'],
  invoiceSeemsPaid: [409, 'Failed to process invoice payment'],
  tooManyHolds: [429, 'Failed to process invoice payment'],
  invoiceUnderWay: [409, 'Failed to process invoice payment'],
  invoiceChanged: [409, 'Failed to process invoice payment'],
  invoicePaymentUnavailable: [503, 'Failed to process invoice payment'],
  minimumPayment: [409, 'Minimum payment amount not reached'],
  maximumPayment: [409, 'Maximum payment amount reached'],
  capUnavailable: [
    503,
    'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.',
  ],
  planUnavailable: [503, 'Failed to create subscription'],
  pushServiceUnknown: [400, 'Notifications can not be sent to this browser'],
  pushUnavailable: [503, 'Notifications are not offered'],
  paymentsClosed: [503, 'Payments are closed for the moment. Please try again later.'],
  paymentUnavailable: [502, 'The payment service does not answer. Please try again.'],
  unavailable: [503, 'The service is not available right now. Please try again.'],
} as const satisfies Record<RefusalCode, readonly [status: number, error: string]>

/** `message` explains more than `error` where there is more to say. */
type Extra<Code extends RefusalCode> = Partial<Pick<Refusal<Code>, 'message' | 'details'>>

/** A refusal with its texts, and with what it depends on: where the contract names something, it can't be left out. */
export function refusal<Code extends RefusalCode>(
  code: Code,
  ...[extra]: object extends DetailsOf<Code>
    ? [extra?: Extra<Code>]
    : [extra: Extra<Code> & Required<Pick<Refusal<Code>, 'details'>>]
): Refusal<Code> {
  const [status, error] = TEXTS[code]
  return { code, status, error, message: error, ...extra }
}

/** The refusal for what a rule of the domain does not allow; what it depends on is its `details`. */
export function refused<Code extends BareCode>({ kind, ...details }: { readonly kind: Code }): Refusal<Code> {
  const [status, error] = TEXTS[kind]
  // Of a bare code they may be any: the compiler can't see that of a code that it does not know yet.
  return { code: kind, status, error, message: error, details: details as DetailsOf<Code> }
}

/** `details`: the recipient's country. The text names the wallets of that one. */
export function walletRequired({ country }: WalletMissing): Refusal<'walletRequired'> {
  const error = `Please choose a mobile wallet (${walletNames(country, 'en')}).`
  return { ...refusal('walletRequired', { details: { country } }), error, message: error }
}

/** `details`: in how many whole seconds the same call is answered again. */
export function tooManyRequests(waitMs: number): Refusal<'tooManyRequests'> {
  return refusal('tooManyRequests', { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } })
}

/** What a price was made from at an instant (`at`, UTC ms). */
export interface PriceFacts {
  readonly at: number
  /** As it is stored: what a new month does to it is not. */
  readonly subscription: Subscription
  /** The month's, without the attempt that is priced. */
  readonly ledger: MonthLedger
}

/** `details` are the quote as it is now, in minor units, and what it was made from. */
export function quoteChanged(
  { fee, net, converted, feeRule }: Quote,
  facts: PriceFacts,
): Refusal<'quoteChanged'> {
  const { at, subscription, ledger } = facts
  const { month, recordedCents, reservedCents, reservedSlots } = ledger
  return refusal('quoteChanged', {
    details: {
      ...{ fee: fee.minor, net: net.minor, converted: converted.minor, feeRule },
      ...{ at, subscription, ledger: { month, recordedCents, reservedCents, reservedSlots } },
    },
  })
}

/** `details`: the same transfer that is open or was sent lately, its amount in minor units. Agreeing to it names its `id`. */
export function sentAlready({ id, phone, gross, at, isPaid }: RecentTransfer): Refusal<'sentAlready'> {
  return refusal('sentAlready', {
    details: { id, phone, amount: gross.minor, currency: gross.currency, at, isPaid },
  })
}

/** `details`: in how many whole seconds this person may begin to pay the invoice again. */
export function tooManyHolds(waitMs: number): Refusal<'tooManyHolds'> {
  return refusal('tooManyHolds', { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } })
}

/** `details` are the amount as it is now, in minor units, and the due date. */
export function invoiceChanged({ amount, dueDate }: Invoice): Refusal<'invoiceChanged'> {
  return refusal('invoiceChanged', { details: { amount: amount.minor, currency: amount.currency, dueDate } })
}

/** `details`: what is left of the month in EUR cents, and when the next one starts (UTC ms). Specification, section 8. */
export function monthlyCapExceeded({
  leftCents,
  resetsAt,
}: MonthlyCapExceeded): Refusal<'monthlyCapExceeded'> {
  const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), 'fr')
  const left = formatMoney(money(leftCents, 'EUR'), 'fr')
  const date = formatDay(resetsAt, 'fr')
  return refusal('monthlyCapExceeded', {
    message: `Plafond mensuel atteint (${cap}). Il vous reste ${left} ce mois-ci ; un nouveau mois commence le ${date}.`,
    details: { leftCents, resetsAt },
  })
}
