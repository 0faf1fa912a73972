import { APOSTROPHES } from '../common/search.ts'
import { DESTINATIONS } from './destinations.ts'
import { getWallets } from './wallets.ts'

/** Maximum length of a first name shown to strangers. */
const MAX_LENGTH = 30

const wallets = DESTINATIONS.flatMap(({ code }) => getWallets(code))

/** Names that an impostor could use; they are never shown. */
const TAKEN = new Set(
  ['Passerelle', 'Stripe', ...wallets.map(({ name }) => name.split(' ')[0] ?? '')].map((name) =>
    name.toLocaleLowerCase('fr'),
  ),
)

/** Invisible characters, and runs of three or more combining marks. */
export const DECEPTIVE_CHARACTERS = /\p{Default_Ignorable_Code_Point}|\p{M}{3}/u

/**
 * Returns the part of a name that strangers may see: its first word, if it has only visible letters and at
 * most one apostrophe and one hyphen, or else null. An accent typed in place of an apostrophe becomes one.
 * Users choose their names, so the name could be a URL, a number, a sentence or another person's name.
 */
export function getFirstName(name: string): string | null {
  const [typed = ''] = name.trim().split(/\s+/)
  const first = typed.replace(APOSTROPHES, (sign) => (sign === '’' ? sign : "'"))
  const isWord = /^\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)?(?:-\p{L}[\p{L}\p{M}]*)?$/u.test(first)
  const parts = first.toLocaleLowerCase('fr').split('-')
  return isWord &&
    !DECEPTIVE_CHARACTERS.test(first) &&
    first.length <= MAX_LENGTH &&
    !parts.some((part) => TAKEN.has(part))
    ? first
    : null
}
