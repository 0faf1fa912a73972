import type { MonthLedger } from './capUse.ts'
import { monthOf, nextMonthStart } from './month.ts'
import { countsAt, resetIfNewMonth } from './plans.ts'
import type { Subscription } from './schemas/profile.ts'

/**
 * The subscription as a payment that begins at `now` (UTC ms) finds it: with the allowance of the month, less the transfers that
 * payments under way hold, because two can't have the same one. `ledger`: what is known of a month, this one or another.
 * Specification, section 4.
 */
export function allowanceFor(
  subscription: Subscription,
  ledger: MonthLedger | null,
  now: number,
): Subscription {
  const at = countsAt(subscription, now)
  const current = resetIfNewMonth(subscription, at)
  const held = ledger?.month === monthOf(at) ? ledger.reservedSlots : 0
  if (current.transactionsLeft === null || held === 0) return current
  return { ...current, transactionsLeft: Math.max(0, current.transactionsLeft - held) }
}

/** When time alone may change what a transfer costs: the end of a canceled plan, or the next month; UTC ms, after `now`. */
export function nextTurn({ status, cancelAt }: Subscription, now: number): number {
  const month = nextMonthStart(now)
  return status === 'canceled' && cancelAt !== null && cancelAt > now ? Math.min(cancelAt, month) : month
}
