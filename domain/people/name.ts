import { cleanName } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

export type NameProblem = { readonly kind: 'nameRequired' }

/** Checks a full name, which needs a letter or digit. Specification, section 5. */
export function checkName(text: string): Result<string, NameProblem> {
  const name = cleanName(text)
  return /[\p{L}\p{N}]/u.test(name) ? ok(name) : err({ kind: 'nameRequired' })
}

/** The longest stored name, in UTF-16 units; enforced by `firebase/firestore.rules`. */
export const NAME_MAX_LENGTH = 100

/**
 * Makes a name from another service storable: cleans it, and cuts it between letters if it is too long. Null
 * if nothing remains.
 */
export function truncateName(text: string): string | null {
  const checked = checkName(text)
  if (!checked.ok) return null
  let name = ''
  // A letter and its accents are kept or cut together.
  for (const [letter] of checked.value.matchAll(/\P{M}\p{M}*/gu)) {
    if (name.length + letter.length > NAME_MAX_LENGTH) break
    name += letter
  }
  return name.trim()
}

/**
 * Returns the initial name of a user who has not typed one: from the sign-in provider, or else from the email
 * address. The user can change it in the profile. Empty without both.
 */
export function getAccountName({
  displayName,
  email,
}: {
  readonly displayName: string | null
  readonly email: string | null
}): string {
  const address = email ?? ''
  return (
    truncateName(displayName ?? '') ??
    truncateName(address.replace(/@.*$/, '')) ??
    truncateName(address) ??
    ''
  )
}

/** Returns the initials for an avatar: 'MB' for 'Mariama Bah'; a question mark without a name. */
export const getInitials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
    .join('')
    .toLocaleUpperCase() || '?'
