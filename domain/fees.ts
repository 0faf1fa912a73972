import { isZeroCoupon } from './coupon.ts'
import { halfUp, type Money, money, type SourceCurrency } from './money.ts'
import { activePlan, slotsLeft } from './plans.ts'
import type { Subscription } from './schemas/profile.ts'

/** Per cent of the amount, without plan or coupon. Interface texts are made from it. Specification, section 9. */
export const DEFAULT_FEE_PERCENT = 3

export type FeeRule = 'coupon' | 'premium' | 'basic' | 'default'

export interface Fee {
  readonly fee: Money<SourceCurrency>
  readonly feeRule: FeeRule
  /** Whether the transfer uses one of the plan's. It does so under a coupon too. */
  readonly usesSlot: boolean
}

/** The fee for sending `gross` at `now` (UTC ms). Specification, section 9. */
export function feeOf({
  gross,
  coupon,
  subscription,
  now,
}: {
  readonly gross: Money<SourceCurrency>
  readonly coupon: string | null
  readonly subscription: Subscription
  readonly now: number
}): Fee {
  const { currency } = gross
  const plan = slotsLeft(subscription, now) ? activePlan(subscription, now) : null
  const usesSlot = plan !== null
  if (isZeroCoupon(coupon)) return { fee: money(0, currency), feeRule: 'coupon', usesSlot }
  if (plan) return { fee: money(plan.fee, currency), feeRule: plan.id, usesSlot }
  return { fee: defaultFee(gross), feeRule: 'default', usesSlot }
}

/** The fee without plan or coupon, half up. */
export function defaultFee({ minor, currency }: Money<SourceCurrency>): Money<SourceCurrency> {
  return money(halfUp(minor * DEFAULT_FEE_PERCENT, 100), currency)
}
