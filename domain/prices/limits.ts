import { DAY } from '../common/duration.ts'
import { getNextMonthStart } from '../common/month.ts'
import { err, ok, type Result } from '../common/result.ts'
import { type Currency, type Money, money, type SourceCurrency } from '../money/money.ts'
import { convertMoney, getRate } from '../money/rates.ts'

/** Minimum transfer, in EUR cents. Specification, section 9. */
const MIN_TRANSFER_EUR_CENTS = 1000
/** Maximum transfer, in EUR cents. Specification, section 9. */
const MAX_TRANSFER_EUR_CENTS = 50_000
/** Maximum a user may send in a UTC month, in EUR cents. Specification, section 9. */
export const MONTHLY_CAP_EUR_CENTS = 100_000

/**
 * Maximum paid out in a day from one sender, from one card or to one number without an operator's review, in
 * EUR cents. One user's cap is 1,000 EUR a month, so a larger sum comes from several accounts or a family.
 */
export const VELOCITY_LIMIT_EUR_CENTS = 150_000
export const VELOCITY_PERIOD = DAY

/**
 * The provider's minimum charge, in minor units. For francs it is 0.50 of the payout currency at the day's
 * rate, about 5,000; doubled to allow for rate changes.
 */
const MIN_INVOICE_CHARGE: Record<Currency, number> = { EUR: 50, CAD: 50, GNF: 10_000 }
/**
 * Maximum of one invoice, in minor units: 1,000 EUR or about as much, because stolen cards pay invoices too.
 */
const MAX_INVOICE_CHARGE: Record<Currency, number> = { EUR: 100_000, CAD: 166_666, GNF: 10_600_000 }

export type AmountLimitProblem = {
  readonly kind: 'amountTooLow' | 'amountTooHigh'
  /** The limit in the amount's currency; the limit itself is accepted. */
  readonly limit: Money<SourceCurrency>
}

export type MonthlyCapProblem = {
  readonly kind: 'monthlyCapExceeded'
  /** EUR cents left this month. */
  readonly leftCents: number
  /** UTC ms. */
  readonly resetsAt: number
}

/**
 * Returns the limits of one transfer in a currency. They are defined in EUR, and rounded to the accepted side
 * in CAD: 16.67 to 833.33.
 */
export function getTransferLimits(currency: SourceCurrency): {
  readonly min: Money<SourceCurrency>
  readonly max: Money<SourceCurrency>
} {
  const { numerator, denominator } = getRate(currency, 'EUR')
  return {
    min: money(Math.ceil((MIN_TRANSFER_EUR_CENTS * denominator) / numerator), currency),
    max: money(Math.floor((MAX_TRANSFER_EUR_CENTS * denominator) / numerator), currency),
  }
}

/** Checks the gross amount against the limits of one transfer. Specification, section 5. */
export function checkTransferAmount(
  amount: Money<SourceCurrency>,
): Result<Money<SourceCurrency>, AmountLimitProblem> {
  const { min, max } = getTransferLimits(amount.currency)
  if (amount.minor < min.minor) return err({ kind: 'amountTooLow', limit: min })
  if (amount.minor > max.minor) return err({ kind: 'amountTooHigh', limit: max })
  return ok(amount)
}

/**
 * Checks that an invoice may be paid here and that the provider accepts its amount. Runs before the
 * reservation, so that an amount the provider would refuse is never reserved.
 */
export function checkInvoiceAmount(
  amount: Money,
): Result<Money, { readonly kind: 'minimumPayment' | 'maximumPayment' }> {
  if (amount.minor < MIN_INVOICE_CHARGE[amount.currency]) return err({ kind: 'minimumPayment' })
  if (amount.minor > MAX_INVOICE_CHARGE[amount.currency]) return err({ kind: 'maximumPayment' })
  return ok(amount)
}

/** Converts an amount to the EUR cents that count toward the monthly cap, rounded half up. */
export function toEurCents(amount: Money<SourceCurrency>): number {
  return convertMoney(amount, 'EUR').minor
}

/**
 * Checks the monthly cap. `usedCents`: EUR cents used in the month of `now` (UTC ms). Returns the use
 * including this amount. Exactly the cap is accepted. Specification, section 9.
 */
export function checkMonthlyCap(
  usedCents: number,
  amount: Money<SourceCurrency>,
  now: number,
): Result<number, MonthlyCapProblem> {
  const total = usedCents + toEurCents(amount)
  if (total <= MONTHLY_CAP_EUR_CENTS) return ok(total)
  const leftCents = Math.max(MONTHLY_CAP_EUR_CENTS - usedCents, 0)
  return err({ kind: 'monthlyCapExceeded', leftCents, resetsAt: getNextMonthStart(now) })
}

/** A transfer's amount in EUR cents, and when it was recorded (UTC ms). */
export interface SentAmount {
  readonly at: number
  readonly cents: number
}

/** More transfers than this need not be stored: each is at least the minimum amount. */
const MAX_COUNTED = VELOCITY_LIMIT_EUR_CENTS / MIN_TRANSFER_EUR_CENTS

/**
 * Adds a transfer to the earlier ones that still count, and checks whether the sum needs an operator's
 * review.
 */
export function addSentAmount(
  before: readonly SentAmount[],
  next: SentAmount,
): { readonly sent: readonly SentAmount[]; readonly isTooMuch: boolean } {
  const recent = before.filter(({ at }) => at > next.at - VELOCITY_PERIOD)
  const cents = [...recent, next].reduce((sum, one) => sum + one.cents, 0)
  return { sent: [...recent, next].slice(-MAX_COUNTED), isTooMuch: cents > VELOCITY_LIMIT_EUR_CENTS }
}
