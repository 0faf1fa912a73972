import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanCode } from '../common/clean.ts'
import { checkRecipientPhone } from './phone.ts'
import { findPhoneWarning } from './phoneWarning.ts'

const notCanadian = (area: string, place: string | null = null) => ({ kind: 'notCanadian', area, place })
const NO_SUCH_NUMBER = { kind: 'noSuchNumber', country: 'CA' }
const NO_FRENCH_NUMBER = { kind: 'noSuchNumber', country: 'FR' }
const NOT_FRENCH = { kind: 'notMobile', country: 'FR', beginnings: ['+33 6', '+33 7'] }
const NOT_GUINEAN = { kind: 'notMobile', country: 'GN', beginnings: ['+224 6'] }

test.each([
  // Montréal, Toronto's newest, Vancouver's newest, Nunavut, non-geographic.
  ['+15145550123', null],
  ['+19422345678', null],
  ['+12572345678', null],
  ['+18672345678', null],
  ['+16222345678', null],
  ['+18765550123', notCanadian('876', 'JM')],
  ['+17872345678', notCanadian('787', 'PR')],
  ['+12125550123', notCanadian('212')],
  // Toll-free area codes belong to no country and to no mobile account.
  ['+18002345678', notCanadian('800')],
  ['+15141550123', NO_SUCH_NUMBER],
  ['+15140550123', NO_SUCH_NUMBER],
  ['+15144110123', NO_SUCH_NUMBER],
  ['+19112345678', NO_SUCH_NUMBER],
  ['+11142345678', NO_SUCH_NUMBER],
  ['+10142345678', NO_SUCH_NUMBER],
  ['+33612345678', null],
  ['+33751234567', null],
  ['+33695123456', null],
  ['+33798123456', null],
  // Unallocated beginnings; 0700 is for machines, whose numbers are longer.
  ['+33700123456', NO_FRENCH_NUMBER],
  ['+33712345678', NO_FRENCH_NUMBER],
  ['+33729123456', NO_FRENCH_NUMBER],
  ['+33123456789', NOT_FRENCH],
  ['+33801234567', NOT_FRENCH],
  ['+33912345678', NOT_FRENCH],
  ['+224620000000', null],
  ['+224664112233', null],
  ['+224600000000', null],
  ['+224304123456', NOT_GUINEAN],
  ['+224722123456', NOT_GUINEAN],
  // Unsupported countries and invalid numbers are refused elsewhere, so they are not questioned here.
  ['+447911123456', null],
])('finds the doubt about the number %s: %j', (phone, doubt) => {
  expect(findPhoneWarning(phone)).toEqual(doubt)
})

test('warns only about valid numbers, with a reason that applies', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
  const number = fc.oneof(
    digits(10).map((rest) => `+1${rest}`),
    digits(9).map((rest) => `+33${rest}`),
    digits(9).map((rest) => `+224${rest}`),
  )
  fc.assert(
    fc.property(number, (phone) => {
      const checked = checkRecipientPhone(phone)
      fc.pre(checked.ok || checked.error.kind !== 'overseasFrance')
      expect(checked.ok).toBe(true)
      const doubt = findPhoneWarning(phone)
      if (doubt?.kind === 'notMobile')
        expect(doubt.beginnings.some((beginning) => phone.startsWith(cleanCode(beginning)))).toBe(false)
      if (doubt?.kind === 'notCanadian') expect(phone.startsWith(`+1${doubt.area}`)).toBe(true)
    }),
  )
})

test('accepts exactly 63 area codes of +1 as Canadian', () => {
  const areas = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0'))
  expect(areas.filter((area) => findPhoneWarning(`+1${area}2345678`) === null)).toHaveLength(63)
})
