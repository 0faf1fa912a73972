import { describe, expect, test } from 'vitest'
import { allowanceFor, nextTurn } from './allowance.ts'
import { HOUR } from './duration.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import type { Subscription } from './schemas/profile.ts'

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

describe('what a payment finds of the allowance', () => {
  test.each<[string, Subscription, typeof ledger | null, number, number | null]>([
    ['all that is left, when nothing is known of the month', basic, null, NOW, 2],
    ['less what a payment under way holds', basic, ledger, NOW, 1],
    ['never less than nothing', basic, { ...ledger, reservedSlots: 5 }, NOW, 0],
    ['what was held last month holds nothing', basic, { ...ledger, month: '2026-10' }, NOW, 2],
    ['a new month begins whole', { ...basic, transactionsLeft: 0 }, ledger, NEXT_MONTH, 2],
    ['without a plan there is none', EMPTY_SUBSCRIPTION, ledger, NOW, null],
  ])('%s', (_, subscription, known, now, left) => {
    expect(allowanceFor(subscription, known, now).transactionsLeft).toBe(left)
  })
})

describe('when time alone may change the price', () => {
  const canceled = (cancelAt: number): Subscription => ({ ...basic, status: 'canceled', cancelAt })
  test.each<[string, Subscription, number]>([
    ['the next month', basic, NEXT_MONTH],
    ['the end of a canceled plan', canceled(NOW + HOUR), NOW + HOUR],
    ['not an end that has passed', canceled(NOW), NEXT_MONTH],
    ['nor that of a plan that goes on', { ...canceled(NOW + HOUR), status: 'active' }, NEXT_MONTH],
    ['nor one after the month', canceled(NEXT_MONTH + HOUR), NEXT_MONTH],
    ['the next month, without a plan', EMPTY_SUBSCRIPTION, NEXT_MONTH],
  ])('%s', (_, subscription, at) => {
    expect(nextTurn(subscription, NOW)).toBe(at)
  })
})
