import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  activePlan,
  afterTransfer,
  cancelPlan,
  EMPTY_SUBSCRIPTION,
  PLANS,
  resetIfNewMonth,
  type Subscription,
  slotsLeft,
  startPlan,
  type Tier,
} from './plans.ts'

const NOV_START = Date.UTC(2026, 10, 1)
const NOV_20 = Date.UTC(2026, 10, 20)
const DEC_START = Date.UTC(2026, 11, 1)

const premium: Subscription = {
  tier: 'premium',
  status: 'active',
  transactionsLeft: 3,
  startDate: Date.UTC(2026, 8, 1),
  lastReset: NOV_START,
  stripeSubscriptionId: 'sub_1',
  cancelAt: null,
}

test('the plans of the specification', () => {
  expect(PLANS).toEqual({
    basic: {
      id: 'basic',
      name: 'Basic Plan',
      price: { minor: 200, currency: 'EUR' },
      allowance: 2,
      fee: 100,
    },
    premium: {
      id: 'premium',
      name: 'Premium Plan',
      price: { minor: 500, currency: 'EUR' },
      allowance: 5,
      fee: 0,
    },
  })
})

describe('activePlan', () => {
  test.each<[string, Partial<Subscription>, Tier | null]>([
    ['an active plan', {}, 'premium'],
    ['another tier', { tier: 'basic' }, 'basic'],
    ['no tier', { tier: null }, null],
    ['no status', { status: null }, null],
    ['canceled, a millisecond before its end', { status: 'canceled', cancelAt: NOV_20 + 1 }, 'premium'],
    ['canceled, at its end', { status: 'canceled', cancelAt: NOV_20 }, null],
    ['canceled without an end', { status: 'canceled', cancelAt: null }, null],
  ])('%s', (_, change, tier) => {
    expect(activePlan({ ...premium, ...change }, NOV_20)).toEqual(tier && PLANS[tier])
  })

  test('nobody starts with one', () => {
    expect(activePlan(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
    expect(slotsLeft(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
  })
})

describe('the monthly reset', () => {
  test.each<[string, Partial<Subscription>, number]>([
    ['later in the same month', {}, DEC_START - 1],
    ['without a plan', { tier: null, status: null }, DEC_START],
    ['after the end of a canceled plan', { status: 'canceled', cancelAt: DEC_START }, DEC_START],
    ['by a clock that is behind', {}, NOV_START - 1],
  ])('does not happen %s', (_, change, now) => {
    const subscription = { ...premium, ...change }
    expect(resetIfNewMonth(subscription, now)).toBe(subscription)
  })

  test.each<[string, Partial<Subscription>, number]>([
    ['at the first instant of the next month', {}, DEC_START],
    ['a year later in the same month', {}, Date.UTC(2027, 10, 20)],
    ['when there was none before', { lastReset: null }, NOV_20],
    ['after the last millisecond of a month', { lastReset: NOV_START - 1 }, NOV_START],
    ['before the end of a canceled plan', { status: 'canceled', cancelAt: DEC_START + 1 }, DEC_START],
  ])('happens %s', (_, change, now) => {
    const subscription = { ...premium, ...change }
    expect(resetIfNewMonth(subscription, now)).toEqual({
      ...subscription,
      transactionsLeft: 5,
      lastReset: now,
    })
  })

  test('happens once', () => {
    const reset = resetIfNewMonth(premium, DEC_START)
    const used = { ...reset, transactionsLeft: 1 }
    expect(resetIfNewMonth(used, DEC_START + 1)).toBe(used)
  })
})

describe('transfers left', () => {
  test.each<[Partial<Subscription>, number, number]>([
    [{}, NOV_20, 3],
    [{ transactionsLeft: 0 }, NOV_20, 0],
    [{ transactionsLeft: -1 }, NOV_20, 0],
    [{ transactionsLeft: null }, NOV_20, 0],
    [{ transactionsLeft: 0 }, DEC_START, 5],
    [{ transactionsLeft: 0, tier: 'basic' }, DEC_START, 2],
  ])('%j at %i', (change, now, left) => {
    expect(slotsLeft({ ...premium, ...change }, now)).toBe(left)
  })

  test.each<[string, Partial<Subscription>, number, Partial<Subscription>]>([
    ['drop by one', {}, NOV_20, { transactionsLeft: 2 }],
    ['never go below zero', { transactionsLeft: 0 }, NOV_20, {}],
    [
      'are refilled first in a new month',
      { transactionsLeft: 0 },
      DEC_START,
      { transactionsLeft: 4, lastReset: DEC_START },
    ],
    ['do not change without a plan', { tier: null, status: null, transactionsLeft: null }, NOV_20, {}],
    ['do not change after the plan', { status: 'canceled', cancelAt: NOV_20 }, NOV_20, {}],
  ])('%s', (_, change, now, expected) => {
    const subscription = { ...premium, ...change }
    expect(afterTransfer(subscription, now)).toEqual({ ...subscription, ...expected })
  })

  test('stay between 0 and the allowance, whatever happens when', () => {
    const times = fc.array(fc.integer({ min: NOV_START, max: Date.UTC(2027, 3) }), { maxLength: 40 })
    fc.assert(
      fc.property(fc.constantFrom<Tier>('basic', 'premium'), times, (tier, instants) => {
        let subscription = startPlan(EMPTY_SUBSCRIPTION, {
          tier,
          stripeSubscriptionId: 'sub_1',
          now: NOV_START,
        })
        for (const now of instants) {
          subscription = afterTransfer(subscription, now)
          expect(subscription.transactionsLeft).toBeGreaterThanOrEqual(0)
          expect(subscription.transactionsLeft).toBeLessThanOrEqual(PLANS[tier].allowance)
        }
      }),
    )
  })
})

describe('starting and canceling', () => {
  test.each([
    ['basic', 2],
    ['premium', 5],
  ] as const)('%s starts with %i transfers', (tier, transactionsLeft) => {
    expect(startPlan(EMPTY_SUBSCRIPTION, { tier, stripeSubscriptionId: 'sub_2', now: NOV_20 })).toEqual({
      tier,
      status: 'active',
      transactionsLeft,
      startDate: NOV_20,
      lastReset: NOV_20,
      stripeSubscriptionId: 'sub_2',
      cancelAt: null,
    })
  })

  test('the same checkout twice refills nothing', () => {
    expect(startPlan(premium, { tier: 'premium', stripeSubscriptionId: 'sub_1', now: NOV_20 })).toBe(premium)
  })

  test('a canceled plan keeps what is paid for', () => {
    expect(cancelPlan(premium, DEC_START)).toEqual({ ...premium, status: 'canceled', cancelAt: DEC_START })
    expect(slotsLeft(cancelPlan(premium, DEC_START), NOV_20)).toBe(3)
  })
})
