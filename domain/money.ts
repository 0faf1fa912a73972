import { type Language, localeOf } from './language.ts'
import { err, ok, type Result } from './result.ts'
import type { InferOutput } from './schema.ts'
import type { currencySchema, sourceCurrencySchema } from './schemas/money.ts'

/** What a sender pays in. Specification, section 9. */
export type SourceCurrency = InferOutput<typeof sourceCurrencySchema>

export const SOURCE_CURRENCIES: readonly SourceCurrency[] = ['EUR', 'CAD']

/** What money is sent or received in. */
export type Currency = InferOutput<typeof currencySchema>

/** An amount in whole minor units: cents for EUR and CAD, francs for GNF. */
export interface Money<C extends Currency = Currency> {
  readonly minor: number
  readonly currency: C
}

export type AmountMissing = { readonly kind: 'amountRequired' }

const DECIMALS: Record<Currency, number> = { EUR: 2, CAD: 2, GNF: 0 }

/** Throws a RangeError when `minor` is not a whole number that can be computed with exactly. */
export function money<C extends Currency>(minor: number, currency: C): Money<C> {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is no amount in minor units`)
  return { minor, currency }
}

/** How many decimals the currency has: 2 for EUR and CAD, none for GNF. */
export function decimalsOf(currency: Currency): number {
  return DECIMALS[currency]
}

/** The amount in major units, as it is stored: 9700 cents are 97. */
export function toMajor({ minor, currency }: Money): number {
  return minor / 10 ** DECIMALS[currency]
}

/** The opposite of `toMajor`. Throws a RangeError for what is no amount (NaN, infinite, too big to be exact). */
export function fromMajor<C extends Currency>(major: number, currency: C): Money<C> {
  return money(Math.round(major * 10 ** DECIMALS[currency]), currency)
}

/**
 * `numerator / denominator` rounded half up to a whole number: the one rounding rule for money. Both are integers,
 * the denominator positive, and 2 x numerator has to be a safe integer; the division is exact then.
 */
export function halfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/**
 * Reads an amount as a person types it: comma or dot before the decimals, spaces between thousands. Anything else
 * (a sign, an exponent, more decimals than the currency has) is `amountRequired`. Specification, section 5.
 */
export function parseAmount<C extends Currency>(text: string, currency: C): Result<Money<C>, AmountMissing> {
  const match = /^(\d+|\d{1,3}(?:\s\d{3})+)?(?:[.,](\d*))?$/.exec(text.trim())
  const whole = match?.[1]?.replace(/\s/g, '') ?? ''
  const decimals = match?.[2] ?? ''
  const minor = Number(whole + decimals.padEnd(DECIMALS[currency], '0'))
  const readable = whole + decimals !== '' && decimals.length <= DECIMALS[currency]
  return readable && Number.isSafeInteger(minor)
    ? ok(money(minor, currency))
    : err({ kind: 'amountRequired' })
}

/** The amount as somebody would type it, the opposite of `parseAmount`: '42,50' in French, '42.50' in English, '150'. */
export function typedAmount(amount: Money, language: Language): string {
  const text = toMajor(amount).toFixed(DECIMALS[amount.currency]).replace(/\.0+$/, '')
  return language === 'fr' ? text.replace('.', ',') : text
}

/** '100,00 €', '16,67 $CA', '1 028 200 GNF' in French; '€100.00', 'CA$16.67', 'GNF 1,028,200' in English. */
export function formatMoney(amount: Money, language: Language): string {
  return currencyFormat(amount.currency, language, 'full').format(toMajor(amount))
}

/** Like `formatMoney`, but a whole amount has no decimals: '10 €', '16,67 $CA'. For limits and prices. */
export function formatMoneyShort(amount: Money, language: Language): string {
  return currencyFormat(amount.currency, language, 'short').format(toMajor(amount))
}

/** The amount without its currency, grouped: '1 028 200' and '97,00' in French, '1,028,200' and '97.00' in English. */
export function formatFigure(amount: Money, language: Language): string {
  return currencyFormat(amount.currency, language, 'full')
    .formatToParts(toMajor(amount))
    .filter(({ type }) => type !== 'currency')
    .map(({ value }) => value)
    .join('')
    .trim()
}

const STYLES = {
  full: {},
  short: { trailingZeroDisplay: 'stripIfInteger' },
  code: { trailingZeroDisplay: 'stripIfInteger', currencyDisplay: 'code' },
} as const

// Making a format costs more than a keystroke may; using one costs microseconds.
const formats = new Map<string, Intl.NumberFormat>()

/** How amounts in major units are written: in full, short, or short with the currency's code. */
export function currencyFormat(
  currency: Currency,
  language: Language,
  style: keyof typeof STYLES,
): Intl.NumberFormat {
  const key = `${currency} ${language} ${style}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    minimumFractionDigits: DECIMALS[currency],
    maximumFractionDigits: DECIMALS[currency],
    ...STYLES[style],
  })
  formats.set(key, made)
  return made
}
