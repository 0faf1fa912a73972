import { DECEPTIVE_CHARACTERS, getFirstName } from './firstName.ts'

/** The names of a wallet's holder, as the provider writes them. */
export interface WalletHolder {
  readonly given: string
  readonly family: string
}

/**
 * Formats the part of the holder's name that senders may see: first name and family initial, 'Mariama B.'.
 * Omits an initial that is not a letter. Null if `getFirstName` rejects the first name.
 */
export function formatHolderName({ given, family }: WalletHolder): string | null {
  const first = getFirstName(given.normalize('NFC'))
  if (first === null) return null
  const [initial = ''] = /^\p{L}/u.exec(family.normalize('NFC').trim()) ?? []
  const isSeen = initial !== '' && !DECEPTIVE_CHARACTERS.test(initial)
  const [letter = ''] = initial.toLocaleUpperCase('fr')
  return isSeen ? `${capitalised(first)} ${letter}.` : capitalised(first)
}

/**
 * Capitalizes a name that the provider writes like 'MARIAMA' or 'mariama'. Names in mixed case stay
 * unchanged.
 */
function capitalised(name: string): string {
  const lower = name.toLocaleLowerCase('fr')
  if (name !== lower && name !== name.toLocaleUpperCase('fr')) return name
  return lower.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toLocaleUpperCase('fr'))
}
