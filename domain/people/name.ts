import { cleanName } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

export type NameProblem = { readonly kind: 'nameRequired' }

/** A name needs a letter or digit. Specification, section 5. */
export function checkName(text: string): Result<string, NameProblem> {
  const name = cleanName(text)
  return /[\p{L}\p{N}]/u.test(name) ? ok(name) : err({ kind: 'nameRequired' })
}

/** In UTF-16 units; enforced by `firebase/firestore.rules`. */
export const NAME_MAX_LENGTH = 100

/** Cleans a name from another service and cuts it between letters; null if nothing remains. */
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

/** The initial name of a user who has not typed one; empty without both. */
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

/** 'MB' for 'Mariama Bah'; a question mark without a name. */
export const getInitials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
    .join('')
    .toLocaleUpperCase() || '?'
