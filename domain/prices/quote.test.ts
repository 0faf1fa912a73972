import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Subscription } from '../account/profileSchema.ts'
import { money, type SourceCurrency } from '../money/money.ts'
import { type CountryCode, DESTINATIONS, getDestination } from '../numbers/destinations.ts'
import { computeFee, type FeeRule } from './fees.ts'
import { EMPTY_SUBSCRIPTION } from './plans.ts'
import { computeGross, quoteTransfer } from './quote.ts'

const now = Date.UTC(2026, 10, 20)
const nextMonth = Date.UTC(2026, 11, 1)

const plan = (tier: 'basic' | 'premium', change: Partial<Subscription> = {}): Subscription => ({
  ...EMPTY_SUBSCRIPTION,
  tier,
  status: 'active',
  transactionsLeft: 1,
  lastReset: now,
  ...change,
})

test('quotes 100 EUR to Guinea without a plan @spec-quote', () => {
  const quote = quoteTransfer({
    gross: money(10_000, 'EUR'),
    destination: getDestination('GN'),
    coupon: null,
    subscription: EMPTY_SUBSCRIPTION,
    now,
  })
  expect(quote).toEqual({
    gross: { minor: 10_000, currency: 'EUR' },
    fee: { minor: 300, currency: 'EUR' },
    net: { minor: 9_700, currency: 'EUR' },
    converted: { minor: 1_028_200, currency: 'GNF' },
    rate: { from: 'EUR', to: 'GNF', numerator: 1_060_000, denominator: 100 },
    feeRule: 'default',
    usesSlot: false,
  })
  expect(JSON.parse(JSON.stringify(quote))).toEqual(quote)
})

describe('the fee of 100.00 @spec-fee', () => {
  const canceled = { status: 'canceled', cancelAt: now + 1 } as const
  const ended = { status: 'canceled', cancelAt: now } as const

  test.each<[string, Subscription, string | null, number, number, FeeRule, boolean]>([
    ['no plan', EMPTY_SUBSCRIPTION, null, now, 300, 'default', false],
    ['another coupon', EMPTY_SUBSCRIPTION, 'WELCOME', now, 300, 'default', false],
    ['ZERO', EMPTY_SUBSCRIPTION, 'ZERO', now, 0, 'coupon', false],
    ['ZÉRO', EMPTY_SUBSCRIPTION, 'zéro', now, 0, 'coupon', false],
    ['ZÉRO, decomposed', EMPTY_SUBSCRIPTION, 'ZE\u0301RO', now, 0, 'coupon', false],
    ['premium', plan('premium'), null, now, 0, 'premium', true],
    ['premium, none left', plan('premium', { transactionsLeft: 0 }), null, now, 300, 'default', false],
    [
      'premium, none left, next month',
      plan('premium', { transactionsLeft: 0 }),
      null,
      nextMonth,
      0,
      'premium',
      true,
    ],
    ['premium with ZERO', plan('premium'), 'ZERO', now, 0, 'coupon', true],
    ['premium with another coupon', plan('premium'), 'WELCOME', now, 0, 'premium', true],
    ['basic', plan('basic'), null, now, 100, 'basic', true],
    ['basic with ZERO', plan('basic'), 'ZERO', now, 0, 'coupon', true],
    ['basic, none left', plan('basic', { transactionsLeft: 0 }), null, now, 300, 'default', false],
    ['basic, none left, with ZERO', plan('basic', { transactionsLeft: 0 }), 'ZERO', now, 0, 'coupon', false],
    ['canceled, still paid for', plan('premium', canceled), null, now, 0, 'premium', true],
    ['canceled, ended', plan('premium', ended), null, now, 300, 'default', false],
  ])('computes the fee for sending 100.00: %s', (_, subscription, coupon, at, fee, feeRule, usesSlot) => {
    for (const currency of ['EUR', 'CAD'] as const) {
      expect(computeFee({ gross: money(10_000, currency), coupon, subscription, now: at })).toEqual({
        fee: { minor: fee, currency },
        feeRule,
        usesSlot,
      })
    }
  })
})

