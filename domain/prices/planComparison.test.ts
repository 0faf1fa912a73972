import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tier } from '../account/profileSchema.ts'
import { money, type SourceCurrency } from '../money/money.ts'
import { computeFee } from './fees.ts'
import { toEurCents } from './limits.ts'
import { checkTransferCount, comparePlans, deriveSendingHabit, stepAmount } from './planComparison.ts'
import { applyBilledPlan, countSlotsLeft, EMPTY_SUBSCRIPTION } from './plans.ts'

const NOW = Date.UTC(2026, 10, 20)

describe('comparePlans', () => {
  test.each<
    [
      amount: number,
      currency: SourceCurrency,
      count: number,
      totals: number[],
      cheapest: Tier | null,
      saving: number,
    ]
  >([
    [1_000, 'EUR', 1, [30, 300, 500], null, 0],
    [10_000, 'EUR', 1, [300, 300, 500], null, 0],
    [10_100, 'EUR', 1, [303, 300, 500], 'basic', 3],
    [10_000, 'EUR', 2, [600, 400, 500], 'basic', 200],
    [10_000, 'EUR', 3, [900, 700, 500], 'premium', 400],
    [20_000, 'EUR', 5, [3_000, 2_200, 500], 'premium', 2_500],
    [10_000, 'EUR', 6, [1_800, 1_600, 800], 'premium', 1_000],
    [1_000, 'EUR', 100, [3_000, 3_340, 3_350], null, 0],
    // A fee of 3 CAD is 1.80 EUR, Basic's fee of 1 CAD is 0.60 EUR.
    [10_000, 'CAD', 2, [360, 320, 500], 'basic', 40],
  ])(
    'compares the monthly costs of %i units of %s %i times',
    (amount, currency, count, totals, cheapest, saving) => {
      const comparison = comparePlans({ amount: money(amount, currency), count })
      expect(comparison.costs.map(({ tier }) => tier)).toEqual([null, 'basic', 'premium'])
      expect(comparison.costs.map(({ total }) => total)).toEqual(totals)
      expect(comparison).toMatchObject({ cheapest, saving })
    },
  )

  test('the compared fees equal those charged for a month’s transfers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 50_000 }),
        fc.constantFrom<SourceCurrency>('EUR', 'CAD'),
        fc.integer({ min: 1, max: 100 }),
        (minor, currency, count) => {
          const gross = money(minor, currency)
          for (const { tier, price, fees, total } of comparePlans({ amount: gross, count }).costs) {
            const plan = {
              stripeSubscriptionId: 'sub_1',
              startedAt: NOW,
              endsAt: null,
              unpaidSince: null,
              confirmation: null,
            }
            let subscription = tier
              ? applyBilledPlan(EMPTY_SUBSCRIPTION, { ...plan, tier }, NOW)
              : EMPTY_SUBSCRIPTION
            let charged = 0
            for (let sent = 0; sent < count; sent += 1) {
              charged += computeFee({ gross, coupon: null, subscription, now: NOW }).fee.minor
              const left = countSlotsLeft(subscription, NOW)
              if (left) subscription = { ...subscription, transactionsLeft: left - 1 }
            }
            expect(fees).toBe(toEurCents(money(charged, currency)))
            expect(total).toBe(price + fees)
          }
        },
      ),
    )
  })

  test('recommends the cheapest plan only if it saves money', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 83_333 }),
        fc.constantFrom<SourceCurrency>('EUR', 'CAD'),
        fc.integer({ min: 1, max: 100 }),
        (minor, currency, count) => {
          const { costs, cheapest, saving } = comparePlans({ amount: money(minor, currency), count })
          const best = costs.find(({ tier }) => tier === cheapest)
          for (const { total } of costs) expect(best?.total).toBeLessThanOrEqual(total)
          expect(saving).toBe((costs[0]?.total ?? 0) - (best?.total ?? 0))
          expect(cheapest !== null).toBe(saving > 0)
        },
      ),
    )
  })
})

