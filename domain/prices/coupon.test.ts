import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { checkCoupon, isZeroCoupon } from './coupon.ts'

describe('checkCoupon @spec-coupon-form', () => {
  test.each([
    ['', null],
    ['   ', null],
    ['ZERO', 'ZERO'],
    [' zero ', 'zero'],
    ['ZÉRO', 'ZÉRO'],
    ['ZE\u0301RO', 'ZÉRO'],
    ['AB', 'AB'],
    ['a_b-2', 'a_b-2'],
    ['ZE\u200bRO', 'ZERO'],
    ['\u202eZERO\u202c', 'ZERO'],
    ['ZE\u00adRO\ufeff', 'ZERO'],
    ['ZE RO\n', 'ZERO'],
    ['ＺＥＲＯ', 'ZERO'],
    ['ETE٢٦', 'ETE26'],
    ['ETE‑26', 'ETE-26'],
    ['\u200e', null],
    ['x'.repeat(32), 'x'.repeat(32)],
    ['e\u0301'.repeat(32), 'é'.repeat(32)],
  ])('accepts the coupon %j', (text, coupon) => {
    expect(checkCoupon(text)).toEqual(ok(coupon))
  })

  test.each(['A', 'é', 'x'.repeat(33), 'A.B', 'A/B', '10%', 'ZERO!', '<b>', '😀😀'])(
    'refuses the coupon %j',
    (text) => {
      expect(checkCoupon(text)).toEqual(err({ kind: 'couponInvalid' }))
    },
  )
})

describe('isZeroCoupon', () => {
  test.each([
    'ZERO',
    'zero',
    'Zero',
    'ZÉRO',
    'zéro',
    'ze\u0301ro',
    'ZE\u0301RO',
    'ZÈRO',
    'Zêrô',
    ' ZERO ',
    'ZE\u200bRO',
  ])('waives the fee for the coupon %j', (coupon) => {
    expect(isZeroCoupon(coupon)).toBe(true)
  })

  test.each([null, '', 'ZER0', 'ZEROS', 'XZERO', 'ZE-RO', 'ORÉZ', 'ØZERO'])(
    'does not waive the fee for the coupon %j',
    (coupon) => {
      expect(isZeroCoupon(coupon)).toBe(false)
    },
  )

  test('waives the fee for ZERO in any case, accents and encoding @spec-coupon-zero', () => {
    const letter = (base: string) =>
      fc
        .tuple(
          fc.constantFrom(base, base.toLowerCase()),
          fc.constantFrom('', '\u0301', '\u0300', '\u0302', '\u0308'),
        )
        .map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.tuple(letter('Z'), letter('E'), letter('R'), letter('O')).map((letters) => letters.join('')),
        fc.constantFrom('NFC', 'NFD'),
        (coupon, form) => {
          expect(isZeroCoupon(coupon.normalize(form))).toBe(true)
        },
      ),
    )
  })
})
