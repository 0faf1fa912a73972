import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getLocale } from '../common/language.ts'
import { err, ok } from '../common/result.ts'
import {
  type Currency,
  divideHalfUp,
  formatMoney,
  formatMoneyShort,
  formatMoneyWithCode,
  formatWithoutCurrency,
  fromMajor,
  getDecimals,
  money,
  parseAmount,
  toMajor,
} from './money.ts'

const missing = err({ kind: 'amountRequired' })

test.each([
  ['EUR', 2],
  ['CAD', 2],
  ['GNF', 0],
] as const)('the currency %s has %i decimals', (currency, decimals) => {
  expect(getDecimals(currency)).toBe(decimals)
})

test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  'rejects an amount of %d minor units',
  (minor) => {
    expect(() => money(minor, 'EUR')).toThrow(RangeError)
  },
)

describe('major units @spec-major-units', () => {
  test.each([
    [9700, 'EUR', 97],
    [1667, 'CAD', 16.67],
    [1, 'EUR', 0.01],
    [1_028_200, 'GNF', 1_028_200],
  ] as const)('converts %i minor units of %s to %d major units and back', (minor, currency, major) => {
    expect(toMajor(money(minor, currency))).toBe(major)
    expect(fromMajor(major, currency)).toEqual({ minor, currency })
  })

  test('major units round-trip exactly for every cent from 0.00 to 1000.00', () => {
    for (let cents = 0; cents <= 100_000; cents++) {
      const { minor } = fromMajor(toMajor(money(cents, 'EUR')), 'EUR')
      // One assertion per cent would take longer than the calculations.
      if (minor !== cents) expect.fail(`${cents} cents became ${minor}`)
    }
  })

  test('major units round-trip exactly even if multiplying them by 100 is inexact', () => {
    expect(1.15 * 100).not.toBe(115)
    expect(fromMajor(1.15, 'EUR').minor).toBe(115)
  })

  test.each([Number.NaN, Number.NEGATIVE_INFINITY, 1e300])('rejects an amount of %d major units', (major) => {
    expect(() => fromMajor(major, 'EUR')).toThrow(RangeError)
  })
})

