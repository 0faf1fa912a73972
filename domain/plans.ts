import { type Money, money } from './money.ts'
import { monthOf } from './month.ts'
import type { Subscription, Tier } from './schemas/profile.ts'

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
  const { lastReset, renewalFailed } = subscription
  if (!plan || renewalFailed || (lastReset !== null && monthOf(lastReset) >= monthOf(now)))
    return subscription
  return { ...subscription, transactionsLeft: plan.allowance, lastReset: now }
}

/**
 * When a payment counts that begins at `now` (UTC ms). The clock may lag behind the one that filled the allowance for a new month.
 * The payment never counts in a month before that: the new allowance would lose a transfer that no count of its month has.
 */
export function countsAt({ lastReset }: Subscription, now: number): number {
  return Math.max(now, lastReset ?? now)
}

/** Transfers left at the plan's fee in the month of `now` (UTC ms), never below 0. Null without a plan. */
export function slotsLeft(subscription: Subscription, now: number): number | null {
  if (!activePlan(subscription, now)) return null
  return Math.max(resetIfNewMonth(subscription, now).transactionsLeft ?? 0, 0)
}

/** A subscription as the payment provider has it, its instants in UTC ms. */
export interface BilledPlan {
  readonly stripeSubscriptionId: string
  readonly tier: Tier
  readonly startedAt: number
  /** The end of what is paid, when it is not to be renewed or has ended; null while it is. */
  readonly endsAt: number | null
  readonly renewalFailed: boolean
}

/**
 * The subscription as the provider has it at `now` (UTC ms). The outcome depends on the provider's state alone, so the
 * same news may come twice, late or never. Another plan than the stored one starts with its whole allowance; the stored
 * one keeps what is left, so that no allowance is refilled but by a new month. Specification, section 4.
 */
export function withBilledPlan(subscription: Subscription, plan: BilledPlan, now: number): Subscription {
  const { stripeSubscriptionId, endsAt } = plan
  const isKnown = subscription.stripeSubscriptionId === stripeSubscriptionId
  const { renewalFailed: _, ...known } = isKnown ? subscription : startPlan(plan, subscription.lastReset)
  const state = endsAt === null ? { status: 'active' as const, cancelAt: null } : canceledAt(endsAt)
  return resetIfNewMonth({ ...known, ...state, ...(plan.renewalFailed && { renewalFailed: true }) }, now)
}

/**
 * When the month ends (UTC ms) that is paid at `now`: what is left of a plan that would be canceled. Plans are charged on
 * the day of the month on which they began, or on the last day of a month that is too short for it.
 */
export function paidUntil({ startDate, cancelAt }: Subscription, now: number): number | null {
  if (cancelAt !== null || startDate === null) return cancelAt
  const start = new Date(startDate)
  const monthsAfter = (months: number) => {
    const first = new Date(startDate)
    first.setUTCMonth(start.getUTCMonth() + months, 1)
    const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
    return first.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  }
  const today = new Date(now)
  const between =
    (today.getUTCFullYear() - start.getUTCFullYear()) * 12 + today.getUTCMonth() - start.getUTCMonth()
  const inThisMonth = monthsAfter(between)
  return inThisMonth > now && between > 0 ? inThisMonth : monthsAfter(between + 1)
}

/** The subscription once it ends at `cancelAt` (UTC ms), the end of what is paid. Specification, section 4. */
export function cancelPlan(subscription: Subscription, cancelAt: number): Subscription {
  return { ...subscription, ...canceledAt(cancelAt) }
}

const canceledAt = (cancelAt: number) => ({ status: 'canceled' as const, cancelAt })

/**
 * `filledBefore`: when the allowance of the former plan was filled (UTC ms). That instant tells one allowance from another, so this
 * plan's is always a later one: also when it began before a new month filled the former plan, and is heard of only now.
 */
function startPlan(
  { tier, stripeSubscriptionId, startedAt }: BilledPlan,
  filledBefore: number | null,
): Subscription {
  return {
    tier,
    status: 'active',
    transactionsLeft: PLANS[tier].allowance,
    startDate: startedAt,
    lastReset: filledBefore === null ? startedAt : Math.max(startedAt, filledBefore + 1),
    stripeSubscriptionId,
    cancelAt: null,
  }
}
