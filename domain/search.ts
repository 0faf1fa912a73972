/** Fewer digits are in almost every number. */
const FEWEST_DIGITS = 3

/** The text as names are compared: without accents and in small letters. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** Whether a name holds all the words that are typed, in any order, with or without their accents. */
export function nameMatcher(text: string): (name: string) => boolean {
  const words = folded(text).split(/\s+/).filter(Boolean)
  return (name) => {
    const known = folded(name)
    return known !== '' && words.every((word) => known.includes(word))
  }
}

/** Whether a number is the one that is typed, grouped in any way, with or without its prefix; null when none is typed. */
export function phoneMatcher(text: string): ((phone: string) => boolean) | null {
  const typed = text.replace(/[\s\p{Cf}().\-/]/gu, '')
  if (/^\+\d+$/.test(typed)) return (phone) => phone.startsWith(typed)
  if (!/^\d+$/.test(typed) || typed.length < FEWEST_DIGITS) return null
  // '06 12…' and '0033 6 12…' are how the number is dialled; the record has it with its prefix.
  const dialled = typed.replace(/^0{1,2}(?=[1-9])/, '')
  return (phone) => phone.includes(typed) || (dialled.length >= FEWEST_DIGITS && phone.includes(dialled))
}
