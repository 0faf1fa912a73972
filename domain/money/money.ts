import type { Language } from '../common/language.ts'
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
  const typed = PLAIN.test(text) ? text : cleanAmount(text, currency)
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

const SYMBOLS: Record<Language, Record<Currency, string>> = {
  fr: { EUR: '€', CAD: '$CA', GNF: 'GNF' },
  en: { EUR: '€', CAD: 'CA$', GNF: 'GNF\u00a0' },
}

/** '100,00 €', '16,67 $CA', '1 028 200 GNF' in French; '€100.00', 'CA$16.67' in English. */
export function formatMoney(amount: Money, language: Language): string {
  const number = formatWithoutCurrency(amount, language)
  return addUnit(number, SYMBOLS[language][amount.currency], language)
}

/** Omits the decimals of whole amounts: '10 €', '16,67 $CA'. */
export function formatMoneyShort(amount: Money, language: Language): string {
  return addUnit(formatShort(amount, language), SYMBOLS[language][amount.currency], language)
}

/** '1 EUR' and '0,60 EUR' in French, 'EUR 1' and 'EUR 0.60' in English. */
export function formatMoneyWithCode(amount: Money, language: Language): string {
  const unit = language === 'fr' ? amount.currency : `${amount.currency}\u00a0`
  return addUnit(formatShort(amount, language), unit, language)
}

/**
 * '1 028 200' and '97,00' in French, '1,028,200' and '97.00' in English. On a cheap phone, the first
 * `Intl.NumberFormat` takes longer than the rest of the calculator.
 */
export function formatWithoutCurrency({ minor, currency }: Money, language: Language): string {
  const [separator, mark] = language === 'fr' ? ['\u202f', ','] : [',', '.']
  const digits = String(Math.abs(minor)).padStart(DECIMALS[currency] + 1, '0')
  const end = digits.length - DECIMALS[currency]
  const whole = digits.slice(0, end).replace(/\B(?=(?:\d{3})+$)/g, separator)
  return `${minor < 0 ? '-' : ''}${whole}${end < digits.length ? mark + digits.slice(end) : ''}`
}

const formatShort = (amount: Money, language: Language) =>
  formatWithoutCurrency(amount, language).replace(/[.,]00$/, '')

const addUnit = (number: string, unit: string, language: Language) =>
  language === 'fr' ? `${number}\u00a0${unit}` : number.replace(/^-?/, (minus) => minus + unit)
