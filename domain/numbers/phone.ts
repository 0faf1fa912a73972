import { cleanCode, toPlain } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'
import { type CountryCode, DESTINATIONS, findDestination, getDestination } from './destinations.ts'

export type PhoneProblem =
  | { readonly kind: 'phoneRequired' }
  | { readonly kind: 'phoneInvalid'; readonly example: string }

export type RecipientPhoneProblem =
  | PhoneProblem
  | { readonly kind: 'phonePrefix'; readonly prefix: string; readonly country: CountryCode }
  | { readonly kind: 'unsupportedDestination' | 'overseasFrance' }

/** Groups of digits after the prefix. */
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

/** 00 from France and Guinea, 011 from North America. Paris begins with 01, so 011 needs more digits. */
const WAY_OUT = /^(?:00(?=[1-9])|011(?=[1-9]\d{7}))/

/** `clear`: unambiguous among the three countries. `there`: unambiguous only if the country is known. */
const NATIONAL: Record<CountryCode, { readonly clear: RegExp; readonly there: RegExp }> = {
  GN: { clear: /^224(\d{9})$/, there: /^([1-9]\d{8})$/ },
  FR: { clear: /^(?:0|33|330)([1-9]\d{8})$/, there: /^([1-9]\d{8})$/ },
  CA: { clear: /^1?([2-9]\d{2}[2-9]\d{6})$/, there: /^1?([2-9]\d{9})$/ },
}

/** No mainland number begins like an overseas one. Arcep's decision 2018-0881, checked on 2026-11-26. */
const OVERSEAS: Readonly<Record<string, RegExp>> = {
  '+262': /^\+33(?:26[239]|639|69[23]|7092|7093[5-9])/,
  '+590': /^\+33(?:590|69[01]|7090)/,
  '+594': /^\+33(?:[56]94|7093[0-4])/,
  '+596': /^\+33(?:596|69[67]|7091)/,
}

const OVERSEAS_WITHOUT_PLUS = /^(?=(?:262|59[046])0?[1-9]\d{8}$)/
const ZERO_AFTER_PREFIX = /^(\+(?:33|262|59[046]))0(?=[1-9]\d{8}$)/

function toOverseas(phone: string): string {
  const [prefix] = Object.entries(OVERSEAS).find(([, beginning]) => beginning.test(phone)) ?? []
  return prefix && phone.length === '+33612345678'.length ? prefix + phone.slice('+33'.length) : phone
}

/** Returns international form without spaces. Text with no or several meanings only loses its spaces. */
export function parsePhone(text: string, country?: CountryCode): string {
  const [phone, other] = listPhones(text, country)
  return phone !== undefined && other === undefined ? phone : cleanCode(text)
}

/** Every number that a text may mean, in international form. `country` resolves ambiguous digits. */
export function listPhones(text: string, country?: CountryCode): readonly string[] {
  const whole = listMeanings(cleanCode(text), country)
  if (whole.length > 0) return whole
  const parts = splitNumbers(toPlain(text), country)
  const meanings = parts
    .map((part) => listMeanings(cleanCode(part), country))
    .filter(({ length }) => length > 0)
  return meanings.length > 1 ? [...new Set(meanings.flat())] : []
}

/** A field joins the lines of a pasted text without a space. */
function splitNumbers(text: string, country: CountryCode | undefined): readonly string[] {
  const parts = text.split(/[^\d+\s.()[\]·•‧⋅・-]+|(?=\+)/).filter((part) => /\d/.test(part))
  const [only = ''] = parts
  if (parts.length !== 1 || only.includes('+')) return parts
  const digits = cleanCode(only)
  const isNumber = (part: string) => listMeanings(part, country).length > 0
  const cut = [...digits].findIndex((_, at) => isNumber(digits.slice(0, at)) && isNumber(digits.slice(at)))
  return cut < 0 ? parts : [digits.slice(0, cut), digits.slice(cut)]
}

