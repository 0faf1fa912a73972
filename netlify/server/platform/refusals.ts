import type { IdentityRequiredProblem } from '../../../domain/account/identityLimit.ts'
import type { Subscription } from '../../../domain/account/profileSchema.ts'
import type { FunctionName, FunctionRefusalCode } from '../../../domain/api/api.ts'
import { formatDay } from '../../../domain/common/month.ts'
import {
  type BareRefusalCode,
  REFUSALS,
  type RefusalCode,
  type RefusalDetails,
} from '../../../domain/errors/refusals.ts'
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

type Extra<Code extends RefusalCode> = Partial<Pick<Refusal<Code>, 'message' | 'details'>>

export function buildRefusal<Code extends RefusalCode>(
  code: Code,
  ...[extra]: object extends RefusalDetails<Code>
    ? [extra?: Extra<Code>]
    : [extra: Extra<Code> & Required<Pick<Refusal<Code>, 'details'>>]
): Refusal<Code> {
  const [status, error] = REFUSALS[code]
  return { code, status, error, message: error, ...extra }
}

/** The rule's fields become `details`. */
export function toRefusal<Code extends BareRefusalCode>({
  kind,
  ...details
}: {
  readonly kind: Code
}): Refusal<Code> {
  const [status, error] = REFUSALS[kind]
  // A bare code accepts any details, but the compiler can't infer that for an unknown code.
  return { code: kind, status, error, message: error, details: details as RefusalDetails<Code> }
}

export function buildWalletRequiredRefusal({ country }: WalletRequiredProblem): Refusal<'walletRequired'> {
  const error = `Please choose a mobile wallet (${listWalletNames(country, 'en')}).`
  return { ...buildRefusal('walletRequired', { details: { country } }), error, message: error }
}

/** `details`: whole seconds until the same call is allowed again. */
export function buildTooManyRequestsRefusal(waitMs: number): Refusal<'tooManyRequests'> {
  return buildRefusal('tooManyRequests', { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } })
}

/** `at`: UTC ms. */
interface PriceBasis {
  readonly at: number
  /** Before the effects of a new month. */
  readonly subscription: Subscription
  /** Without the attempt that is priced. */
  readonly ledger: MonthLedger
}

/** `details`: the present quote in minor units, and the facts that determined it. */
export function buildQuoteChangedRefusal(
  { fee, net, converted, feeRule }: Quote,
  facts: PriceBasis,
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
