import { type CountryCode, DESTINATIONS, destinationByCode, destinationOf } from './destinations.ts'
import { err, ok, type Result } from './result.ts'

export type PhoneProblem =
  | { readonly kind: 'phoneRequired' }
  | { readonly kind: 'phoneInvalid'; readonly example: string }

export type RecipientPhoneProblem =
  | PhoneProblem
  | { readonly kind: 'phonePrefix'; readonly prefix: string; readonly country: CountryCode }
  | { readonly kind: 'unsupportedDestination' }

/** How the digits after the prefix are written in groups; together they are the length of a number. */
const GROUPS: Record<CountryCode, readonly number[]> = {
  GN: [3, 2, 2, 2],
  FR: [1, 2, 2, 2, 2],
  CA: [3, 3, 4],
}

const EXAMPLES: Record<CountryCode, string> = {
  GN: '+224 620 00 00 00',
  FR: '+33 6 12 34 56 78',
  CA: '+1 514 555 0123',
}

/** The number without spaces of any kind, nor the invisible marks that come with a pasted number. */
export function normalisePhone(text: string): string {
  return text.replace(/[\s\p{Cf}]/gu, '')
}

/**
 * The digits with which a call leaves France or Guinea, and North America; a plus sign says the same. Numbers of Paris begin with 01
 * and have ten digits, so 011 leads out only where more follow.
 */
const WAY_OUT = /^(?:00(?=[1-9])|011(?=[1-9]\d{7}))/

/**
 * How people of a country write its numbers without the plus sign. `clear`: in a way that no number of the other countries has.
 * `there`: in a way that is only clear once the country is known. The group is what follows the prefix.
 */
const NATIONAL: Record<CountryCode, { readonly clear: RegExp; readonly there: RegExp }> = {
  GN: { clear: /^224(\d{9})$/, there: /^([1-9]\d{8})$/ },
  FR: { clear: /^(?:0|33|330)([1-9]\d{8})$/, there: /^([1-9]\d{8})$/ },
  CA: { clear: /^1?([2-9]\d{2}[2-9]\d{6})$/, there: /^1?([2-9]\d{9})$/ },
}

/**
 * A number as people type it or paste it ('620 00 00 00', '00224…', '06.12.34.56.78', '(514) 555-0123') in international form, without
 * spaces. `country` is where it is taken to be when its digits leave that open: nine of them may be Guinean or French. A text
 * that can't be understood stays as it is, without spaces, for the rule to refuse it.
 */
export function readPhone(text: string, country?: CountryCode): string {
  const phone = normalisePhone(text)
  const bare = phone.replace(/^tel:/i, '').replace(/[-‐-―.,/()·]/g, '')
  const digits = bare.replace(WAY_OUT, '+')
  // The zero of French numbers falls away behind the prefix, and is often written there in brackets.
  if (/^\+\d+$/.test(digits)) return digits.replace(/^\+330(?=[1-9]\d{8}$)/, '+33')
  const known = country ? [{ code: country, pattern: NATIONAL[country].there }] : []
  const clear = DESTINATIONS.map(({ code }) => ({ code, pattern: NATIONAL[code].clear }))
  for (const { code, pattern } of [...known, ...clear]) {
    const [, national] = pattern.exec(digits) ?? []
    if (national) return destinationByCode(code).phonePrefix + national
  }
  return phone
}

/** What was typed, in international form and in groups once it is a whole number; until then as it was typed. */
export function writtenOut(text: string, country?: CountryCode): string {
  const phone = readPhone(text, country)
  if (destinationOf(phone)) return checkRecipientPhone(phone).ok ? groupPhone(phone) : text
  // How a number of elsewhere is grouped is not known here: the person's own spaces stay.
  return isInternational(phone) && phone !== normalisePhone(text) ? phone : text
}

/**
 * The rule for accounts, contacts and profiles: E.164 with 8 to 15 digits. Answers the number without spaces.
 * Specification, section 5.
 */
export function checkPhone(text: string): Result<string, PhoneProblem> {
  const phone = normalisePhone(text)
  if (phone === '') return err({ kind: 'phoneRequired' })
  return isInternational(phone) ? ok(phone) : err({ kind: 'phoneInvalid', example: '+33123456789' })
}

/**
 * The rule for a recipient: a number of Guinea, France or Canada, and of the selected country when there is one.
 * Answers the number without spaces. One that begins with another prefix is `unsupportedDestination`, however much of it is there.
 * Specification, section 5.
 */
export function checkRecipientPhone(
  text: string,
  country?: CountryCode,
): Result<string, RecipientPhoneProblem> {
  const phone = normalisePhone(text)
  if (phone === '') return err({ kind: 'phoneRequired' })
  const destination = destinationOf(phone)
  if (!destination) {
    if (isOfElsewhere(phone)) return err({ kind: 'unsupportedDestination' })
    return err({ kind: 'phoneInvalid', example: EXAMPLES[country ?? 'GN'] })
  }
  if (country && destination.code !== country) {
    return err({ kind: 'phonePrefix', prefix: destinationByCode(country).phonePrefix, country })
  }
  const digits = phone.slice(destination.phonePrefix.length)
  const length = GROUPS[destination.code].reduce((sum, size) => sum + size)
  return /^\d+$/.test(digits) && digits.length === length
    ? ok(phone)
    : err({ kind: 'phoneInvalid', example: EXAMPLES[destination.code] })
}

/** Whether no more digits could make it a number of a destination. */
const isOfElsewhere = (phone: string): boolean =>
  /^\+[1-9]\d*$/.test(phone) && !DESTINATIONS.some(({ phonePrefix }) => phonePrefix.startsWith(phone))

/** The number with all but its prefix and last two digits hidden: '+224*******00'. Specification, section 7. */
export function maskPhone(phone: string): string {
  const number = normalisePhone(phone)
  const prefix = destinationOf(number)?.phonePrefix ?? ''
  const hidden = Math.max(number.length - prefix.length - 2, 0)
  return prefix + '*'.repeat(hidden) + number.slice(prefix.length + hidden)
}

/** The number in the groups of its country: '+224 620 00 00 00'. A number of elsewhere is only rid of spaces. */
export function groupPhone(phone: string): string {
  const number = normalisePhone(phone)
  const destination = destinationOf(number)
  if (!destination) return number
  const parts = [destination.phonePrefix]
  let from = destination.phonePrefix.length
  for (const size of GROUPS[destination.code]) {
    parts.push(number.slice(from, from + size))
    from += size
  }
  return parts.filter((part) => part !== '').join(' ') + number.slice(from)
}

/** The number to be heard rather than seen, digit by digit with a rest after each group: '+2 2 4, 6 2 0, 0 0, 0 0, 0 0'. */
export function spellPhone(phone: string): string {
  return groupPhone(phone)
    .split(' ')
    .map((group) => group.replace(/\d(?=\d)/g, '$& '))
    .join(', ')
}

function isInternational(phone: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(phone)
}
