import type Stripe from 'stripe'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import { PLANS } from '../../../domain/prices/plans.ts'

/** Lookup keys of the prices at Stripe, the same in test and live mode. */
export const PRICE_LOOKUP_KEYS: Record<Tier, string> = {
  basic: 'passerelle_basic',
  premium: 'passerelle_premium',
}

const TIERS = Object.keys(PLANS) as Tier[]

/** Whether a price is the one that the app shows for a plan. */
export function isShownPrice({ unit_amount: cents, currency, recurring }: Stripe.Price, tier: Tier): boolean {
  const shown = PLANS[tier].price
  return (
    cents === shown.minor &&
    currency === shown.currency.toLowerCase() &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1
  )
}

/**
 * Finds the tier that a subscription pays for; null if no plan has its price. An operator may move a
 * subscription to another price in the dashboard, or give the lookup key to a new price: then the amount
 * decides.
 */
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
