import { DESTINATIONS } from './destinations.ts'
import { walletsOf } from './wallets.ts'

/** The longest first name that strangers are shown. */
const MAX_LENGTH = 30

const wallets = DESTINATIONS.flatMap(({ code }) => walletsOf(code))

/** Whom somebody could pretend to be: whoever is called so is not named. */
const TAKEN = new Set(
  ['Passerelle', 'Stripe', ...wallets.map(({ name }) => name.split(' ')[0] ?? '')].map((name) =>
    name.toLocaleLowerCase('fr'),
  ),
)

/** Letters that nobody sees, and marks in a heap. */
export const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{M}{3}/u

/**
 * What strangers are told of a name: its first word, where that is nothing but letters that are seen, with one hyphen at most. People choose their names, so an address, a
 * number, a sentence or somebody else's name could stand there. Null for anything else.
 */
export function firstNameOf(name: string): string | null {
  const [first = ''] = name.trim().split(/\s+/)
  const isWord = /^\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)?(?:-\p{L}[\p{L}\p{M}]*)?$/u.test(first)
  const parts = first.toLocaleLowerCase('fr').split('-')
  return isWord && !UNSEEN.test(first) && first.length <= MAX_LENGTH && !parts.some((part) => TAKEN.has(part))
    ? first
    : null
}
