import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkEmail } from '../account/email.ts'
import { checkPassword } from '../account/password.ts'
import { checkInvoiceLookup } from '../invoices/invoice.ts'
import { cleanAmount } from '../money/cleanAmount.ts'
import { type Currency, formatMoney, money, parseAmount } from '../money/money.ts'
import { checkPhone, parsePhone } from '../numbers/phone.ts'
import { checkSmsCode } from '../numbers/smsCode.ts'
import { checkName } from '../people/name.ts'
import { isSameCoupon } from '../prices/coupon.ts'
import { cleanCode, cleanName } from './clean.ts'
import { ok } from './result.ts'

const between = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))

const UNSEEN = [
  ...between(0x200b, 0x200f),
  ...between(0x202a, 0x202e),
  ...between(0x2060, 0x2069),
  '\u00ad',
  '\u061c',
  '\u2800',
  '\ufeff',
  '\ufffc',
]
const SPACES = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '\u1680',
  ...between(0x2000, 0x200a),
  '\u2028',
  '\u202f',
  '\u3000',
]
const DASHES = ['-', ...between(0x2010, 0x2015), '\u2212', '\ufe63', '\uff0d']

const ZEROS = ['0', '٠', '۰', '०', '০', '๐', '０', '𝟎', '𝟶', '𞥐']

const arbitrary = (values: readonly string[]) => fc.constantFrom(...values)

/** In digits of any script, full-width or not, with some of `between` around the characters. */
const pasted = (text: string, between: readonly string[]) =>
  fc
    .tuple(arbitrary(ZEROS), fc.boolean(), ...[...text, ''].map(() => arbitrary(['', ...between])))
    .map(([zero, isWide, ...marks]) =>
      [...text]
        .map((sign, at) => {
          const code = sign.charCodeAt(0)
          const written = /\d/.test(sign)
            ? String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(sign))
            : isWide && code > 0x20 && code < 0x7f
              ? String.fromCodePoint(code + 0xfee0)
              : sign
          return (marks[at] ?? '') + written
        })
        .concat(marks.at(-1) ?? '')
        .join(''),
    )

describe('a pasted code, number, coupon, reference or email address @spec-pasted', () => {
  const anyCode = fc.stringMatching(/^[!-~]{1,30}$/)

  test('cleaning a pasted text removes added marks and converts characters to ASCII', () => {
    const paste = anyCode.chain((text) => fc.tuple(fc.constant(text), pasted(text, [...UNSEEN, ...SPACES])))
    fc.assert(
      fc.property(paste, ([text, paste]) => {
        expect(cleanCode(paste)).toBe(text)
      }),
    )
  })

  test.each(DASHES)('cleaning a pasted text replaces %j with an ASCII hyphen', (dash) => {
    expect(cleanCode(`A${dash}1`)).toBe('A-1')
  })

  test('cleaning a pasted text converts the East Asian full stop', () => {
    expect(checkEmail('awa＠example。com')).toEqual(ok('awa@example.com'))
    expect(parseAmount('５０｡２５', 'EUR')).toEqual(ok(money(5025, 'EUR')))
  })

  test('cleaning a code twice is the same as cleaning it once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanCode(cleanCode(text))).toBe(cleanCode(text))
      }),
    )
  })

  test('a pasted address, coupon, number or code equals the typed one', () => {
    const paste = (text: string) => pasted(text, [...UNSEEN, ...SPACES])
    fc.assert(
      fc.property(
        paste('awa.bah+2@example.com'),
        paste('ZERO'),
        paste('+33612345678'),
        paste('0612345678'),
        paste('123456'),
        paste('EDG-2026-0417'),
        (email, coupon, phone, national, code, reference) => {
          expect(checkEmail(email)).toEqual(ok('awa.bah+2@example.com'))
          expect(isSameCoupon(coupon, 'ZERO')).toBe(true)
          expect(checkPhone(phone)).toEqual(ok('+33612345678'))
          expect(parsePhone(national)).toBe('+33612345678')
          expect(checkSmsCode(code)).toEqual(ok('123456'))
          expect(checkInvoiceLookup({ supplier: 'edg', reference })).toEqual(
            ok({ supplier: 'edg', reference: 'EDG-2026-0417' }),
          )
        },
      ),
    )
  })
})

describe('a pasted amount @spec-pasted', () => {
  test('parses a formatted amount with any pasted marks, digits and full-width forms', () => {
    const written = fc
      .record({
        minor: fc.nat({ max: 2 ** 40 }),
        currency: fc.constantFrom<Currency>('EUR', 'CAD', 'GNF'),
        language: fc.constantFrom('fr', 'en'),
      })
      .chain(({ minor, currency, language }) =>
        fc.record({
          amount: fc.constant(money(minor, currency)),
          paste: pasted(formatMoney(money(minor, currency), language), UNSEEN),
        }),
      )
    fc.assert(
      fc.property(written, ({ amount, paste }) => {
        expect(parseAmount(paste, amount.currency)).toEqual(ok(amount))
      }),
    )
  })

  test.each([
    ['CA$50', '50'],
    ['50 $CA', '50'],
    ['50 $ CAD', '50'],
    ['C$ 50', '50'],
    ['50$', '50'],
    ['cad 50', '50'],
    ['CAD$50', '50'],
    ['CDN$ 50', '50'],
    ['50 dollars canadiens', '50'],
    ['US$50', 'US$50'],
    ['50 €', '50 €'],
  ])('cleaning Canadian dollars removes the signs of that currency only: %j', (text, amount) => {
    expect(cleanAmount(text, 'CAD')).toBe(amount)
  })
})

describe('a pasted name @spec-pasted', () => {
  test.each([
    ['\u202aAwa\u202c \u2067Bah\u2069', 'Awa Bah'],
    [' Awa\u0000Bah\t', 'Awa Bah'],
    // Joiners, digits and full-width letters are part of the name.
    [
      '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    ],
    ['Ａｗａ ２', 'Ａｗａ ２'],
  ])('a pasted name loses only control and direction marks: %j', (text, name) => {
    expect(cleanName(text)).toBe(name)
    expect(checkName(text)).toEqual(ok(name))
  })
})

test('checking a password does not clean it @spec-pasted', () => {
  const password = ' \u200bp\u202aａ١ss '
  expect(checkPassword(password)).toEqual(ok(password))
})
