import type { IdentityRequiredProblem } from '../../../domain/account/identityLimit.ts'
import type { Subscription } from '../../../domain/account/profileSchema.ts'
import type { FunctionName, FunctionRefusalCode } from '../../../domain/api/api.ts'
import { formatDay } from '../../../domain/common/month.ts'
import type { BareRefusalCode, RefusalCode, RefusalDetails } from '../../../domain/errors/refusals.ts'
import type { Invoice } from '../../../domain/invoices/invoice.ts'
import { formatMoney, formatMoneyShort, money } from '../../../domain/money/money.ts'
import { listWalletNames, type WalletRequiredProblem } from '../../../domain/numbers/wallets.ts'
import type { MonthLedger } from '../../../domain/prices/capUse.ts'
import { MONTHLY_CAP_EUR_CENTS, type MonthlyCapProblem } from '../../../domain/prices/limits.ts'
import type { Quote } from '../../../domain/prices/quote.ts'
import type { RecentTransfer } from '../../../domain/transfers/recentTransfers.ts'
import type { WalletLimitProblem } from '../../../domain/transfers/walletTariffs.ts'

export interface Refusal<Code extends RefusalCode = RefusalCode> {
  readonly code: Code
  readonly status: number
  readonly error: string
  readonly message: string
  readonly details?: RefusalDetails<Code>
}

export type FunctionRefusal<Name extends FunctionName> = Refusal<FunctionRefusalCode<Name>>

/** From the specification's section 8 where it has one. */
const TEXTS = {
  invalidRequest: [400, 'Invalid request'],
  invalidSignature: [400, 'Invalid signature'],
  unauthenticated: [401, 'Not authenticated'],
  emailUnverified: [403, 'Please verify your email address first'],
  otherWayIn: [403, 'Please sign in another way'],
  formerAddress: [403, 'This address belonged to an account that now has another address'],
  recentSignInRequired: [403, 'Please sign in again to do this'],
  tooManyDeclines: [429, 'Too many cards were declined. Please try again later.'],
  paymentsPaused: [403, 'Payments are paused for this account. Please contact our support.'],
  forbidden: [403, 'You may not use this'],
  userNotFound: [404, 'User not found'],
  paymentNotFound: [404, 'Payment not found'],
  planNotFound: [404, 'No active subscription found'],
  checkoutNotFound: [404, 'Failed to verify subscription'],
  methodNotAllowed: [405, 'Method not allowed'],
  nameRequired: [400, 'Please enter your full name'],
  amountRequired: [400, 'Please enter a valid amount'],
  amountTooLow: [400, 'Minimum transfer amount is €10'],
  amountTooHigh: [400, 'Maximum transfer amount is €500'],
  phoneRequired: [400, 'Please enter a phone number'],
  phoneInvalid: [400, 'Invalid phone number format'],
  phonePrefix: [400, 'Invalid phone number format'],
  recipientNameRequired: [400, 'Please enter the name of the recipient'],
  unsupportedDestination: [400, 'Unsupported destination country'],
  overseasFrance: [400, 'Transfers to overseas France are not supported'],
  couponInvalid: [400, 'Invalid coupon code format'],
  walletRequired: [400, 'Please choose a mobile wallet'],
  walletLimitExceeded: [409, 'This wallet does not take so much in one transfer'],
  walletMissing: [409, 'This number has no wallet of this kind'],
  couponEnded: [409, 'This coupon is no longer valid'],
  tooManyRequests: [429, 'Too many attempts. Please try again later.'],
  tooManyCanceled: [429, 'Too many transfers were canceled. Please try again later.'],
  tooManyUndelivered: [429, 'Too many transfers could not be delivered. Please try again later.'],
  quoteChanged: [409, 'The price of this transfer has changed. Please check it again.'],
  sentAlready: [409, 'You have already sent this amount to this number. Please confirm to send it again.'],
  attemptConflict: [409, 'This payment was already started with other details'],
  attemptEnded: [409, 'This payment was canceled. Please start it again.'],
  cancellationTooLate: [409, 'This transfer can no longer be canceled, because its delivery has begun'],
  cancellationUnavailable: [409, 'This transfer cannot be canceled at the moment'],
  paymentOpen: [409, 'A payment is still in progress. Please try again when it has ended.'],
  planRunning: [409, 'Please cancel your plan first'],
  planActive: [409, 'This account already has a plan'],
  checkoutReplaced: [409, 'Another checkout was started. Please start it again.'],
  monthlyCapExceeded: [409, 'MONTHLY_CAP_EXCEEDED'],
  identityRequired: [403, 'Please verify your identity to send this amount'],
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
  mailUnavailable: [503, 'Receipts are not available by email'],
  mailNotSent: [502, 'The email could not be sent. Please try again later.'],
  pushServiceUnknown: [400, "Notifications can't be sent to this browser"],
  pushUnavailable: [503, 'Notifications are not available'],
  paymentsClosed: [503, 'Payments are closed for the moment. Please try again later.'],
  paymentUnavailable: [502, 'The payment service does not answer. Please try again.'],
  unavailable: [503, 'The service is not available right now. Please try again.'],
} as const satisfies Record<RefusalCode, readonly [status: number, error: string]>

