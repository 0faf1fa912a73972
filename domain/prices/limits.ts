import { DAY } from '../common/duration.ts'
import { getNextMonthStart } from '../common/month.ts'
import { err, ok, type Result } from '../common/result.ts'
import { type Currency, type Money, money, type SourceCurrency } from '../money/money.ts'
import { convertMoney, getRate } from '../money/rates.ts'

/** Specification, section 9. */
const MIN_TRANSFER_EUR_CENTS = 1000
const MAX_TRANSFER_EUR_CENTS = 50_000
/** Per user and UTC month. Specification, section 9. */
export const MONTHLY_CAP_EUR_CENTS = 100_000

/**
 * Per day from one sender, from one card or to one number, without an operator's review. It exceeds a user's
 * monthly cap, so several accounts or a family sent the sum.
 */
export const VELOCITY_LIMIT_EUR_CENTS = 150_000
export const VELOCITY_PERIOD = DAY

/** The provider's minimum, in minor units. Francs: 0.50 of the payout currency, doubled for rate changes. */
const MIN_INVOICE_CHARGE: Record<Currency, number> = { EUR: 50, CAD: 50, GNF: 10_000 }
/** 1,000 EUR or about as much, in minor units, because stolen cards pay invoices too. */
const MAX_INVOICE_CHARGE: Record<Currency, number> = { EUR: 100_000, CAD: 166_666, GNF: 10_600_000 }

export type AmountLimitProblem = {
  readonly kind: 'amountTooLow' | 'amountTooHigh'
  /** In the amount's currency; the limit itself is accepted. */
  readonly limit: Money<SourceCurrency>
}

export type MonthlyCapProblem = {
  readonly kind: 'monthlyCapExceeded'
  /** EUR cents left this month. */
  readonly leftCents: number
  /** UTC ms. */
  readonly resetsAt: number
}

/** Defined in EUR, and rounded to the accepted side in CAD: 16.67 to 833.33. */
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

/** Checks the gross amount. Specification, section 5. */
export function checkTransferAmount(
  amount: Money<SourceCurrency>,
): Result<Money<SourceCurrency>, AmountLimitProblem> {
  const { min, max } = getTransferLimits(amount.currency)
  if (amount.minor < min.minor) return err({ kind: 'amountTooLow', limit: min })
  if (amount.minor > max.minor) return err({ kind: 'amountTooHigh', limit: max })
  return ok(amount)
}

/** Runs before the reservation, so that an amount the provider would refuse is never reserved. */
export function checkInvoiceAmount(
  amount: Money,
): Result<Money, { readonly kind: 'minimumPayment' | 'maximumPayment' }> {
  if (amount.minor < MIN_INVOICE_CHARGE[amount.currency]) return err({ kind: 'minimumPayment' })
  if (amount.minor > MAX_INVOICE_CHARGE[amount.currency]) return err({ kind: 'maximumPayment' })
  return ok(amount)
}

/** Counts toward the monthly cap; rounded half up. */
export function toEurCents(amount: Money<SourceCurrency>): number {
  return convertMoney(amount, 'EUR').minor
}

/** `usedCents`: of the month of `now` (UTC ms). Exactly the cap is accepted. Specification, section 9. */
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

/** EUR cents, and when it was recorded (UTC ms). */
export interface SentAmount {
  readonly at: number
  readonly cents: number
}

/** More transfers need not be stored: each is at least the minimum amount. */
const MAX_COUNTED = VELOCITY_LIMIT_EUR_CENTS / MIN_TRANSFER_EUR_CENTS

export function addSentAmount(
  before: readonly SentAmount[],
  next: SentAmount,
): { readonly sent: readonly SentAmount[]; readonly isTooMuch: boolean } {
  const recent = before.filter(({ at }) => at > next.at - VELOCITY_PERIOD)
  const cents = [...recent, next].reduce((sum, one) => sum + one.cents, 0)
  return { sent: [...recent, next].slice(-MAX_COUNTED), isTooMuch: cents > VELOCITY_LIMIT_EUR_CENTS }
}
