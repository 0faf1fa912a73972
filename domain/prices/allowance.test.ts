import { describe, expect, test } from 'vitest'
import type { Subscription } from '../account/profileSchema.ts'
import { HOUR } from '../common/duration.ts'
import { getAvailableSubscription, getNextPriceChangeTime } from './allowance.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const NEXT_MONTH = Date.UTC(2026, 11, 1)
const basic: Subscription = {
  ...EMPTY_SUBSCRIPTION,
  tier: 'basic',
  status: 'active',
  transactionsLeft: 2,
  lastReset: NOW - HOUR,
}
const ledger = { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 1 }

describe('getAvailableSubscription', () => {
  test.each<[string, Subscription, typeof ledger | null, number, number | null]>([
    ['everything left, without a ledger', basic, null, NOW, 2],
    ['one less for the slot of an open payment', basic, ledger, NOW, 1],
    ['never negative', basic, { ...ledger, reservedSlots: 5 }, NOW, 0],
    ['all, because the reservations are last month’s', basic, { ...ledger, month: '2026-10' }, NOW, 2],
    ['the full allowance in a new month', { ...basic, transactionsLeft: 0 }, ledger, NEXT_MONTH, 2],
    ['none without a plan', EMPTY_SUBSCRIPTION, ledger, NOW, null],
  ])('computes the allowance left for a payment: %s', (_, subscription, known, now, left) => {
    expect(getAvailableSubscription(subscription, known, now).transactionsLeft).toBe(left)
  })
})

describe('getNextPriceChangeTime', () => {
  const canceled = (cancelAt: number): Subscription => ({ ...basic, status: 'canceled', cancelAt })
  test.each<[string, Subscription, number]>([
    ['the next month', basic, NEXT_MONTH],
    ['the end of a canceled plan', canceled(NOW + HOUR), NOW + HOUR],
    ['not an end that has passed', canceled(NOW), NEXT_MONTH],
    ['not the end of an active plan', { ...canceled(NOW + HOUR), status: 'active' }, NEXT_MONTH],
    ['not an end after the month', canceled(NEXT_MONTH + HOUR), NEXT_MONTH],
    ['the next month, without a plan', EMPTY_SUBSCRIPTION, NEXT_MONTH],
  ])('finds when time alone can next change the price: %s', (_, subscription, at) => {
    expect(getNextPriceChangeTime(subscription, NOW)).toBe(at)
  })
})
