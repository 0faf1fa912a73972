import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAmount, checkCap, checkCharge, eurCents, limitsIn, MONTHLY_CAP_EUR_CENTS } from './limits.ts'
import { type Currency, money, type SourceCurrency } from './money.ts'
import { err, ok } from './result.ts'

const now = Date.UTC(2026, 10, 20)

test.each([
  ['EUR', 1_000, 50_000],
  ['CAD', 1_667, 83_333],
] as const)('the limits in %s @spec-limits', (currency, min, max) => {
  expect(limitsIn(currency)).toEqual({ min: { minor: min, currency }, max: { minor: max, currency } })
})

test.each([
  [999, 'EUR', 'amountTooLow', 1_000],
  [0, 'EUR', 'amountTooLow', 1_000],
  [-1, 'EUR', 'amountTooLow', 1_000],
  [50_001, 'EUR', 'amountTooHigh', 50_000],
  [1_666, 'CAD', 'amountTooLow', 1_667],
  [83_334, 'CAD', 'amountTooHigh', 83_333],
] as const)('%i %s is %s', (minor, currency, kind, limit) => {
  expect(checkAmount(money(minor, currency))).toEqual(err({ kind, limit: { minor: limit, currency } }))
})

test.each([
  [1_000, 'EUR'],
  [50_000, 'EUR'],
  [1_667, 'CAD'],
  [83_333, 'CAD'],
] as const)('%i %s is accepted', (minor, currency) => {
  expect(checkAmount(money(minor, currency))).toEqual(ok({ minor, currency }))
})

test('an amount is accepted when its exact value in EUR is from 10 to 500 @spec-amount-limits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.constantFrom<SourceCurrency>('EUR', 'CAD'),
      (minor, currency) => {
        const tenthsOfCents = BigInt(minor) * (currency === 'CAD' ? 6n : 10n)
        expect(checkAmount(money(minor, currency)).ok).toBe(
          tenthsOfCents >= 10_000n && tenthsOfCents <= 500_000n,
        )
      },
    ),
  )
})

test.each([
  [10_000, 'EUR', 10_000],
  [10_000, 'CAD', 6_000],
  [1_667, 'CAD', 1_000],
  [83_333, 'CAD', 50_000],
] as const)('%i %s counts as %i EUR cents', (minor, currency, cents) => {
  expect(eurCents(money(minor, currency))).toBe(cents)
})

describe('the monthly cap', () => {
  const resetsAt = Date.UTC(2026, 11, 1)

  test.each([
    [0, 50_000, 'EUR', ok(50_000)],
    [50_000, 50_000, 'EUR', ok(100_000)],
    [50_001, 50_000, 'EUR', err({ kind: 'monthlyCapExceeded', leftCents: 49_999, resetsAt })],
    [100_000, 1_000, 'EUR', err({ kind: 'monthlyCapExceeded', leftCents: 0, resetsAt })],
    [100_500, 1_000, 'EUR', err({ kind: 'monthlyCapExceeded', leftCents: 0, resetsAt })],
    [50_000, 83_333, 'CAD', ok(100_000)],
    [50_001, 83_333, 'CAD', err({ kind: 'monthlyCapExceeded', leftCents: 49_999, resetsAt })],
  ] as const)('with %i cents used, %i %s', (used, minor, currency, result) => {
    expect(checkCap(used, money(minor, currency), now)).toEqual(result)
  })

  test('starts anew at the end of the UTC month, from its last millisecond too', () => {
    expect(checkCap(MONTHLY_CAP_EUR_CENTS, money(1_000, 'EUR'), resetsAt - 1)).toEqual(
      err({ kind: 'monthlyCapExceeded', leftCents: 0, resetsAt }),
    )
  })

  test('is never exceeded, whatever is sent in whatever order @spec-cap', () => {
    const amounts = fc.array(
      fc.tuple(fc.integer({ min: 1_667, max: 50_000 }), fc.constantFrom<SourceCurrency>('EUR', 'CAD')),
    )
    fc.assert(
      fc.property(amounts, (sent) => {
        let used = 0
        for (const [minor, currency] of sent) {
          const result = checkCap(used, money(minor, currency), now)
          if (result.ok) used = result.value
          expect(used).toBeLessThanOrEqual(MONTHLY_CAP_EUR_CENTS)
        }
      }),
    )
  })
})

test.each<[Currency, least: number]>([
  ['EUR', 50],
  ['CAD', 50],
  ['GNF', 10_000],
])('one charge in %s is of %i to 99 999 999 minor units @spec-charge-limits', (currency, least) => {
  for (const taken of [least, 99_999_999])
    expect(checkCharge(money(taken, currency))).toEqual(ok(money(taken, currency)))
  for (const little of [least - 1, 0])
    expect(checkCharge(money(little, currency))).toEqual(err({ kind: 'minimumPayment' }))
  expect(checkCharge(money(100_000_000, currency))).toEqual(err({ kind: 'maximumPayment' }))
})