describe('every cent from 10.00 to 500.00', () => {
  const RATES_PER_MINOR: Record<SourceCurrency, Record<CountryCode, bigint>> = {
    EUR: { GN: 10_600n, FR: 100n, CA: 162n },
    CAD: { GN: 6_403n, FR: 60n, CA: 100n },
  }
  const SUBSCRIPTIONS: readonly (readonly [
    string,
    Subscription,
    string | null,
    (gross: bigint) => bigint,
  ])[] = [
    ['default', EMPTY_SUBSCRIPTION, null, (gross) => (3n * gross + 50n) / 100n],
    ['basic', plan('basic'), null, () => 100n],
    ['premium', plan('premium'), null, () => 0n],
    ['coupon', EMPTY_SUBSCRIPTION, 'ZERO', () => 0n],
  ]

  test.each(SUBSCRIPTIONS)(
    'a quote at the %s fee adds up, never less for more @spec-quote-sums',
    (...row) => {
      const [rule, subscription, coupon, feeFor] = row
      for (const currency of ['EUR', 'CAD'] as const) {
        for (const country of ['GN', 'FR', 'CA'] as const) {
          const destination = getDestination(country)
          let previous = { net: -1, converted: -1, fee: -1 }
          for (let cents = 1_000; cents <= 50_000; cents++) {
            const gross = money(cents, currency)
            const quote = quoteTransfer({ gross, destination, coupon, subscription, now })
            const fee = feeFor(BigInt(cents))
            const net = BigInt(cents) - fee
            const converted = (net * RATES_PER_MINOR[currency][country] + 50n) / 100n
            const isRight =
              quote.feeRule === rule &&
              quote.gross.minor === quote.net.minor + quote.fee.minor &&
              BigInt(quote.fee.minor) === fee &&
              BigInt(quote.net.minor) === net &&
              BigInt(quote.converted.minor) === converted &&
              quote.fee.minor >= previous.fee &&
              quote.net.minor >= previous.net &&
              quote.converted.minor >= previous.converted
            // One assertion per cent would take longer than the calculations.
            if (!isRight) expect.fail(`${cents} ${currency} to ${country}: ${JSON.stringify(quote)}`)
            previous = { net: quote.net.minor, converted: quote.converted.minor, fee: quote.fee.minor }
          }
        }
      }
    },
  )
})

describe('computeGross', () => {
  const subscriptions = [
    EMPTY_SUBSCRIPTION,
    plan('basic'),
    plan('premium'),
    plan('basic', { transactionsLeft: 0 }),
  ]
  const terms = fc.record({
    destination: fc.constantFrom(...DESTINATIONS),
    coupon: fc.constantFrom(null, 'ZÉRO', 'WELCOME'),
    subscription: fc.constantFrom(...subscriptions),
    now: fc.constant(now),
  })
  const currencies = fc.constantFrom<SourceCurrency>('EUR', 'CAD')
  const minor = fc.oneof(fc.nat(1_000), fc.nat(100_000), fc.nat(20_000_000))

  test('computeGross finds the least amount that delivers enough', () => {
    fc.assert(
      fc.property(currencies, terms, minor, (currency, asked, wanted) => {
        const computeArrival = (gross: number) =>
          quoteTransfer({ ...asked, gross: money(gross, currency) }).converted.minor
        const gross = computeGross(money(wanted, asked.destination.currency), currency, asked)
        expect(computeArrival(gross.minor)).toBeGreaterThanOrEqual(wanted)
        if (gross.minor > 0) expect(computeArrival(gross.minor - 1)).toBeLessThan(wanted)
      }),
      { numRuns: 1_000 },
    )
  })

  test('computeGross finds the amount that delivers the wanted one, if any', () => {
    fc.assert(
      fc.property(currencies, terms, fc.nat(100_000), (currency, asked, paid) => {
        const { converted } = quoteTransfer({ ...asked, gross: money(paid, currency) })
        fc.pre(converted.minor >= 0)
        const gross = computeGross(converted, currency, asked)
        expect(quoteTransfer({ ...asked, gross }).converted).toEqual(converted)
        expect(gross.minor).toBeLessThanOrEqual(paid)
      }),
      { numRuns: 1_000 },
    )
  })

  test.each<[string, SourceCurrency, CountryCode, number, number, number]>([
    ['97.00 EUR', 'EUR', 'FR', 9_700, 10_000, 9_700],
    ['1,028,200 GNF, which 100 EUR bring', 'EUR', 'GN', 1_028_200, 10_000, 1_028_200],
    ['one franc more, which costs another cent', 'EUR', 'GN', 1_028_201, 10_001, 1_028_306],
    ['1,500,000 GNF', 'EUR', 'GN', 1_500_000, 14_589, 1_500_006],
    ['1,500,000 GNF for dollars', 'CAD', 'GN', 1_500_000, 24_152, 1_500_031],
    ['the most that can be computed', 'EUR', 'FR', 970_000_000, 1_000_000_000, 970_000_000],
    ['more than can be computed', 'EUR', 'FR', 970_000_001, 1_000_000_000, 970_000_000],
  ])(
    'computeGross finds the amount to pay for the wanted received amount: %s',
    (_, currency, country, wanted, gross, arrives) => {
      const asked = {
        destination: getDestination(country),
        coupon: null,
        subscription: EMPTY_SUBSCRIPTION,
        now,
      }
      const found = computeGross(money(wanted, asked.destination.currency), currency, asked)
      expect(found).toEqual(money(gross, currency))
      expect(quoteTransfer({ ...asked, gross: found }).converted.minor).toBe(arrives)
    },
  )
})
