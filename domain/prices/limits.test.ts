import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { type Currency, money, type SourceCurrency } from '../money/money.ts'
import {
  addSentAmount,
  checkInvoiceAmount,
  checkMonthlyCap,
  checkTransferAmount,
  getTransferLimits,
  MONTHLY_CAP_EUR_CENTS,
  type SentAmount,
  toEurCents,
  VELOCITY_LIMIT_EUR_CENTS,
  VELOCITY_PERIOD,
} from './limits.ts'

const now = Date.UTC(2026, 10, 20)

test.each([
  ['EUR', 1_000, 50_000],
  ['CAD', 1_667, 83_333],
] as const)(
  'the limits of a transfer in %s are those of the specification @spec-limits',
  (currency, min, max) => {
    expect(getTransferLimits(currency)).toEqual({
      min: { minor: min, currency },
      max: { minor: max, currency },
    })
  },
)

describe('checkTransferAmount @spec-amount-limits', () => {
  test.each([
    [999, 'EUR', 'amountTooLow', 1_000],
    [0, 'EUR', 'amountTooLow', 1_000],
    [-1, 'EUR', 'amountTooLow', 1_000],
    [50_001, 'EUR', 'amountTooHigh', 50_000],
    [1_666, 'CAD', 'amountTooLow', 1_667],
    [83_334, 'CAD', 'amountTooHigh', 83_333],
  ] as const)('refuses a transfer of %i minor units of %s: %s', (minor, currency, kind, limit) => {
    expect(checkTransferAmount(money(minor, currency))).toEqual(
      err({ kind, limit: { minor: limit, currency } }),
    )
  })

  test.each([
    [1_000, 'EUR'],
    [50_000, 'EUR'],
    [1_667, 'CAD'],
    [83_333, 'CAD'],
  ] as const)('accepts a transfer of %i minor units of %s', (minor, currency) => {
    expect(checkTransferAmount(money(minor, currency))).toEqual(ok({ minor, currency }))
  })

  test('accepts exactly the transfers worth 10 to 500 EUR', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.constantFrom<SourceCurrency>('EUR', 'CAD'),
        (minor, currency) => {
          const tenthsOfCents = BigInt(minor) * (currency === 'CAD' ? 6n : 10n)
          expect(checkTransferAmount(money(minor, currency)).ok).toBe(
            tenthsOfCents >= 10_000n && tenthsOfCents <= 500_000n,
          )
        },
      ),
    )
  })
})

test.each([
  [10_000, 'EUR', 10_000],
  [10_000, 'CAD', 6_000],
  [1_667, 'CAD', 1_000],
  [83_333, 'CAD', 50_000],
] as const)('counts %i units of %s as %i EUR cents toward the cap', (minor, currency, cents) => {
  expect(toEurCents(money(minor, currency))).toBe(cents)
})

describe('checkMonthlyCap @spec-cap', () => {
  const resetsAt = Date.UTC(2026, 11, 1)

  test.each([
    [0, 50_000, 'EUR', ok(50_000)],
    [50_000, 50_000, 'EUR', ok(100_000)],
    [50_001, 50_000, 'EUR', err({ kind: 'monthlyCapExceeded', leftCents: 49_999, resetsAt })],
    [100_000, 1_000, 'EUR', err({ kind: 'monthlyCapExceeded', leftCents: 0, resetsAt })],
    [100_500, 1_000, 'EUR', err({ kind: 'monthlyCapExceeded', leftCents: 0, resetsAt })],
    [50_000, 83_333, 'CAD', ok(100_000)],
    [50_001, 83_333, 'CAD', err({ kind: 'monthlyCapExceeded', leftCents: 49_999, resetsAt })],
  ] as const)('the cap with %i cents used and %i of %s returns %j', (used, minor, currency, result) => {
    expect(checkMonthlyCap(used, money(minor, currency), now)).toEqual(result)
  })

  test('the monthly cap resets at the end of the UTC month', () => {
    expect(checkMonthlyCap(MONTHLY_CAP_EUR_CENTS, money(1_000, 'EUR'), resetsAt - 1)).toEqual(
      err({ kind: 'monthlyCapExceeded', leftCents: 0, resetsAt }),
    )
  })

  test('no sequence of transfers exceeds the monthly cap', () => {
    const amounts = fc.array(
      fc.tuple(fc.integer({ min: 1_667, max: 50_000 }), fc.constantFrom<SourceCurrency>('EUR', 'CAD')),
    )
    fc.assert(
      fc.property(amounts, (sent) => {
        let used = 0
        for (const [minor, currency] of sent) {
          const result = checkMonthlyCap(used, money(minor, currency), now)
          if (result.ok) used = result.value
          expect(used).toBeLessThanOrEqual(MONTHLY_CAP_EUR_CENTS)
        }
      }),
    )
  })
})

test.each<[Currency, least: number, most: number]>([
  ['EUR', 50, 100_000],
  ['CAD', 50, 166_666],
  ['GNF', 10_000, 10_600_000],
])('accepts an invoice in %s from %i to %i minor units @spec-charge-limits', (currency, least, most) => {
  for (const taken of [least, most])
    expect(checkInvoiceAmount(money(taken, currency))).toEqual(ok(money(taken, currency)))
  for (const little of [least - 1, 0])
    expect(checkInvoiceAmount(money(little, currency))).toEqual(err({ kind: 'minimumPayment' }))
  expect(checkInvoiceAmount(money(most + 1, currency))).toEqual(err({ kind: 'maximumPayment' }))
})

describe('addSentAmount @spec-velocity', () => {
  const sent = (...cents: readonly number[]): readonly SentAmount[] =>
    cents.map((one) => ({ at: now, cents: one }))
  const most = VELOCITY_LIMIT_EUR_CENTS

  test('the velocity limit requires a review above 1,500 EUR a day', () => {
    expect(most).toBe(150_000)
    expect(addSentAmount(sent(50_000, 50_000), { at: now, cents: 50_000 })).toEqual({
      sent: sent(50_000, 50_000, 50_000),
      isTooMuch: false,
    })
    expect(addSentAmount(sent(50_000, 50_000), { at: now, cents: 50_001 }).isTooMuch).toBe(true)
  })

  test('a transfer counts toward the velocity limit for one day', () => {
    const next = { at: now + VELOCITY_PERIOD, cents: 1_000 }
    expect(addSentAmount(sent(most), { ...next, at: next.at - 1 }).isTooMuch).toBe(true)
    expect(addSentAmount(sent(most), next)).toEqual({ sent: [next], isTooMuch: false })
  })

  test('the velocity limit stores only the amounts that can reach it', () => {
    let all: readonly SentAmount[] = []
    for (let n = 1; n <= 150; n += 1) {
      const after = addSentAmount(all, { at: now + n, cents: 1_000 })
      expect(after.isTooMuch).toBe(false)
      all = after.sent
    }
    for (let n = 0; n < 3; n += 1) {
      const after = addSentAmount(all, { at: now + 151, cents: 1_000 })
      expect([after.isTooMuch, after.sent.length]).toEqual([true, 150])
      all = after.sent
    }
  })
})
