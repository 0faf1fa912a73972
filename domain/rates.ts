import type { Language } from './language.ts'
import {
  type Currency,
  currencyFormat,
  decimalsOf,
  halfUp,
  type Money,
  money,
  type SourceCurrency,
} from './money.ts'

/** What one major unit of `from` is in major units of `to`, as an exact fraction. Plain data. */
export interface Rate {
  readonly from: SourceCurrency
  readonly to: Currency
  readonly numerator: number
  readonly denominator: number
}

/** The fixed rates, in hundredths. Specification, section 9. */
const HUNDREDTHS: Record<SourceCurrency, Record<Currency, number>> = {
  EUR: { EUR: 100, CAD: 162, GNF: 1_060_000 },
  CAD: { EUR: 60, CAD: 100, GNF: 640_300 },
}

export function rateOf(from: SourceCurrency, to: Currency): Rate {
  return { from, to, numerator: HUNDREDTHS[from][to], denominator: 100 }
}

/** The rate as the decimal that is stored and shown: 1.62, 10600. */
export function toNumber({ numerator, denominator }: Rate): number {
  return numerator / denominator
}

/** Converts at the fixed rate, half up to the minor unit of `to`. Specification, section 9. */
export function convert<C extends Currency>(amount: Money<SourceCurrency>, to: C): Money<C> {
  const { numerator, denominator } = rateOf(amount.currency, to)
  const minor = halfUp(
    amount.minor * numerator * 10 ** decimalsOf(to),
    denominator * 10 ** decimalsOf(amount.currency),
  )
  return money(minor, to)
}

/** '1 EUR = 10 600 GNF' in French, 'EUR 1 = GNF 10,600' in English. */
export function formatRate(rate: Rate, language: Language): string {
  const source = currencyFormat(rate.from, language, 'code').format(1)
  const target = currencyFormat(rate.to, language, 'code').format(toNumber(rate))
  return `${source} = ${target}`
}