test('divideHalfUp rounds like exact integer arithmetic @spec-rounding', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 52 - 1 }), fc.integer({ min: 1, max: 2 ** 40 }), (n, d) => {
      fc.pre(2 * n + d <= Number.MAX_SAFE_INTEGER)
      expect(BigInt(divideHalfUp(n, d))).toBe((2n * BigInt(n) + BigInt(d)) / (2n * BigInt(d)))
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
    ['50,00\u00a0€', 5_000],
    ['€50.00', 5_000],
    ['EUR 50', 5_000],
    ['50 euros', 5_000],
    ['50 € EUR', 5_000],
    ['EUR€50', 5_000],
    ['1\u202f234,56\u00a0€', 123_456],
    ['1,234.56', 123_456],
    ['1.234,56', 123_456],
    ['1’234.56', 123_456],
    ['1.234.567', 123_456_700],
    ['\u200e50,00\u200f', 5_000],
    ['\u202a5\u200b0\u00ad,0\u20600\ufeff', 5_000],
    ['\t50\r\n', 5_000],
    ['1\u2009234', 123_400],
    ['١٠٫٥٠', 1_050],
    ['१,२३४.५६', 123_456],
    ['１，２３４．５６', 123_456],
  ])('parses the amount %j as %i cents', (text, minor) => {
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
    '1,000,50',
    '1,00,000.50',
    '1..5',
    '10 50',
    '1  000',
    'NaN',
    'Infinity',
    '0x10',
    'abc',
    '5€50',
    '50 $',
    'CA$50',
    '50 GNF',
    '€',
    '−50',
    '99999999999999999',
  ])('refuses the amount %j', (text) => {
    expect(parseAmount(text, 'EUR')).toEqual(missing)
  })

  test.each([
    ['1028200', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['1 028 200', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['1 028 200 francs guinéens', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['GF 1 028 200', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['10,5', missing],
    ['GNF\u00a01,028,200', ok({ minor: 1_028_200, currency: 'GNF' })],
    ['1.028 FG', ok({ minor: 1_028, currency: 'GNF' })],
    ['1,028 FG', ok({ minor: 1_028, currency: 'GNF' })],
  ])('parses the amount %j in francs, which have no decimals: %j', (text, result) => {
    expect(parseAmount(text, 'GNF')).toEqual(result)
  })

  test('parsing an amount refuses a sign or a foreign letter without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const result = parseAmount(text, 'CAD')
        if (/[\p{L}+-]/u.test(text.replace(/[CAD]/giu, ''))) expect(result).toEqual(missing)
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
  ] as const)('formats %i units of %s as %j in French, %j in English', (minor, currency, french, english) => {
    expect(formatMoney(money(minor, currency), 'fr')).toBe(french)
    expect(formatMoney(money(minor, currency), 'en')).toBe(english)
  })

  test.each([
    [1_000, 'EUR', '10\u00a0€', '€10'],
    [1_667, 'CAD', '16,67\u00a0$CA', 'CA$16.67'],
    [1_050, 'EUR', '10,50\u00a0€', '€10.50'],
  ] as const)(
    'formats %i units of %s as %j and %j without needless decimals',
    (minor, currency, french, english) => {
      expect(formatMoneyShort(money(minor, currency), 'fr')).toBe(french)
      expect(formatMoneyShort(money(minor, currency), 'en')).toBe(english)
    },
  )

  test('formats every amount as Intl.NumberFormat does', () => {
    const short = { trailingZeroDisplay: 'stripIfInteger' } as const
    const whole = fc.integer({ min: -1e8, max: 1e8 }).map((major) => major * 100)
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -1e12, max: 1e12 }), whole),
        fc.constantFrom<Currency>('EUR', 'CAD', 'GNF'),
        fc.constantFrom('fr', 'en'),
        (minor, currency, language) => {
          const amount = money(minor, currency)
          const decimals = getDecimals(currency)
          const format = (options: Intl.NumberFormatOptions) =>
            new Intl.NumberFormat(getLocale(language), {
              ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
              ...options,
            }).format(toMajor(amount))
          const style = { style: 'currency', currency } as const
          expect(formatMoney(amount, language)).toBe(format(style))
          expect(formatMoneyShort(amount, language)).toBe(format({ ...style, ...short }))
          expect(formatMoneyWithCode(amount, language)).toBe(
            format({ ...style, ...short, currencyDisplay: 'code' }),
          )
          expect(formatWithoutCurrency(amount, language)).toBe(format({}))
        },
      ),
    )
  })

  test('parsing a formatted amount returns it, from 10.00 to 500.00', () => {
    for (let cents = 1_000; cents <= 50_000; cents++) {
      const amount = money(cents, 'EUR')
      for (const language of ['fr', 'en'] as const) {
        const parsed = parseAmount(formatMoney(amount, language), 'EUR')
        if (!parsed.ok || parsed.value.minor !== cents || parsed.value.currency !== 'EUR')
          expect(parsed, language).toEqual(ok(amount))
      }
    }
  })

  test('parsing a formatted amount returns it in every currency and language', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2 ** 40 }),
        fc.constantFrom<Currency>('EUR', 'CAD', 'GNF'),
        fc.constantFrom('fr', 'en'),
        (minor, currency, language) => {
          const written = formatMoney(money(minor, currency), language)
          expect(parseAmount(written, currency)).toEqual(ok({ minor, currency }))
        },
      ),
    )
  })
})

test.each<[number, Currency, string, string]>([
  [1_028_200, 'GNF', '1\u202f028\u202f200', '1,028,200'],
  [9_700, 'EUR', '97,00', '97.00'],
  [83_333, 'CAD', '833,33', '833.33'],
])('formats %i units of %s as %j and %j without the currency', (minor, currency, french, english) => {
  expect(formatWithoutCurrency(money(minor, currency), 'fr')).toBe(french)
  expect(formatWithoutCurrency(money(minor, currency), 'en')).toBe(english)
})
