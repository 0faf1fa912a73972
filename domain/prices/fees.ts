import type { Subscription } from '../account/profileSchema.ts'
import { divideHalfUp, type Money, money, type SourceCurrency } from '../money/money.ts'
import { isZeroCoupon } from './coupon.ts'
import { countSlotsLeft, getActivePlan } from './plans.ts'

/** Percent of the amount, without plan or coupon. Specification, section 9. */
export const DEFAULT_FEE_PERCENT = 3

export type FeeRule = 'coupon' | 'premium' | 'basic' | 'default'

export interface Fee {
  readonly fee: Money<SourceCurrency>
  readonly feeRule: FeeRule
  /** Whether it uses one of the plan's monthly transfers; a coupon does not change that. */
  readonly usesSlot: boolean
}

/** At `now` (UTC ms). Specification, section 9. */
export function computeFee({
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
  const plan = countSlotsLeft(subscription, now) ? getActivePlan(subscription, now) : null
  const usesSlot = plan !== null
  if (isZeroCoupon(coupon)) return { fee: money(0, currency), feeRule: 'coupon', usesSlot }
  if (plan) return { fee: money(plan.fee, currency), feeRule: plan.id, usesSlot }
  return { fee: computeDefaultFee(gross), feeRule: 'default', usesSlot }
}

/** Without plan or coupon, rounded half up. */
export function computeDefaultFee({ minor, currency }: Money<SourceCurrency>): Money<SourceCurrency> {
  return money(divideHalfUp(minor * DEFAULT_FEE_PERCENT, 100), currency)
}