type Extra<Code extends RefusalCode> = Partial<Pick<Refusal<Code>, 'message' | 'details'>>

export function buildRefusal<Code extends RefusalCode>(
  code: Code,
  ...[extra]: object extends RefusalDetails<Code>
    ? [extra?: Extra<Code>]
    : [extra: Extra<Code> & Required<Pick<Refusal<Code>, 'details'>>]
): Refusal<Code> {
  const [status, error] = TEXTS[code]
  return { code, status, error, message: error, ...extra }
}

/** The rule's fields become `details`. */
export function toRefusal<Code extends BareRefusalCode>({
  kind,
  ...details
}: {
  readonly kind: Code
}): Refusal<Code> {
  const [status, error] = TEXTS[kind]
  // A bare code accepts any details, but the compiler can't infer that for an unknown code.
  return { code: kind, status, error, message: error, details: details as RefusalDetails<Code> }
}

/** `details`: the recipient's country. */
export function buildWalletRequiredRefusal({ country }: WalletRequiredProblem): Refusal<'walletRequired'> {
  const error = `Please choose a mobile wallet (${listWalletNames(country, 'en')}).`
  return { ...buildRefusal('walletRequired', { details: { country } }), error, message: error }
}

/** `details`: whole seconds until the same call is allowed again. */
export function buildTooManyRequestsRefusal(waitMs: number): Refusal<'tooManyRequests'> {
  return buildRefusal('tooManyRequests', { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } })
}

/** `at`: UTC ms. */
export interface PriceFacts {
  readonly at: number
  /** Before the effects of a new month. */
  readonly subscription: Subscription
  /** Without the attempt that is priced. */
  readonly ledger: MonthLedger
}

/** `details`: the present quote in minor units, and the facts that determined it. */
export function buildQuoteChangedRefusal(
  { fee, net, converted, feeRule }: Quote,
  facts: PriceFacts,
): Refusal<'quoteChanged'> {
  const { at, subscription, ledger } = facts
  const { month, recordedCents, reservedCents, reservedSlots } = ledger
  return buildRefusal('quoteChanged', {
    details: {
      ...{ fee: fee.minor, net: net.minor, converted: converted.minor, feeRule },
      ...{ at, subscription, ledger: { month, recordedCents, reservedCents, reservedSlots } },
    },
  })
}

/** `details`: the identical transfer. A confirmation contains its `id`. */
export function buildSentAlreadyRefusal({
  id,
  phone,
  gross,
  at,
  isPaid,
}: RecentTransfer): Refusal<'sentAlready'> {
  return buildRefusal('sentAlready', {
    details: { id, phone, amount: gross.minor, currency: gross.currency, at, isPaid },
  })
}

/** `details`: when transfers are allowed again (UTC ms), and the seconds until then. */
export function buildWaitRefusal(
  code: 'tooManyCanceled' | 'tooManyUndelivered',
  until: number,
  waitMs: number,
): Refusal<typeof code> {
  return buildRefusal(code, { details: { until, retryAfterSeconds: Math.ceil(waitMs / 1000) } })
}

export function buildTooManyHoldsRefusal(waitMs: number): Refusal<'tooManyHolds'> {
  return buildRefusal('tooManyHolds', { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } })
}

/** `details`: the present amount in minor units, and the due date. */
export function buildInvoiceChangedRefusal({ amount, dueDate }: Invoice): Refusal<'invoiceChanged'> {
  return buildRefusal('invoiceChanged', {
    details: { amount: amount.minor, currency: amount.currency, dueDate },
  })
}

/** `details`: EUR cents, and when the next month starts (UTC ms). Specification, section 8. */
export function buildMonthlyCapExceededRefusal({
  leftCents,
  resetsAt,
}: MonthlyCapProblem): Refusal<'monthlyCapExceeded'> {
  const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), 'fr')
  const left = formatMoney(money(leftCents, 'EUR'), 'fr')
  const date = formatDay(resetsAt, 'fr')
  return buildRefusal('monthlyCapExceeded', {
    message: `Plafond mensuel atteint (${cap}). Il vous reste ${left} ce mois-ci ; un nouveau mois commence le ${date}.`,
    details: { leftCents, resetsAt },
  })
}

/** `details`: the monthly limit in EUR cents, and the state of the user's document. */
export function buildIdentityRequiredRefusal({
  limitCents,
  document,
}: IdentityRequiredProblem): Refusal<'identityRequired'> {
  return buildRefusal('identityRequired', { details: { limitCents, document } })
}

/** `details`: the wallet's maximum and the amount to pay that fits, in minor units. */
export function buildWalletLimitRefusal({ limit, fits }: WalletLimitProblem): Refusal<'walletLimitExceeded'> {
  return buildRefusal('walletLimitExceeded', { details: { limit: limit.minor, fits: fits.minor } })
}
