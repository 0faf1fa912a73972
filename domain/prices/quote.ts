import type { Subscription } from '../account/profileSchema.ts'
import type { Output } from '../common/schema.ts'
import { type Money, money, type SourceCurrency } from '../money/money.ts'
import { convertMoney, getRate } from '../money/rates.ts'
import type { Destination } from '../numbers/destinations.ts'
import { computeFee } from './fees.ts'
import type { quoteSchema } from './quoteSchema.ts'

/** Far above every limit, in minor units, and exact in every currency. */
const MAX_GROSS = 1_000_000_000

export type Quote = Output<typeof quoteSchema>

/** `now` in UTC ms. */
export interface QuoteTerms {
  readonly destination: Pick<Destination, 'currency'>
  readonly coupon: string | null
  readonly subscription: Subscription
  readonly now: number
}

/** Specification, section 9. */
export function quoteTransfer({
  gross,
  destination,
  ...terms
}: QuoteTerms & { readonly gross: Money<SourceCurrency> }): Quote {
  const { fee, feeRule, usesSlot } = computeFee({ gross, ...terms })
  const net = money(gross.minor - fee.minor, gross.currency)
  const converted = convertMoney(net, destination.currency)
  return {
    gross,
    fee,
    net,
    converted,
    rate: getRate(gross.currency, destination.currency),
    feeRule,
    usesSlot,
  }
}

/** The least amount with which `wanted` arrives. Paying more never delivers less, so the search is binary. */
export function computeGross(
  wanted: Money,
  currency: SourceCurrency,
  terms: QuoteTerms,
): Money<SourceCurrency> {
  const isEnough = (minor: number) =>
    quoteTransfer({ ...terms, gross: money(minor, currency) }).converted.minor >= wanted.minor
  let least = 0
  let enough = MAX_GROSS
  while (least < enough) {
    const middle = Math.floor((least + enough) / 2)
    if (isEnough(middle)) enough = middle
    else least = middle + 1
  }
  return money(enough, currency)
}
