import { type Currency, formatMoney, getDecimals, type Money, money } from '../../domain/money/money.ts'

/** Returns text such as '2026-11-20 12:00:00 UTC'. */
export const formatTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** Terminal output can then be searched. */
export const replaceSpecialSpaces = (text: string): string => text.replace(/\s/gu, ' ')

export const formatAmount = (amount: Money): string => replaceSpecialSpaces(formatMoney(amount, 'en'))

const CURRENCIES: readonly string[] = ['EUR', 'CAD', 'GNF'] satisfies readonly Currency[]

const isSupported = (currency: string): currency is Currency => CURRENCIES.includes(currency)

/** Amounts in a currency that the product does not support stay in minor units. */
export const getStripeDecimals = (currency: string): number =>
  isSupported(currency) ? getDecimals(currency) : 0

/** In minor units if the product does not support the currency. */
export function formatStripeAmount(minor: number, code: string): string {
  const currency = code.toUpperCase()
  return isSupported(currency) ? formatAmount(money(minor, currency)) : `${minor} minor units of ${currency}`
}
