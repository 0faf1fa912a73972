import type Stripe from 'stripe'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import { PLANS } from '../../../domain/prices/plans.ts'

/** The same in test and live mode. */
export const PRICE_LOOKUP_KEYS: Record<Tier, string> = {
  basic: 'passerelle_basic',
  premium: 'passerelle_premium',
}

const TIERS = Object.keys(PLANS) as Tier[]

export function isShownPrice({ unit_amount: cents, currency, recurring }: Stripe.Price, tier: Tier): boolean {
  const shown = PLANS[tier].price
  return (
    cents === shown.minor &&
    currency === shown.currency.toLowerCase() &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1
  )
}

/** An operator may move a subscription or a lookup key to another price: then the amount decides. */
export function findPaidTier({ items }: Stripe.Subscription): Tier | null {
  const [item, ...more] = items.data
  if (!item || more.length > 0 || item.quantity !== 1) return null
  const { price } = item
  return (
    TIERS.find((tier) => price.lookup_key === PRICE_LOOKUP_KEYS[tier]) ??
    TIERS.find((tier) => isShownPrice(price, tier)) ??
    null
  )
}
