import { describe, expect, test } from 'vitest'
import {
  activePlan,
  type BilledPlan,
  cancelPlan,
  countsAt,
  EMPTY_SUBSCRIPTION,
  PLANS,
  paidUntil,
  resetIfNewMonth,
  slotsLeft,
  withBilledPlan,
} from './plans.ts'
import type { Subscription, Tier } from './schemas/profile.ts'

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
  renewalFailed: false,
}

test('the plans of the specification @spec-plans', () => {
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

describe('activePlan @spec-plan-end', () => {
  test.each<[string, Partial<Subscription>, Tier | null]>([
    ['an active plan', {}, 'premium'],
    ['another tier', { tier: 'basic' }, 'basic'],
    ['no tier', { tier: null }, null],
    ['no status', { status: null }, null],
    ['no status, with an end', { status: null, cancelAt: NOV_20 + 1 }, null],
    ['canceled, a millisecond before its end', { status: 'canceled', cancelAt: NOV_20 + 1 }, 'premium'],
    ['canceled, at its end', { status: 'canceled', cancelAt: NOV_20 }, null],
    ['canceled without an end', { status: 'canceled', cancelAt: null }, null],
  ])('%s', (_, change, tier) => {
    expect(activePlan({ ...premium, ...change }, NOV_20)).toEqual(tier && PLANS[tier])
  })

  test('nobody starts with one @spec-no-plan', () => {
    expect(activePlan(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
    expect(slotsLeft(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
  })
})

describe('the monthly reset @spec-reset', () => {
  test.each<[string, Partial<Subscription>, number]>([
    ['later in the same month', {}, DEC_START - 1],
    ['without a plan', { tier: null, status: null }, DEC_START],
    ['after the end of a canceled plan', { status: 'canceled', cancelAt: DEC_START }, DEC_START],
    ['by a clock that is behind', {}, NOV_START - 1],
    ['while the renewal is not paid', { renewalFailed: true }, DEC_START],
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

test.each<[string, number | null, number, number]>([
  ['now', NOV_START, NOV_20, NOV_20],
  ['now, without a plan', null, NOV_20, NOV_20],
  ['when the allowance was filled, by a clock that lags', DEC_START, DEC_START - 1, DEC_START],
])('a payment counts %s', (_, lastReset, now, at) => {
  expect(countsAt({ ...premium, lastReset }, now)).toBe(at)
})

describe('transfers left @spec-allowance', () => {
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
})

describe('a plan as the provider has it', () => {
  test.each([
    ['basic', 2],
    ['premium', 5],
  ] as const)('%s starts with %i transfers', (tier, transactionsLeft) => {
    const plan = { ...billed, stripeSubscriptionId: 'sub_2', tier, startedAt: NOV_20 }
    expect(withBilledPlan(EMPTY_SUBSCRIPTION, plan, NOV_20)).toEqual({
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
    ['the same again refills nothing', {}, {}, {}],
    ['is to end', {}, { endsAt: DEC_START }, { status: 'canceled', cancelAt: DEC_START }],
    ['is taken up again', { status: 'canceled', cancelAt: DEC_START }, {}, {}],
    ['could not be renewed', {}, { renewalFailed: true }, { renewalFailed: true }],
    ['could be renewed at last', { renewalFailed: true }, {}, {}],
    [
      'ended because it could not be renewed',
      { renewalFailed: true },
      { endsAt: NOV_20, renewalFailed: true },
      { status: 'canceled', cancelAt: NOV_20, renewalFailed: true },
    ],
    [
      'is another one, which starts anew',
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
  ])('%s', (_, stored, plan, expected) => {
    const subscription = withBilledPlan({ ...premium, ...stored }, { ...billed, ...plan }, NOV_20)
    expect(subscription).toEqual({ ...premium, ...expected })
    expect(withBilledPlan(subscription, { ...billed, ...plan }, NOV_20)).toEqual(subscription)
  })

  test('gives the allowance of the month back, once', () => {
    const reset = withBilledPlan(premium, billed, DEC_START)
    expect(reset).toEqual({ ...premium, transactionsLeft: 5, lastReset: DEC_START })
    const used = { ...reset, transactionsLeft: 1 }
    expect(withBilledPlan(used, billed, DEC_START + 1)).toEqual(used)
  })

  test('that was heard of late, in the month after it began, has one allowance', () => {
    const plan = { ...billed, stripeSubscriptionId: 'sub_2', startedAt: NOV_20 }
    expect(withBilledPlan(premium, plan, DEC_START)).toMatchObject({
      transactionsLeft: 5,
      startDate: NOV_20,
      lastReset: DEC_START,
    })
  })
})

test('an allowance is never known by the instant in which the plan before was filled', () => {
  const other = { ...billed, startedAt: NOV_20, stripeSubscriptionId: 'sub_2' }
  const after = (lastReset: number | null) =>
    withBilledPlan({ ...premium, lastReset }, other, NOV_20).lastReset
  expect([null, NOV_20 - 1, NOV_20].map(after)).toEqual([NOV_20, NOV_20, NOV_20 + 1])
})

test('nor is that of a plan that was heard of late, in the instant in which a new month filled the plan before', () => {
  const plan = { ...billed, startedAt: NOV_20, tier: 'basic' as const, stripeSubscriptionId: 'sub_2' }
  const filled = resetIfNewMonth(premium, DEC_START)
  expect(withBilledPlan(filled, plan, DEC_START)).toMatchObject({
    transactionsLeft: 2,
    lastReset: DEC_START + 1,
  })
})

test('a canceled plan keeps what is paid for', () => {
  expect(cancelPlan(premium, DEC_START)).toEqual({ ...premium, status: 'canceled', cancelAt: DEC_START })
  expect(slotsLeft(cancelPlan(premium, DEC_START), NOV_20)).toBe(3)
})

describe('what is paid ends', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  test.each([
    ['a month after the start', '2026-11-20T12:00', '2026-11-20T12:00', '2026-12-20T12:00'],
    [
      'a month after the start, by a clock that lags',
      '2026-11-20T12:00',
      '2026-11-20T11:59',
      '2026-12-20T12:00',
    ],
    ['at that minute', '2026-11-20T12:00', '2026-12-20T11:59', '2026-12-20T12:00'],
    ['a month later after a renewal', '2026-11-20T12:00', '2026-12-20T12:00', '2027-01-20T12:00'],
    ['on the last day of a short month', '2026-01-31T08:00', '2026-02-10T00:00', '2026-02-28T08:00'],
    ['on the first day again after it', '2026-01-31T08:00', '2026-02-28T08:00', '2026-03-31T08:00'],
    ['years later', '2024-02-29T08:00', '2027-02-01T00:00', '2027-02-28T08:00'],
  ])('%s', (_, start, now, end) => {
    expect(paidUntil({ ...premium, startDate: at(start) }, at(now))).toBe(at(end))
  })

  test('when it was canceled, and is not known without a plan', () => {
    expect(paidUntil(cancelPlan(premium, NOV_20 + 1), NOV_20)).toBe(NOV_20 + 1)
    expect(paidUntil(EMPTY_SUBSCRIPTION, NOV_20)).toBeNull()
  })
})
