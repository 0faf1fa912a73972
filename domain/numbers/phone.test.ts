import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanCode } from '../common/clean.ts'
import { err, ok } from '../common/result.ts'
import type { CountryCode } from './destinations.ts'
import {
  checkPhone,
  checkRecipientPhone,
  formatInternationalPhone,
  groupPhone,
  listPhones,
  maskPhone,
  parsePhone,
  spellPhone,
} from './phone.ts'

const DIGITS: Record<CountryCode, readonly [string, number]> = {
  GN: ['+224', 9],
  FR: ['+33', 9],
  CA: ['+1', 10],
}
const COUNTRIES = ['GN', 'FR', 'CA'] as const

const OVERSEAS = err({ kind: 'overseasFrance' })

const isOverseas = (phone: string) => {
  const checked = checkRecipientPhone(phone)
  return !checked.ok && checked.error.kind === 'overseasFrance'
}

const digits = (constraints: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), ...constraints })
const UNSEEN = ['\u200b', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2069', '\ufeff', '\u00ad']
const spaced = (text: string) =>
  fc
    .array(fc.constantFrom('', ' ', '\u00a0', '\u202f', '\t', '\n', ...UNSEEN), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((spaces) => [...text].map((character, at) => `${spaces[at]}${character}`).join(''))

describe('checkPhone @spec-account-phone', () => {
  const invalid = err({ kind: 'phoneInvalid', example: '+33123456789' })

  test.each([
    ['+33123456789', ok('+33123456789')],
    ['+33 1 23 45 67 89', ok('+33123456789')],
    ['+12345678', ok('+12345678')],
    ['+123456789012345', ok('+123456789012345')],
    ['+1234567', invalid],
    ['+1234567890123456', invalid],
    ['+0123456789', invalid],
    ['33123456789', invalid],
    ['0033123456789', invalid],
    ['+33-123456789', invalid],
    ['+33123456789\n+1', invalid],
    ['++33123456789', invalid],
    ['+٣٣123456789', ok('+33123456789')],
    ['\u202a＋３３ 123\u00ad456\u2060789\u202c', ok('+33123456789')],
    ['', err({ kind: 'phoneRequired' })],
    [' \u00a0', err({ kind: 'phoneRequired' })],
  ])('checking an account’s number %j returns %j', (text, result) => {
    expect(checkPhone(text)).toEqual(result)
  })

  test('accepts numbers of 8 to 15 digits only, with any spaces @spec-phone-digits', () => {
    const number = fc
      .tuple(fc.constantFrom(...'123456789'), digits({ minLength: 0, maxLength: 20 }))
      .map((parts) => `+${parts.join('')}`)
    fc.assert(
      fc.property(
        number.chain((phone) => fc.tuple(fc.constant(phone), spaced(phone))),
        ([phone, text]) => {
          const accepted = phone.length >= 9 && phone.length <= 16
          expect(checkPhone(text)).toEqual(accepted ? ok(phone) : invalid)
        },
      ),
    )
  })
})

describe('parsePhone', () => {
  test.each([
    ['620 00 00 00', 'GN', '+224620000000'],
    ['00224 620 00 00 00', 'GN', '+224620000000'],
    ['224620000000', 'GN', '+224620000000'],
    ['+224-620-00-00-00', 'GN', '+224620000000'],
    ['+224 (620) 00.00.00', 'GN', '+224620000000'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['6 12 34 56 78', 'FR', '+33612345678'],
    ['+33 (0)6 12 34 56 78', 'FR', '+33612345678'],
    ['0033 6.12.34.56.78', 'FR', '+33612345678'],
    ['33612345678', 'FR', '+33612345678'],
    ['(514) 555-0123', 'CA', '+15145550123'],
    ['1 514 555 0123', 'CA', '+15145550123'],
    ['tel:+1-514-555-0123', 'CA', '+15145550123'],
    ['011 33 6 12 34 56 78', 'CA', '+33612345678'],
    // A clear number overrides the selected country; the user can correct the selection.
    ['06 12 34 56 78', 'GN', '+33612345678'],
    ['06 12 34 56 78', 'CA', '+33612345678'],
    ['01 16 00 00 00', 'FR', '+33116000000'],
    ['01 16 00 00 00', 'CA', '+33116000000'],
    ['514-555-0123', 'GN', '+15145550123'],
    ['224 620 00 00 00', 'CA', '+224620000000'],
    // Profile and sign-in have no selected country.
    ['06 12 34 56 78', undefined, '+33612345678'],
    ['(514) 555-0123', undefined, '+15145550123'],
    ['224620000000', undefined, '+224620000000'],
    ['+32 470-12-34-56', undefined, '+32470123456'],
    ['+44 (0)7911 123456', undefined, '+447911123456'],
    ['(+44)(0)7911 123456', undefined, '+447911123456'],
    ['\u2068+33 6–12‑34−56.78\u2069', undefined, '+33612345678'],
    ['٠٦ ١٢ ٣٤ ٥٦ ٧٨', undefined, '+33612345678'],
    ['०६·१२·३४·५६·७८', undefined, '+33612345678'],
    ['（５１４）５５５－０１２３', 'CA', '+15145550123'],
  ] as const)('parses the number %j with country %s as %s', (text, country, phone) => {
    expect(parsePhone(text, country)).toBe(phone)
  })

  test.each([
    // Nine digits are Guinean, or French without the zero.
    ['620 00 00 00', undefined],
    ['0620 00 00', 'GN'],
    ['12', 'CA'],
    ['++33612345678', 'FR'],
    ['+33612345678x', 'FR'],
    ['n° 3', 'GN'],
    ['', 'GN'],
  ] as const)('leaves the ambiguous or invalid number %j with country %s unchanged', (text, country) => {
    expect(parsePhone(text, country)).toBe(cleanCode(text))
    expect(formatInternationalPhone(text, country)).toBe(text)
  })

  test('parses a national format and every way to write the prefix', () => {
    const written = fc.constantFrom(...COUNTRIES).chain((country) => {
      const [prefix, length] = DIGITS[country]
      const first = country === 'CA' ? '23456789' : '123456789'
      const national = fc
        .tuple(fc.constantFrom(...first), digits({ minLength: length - 1, maxLength: length - 1 }))
        .map((parts) => parts.join(''))
      const zero = country === 'FR' ? ['0', `${prefix}0`, '00330'] : []
      const ways = ['', prefix, prefix.slice(1), `00${prefix.slice(1)}`, `011${prefix.slice(1)}`, ...zero]
      return fc.record({
        country: fc.constant(country),
        text: fc.tuple(fc.constantFrom(...ways), national).map((parts) => parts.join('')),
      })
    })
    fc.assert(
      fc.property(written, fc.constantFrom('', ' ', '-', '.', '\u202f'), ({ country, text }, mark) => {
        const [prefix, length] = DIGITS[country]
        const rest = text.slice(-length)
        fc.pre(!isOverseas(prefix + rest))
        const marked = [...text].join(mark).replace(/^\+[-. \u202f]/, '+')
        expect(parsePhone(marked, country)).toBe(prefix + rest)
      }),
    )
  })

  test('parsing a number in international form changes nothing, whatever the country', () => {
    const international = fc
      .tuple(fc.constantFrom(...'123456789'), digits({ minLength: 7, maxLength: 14 }))
      .map((parts) => `+${parts.join('')}`)
      .filter((phone) => !/^\+(?:33|262|59[046])0/.test(phone) && !isOverseas(phone))
    fc.assert(
      fc.property(international, fc.constantFrom(...COUNTRIES, undefined), (phone, country) => {
        expect(parsePhone(phone, country)).toBe(phone)
      }),
    )
  })

  test.each([
    ['0262 12 34 56', '+262 262 12 34 56'],
    ['0263 12 34 56', '+262 263 12 34 56'],
    ['0692 12 34 56', '+262 692 12 34 56'],
    ['06 93 12 34 56', '+262 693 12 34 56'],
    ['0269 12 34 56', '+262 269 12 34 56'],
    ['0639 12 34 56', '+262 639 12 34 56'],
    ['0590 12 34 56', '+590 590 12 34 56'],
    ['0690 12 34 56', '+590 690 12 34 56'],
    ['0691 12 34 56', '+590 691 12 34 56'],
    ['0594 12 34 56', '+594 594 12 34 56'],
    ['0694 12 34 56', '+594 694 12 34 56'],
    ['0596 12 34 56', '+596 596 12 34 56'],
    ['0696 12 34 56', '+596 696 12 34 56'],
    ['0697 12 34 56', '+596 697 12 34 56'],
    ['0709 20 12 34', '+262 709 20 12 34'],
    ['+33 (0)692 12 34 56', '+262 692 12 34 56'],
    ['0033 692 12 34 56', '+262 692 12 34 56'],
    ['33692123456', '+262 692 12 34 56'],
    ['262692123456', '+262 692 12 34 56'],
    ['+262 0692 12 34 56', '+262 692 12 34 56'],
    ['00 262 (0)692 12 34 56', '+262 692 12 34 56'],
    ['+590 (0) 690 12 34 56', '+590 690 12 34 56'],
    // These numbers belong to the mainland.
    ['0695 12 34 56', '+33 6 95 12 34 56'],
    ['0638 12 34 56', '+33 6 38 12 34 56'],
    ['0700 12 34 56', '+33 7 00 12 34 56'],
  ])('formats %j as %s, and refuses an overseas number as recipient @spec-overseas', (text, written) => {
    for (const country of [undefined, ...COUNTRIES]) {
      expect(formatInternationalPhone(text, country)).toBe(written)
      const phone = parsePhone(text, country)
      expect(checkPhone(phone)).toEqual(ok(cleanCode(written)))
      if (!written.startsWith('+33')) expect(checkRecipientPhone(phone, country)).toEqual(OVERSEAS)
    }
  })

  test('formats a number only once it is complete', () => {
    expect(formatInternationalPhone('620000000', 'GN')).toBe('+224 620 00 00 00')
    expect(formatInternationalPhone('0612345678', 'GN')).toBe('+33 6 12 34 56 78')
    expect(formatInternationalPhone('+44 7911 123456', 'GN')).toBe('+44 7911 123456')
    expect(formatInternationalPhone('0044 7911-123456', 'GN')).toBe('+447911123456')
    expect(formatInternationalPhone('+224 62', 'GN')).toBe('+224 62')
  })
})

describe('listPhones', () => {
  test.each([
    ['620 00 00 00', undefined, ['+224620000000', '+33620000000']],
    ['620 00 00 00', 'GN', ['+224620000000']],
    ['224 622 12 34', undefined, ['+12246221234', '+2246221234']],
    ['224 622 12 34', 'GN', ['+12246221234', '+2246221234']],
    ['224 622 12 34', 'CA', ['+12246221234']],
    ['+224 622 12 34', undefined, ['+2246221234']],
    ['514 555 0123', undefined, ['+15145550123']],
    ['622 12 34 56 / 628 11 22 33', 'GN', ['+224622123456', '+224628112233']],
    ['622 12 34 56 ou +33 6 12 34 56 78', 'GN', ['+224622123456', '+33612345678']],
    ['+224622123456+33612345678', undefined, ['+224622123456', '+33612345678']],
    ['622 12 34 56628 11 22 33', 'GN', ['+224622123456', '+224628112233']],
    ['06 12 34 56 78, 0033 6 12 34 56 78', undefined, ['+33612345678']],
    ['06/12/34/56/78', undefined, ['+33612345678']],
    ['*144#', 'GN', []],
    ['622 12', 'GN', []],
    ['', undefined, []],
  ] as const)('lists what %j means with country %s: %j', (text, country, phones) => {
    expect([...listPhones(text, country)].sort()).toEqual([...phones].sort())
    if (phones.length !== 1) expect(parsePhone(text, country)).toBe(cleanCode(text))
  })
})

describe('checkRecipientPhone @spec-recipient-phone', () => {
  const EXAMPLES = { GN: '+224 620 00 00 00', FR: '+33 6 12 34 56 78', CA: '+1 514 555 0123' }

  test.each([
    ['+33 612345678', ok('+33612345678')],
    ['+1 5145550123', ok('+15145550123')],
    ['+224 620 00 00 00', ok('+224620000000')],
    ['+3361234567', err({ kind: 'phoneInvalid', example: EXAMPLES.FR })],
    ['+336123456789', err({ kind: 'phoneInvalid', example: EXAMPLES.FR })],
    ['+1514555012', err({ kind: 'phoneInvalid', example: EXAMPLES.CA })],
    ['+22462000000', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+224', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+22462000000a', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['620000000', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+22', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+0044', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+44 zéro', err({ kind: 'phoneInvalid', example: EXAMPLES.GN })],
    ['+4', err({ kind: 'unsupportedDestination' })],
    ['+44', err({ kind: 'unsupportedDestination' })],
    ['+225 07', err({ kind: 'unsupportedDestination' })],
    ['+44 7911 123456', err({ kind: 'unsupportedDestination' })],
    ['+33 692 12 34 56', OVERSEAS],
    ['+262 692 12 34 56', OVERSEAS],
    ['+590', OVERSEAS],
    ['  ', err({ kind: 'phoneRequired' })],
  ])('checking the recipient’s number %j returns %j', (text, result) => {
    expect(checkRecipientPhone(text)).toEqual(result)
  })

  test.each([
    ['+224620000000', 'GN', ok('+224620000000')],
    ['+33612345678', 'GN', err({ kind: 'phonePrefix', prefix: '+224', country: 'GN' })],
    ['+3361', 'GN', err({ kind: 'phonePrefix', prefix: '+224', country: 'GN' })],
    ['+224620000000', 'FR', err({ kind: 'phonePrefix', prefix: '+33', country: 'FR' })],
    ['+33612345678', 'CA', err({ kind: 'phonePrefix', prefix: '+1', country: 'CA' })],
    ['+447911123456', 'CA', err({ kind: 'unsupportedDestination' })],
    ['0612345678', 'FR', err({ kind: 'phoneInvalid', example: EXAMPLES.FR })],
    ['', 'FR', err({ kind: 'phoneRequired' })],
  ] as const)('checking the recipient’s number %j for the country %s returns %j', (text, country, result) => {
    expect(checkRecipientPhone(text, country)).toEqual(result)
  })

  test('accepts a destination’s number as recipient only for its own country @spec-recipient-prefix', () => {
    const number = fc.constantFrom(...COUNTRIES).chain((country) => {
      const [prefix, length] = DIGITS[country]
      return digits({ minLength: length, maxLength: length })
        .map((rest) => prefix + rest)
        .chain((phone) => fc.tuple(fc.constant(country), fc.constant(phone), spaced(phone)))
    })
    fc.assert(
      fc.property(number, fc.constantFrom(...COUNTRIES), ([country, phone, text], selected) => {
        fc.pre(!isOverseas(phone))
        expect(checkRecipientPhone(text)).toEqual(ok(phone))
        expect(checkRecipientPhone(text, selected)).toEqual(
          selected === country
            ? ok(phone)
            : err({ kind: 'phonePrefix', prefix: DIGITS[selected][0], country: selected }),
        )
      }),
    )
  })

  test('refuses a recipient number of any other length', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COUNTRIES), digits({ minLength: 0, maxLength: 14 }), (country, rest) => {
        const [prefix, length] = DIGITS[country]
        fc.pre(rest.length !== length)
        expect(checkRecipientPhone(prefix + rest, country)).toEqual(
          err({ kind: 'phoneInvalid', example: EXAMPLES[country] }),
        )
      }),
    )
  })

  test.each(COUNTRIES)('accepts the example number of %s as a recipient', (country) => {
    expect(checkRecipientPhone(EXAMPLES[country], country).ok).toBe(true)
  })
})

test.each([
  ['+224620000012', '+224*******12'],
  ['+33 6 12 34 56 78', '+33*******78'],
  ['+15145550123', '+1********23'],
  ['+447911123456', '***********56'],
  ['+2241', '+2241'],
  ['', ''],
])('masks the number %j as %j', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})

test.each([
  ['+224620000000', '+224 620 00 00 00'],
  ['+33612345678', '+33 6 12 34 56 78'],
  ['+15145550123', '+1 514 555 0123'],
  ['+22462', '+224 62'],
  ['+224', '+224'],
  ['+2246200000001', '+224 620 00 00 001'],
  ['+44 7911 123456', '+447911123456'],
  ['+262692123456', '+262 692 12 34 56'],
])('groups the number %j as %j', (phone, grouped) => {
  expect(groupPhone(phone)).toBe(grouped)
})

test.each([
  ['+224620000000', '+2 2 4, 6 2 0, 0 0, 0 0, 0 0'],
  ['+33 6 12 34 56 78', '+3 3, 6, 1 2, 3 4, 5 6, 7 8'],
  ['+447911123456', '+4 4 7 9 1 1 1 2 3 4 5 6'],
])('spells the number %j as %j', (phone, spelled) => {
  expect(spellPhone(phone)).toBe(spelled)
})
