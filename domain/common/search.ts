import { cleanCode, cleanName } from './clean.ts'

/** Fewer digits match almost every number. */
const MIN_DIGITS = 3

export const foldText = (text: string): string =>
  cleanName(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Apostrophes of keyboards and address books, and accents typed in their place. */
export const APOSTROPHES = /['\u2018\u2019\u02bb\u02bc`\u00b4\u2032\uff07]/g

const DASHES = /[\p{Pd}\u2212]/gu

const foldName = (name: string): string => foldText(name.replace(APOSTROPHES, '').replace(DASHES, ' '))

/** Matches names containing every typed word, in any order, ignoring accents, apostrophes and hyphens. */
export function createNameMatcher(text: string): (name: string) => boolean {
  const words = foldName(text).split(/\s+/).filter(Boolean)
  return (name) => {
    const known = foldName(name)
    return known !== '' && words.every((word) => known.includes(word))
  }
}

/** Matches by the typed digits, ignoring grouping and prefix; null if no number was typed. */
export function createPhoneMatcher(text: string): ((phone: string) => boolean) | null {
  const typed = cleanCode(text).replace(/[().\-/]/g, '')
  if (/^\+\d+$/.test(typed)) return (phone) => phone.startsWith(typed)
  if (!/^\d+$/.test(typed) || typed.length < MIN_DIGITS) return null
  // Users type a number as dialed ('06 12…', '0033 6 12…'); records have the prefix.
  const dialled = typed.replace(/^0{1,2}(?=[1-9])/, '')
  return (phone) => phone.includes(typed) || (dialled.length >= MIN_DIGITS && phone.includes(dialled))
}
