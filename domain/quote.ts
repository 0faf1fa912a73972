import type { Destination } from './destinations.ts'
import { feeOf } from './fees.ts'
import { type Money, money, type SourceCurrency } from './money.ts'
import { convert, rateOf } from './rates.ts'
import type { InferOutput } from './schema.ts'
import type { quoteSchema } from './schemas/order.ts'
import type { Subscription } from './schemas/profile.ts'

/** Far above every limit, in minor units, and exact in every currency. */
const MOST = 1_000_000_000

/** What a transfer costs and brings. */
export type Quote = InferOutput<typeof quoteSchema>

/** What decides about a quote beside the amount; `now` in UTC ms. */
export interface QuoteTerms {
  readonly destination: Pick<Destination, 'currency'>
  readonly coupon: string | null
  readonly subscription: Subscription
  readonly now: number
}

/** The quote for an amount within the limits. Specification, section 9. */
export function quoteTransfer({
  gross,
  destination,
  ...terms
}: QuoteTerms & { readonly gross: Money<SourceCurrency> }): Quote {
  const { fee, feeRule, usesSlot } = feeOf({ gross, ...terms })
  const net = money(gross.minor - fee.minor, gross.currency)
  const converted = convert(net, destination.currency)
  return { gross, fee, net, converted, rate: rateOf(gross.currency, destination.currency), feeRule, usesSlot }
}

/**
 * The least amount that makes at least `wanted` arrive, whatever the limits say of it. What arrives never falls when more is paid, so
 * halving finds it. What not even the most can bring is answered with the most.
 */
export function grossFor(wanted: Money, currency: SourceCurrency, terms: QuoteTerms): Money<SourceCurrency> {
  const isEnough = (minor: number) =>
    quoteTransfer({ ...terms, gross: money(minor, currency) }).converted.minor >= wanted.minor
  let least = 0
  let enough = MOST
  while (least < enough) {
    const middle = Math.floor((least + enough) / 2)
    if (isEnough(middle)) enough = middle
    else least = middle + 1
  }
  return money(enough, currency)
}