function listMeanings(phone: string, country: CountryCode | undefined): readonly string[] {
  const typed = phone.replace(/^tel:/i, '')
  // A zero in brackets ('+44 (0)7911 123456') is dialed only within the country.
  const dialed = /^\(?(?:\+|00|011)/.test(typed) ? typed.replace('(0)', '') : typed
  const digits = dialed
    .replace(/[-.,/()[\]·•‧⋅・]/g, '')
    .replace(WAY_OUT, '+')
    .replace(OVERSEAS_WITHOUT_PLUS, '+')
  // Users often write the zero of French numbers after the prefix too.
  if (/^\+\d+$/.test(digits)) return [toOverseas(digits.replace(ZERO_AFTER_PREFIX, '$1'))]
  const read = (code: CountryCode, pattern: RegExp) => {
    const [, national] = pattern.exec(digits) ?? []
    return national ? [toOverseas(getDestination(code).phonePrefix + national)] : []
  }
  const known = country ? read(country, NATIONAL[country].there) : []
  if (known.length > 0) return known
  const complete = DESTINATIONS.flatMap(({ code }) => {
    const { clear, there } = NATIONAL[code]
    const found = read(code, clear)
    return found.length > 0 || country ? found : read(code, there)
  })
  return complete.length > 0 ? [...complete, ...listIncomplete(digits)] : []
}

const listIncomplete = (digits: string): readonly string[] =>
  DESTINATIONS.filter(({ code, phonePrefix }) => {
    const prefix = phonePrefix.slice(1)
    // A single digit proves no prefix.
    return prefix.length > 1 && digits.startsWith(prefix) && digits.length < prefix.length + getLength(code)
  }).map(() => `+${digits}`)

const getLength = (code: CountryCode): number => GROUPS[code].reduce((sum, size) => sum + size)

/** An incomplete number stays as typed. */
export function formatInternationalPhone(text: string, country?: CountryCode): string {
  const phone = parsePhone(text, country)
  if (findDestination(phone)) return checkRecipientPhone(phone).ok ? groupPhone(phone) : text
  // The grouping of other countries is unknown, so the user's spaces stay.
  return isInternational(phone) && phone !== cleanCode(text) ? groupPhone(phone) : text
}

/** E.164 with 8 to 15 digits; returned without spaces. Specification, section 5. */
export function checkPhone(text: string): Result<string, PhoneProblem> {
  const phone = cleanCode(text)
  if (phone === '') return err({ kind: 'phoneRequired' })
  return isInternational(phone) ? ok(phone) : err({ kind: 'phoneInvalid', example: '+33123456789' })
}

/** Without spaces. An unsupported prefix is refused even if digits are missing. Specification, section 5. */
export function checkRecipientPhone(
  text: string,
  country?: CountryCode,
): Result<string, RecipientPhoneProblem> {
  const phone = toOverseas(cleanCode(text))
  if (phone === '') return err({ kind: 'phoneRequired' })
  if (Object.keys(OVERSEAS).some((prefix) => phone.startsWith(prefix))) return err({ kind: 'overseasFrance' })
  const destination = findDestination(phone)
  if (!destination) {
    if (isUnsupportedCountry(phone)) return err({ kind: 'unsupportedDestination' })
    return err({ kind: 'phoneInvalid', example: EXAMPLES[country ?? 'GN'] })
  }
  if (country && destination.code !== country) {
    return err({ kind: 'phonePrefix', prefix: getDestination(country).phonePrefix, country })
  }
  const digits = phone.slice(destination.phonePrefix.length)
  return /^\d+$/.test(digits) && digits.length === getLength(destination.code)
    ? ok(phone)
    : err({ kind: 'phoneInvalid', example: EXAMPLES[destination.code] })
}

/** Whether no further digits can make the number one of a destination. */
const isUnsupportedCountry = (phone: string): boolean =>
  /^\+[1-9]\d*$/.test(phone) && !DESTINATIONS.some(({ phonePrefix }) => phonePrefix.startsWith(phone))

/** '+224*******00'. Specification, section 7. */
export function maskPhone(phone: string): string {
  const number = cleanCode(phone)
  const prefix = findDestination(number)?.phonePrefix ?? ''
  const hidden = Math.max(number.length - prefix.length - 2, 0)
  return prefix + '*'.repeat(hidden) + number.slice(prefix.length + hidden)
}

/** '+224 620 00 00 00'. Other numbers only lose their spaces. */
export function groupPhone(phone: string): string {
  const number = cleanCode(phone)
  const destination = findDestination(number)
  if (!destination) return number.replace(/^(\+(?:262|59[046]))(\d{3})(\d\d)(\d\d)(\d\d)$/, '$1 $2 $3 $4 $5')
  const parts = [destination.phonePrefix]
  let from = destination.phonePrefix.length
  for (const size of GROUPS[destination.code]) {
    parts.push(number.slice(from, from + size))
    from += size
  }
  return parts.filter((part) => part !== '').join(' ') + number.slice(from)
}

/** For screen readers, with a pause after each group: '+2 2 4, 6 2 0, 0 0, 0 0, 0 0'. */
export function spellPhone(phone: string): string {
  return groupPhone(phone)
    .split(' ')
    .map((group) => group.replace(/\d(?=\d)/g, '$& '))
    .join(', ')
}

function isInternational(phone: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(phone)
}
