import { describe, expect, test } from 'vitest'
import type { Subscription, Tier } from '../account/profileSchema.ts'
import {
  applyBilledPlan,
  type BilledPlan,
  cancelPlan,
  countSlotsLeft,
  EMPTY_SUBSCRIPTION,
  getActivePlan,
  getAwaitedConfirmation,
  getEffectiveTime,
  getPaidUntil,
  PLANS,
  refillAllowanceIfNewMonth,
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

const billed: BilledPlan = {
  stripeSubscriptionId: 'sub_1',
  tier: 'premium',
  startedAt: Date.UTC(2026, 8, 1),
  endsAt: null,
  unpaidSince: null,
  confirmation: null,
}
const CONFIRMATION = { url: 'https://invoice.example', keptUntil: NOV_20 + 1 }

test('the plans are those of the specification @spec-plans', () => {
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

describe('getActivePlan @spec-plan-end', () => {
  test.each<[string, Partial<Subscription>, Tier | null]>([
    ['an active plan', {}, 'premium'],
    ['another tier', { tier: 'basic' }, 'basic'],
    ['no tier', { tier: null }, null],
    ['no status', { status: null }, null],
    ['no status, with an end', { status: null, cancelAt: NOV_20 + 1 }, null],
    ['canceled, a millisecond before its end', { status: 'canceled', cancelAt: NOV_20 + 1 }, 'premium'],
    ['canceled, at its end', { status: 'canceled', cancelAt: NOV_20 }, null],
    ['canceled without an end', { status: 'canceled', cancelAt: null }, null],
  ])('decides whether a plan is active: %s', (_, change, tier) => {
    expect(getActivePlan({ ...premium, ...change }, NOV_20)).toEqual(tier && PLANS[tier])
  })

  test('a new account has no plan @spec-no-plan', () => {
    expect(getActivePlan(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
    expect(countSlotsLeft(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
  })
})

describe('refillAllowanceIfNewMonth @spec-reset', () => {
  test.each<[string, Partial<Subscription>, number]>([
    ['later in the same month', {}, DEC_START - 1],
    ['without a plan', { tier: null, status: null }, DEC_START],
    ['after the end of a canceled plan', { status: 'canceled', cancelAt: DEC_START }, DEC_START],
    ['by a clock that is behind', {}, NOV_START - 1],
    ['while the renewal is not paid', { renewalFailed: true }, DEC_START],
  ])('does not refill a plan’s allowance %s', (_, change, now) => {
    const subscription = { ...premium, ...change }
    expect(refillAllowanceIfNewMonth(subscription, now)).toBe(subscription)
  })

  test.each<[string, Partial<Subscription>, number]>([
    ['at the first instant of the next month', {}, DEC_START],
    ['a year later in the same month', {}, Date.UTC(2027, 10, 20)],
    ['when there was none before', { lastReset: null }, NOV_20],
    ['after the last millisecond of a month', { lastReset: NOV_START - 1 }, NOV_START],
    ['before the end of a canceled plan', { status: 'canceled', cancelAt: DEC_START + 1 }, DEC_START],
  ])('refills a plan’s allowance %s', (_, change, now) => {
    const subscription = { ...premium, ...change }
    expect(refillAllowanceIfNewMonth(subscription, now)).toEqual({
      ...subscription,
      transactionsLeft: 5,
      lastReset: now,
    })
  })

  test('refills a plan’s allowance only once in a new month', () => {
    const reset = refillAllowanceIfNewMonth(premium, DEC_START)
    const used = { ...reset, transactionsLeft: 1 }
    expect(refillAllowanceIfNewMonth(used, DEC_START + 1)).toBe(used)
  })
})

test.each<[string, number | null, number, number]>([
  ['after the last refill', NOV_START, NOV_20, NOV_20],
  ['without a plan', null, NOV_20, NOV_20],
  ['by a clock that lags behind the last refill', DEC_START, DEC_START - 1, DEC_START],
])('a payment counts at its beginning or the last refill: %s', (_, lastReset, now, at) => {
  expect(getEffectiveTime({ ...premium, lastReset }, now)).toBe(at)
})

describe('countSlotsLeft @spec-allowance', () => {
  test.each<[Partial<Subscription>, number, number]>([
    [{}, NOV_20, 3],
    [{ transactionsLeft: 0 }, NOV_20, 0],
    [{ transactionsLeft: -1 }, NOV_20, 0],
    [{ transactionsLeft: null }, NOV_20, 0],
    [{ transactionsLeft: 0 }, DEC_START, 5],
    [{ transactionsLeft: 0, tier: 'basic' }, DEC_START, 2],
  ])('a plan with %j at the instant %i has %i transfers left', (change, now, left) => {
    expect(countSlotsLeft({ ...premium, ...change }, now)).toBe(left)
  })
})

describe('applyBilledPlan', () => {
  test.each([
    ['basic', 2],
    ['premium', 5],
  ] as const)('a new %s plan starts with %i transfers', (tier, transactionsLeft) => {
    const plan = { ...billed, stripeSubscriptionId: 'sub_2', tier, startedAt: NOV_20 }
    expect(applyBilledPlan(EMPTY_SUBSCRIPTION, plan, NOV_20)).toEqual({
      tier,
      status: 'active',
      transactionsLeft,
      startDate: NOV_20,
      lastReset: NOV_20,
      stripeSubscriptionId: 'sub_2',
      cancelAt: null,
    })
  })

  test.each<[string, Partial<Subscription>, Partial<BilledPlan>, Partial<Subscription>]>([
    ['unchanged, without another refill', {}, {}, {}],
    [
      'canceled at the end of its period',
      {},
      { endsAt: DEC_START },
      { status: 'canceled', cancelAt: DEC_START },
    ],
    ['resumed before its end', { status: 'canceled', cancelAt: DEC_START }, {}, {}],
    ['not renewed, because a payment failed', {}, { unpaidSince: NOV_20 }, { renewalFailed: true }],
    ['renewed after a failed payment', { renewalFailed: true }, {}, {}],
    [
      'not renewed, because the bank wants a confirmation',
      {},
      { unpaidSince: NOV_20, confirmation: CONFIRMATION },
      { renewalFailed: true, confirmation: CONFIRMATION },
    ],
    [
      'not renewed, because the confirmation failed',
      { renewalFailed: true, confirmation: CONFIRMATION },
      { unpaidSince: NOV_20 },
      { renewalFailed: true },
    ],
    ['renewed after a confirmation', { renewalFailed: true, confirmation: CONFIRMATION }, {}, {}],
    [
      'ended, because a payment failed',
      { renewalFailed: true },
      { endsAt: NOV_20, unpaidSince: NOV_20 },
      { status: 'canceled', cancelAt: NOV_20, renewalFailed: true },
    ],
    [
      'replaced by another plan',
      { status: 'canceled', cancelAt: NOV_START, renewalFailed: true },
      { stripeSubscriptionId: 'sub_2', tier: 'basic', startedAt: NOV_20 },
      {
        tier: 'basic',
        transactionsLeft: 2,
        startDate: NOV_20,
        lastReset: NOV_20,
        stripeSubscriptionId: 'sub_2',
      },
    ],
  ])('applies the provider’s state of a plan: %s', (_, stored, plan, expected) => {
    const subscription = applyBilledPlan({ ...premium, ...stored }, { ...billed, ...plan }, NOV_20)
    expect(subscription).toEqual({ ...premium, ...expected })
    expect(applyBilledPlan(subscription, { ...billed, ...plan }, NOV_20)).toEqual(subscription)
  })

  test('the renewal of a plan refills its allowance once', () => {
    const reset = applyBilledPlan(premium, billed, DEC_START)
    expect(reset).toEqual({ ...premium, transactionsLeft: 5, lastReset: DEC_START })
    const used = { ...reset, transactionsLeft: 1 }
    expect(applyBilledPlan(used, billed, DEC_START + 1)).toEqual(used)
  })

  test.each<[string, number, number]>([
    ['refills the allowance of a month that began before the unpaid period', DEC_START + 1, 5],
    [
      'does not refill the allowance in a month that began with the unpaid period',
      DEC_START,
      premium.transactionsLeft ?? 0,
    ],
  ])('a failed renewal %s', (_, unpaidSince, transactionsLeft) => {
    const failed = applyBilledPlan(premium, { ...billed, unpaidSince }, unpaidSince)
    expect(failed).toMatchObject({ transactionsLeft, renewalFailed: true })
    expect(applyBilledPlan(failed, { ...billed, unpaidSince }, unpaidSince + 1)).toEqual(failed)
  })

  test('a plan reported in the month after it began gets one allowance', () => {
    const plan = { ...billed, stripeSubscriptionId: 'sub_2', startedAt: NOV_20 }
    expect(applyBilledPlan(premium, plan, DEC_START)).toMatchObject({
      transactionsLeft: 5,
      startDate: NOV_20,
      lastReset: DEC_START,
    })
  })
})

test('dates a new plan’s first refill after the previous plan’s last refill', () => {
  const other = { ...billed, startedAt: NOV_20, stripeSubscriptionId: 'sub_2' }
  const after = (lastReset: number | null) =>
    applyBilledPlan({ ...premium, lastReset }, other, NOV_20).lastReset
  expect([null, NOV_20 - 1, NOV_20].map(after)).toEqual([NOV_20, NOV_20, NOV_20 + 1])
})

test('dates a late plan’s first refill after the previous plan’s refill', () => {
  const plan = { ...billed, startedAt: NOV_20, tier: 'basic' as const, stripeSubscriptionId: 'sub_2' }
  const filled = refillAllowanceIfNewMonth(premium, DEC_START)
  expect(applyBilledPlan(filled, plan, DEC_START)).toMatchObject({
    transactionsLeft: 2,
    lastReset: DEC_START + 1,
  })
})

test('canceling a plan keeps it until the end of the paid period', () => {
  expect(cancelPlan(premium, DEC_START)).toEqual({ ...premium, status: 'canceled', cancelAt: DEC_START })
  expect(countSlotsLeft(cancelPlan(premium, DEC_START), NOV_20)).toBe(3)
})

describe('getPaidUntil', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  test.each([
    ['a month after the start', '2026-11-20T12:00', '2026-11-20T12:00', '2026-12-20T12:00'],
    [
      'a month after the start, by a clock that lags',
      '2026-11-20T12:00',
      '2026-11-20T11:59',
      '2026-12-20T12:00',
    ],
    ['a minute before that end', '2026-11-20T12:00', '2026-12-20T11:59', '2026-12-20T12:00'],
    ['a month later after a renewal', '2026-11-20T12:00', '2026-12-20T12:00', '2027-01-20T12:00'],
    ['on the last day of a short month', '2026-01-31T08:00', '2026-02-10T00:00', '2026-02-28T08:00'],
    [
      'on the first day of the month again after a short month',
      '2026-01-31T08:00',
      '2026-02-28T08:00',
      '2026-03-31T08:00',
    ],
    [
      'on 28 February for a plan that began on 29 February',
      '2024-02-29T08:00',
      '2027-02-01T00:00',
      '2027-02-28T08:00',
    ],
  ])('finds the end of the paid month: %s', (_, start, now, end) => {
    expect(getPaidUntil({ ...premium, startDate: at(start) }, at(now))).toBe(at(end))
  })

  test('returns the cancellation date of a plan, and null without a plan', () => {
    expect(getPaidUntil(cancelPlan(premium, NOV_20 + 1), NOV_20)).toBe(NOV_20 + 1)
    expect(getPaidUntil(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
  })
})

describe('getAwaitedConfirmation', () => {
  test.each<[string, Partial<Subscription>, object | null]>([
    ['the page of a renewal that the bank wants confirmed', { confirmation: CONFIRMATION }, CONFIRMATION],
    ['nothing for a plan that is paid', {}, null],
    [
      'nothing once the user has canceled the plan',
      { status: 'canceled', cancelAt: DEC_START, confirmation: CONFIRMATION },
      null,
    ],
  ])('returns %s', (_, change, expected) => {
    expect(getAwaitedConfirmation({ ...premium, ...change })).toEqual(expected)
  })
})
