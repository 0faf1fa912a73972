import { type Money, money } from './money.ts'
import { monthOf } from './month.ts'

export type Tier = 'basic' | 'premium'

/** A monthly plan. Specification, sections 3 and 9. */
export interface Plan {
  readonly id: Tier
  readonly name: string
  /** For a month. */
  readonly price: Money<'EUR'>
  /** Transfers in a month at the plan's own fee. */
  readonly allowance: number
  /** For such a transfer, in minor units of its source currency: 100 is 1 EUR or 1 CAD. */
  readonly fee: number
}

export const PLANS: Record<Tier, Plan> = {
  basic: { id: 'basic', name: 'Basic Plan', price: money(200, 'EUR'), allowance: 2, fee: 100 },
  premium: { id: 'premium', name: 'Premium Plan', price: money(500, 'EUR'), allowance: 5, fee: 0 },
}

/** A person's subscription as stored, its instants in UTC ms. Specification, section 3. */
export interface Subscription {
  readonly tier: Tier | null
  readonly status: 'active' | 'canceled' | null
  /** At the plan's fee, this month. Null without a plan: unlimited at the default fee. */
  readonly transactionsLeft: number | null
  readonly startDate: number | null
  readonly lastReset: number | null
  readonly stripeSubscriptionId: string | null
  readonly cancelAt: number | null
}

/** What everybody starts with. Specification, section 4. */
export const EMPTY_SUBSCRIPTION: Subscription = {
  tier: null,
  status: null,
  transactionsLeft: null,
  startDate: null,
  lastReset: null,
  stripeSubscriptionId: null,
  cancelAt: null,
}

/** The plan that counts at `now` (UTC ms). A canceled plan is paid for, and counts, until `cancelAt`. */
export function activePlan({ tier, status, cancelAt }: Subscription, now: number): Plan | null {
  if (tier === null) return null
  const paidFor = status === 'active' || (status === 'canceled' && cancelAt !== null && now < cancelAt)
  return paidFor ? PLANS[tier] : null
}

/**
 * Gives an active plan its allowance back in a new UTC month; the same subscription otherwise. A month that is
 * behind `lastReset` is not new: a clock that lags can't refill the allowance twice. Specification, section 4.
 */
export function resetIfNewMonth(subscription: Subscription, now: number): Subscription {
  const plan = activePlan(subscription, now)
  const { lastReset } = subscription
  if (!plan || (lastReset !== null && monthOf(lastReset) >= monthOf(now))) return subscription
  return { ...subscription, transactionsLeft: plan.allowance, lastReset: now }
}

/** Transfers left at the plan's fee in the month of `now` (UTC ms), never below 0. Null without a plan. */
export function slotsLeft(subscription: Subscription, now: number): number | null {
  if (!activePlan(subscription, now)) return null
  return Math.max(resetIfNewMonth(subscription, now).transactionsLeft ?? 0, 0)
}

/** The subscription after a transfer at `now` (UTC ms): one less left, when any was. Specification, section 4. */
export function afterTransfer(subscription: Subscription, now: number): Subscription {
  const left = slotsLeft(subscription, now)
  return left ? { ...resetIfNewMonth(subscription, now), transactionsLeft: left - 1 } : subscription
}

/**
 * The subscription after its checkout was paid at `now` (UTC ms). The same checkout again changes nothing, so that
 * it refills no allowance. Specification, section 4.
 */
export function startPlan(
  subscription: Subscription,
  { tier, stripeSubscriptionId, now }: { tier: Tier; stripeSubscriptionId: string; now: number },
): Subscription {
  if (subscription.stripeSubscriptionId === stripeSubscriptionId) return subscription
  return {
    tier,
    status: 'active',
    transactionsLeft: PLANS[tier].allowance,
    startDate: now,
    lastReset: now,
    stripeSubscriptionId,
    cancelAt: null,
  }
}

/** The subscription once it ends at `cancelAt` (UTC ms), the end of what is paid. Specification, section 4. */
export function cancelPlan(subscription: Subscription, cancelAt: number): Subscription {
  return { ...subscription, status: 'canceled', cancelAt }
}
