import fc from 'fast-check'
import { expect, test } from 'vitest'
import { doubtAbout } from './numberPlan.ts'
import { checkRecipientPhone, normalisePhone } from './phone.ts'

const notCanadian = (area: string, place: string | null = null) => ({ kind: 'notCanadian', area, place })
const NO_SUCH_NUMBER = { kind: 'noSuchNumber' }
const NOT_FRENCH = { kind: 'notMobile', country: 'FR', beginnings: ['+33 6', '+33 7'] }
const NOT_GUINEAN = { kind: 'notMobile', country: 'GN', beginnings: ['+224 6'] }

test.each([
  // Montréal, Toronto's newest, Vancouver's newest, Nunavut, without a place.
  ['+15145550123', null],
  ['+19422345678', null],
  ['+12572345678', null],
  ['+18672345678', null],
  ['+16222345678', null],
  ['+18765550123', notCanadian('876', 'JM')],
  ['+17872345678', notCanadian('787', 'PR')],
  ['+12125550123', notCanadian('212')],
  // What costs the caller nothing has no place, and no phone that an account hangs on.
  ['+18002345678', notCanadian('800')],
  ['+15141550123', NO_SUCH_NUMBER],
  ['+15140550123', NO_SUCH_NUMBER],
  ['+15144110123', NO_SUCH_NUMBER],
  ['+19112345678', NO_SUCH_NUMBER],
  ['+11142345678', NO_SUCH_NUMBER],
  ['+10142345678', NO_SUCH_NUMBER],
  ['+33612345678', null],
  ['+33712345678', null],
  ['+33123456789', NOT_FRENCH],
  ['+33801234567', NOT_FRENCH],
  ['+33912345678', NOT_FRENCH],
  ['+224620000000', null],
  ['+224664112233', null],
  ['+224600000000', null],
  ['+224304123456', NOT_GUINEAN],
  ['+224722123456', NOT_GUINEAN],
  // Nothing is sent to other countries, and what is refused is not asked about.
  ['+447911123456', null],
])('of %s is said %j', (phone, doubt) => {
  expect(doubtAbout(phone)).toEqual(doubt)
})

test('whatever is asked about is a number that the rule accepts', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
  const number = fc.oneof(
    digits(10).map((rest) => `+1${rest}`),
    digits(9).map((rest) => `+33${rest}`),
    digits(9).map((rest) => `+224${rest}`),
  )
  fc.assert(
    fc.property(number, (phone) => {
      expect(checkRecipientPhone(phone).ok).toBe(true)
      const doubt = doubtAbout(phone)
      if (doubt?.kind === 'notMobile')
        expect(doubt.beginnings.some((beginning) => phone.startsWith(normalisePhone(beginning)))).toBe(false)
      if (doubt?.kind === 'notCanadian') expect(phone.startsWith(`+1${doubt.area}`)).toBe(true)
    }),
  )
})

test('of all that begins with +1, few area codes are Canadian', () => {
  const areas = Array.from({ length: 1000 }, (_, code) => String(code).padStart(3, '0'))
  expect(areas.filter((area) => doubtAbout(`+1${area}2345678`) === null)).toHaveLength(63)
})
