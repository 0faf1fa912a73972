import { err, ok, type Result } from './result.ts'

export type NameProblem = { readonly kind: 'nameRequired' }

/**
 * A full name, with single spaces and without control characters and direction marks, which could make a receipt
 * read as another one. There has to be a letter or digit. Specification, section 5.
 */
export function checkName(text: string): Result<string, NameProblem> {
  const name = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(name) ? ok(name) : err({ kind: 'nameRequired' })
}

/** The longest name that is stored, in UTF-16 units. `firebase/firestore.rules` see to it. */
export const NAME_MAX_LENGTH = 100

/**
 * A name that was written elsewhere, as one that can be stored: clean, and cut between two letters where it is too long.
 * Null when nothing of a name is left.
 */
export function nameFrom(text: string): string | null {
  const checked = checkName(text)
  if (!checked.ok) return null
  let name = ''
  // A letter stays together with its accents.
  for (const [letter] of checked.value.matchAll(/\P{M}\p{M}*/gu)) {
    if (name.length + letter.length > NAME_MAX_LENGTH) break
    name += letter
  }
  return name.trim()
}

/**
 * What somebody is called who never typed a name here: as their account elsewhere has it, or else by their address. They
 * can change it in their profile. Empty only when there is neither.
 */
export function nameOfAccount({
  displayName,
  email,
}: {
  readonly displayName: string | null
  readonly email: string | null
}): string {
  const address = email ?? ''
  return nameFrom(displayName ?? '') ?? nameFrom(address.replace(/@.*$/, '')) ?? nameFrom(address) ?? ''
}

/** Two letters for a name in a circle, 'MB' for 'Mariama Bah'; a question mark where there is none. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
    .join('')
    .toLocaleUpperCase() || '?'
