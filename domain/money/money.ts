import { getLocale, type Language } from '../common/language.ts'
import { err, ok, type Result } from '../common/result.ts'
import type { Output } from '../common/schema.ts'
import { cleanAmount } from './cleanAmount.ts'
import type { currencySchema, sourceCurrencySchema } from './moneySchema.ts'

/** Specification, section 9. */
export type SourceCurrency = Output<typeof sourceCurrencySchema>

export const SOURCE_CURRENCIES: readonly SourceCurrency[] = ['EUR', 'CAD']

export type Currency = Output<typeof currencySchema>

/** Whole minor units: cents for EUR and CAD, francs for GNF. */
export interface Money<C extends Currency = Currency> {
  readonly minor: number
  readonly currency: C
}

export type AmountRequiredProblem = { readonly kind: 'amountRequired' }

const DECIMALS: Record<Currency, number> = { EUR: 2, CAD: 2, GNF: 0 }

/** @throws RangeError if `minor` is not a safe integer. */
export function money<C extends Currency>(minor: number, currency: C): Money<C> {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is not an amount in minor units`)
  return { minor, currency }
}

export function getDecimals(currency: Currency): number {
  return DECIMALS[currency]
}

/** Major units, as stored: 9700 cents are 97. */
export function toMajor({ minor, currency }: Money): number {
  return minor / 10 ** DECIMALS[currency]
}

/** @throws RangeError for NaN, infinite and inexact amounts. */
export function fromMajor<C extends Currency>(major: number, currency: C): Money<C> {
  return money(Math.round(major * 10 ** DECIMALS[currency]), currency)
}

/** The only rounding rule for money. The denominator is positive; 2 x numerator must be a safe integer. */
export function divideHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

const PLAIN = /^(?<whole>\d*)(?:[.,](?<decimals>\d*))?$/
/** One separator for all thousands, and a different one for the decimals. */
const GROUPED = /^(?<whole>\d{1,3}([ ',.])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](?<decimals>\d*))?$/

/**
 * Parses a typed or pasted amount. Everything ambiguous is `amountRequired`, such as '1,234', another
 * currency, an exponent or too many decimals. Specification, section 5.
 */
export function parseAmount<C extends Currency>(
  text: string,
  currency: C,
): Result<Money<C>, AmountRequiredProblem> {
  const typed = cleanAmount(text, currency)
  // Without decimals, every comma and dot groups thousands.
  const patterns = getDecimals(currency) === 0 ? [GROUPED, PLAIN] : [PLAIN, GROUPED]
  const parts = patterns.map((pattern) => pattern.exec(typed)?.groups).find(Boolean)
  const whole = parts?.whole?.replace(/\D/g, '') ?? ''
  const decimals = parts?.decimals ?? ''
  const minor = Number(whole + decimals.padEnd(DECIMALS[currency], '0'))
  const readable = whole + decimals !== '' && decimals.length <= DECIMALS[currency]
  return readable && Number.isSafeInteger(minor)
    ? ok(money(minor, currency))
    : err({ kind: 'amountRequired' })
}

/** `parseAmount` reads it back: '42,50' in French, '42.50' in English, '150'. */
export function formatAmountInput(amount: Money, language: Language): string {
  const text = toMajor(amount).toFixed(DECIMALS[amount.currency]).replace(/\.0+$/, '')
  return language === 'fr' ? text.replace('.', ',') : text
}

/** '100,00 €', '16,67 $CA', '1 028 200 GNF' in French; '€100.00', 'CA$16.67' in English. */
export function formatMoney(amount: Money, language: Language): string {
  return getCurrencyFormat(amount.currency, language, 'full').format(toMajor(amount))
}

/** Omits the decimals of whole amounts: '10 €', '16,67 $CA'. */
export function formatMoneyShort(amount: Money, language: Language): string {
  return getCurrencyFormat(amount.currency, language, 'short').format(toMajor(amount))
}

/** '1 028 200' and '97,00' in French, '1,028,200' and '97.00' in English. */
export function formatWithoutCurrency(amount: Money, language: Language): string {
  return getCurrencyFormat(amount.currency, language, 'full')
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

// Creating a format is too slow for a keystroke; using one takes microseconds.
const formats = new Map<string, Intl.NumberFormat>()

/** Formats major units: full, short, or short with the currency's code. */
export function getCurrencyFormat(
  currency: Currency,
  language: Language,
  style: keyof typeof STYLES,
): Intl.NumberFormat {
  const key = `${currency} ${language} ${style}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(getLocale(language), {
    style: 'currency',
    currency,
    minimumFractionDigits: DECIMALS[currency],
    maximumFractionDigits: DECIMALS[currency],
    ...STYLES[style],
  })
  formats.set(key, made)
  return made
}
