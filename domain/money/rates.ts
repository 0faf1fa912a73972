import type { Language } from '../common/language.ts'
import {
  type Currency,
  divideHalfUp,
  formatMoneyWithCode,
  fromMajor,
  getDecimals,
  type Money,
  money,
  type SourceCurrency,
} from './money.ts'

/** Major units of `to` for one major unit of `from`, as an exact fraction. Plain data. */
export interface Rate {
  readonly from: SourceCurrency
  readonly to: Currency
  readonly numerator: number
  readonly denominator: number
}

/** Fixed rates in hundredths. Specification, section 9. */
const HUNDREDTHS: Record<SourceCurrency, Record<Currency, number>> = {
  EUR: { EUR: 100, CAD: 162, GNF: 1_060_000 },
  CAD: { EUR: 60, CAD: 100, GNF: 640_300 },
}

export function getRate(from: SourceCurrency, to: Currency): Rate {
  return { from, to, numerator: HUNDREDTHS[from][to], denominator: 100 }
}

/** As stored and shown: 1.62, 10600. */
export function toDecimalRate({ numerator, denominator }: Rate): number {
  return numerator / denominator
}

/** Rounds half up to the minor unit of `to`. Specification, section 9. */
export function convertMoney<C extends Currency>(amount: Money<SourceCurrency>, to: C): Money<C> {
  const { numerator, denominator } = getRate(amount.currency, to)
  const minor = divideHalfUp(
    amount.minor * numerator * 10 ** getDecimals(to),
    denominator * 10 ** getDecimals(amount.currency),
  )
  return money(minor, to)
}

/** '1 EUR = 10 600 GNF' in French, 'EUR 1 = GNF 10,600' in English. */
export function formatRate(rate: Rate, language: Language): string {
  const source = formatMoneyWithCode(fromMajor(1, rate.from), language)
  const target = formatMoneyWithCode(fromMajor(toDecimalRate(rate), rate.to), language)
  return `${source} = ${target}`
}
