import type { Destination } from './destinations.ts'
import { type FeeRule, feeOf } from './fees.ts'
import { type Money, money, type SourceCurrency } from './money.ts'
import type { Subscription } from './plans.ts'
import { convert, type Rate, rateOf } from './rates.ts'

/** What a transfer costs and brings. Plain data. */
export interface Quote {
  /** What the card is charged: `net` + `fee`. */
  readonly gross: Money<SourceCurrency>
  readonly fee: Money<SourceCurrency>
  readonly net: Money<SourceCurrency>
  /** What the recipient gets: `net` at `rate`. */
  readonly converted: Money
  readonly rate: Rate
  readonly feeRule: FeeRule
  readonly usesSlot: boolean
}

/** The quote at `now` (UTC ms) for an amount within the limits. Specification, section 9. */
export function quoteTransfer({
  destination,
  ...asked
}: {
  readonly gross: Money<SourceCurrency>
  readonly destination: Pick<Destination, 'currency'>
  readonly coupon: string | null
  readonly subscription: Subscription
  readonly now: number
}): Quote {
  const { gross } = asked
  const { fee, feeRule, usesSlot } = feeOf(asked)
  const net = money(gross.minor - fee.minor, gross.currency)
  const converted = convert(net, destination.currency)
  return { gross, fee, net, converted, rate: rateOf(gross.currency, destination.currency), feeRule, usesSlot }
}
