import type { RenewalConfirmation, Subscription, Tier } from '../account/profileSchema.ts'
import { toMonth } from '../common/month.ts'
import { type Money, money } from '../money/money.ts'

/** Specification, sections 3 and 9. */
export interface Plan {
  readonly id: Tier
  readonly name: string
  /** Per month. */
  readonly price: Money<'EUR'>
  /** Transfers per month at the plan's fee. */
  readonly allowance: number
  /** Per transfer, in minor units of its source currency: 100 is 1 EUR or 1 CAD. */
  readonly fee: number
}

export const PLANS: Record<Tier, Plan> = {
  basic: { id: 'basic', name: 'Basic Plan', price: money(200, 'EUR'), allowance: 2, fee: 100 },
  premium: { id: 'premium', name: 'Premium Plan', price: money(500, 'EUR'), allowance: 5, fee: 0 },
}

/** A new account's. Specification, section 4. */
export const EMPTY_SUBSCRIPTION: Subscription = {
  tier: null,
  status: null,
  transactionsLeft: null,
  startDate: null,
  lastReset: null,
  stripeSubscriptionId: null,
  cancelAt: null,
}

/** A canceled plan stays active until `cancelAt` (UTC ms), because it is paid. */
export function getActivePlan({ tier, status, cancelAt }: Subscription, now: number): Plan | null {
  if (tier === null) return null
  const paidFor = status === 'active' || (status === 'canceled' && cancelAt !== null && now < cancelAt)
  return paidFor ? PLANS[tier] : null
}

/** A UTC month before `lastReset` is not new: a slow clock can't refill twice. Specification, section 4. */
export function refillAllowanceIfNewMonth(subscription: Subscription, now: number): Subscription {
  const plan = getActivePlan(subscription, now)
  const { lastReset, renewalFailed } = subscription
  if (!plan || renewalFailed || (lastReset !== null && toMonth(lastReset) >= toMonth(now)))
    return subscription
  return { ...subscription, transactionsLeft: plan.allowance, lastReset: now }
}

/** Never before the last refill (UTC ms): a slow clock would charge the slot to the previous month. */
export function getEffectiveTime({ lastReset }: Subscription, now: number): number {
  return Math.max(now, lastReset ?? now)
}

/** In the month of `now` (UTC ms); null without a plan. */
export function countSlotsLeft(subscription: Subscription, now: number): number | null {
  if (!getActivePlan(subscription, now)) return null
  return Math.max(refillAllowanceIfNewMonth(subscription, now).transactionsLeft ?? 0, 0)
}

/** As reported by the payment provider; instants in UTC ms. */
export interface BilledPlan {
  readonly stripeSubscriptionId: string
  readonly tier: Tier
  readonly startedAt: number
  /** The end of the paid period; null while the plan renews. */
  readonly endsAt: number | null
  /** The start (UTC ms) of the period whose renewal failed. */
  readonly unpaidSince: number | null
  /** Set if the unpaid renewal waits for the cardholder. */
  readonly confirmation: RenewalConfirmation | null
}

/**
 * Applies the provider's state at `now` (UTC ms). The result depends on that state alone, so repeated, late
 * or lost events are harmless. A changed tier keeps the used count. Specification, section 4.
 */
export function applyBilledPlan(subscription: Subscription, plan: BilledPlan, now: number): Subscription {
  const { stripeSubscriptionId, endsAt, unpaidSince, confirmation } = plan
  const isKnown = subscription.stripeSubscriptionId === stripeSubscriptionId
  const { confirmation: _, ...former } = isKnown
    ? moveToTier(subscription, plan.tier)
    : startPlan(plan, subscription.lastReset)
  const state = endsAt === null ? { status: 'active' as const, cancelAt: null } : toCanceledFields(endsAt)
  if (unpaidSince !== null) {
    // A month that began while the plan was paid has its allowance, even if the failure is reported first.
    const refilled = refillAllowanceIfNewMonth(former, unpaidSince - 1)
    return { ...refilled, ...state, renewalFailed: true, ...(confirmation && { confirmation }) }
  }
  const { renewalFailed: __, ...known } = former
  return refillAllowanceIfNewMonth({ ...known, ...state }, now)
}

export function getAwaitedConfirmation({ status, confirmation }: Subscription): RenewalConfirmation | null {
  return (status === 'active' && confirmation) || null
}

function moveToTier(subscription: Subscription, tier: Tier): Subscription {
  const { tier: former, transactionsLeft: left } = subscription
  if (former === tier || former === null) return subscription
  const used = PLANS[former].allowance - (left ?? 0)
  return { ...subscription, tier, transactionsLeft: Math.max(0, PLANS[tier].allowance - used) }
}

/** UTC ms. A plan renews on the day of the month on which it began, or on the last day of a shorter month. */
export function getPaidUntil({ startDate, cancelAt }: Subscription, now: number): number | null {
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

/** `cancelAt`: the end of the paid period (UTC ms). Specification, section 4. */
export function cancelPlan(subscription: Subscription, cancelAt: number): Subscription {
  return { ...subscription, ...toCanceledFields(cancelAt) }
}

const toCanceledFields = (cancelAt: number) => ({ status: 'canceled' as const, cancelAt })

/** `filledBefore` (UTC ms): `lastReset` identifies an allowance, so the new plan's must be later. */
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
