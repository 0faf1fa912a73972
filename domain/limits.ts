import { type Currency, type Money, money, type SourceCurrency } from './money.ts'
import { nextMonthStart } from './month.ts'
import { convert, rateOf } from './rates.ts'
import { err, ok, type Result } from './result.ts'

/** The least one transfer may be, in EUR cents. Specification, section 9. */
const MIN_TRANSFER_EUR_CENTS = 1000
/** The most one transfer may be, in EUR cents. Specification, section 9. */
const MAX_TRANSFER_EUR_CENTS = 50_000
/** The most a person may send in a UTC month, in EUR cents. Specification, section 9. */
export const MONTHLY_CAP_EUR_CENTS = 100_000

/**
 * The least that the provider takes in one charge, in minor units. In francs that is what 0.50 of the currency of the payout
 * is worth on the day, about 5,000; twice as much keeps clear of the rate.
 */
const LEAST_CHARGE: Record<Currency, number> = { EUR: 50, CAD: 50, GNF: 10_000 }
/** The most that the provider takes in one charge, in minor units of any currency. */
const MOST_CHARGE = 99_999_999

export type AmountOutOfLimits = {
  readonly kind: 'amountTooLow' | 'amountTooHigh'
  /** The limit in the currency of the amount, itself still accepted. */
  readonly limit: Money<SourceCurrency>
}

export type MonthlyCapExceeded = {
  readonly kind: 'monthlyCapExceeded'
  /** EUR cents that may still be sent this month. */
  readonly leftCents: number
  /** UTC ms. */
  readonly resetsAt: number
}

/**
 * The least and the most one transfer may be in a currency. Limits are EUR amounts; elsewhere they are rounded to
 * the side that is still accepted: 16.67 to 833.33 CAD.
 */
export function limitsIn(currency: SourceCurrency): {
  readonly min: Money<SourceCurrency>
  readonly max: Money<SourceCurrency>
} {
  const { numerator, denominator } = rateOf(currency, 'EUR')
  return {
    min: money(Math.ceil((MIN_TRANSFER_EUR_CENTS * denominator) / numerator), currency),
    max: money(Math.floor((MAX_TRANSFER_EUR_CENTS * denominator) / numerator), currency),
  }
}

/** The limits of one transfer, on its gross amount. Specification, section 5. */
export function checkAmount(amount: Money<SourceCurrency>): Result<Money<SourceCurrency>, AmountOutOfLimits> {
  const { min, max } = limitsIn(amount.currency)
  if (amount.minor < min.minor) return err({ kind: 'amountTooLow', limit: min })
  if (amount.minor > max.minor) return err({ kind: 'amountTooHigh', limit: max })
  return ok(amount)
}

/** Whether the provider takes an amount in one charge. What it would refuse is never reserved. */
export function checkCharge(
  amount: Money,
): Result<Money, { readonly kind: 'minimumPayment' | 'maximumPayment' }> {
  if (amount.minor < LEAST_CHARGE[amount.currency]) return err({ kind: 'minimumPayment' })
  if (amount.minor > MOST_CHARGE) return err({ kind: 'maximumPayment' })
  return ok(amount)
}

/** What an amount counts toward the monthly cap, in EUR cents, half up. */
export function eurCents(amount: Money<SourceCurrency>): number {
  return convert(amount, 'EUR').minor
}

/**
 * The monthly cap: `usedCents` is what the month of `now` (UTC ms) already holds, in EUR cents. Answers what it holds
 * with this amount. Exactly the cap is accepted. Specification, section 9.
 */
export function checkCap(
  usedCents: number,
  amount: Money<SourceCurrency>,
  now: number,
): Result<number, MonthlyCapExceeded> {
  const total = usedCents + eurCents(amount)
  if (total <= MONTHLY_CAP_EUR_CENTS) return ok(total)
  const leftCents = Math.max(MONTHLY_CAP_EUR_CENTS - usedCents, 0)
  return err({ kind: 'monthlyCapExceeded', leftCents, resetsAt: nextMonthStart(now) })
}
