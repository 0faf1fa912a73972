import { type Currency, formatMoney, type Money, money } from '../../domain/money/money.ts'

/** Returns text such as '2026-11-20 12:00:00 UTC'. */
export const formatTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** Terminal output can then be searched. */
export const replaceSpecialSpaces = (text: string): string => text.replace(/\s/gu, ' ')

export const formatAmount = (amount: Money): string => replaceSpecialSpaces(formatMoney(amount, 'en'))

const CURRENCIES: readonly string[] = ['EUR', 'CAD', 'GNF'] satisfies readonly Currency[]

/** In minor units if the product does not support the currency. */
export function formatStripeAmount(minor: number, code: string): string {
  const currency = code.toUpperCase()
  return CURRENCIES.includes(currency)
    ? formatAmount(money(minor, currency as Currency))
    : `${minor} minor units of ${currency}`
}
