import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Currency,
  decimalsOf,
  formatFigure,
  formatMoney,
  formatMoneyShort,
  fromMajor,
  halfUp,
  money,
  parseAmount,
  toMajor,
} from './money.ts'
import { err, ok } from './result.ts'

const missing = err({ kind: 'amountRequired' })

test.each([
  ['EUR', 2],
  ['CAD', 2],
  ['GNF', 0],
] as const)('%s has %i decimals', (currency, decimals) => {
  expect(decimalsOf(currency)).toBe(decimals)
})

test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d is no amount in minor units', (minor) => {
  expect(() => money(minor, 'EUR')).toThrow(RangeError)
})

describe('major units @spec-major-units', () => {
  test.each([
    [9700, 'EUR', 97],
    [1667, 'CAD', 16.67],
    [1, 'EUR', 0.01],
    [1_028_200, 'GNF', 1_028_200],
  ] as const)('%i %s is stored as %d', (minor, currency, major) => {
    expect(toMajor(money(minor, currency))).toBe(major)
    expect(fromMajor(major, currency)).toEqual({ minor, currency })
  })

  test('are exact for every cent from 0.00 to 1000.00', () => {
    for (let cents = 0; cents <= 100_000; cents++) {
      expect(fromMajor(toMajor(money(cents, 'EUR')), 'EUR').minor).toBe(cents)
    }
  })

  test('are exact even where a hundred times the decimal is not', () => {
    expect(1.15 * 100).not.toBe(115)
    expect(fromMajor(1.15, 'EUR').minor).toBe(115)
  })

  test.each([Number.NaN, Number.NEGATIVE_INFINITY, 1e300])('%d is no amount', (major) => {
    expect(() => fromMajor(major, 'EUR')).toThrow(RangeError)
  })
})

test('halfUp agrees with whole-number arithmetic of any size @spec-rounding', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 52 - 1 }), fc.integer({ min: 1, max: 2 ** 40 }), (n, d) => {
      fc.pre(2 * n + d <= Number.MAX_SAFE_INTEGER)
      expect(BigInt(halfUp(n, d))).toBe((2n * BigInt(n) + BigInt(d)) / (2n * BigInt(d)))
    }),
  )
})

describe('parseAmount @spec-amount-form', () => {
  test.each([
    ['100', 10_000],
    ['100.5', 10_050],
    ['100,50', 10_050],
    ['100,', 10_000],
    ['.5', 50],
    ['0', 0],
    ['007', 700],
    ['  12,34 ', 1_234],
    ['1 028,50', 102_850],
    ['1\u00a0028,50', 102_850],
    ['1\u202f028\u202f200', 102_820_000],
  ])('reads %j', (text, minor) => {
    expect(parseAmount(text, 'EUR')).toEqual(ok({ minor, currency: 'EUR' }))
  })

  test.each([
    '',
    ' ',
    '.',
    ',',
    '-1',
    '+1',
    '1e2',
    '1E2',
    '1e',
    'e',
    '-',
    '1.234',
    '1,000',
    '1.000,50',
    '1,000.50',
    '1..5',
    '10 50',
    '1  000',
    'NaN',
    'Infinity',
    '0x10',
    'abc',
    '10 €',
    '١٠',
    '99999999999999999',
  ])('refuses %j', (text) => {
    expect(parseAmount(text, 'EUR')).toEqual(missing)
  })

  test.each([
    ['1028200', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['1 028 200', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['10,5', missing],
  ])('reads francs without decimals: %j', (text, result) => {
    expect(parseAmount(text, 'GNF')).toEqual(result)
  })

  test('never throws, and reads nothing that has a letter or a sign', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const result = parseAmount(text, 'CAD')
        if (/[\p{L}+-]/u.test(text)) expect(result).toEqual(missing)
      }),
    )
  })
})

describe('formatMoney', () => {
  test.each([
    [10_000, 'EUR', '100,00\u00a0€', '€100.00'],
    [123_456, 'EUR', '1\u202f234,56\u00a0€', '€1,234.56'],
    [1_667, 'CAD', '16,67\u00a0$CA', 'CA$16.67'],
    [1_028_200, 'GNF', '1\u202f028\u202f200\u00a0GNF', 'GNF\u00a01,028,200'],
    [0, 'EUR', '0,00\u00a0€', '€0.00'],
  ] as const)('writes %i %s', (minor, currency, french, english) => {
    expect(formatMoney(money(minor, currency), 'fr')).toBe(french)
    expect(formatMoney(money(minor, currency), 'en')).toBe(english)
  })

  test.each([
    [1_000, 'EUR', '10\u00a0€', '€10'],
    [1_667, 'CAD', '16,67\u00a0$CA', 'CA$16.67'],
    [1_050, 'EUR', '10,50\u00a0€', '€10.50'],
  ] as const)('writes %i %s short', (minor, currency, french, english) => {
    expect(formatMoneyShort(money(minor, currency), 'fr')).toBe(french)
    expect(formatMoneyShort(money(minor, currency), 'en')).toBe(english)
  })

  test('is read back as the same amount, for every cent from 10.00 to 500.00', () => {
    for (let cents = 1_000; cents <= 50_000; cents++) {
      const amount = money(cents, 'EUR')
      expect(parseAmount(formatMoney(amount, 'fr').replace('€', ''), 'EUR')).toEqual(ok(amount))
      expect(parseAmount(formatMoney(amount, 'en').replace('€', ''), 'EUR')).toEqual(ok(amount))
    }
  })

  test('in French is read back as the same amount, whatever the size and currency', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2 ** 40 }),
        fc.constantFrom<Currency>('EUR', 'CAD', 'GNF'),
        (minor, currency) => {
          const digits = formatMoney(money(minor, currency), 'fr').replace(/€|\$CA|GNF/, '')
          expect(parseAmount(digits, currency)).toEqual(ok({ minor, currency }))
        },
      ),
    )
  })
})

test.each<[number, Currency, string, string]>([
  [1_028_200, 'GNF', '1\u202f028\u202f200', '1,028,200'],
  [9_700, 'EUR', '97,00', '97.00'],
  [83_333, 'CAD', '833,33', '833.33'],
])('%i of %s as a figure', (minor, currency, french, english) => {
  expect(formatFigure(money(minor, currency), 'fr')).toBe(french)
  expect(formatFigure(money(minor, currency), 'en')).toBe(english)
})
