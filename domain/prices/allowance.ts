import type { Subscription } from '../account/profileSchema.ts'
import { getNextMonthStart, toMonth } from '../common/month.ts'
import type { MonthLedger } from './capUse.ts'
import { getEffectiveTime, refillAllowanceIfNewMonth } from './plans.ts'

/** At `now` (UTC ms), minus what open payments reserve. `ledger`: any month's. Specification, section 4. */
export function getAvailableSubscription(
  subscription: Subscription,
  ledger: MonthLedger | null,
  now: number,
): Subscription {
  const at = getEffectiveTime(subscription, now)
  const current = refillAllowanceIfNewMonth(subscription, at)
  const held = ledger?.month === toMonth(at) ? ledger.reservedSlots : 0
  if (current.transactionsLeft === null || held === 0) return current
  return { ...current, transactionsLeft: Math.max(0, current.transactionsLeft - held) }
}

/** UTC ms, after `now`: the end of a canceled plan, or the next month. */
export function getNextPriceChangeTime({ status, cancelAt }: Subscription, now: number): number {
  const month = getNextMonthStart(now)
  return status === 'canceled' && cancelAt !== null && cancelAt > now ? Math.min(cancelAt, month) : month
}
