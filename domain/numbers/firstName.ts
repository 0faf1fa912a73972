import { APOSTROPHES } from '../common/search.ts'
import { DESTINATIONS } from './destinations.ts'
import { getWallets } from './wallets.ts'

const MAX_LENGTH = 30

const wallets = DESTINATIONS.flatMap(({ code }) => getWallets(code))

/** Names that an impostor could use. */
const TAKEN = new Set(
  ['Passerelle', 'Stripe', ...wallets.map(({ name }) => name.split(' ')[0] ?? '')].map((name) =>
    name.toLocaleLowerCase('fr'),
  ),
)

/** Invisible characters, and runs of three or more combining marks. */
export const DECEPTIVE_CHARACTERS = /\p{Default_Ignorable_Code_Point}|\p{M}{3}/u

/** The first word of visible letters, or else null: users may enter a URL, a sentence or another name. */
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
