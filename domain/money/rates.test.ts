import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Currency, money, type SourceCurrency } from './money.ts'
import { convertMoney, formatRate, getRate, toDecimalRate } from './rates.ts'

const RATES: readonly (readonly [SourceCurrency, Currency, number])[] = [
  ['EUR', 'EUR', 1],
  ['EUR', 'CAD', 1.62],
  ['EUR', 'GNF', 10_600],
  ['CAD', 'EUR', 0.6],
  ['CAD', 'CAD', 1],
  ['CAD', 'GNF', 6_403],
]

test.each(RATES)('the rate from %s to %s is %d @spec-rates', (from, to, rate) => {
  expect(toDecimalRate(getRate(from, to))).toBe(rate)
})

describe('convertMoney', () => {
  test.each([
    [9_700, 'EUR', 'GNF', 1_028_200],
    [9_700, 'EUR', 'CAD', 15_714],
    [9_700, 'CAD', 'EUR', 5_820],
    [9_700, 'CAD', 'GNF', 621_091],
    [9_700, 'EUR', 'EUR', 9_700],
    // 0.25 EUR x 1.62 = 0.405 CAD, 0.50 CAD x 6403 = 3201.5 GNF: a half goes up
    [25, 'EUR', 'CAD', 41],
    [50, 'CAD', 'GNF', 3_202],
    // 0.01 CAD x 0.6 = 0.006 EUR
    [1, 'CAD', 'EUR', 1],
    [2, 'CAD', 'EUR', 1],
  ] as const)('converts %i minor units of %s to minor units of %s: %i', (minor, from, to, converted) => {
    expect(convertMoney(money(minor, from), to)).toEqual({ minor: converted, currency: to })
  })

  test('converts amounts up to 833.33 rounded half up, never less for more', () => {
    // Minor units of `to` for one minor unit of `from`, in ten-thousandths.
    const exact: readonly (readonly [SourceCurrency, Currency, bigint])[] = [
      ['EUR', 'CAD', 16_200n],
      ['EUR', 'GNF', 1_060_000n],
      ['CAD', 'EUR', 6_000n],
      ['CAD', 'GNF', 640_300n],
      ['EUR', 'EUR', 10_000n],
      ['CAD', 'CAD', 10_000n],
    ]
    for (const [from, to, rate] of exact) {
      let previous = 0
      for (let cents = 0; cents <= 83_333; cents++) {
        const { minor } = convertMoney(money(cents, from), to)
        if (BigInt(minor) !== (BigInt(cents) * rate + 5_000n) / 10_000n)
          expect.fail(`${cents} ${from} to ${to}`)
        if (minor < previous) expect.fail(`less for more: ${cents} ${from} to ${to}`)
        previous = minor
      }
    }
  })

  test('converts large amounts exactly', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 9 }), (cents) => {
        expect(BigInt(convertMoney(money(cents, 'CAD'), 'GNF').minor)).toBe(
          (BigInt(cents) * 6_403n + 50n) / 100n,
        )
      }),
    )
  })
})

test.each([
  ['EUR', 'GNF', '1\u00a0EUR = 10\u202f600\u00a0GNF', 'EUR\u00a01 = GNF\u00a010,600'],
  ['EUR', 'CAD', '1\u00a0EUR = 1,62\u00a0CAD', 'EUR\u00a01 = CAD\u00a01.62'],
  ['CAD', 'EUR', '1\u00a0CAD = 0,60\u00a0EUR', 'CAD\u00a01 = EUR\u00a00.60'],
] as const)('formats the rate of %s to %s as %j and %j', (from, to, french, english) => {
  expect(formatRate(getRate(from, to), 'fr')).toBe(french)
  expect(formatRate(getRate(from, to), 'en')).toBe(english)
})