test.each([
  ['1', 10_000, { ok: true, value: 1 }],
  [' 10 ', 10_000, { ok: true, value: 10 }],
  ['11', 10_000, { ok: false, error: { kind: 'countTooHigh', most: 10 } }],
  ['3', 50_000, { ok: false, error: { kind: 'countTooHigh', most: 2 } }],
  ['0', 10_000, { ok: false, error: { kind: 'countRequired' } }],
  ['', 10_000, { ok: false, error: { kind: 'countRequired' } }],
  ['1,5', 10_000, { ok: false, error: { kind: 'countRequired' } }],
  ['-1', 10_000, { ok: false, error: { kind: 'countRequired' } }],
])('checking %j transfers of %i cents per month returns %j', (text, amount, expected) => {
  expect(checkTransferCount(text, money(amount, 'EUR'))).toEqual(expected)
})

describe('deriveSendingHabit', () => {
  const sent = (minor: number, daysAgo: number, currency: SourceCurrency = 'EUR') => ({
    gross: money(minor, currency),
    createdAt: NOW - daysAgo * 86_400_000,
  })

  test.each<[string, ReturnType<typeof sent>[], ReturnType<typeof deriveSendingHabit>]>([
    ['unknown without transfers', [], null],
    ['without old transfers', [sent(10_000, 94)], null],
    ['at least one transfer', [sent(10_000, 3)], { amount: money(10_000, 'EUR'), count: 1 }],
    [
      'the mean of three months, in whole units',
      [
        sent(10_000, 3),
        sent(20_050, 5),
        sent(30_000, 40),
        sent(20_000, 41),
        sent(20_000, 80),
        sent(20_000, 92),
      ],
      { amount: money(20_000, 'EUR'), count: 2 },
    ],
    [
      'within the monthly cap',
      Array.from({ length: 9 }, (_, index) => sent(33_400, index + 1)),
      { amount: money(33_400, 'EUR'), count: 2 },
    ],
    [
      'in the newest transfer’s currency',
      [sent(50_000, 30), sent(20_000, 2, 'CAD'), sent(10_000, 40, 'CAD')],
      { amount: money(15_000, 'CAD'), count: 2 },
    ],
    [
      'of the first month',
      [sent(8_800, 1), sent(8_800, 2), sent(8_800, 3), sent(8_800, 20)],
      { amount: money(8_800, 'EUR'), count: 4 },
    ],
    [
      'of a month and a half',
      [1, 5, 9, 20, 30, 46].map((daysAgo) => sent(8_800, daysAgo)),
      { amount: money(8_800, 'EUR'), count: 4 },
    ],
    [
      'of a sender who returns after a pause',
      [1, 2, 3, 200].map((daysAgo) => sent(8_800, daysAgo)),
      { amount: money(8_800, 'EUR'), count: 1 },
    ],
  ])('derives the sending habit from the history: %s', (_, history, habit) => {
    expect(deriveSendingHabit(history, NOW)).toEqual(habit)
  })
})

test('a new sender of four transfers reads that Premium is the cheapest', () => {
  const history = [1, 2, 3, 20].map((day) => ({
    gross: money(8_800, 'EUR'),
    createdAt: NOW - day * 86_400_000,
  }))
  const habit = deriveSendingHabit(history, NOW)
  expect(habit && comparePlans(habit)).toMatchObject({ cheapest: 'premium', saving: 556 })
})

describe('stepAmount', () => {
  test.each<[amount: number, currency: SourceCurrency, down: number, up: number]>([
    [1_000, 'EUR', 1_000, 2_000],
    [9_000, 'EUR', 8_000, 10_000],
    [10_000, 'EUR', 9_000, 15_000],
    [12_345, 'EUR', 10_000, 15_000],
    [15_000, 'EUR', 10_000, 20_000],
    [50_000, 'EUR', 45_000, 50_000],
    [1_667, 'CAD', 1_667, 2_000],
    [80_000, 'CAD', 75_000, 83_333],
  ])('steps from %i units of %s to %i and to %i', (amount, currency, down, up) => {
    expect(stepAmount(money(amount, currency), 'down').minor).toBe(down)
    expect(stepAmount(money(amount, currency), 'up').minor).toBe(up)
  })
})
