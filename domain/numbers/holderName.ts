import { DECEPTIVE_CHARACTERS, getFirstName } from './firstName.ts'

export interface HolderName {
  readonly given: string
  readonly family: string
}

/** 'Mariama B.': all that senders may see. Null if `getFirstName` rejects the first name. */
export function formatHolderName({ given, family }: HolderName): string | null {
  const first = getFirstName(given.normalize('NFC'))
  if (first === null) return null
  const [initial = ''] = /^\p{L}/u.exec(family.normalize('NFC').trim()) ?? []
  const isSeen = initial !== '' && !DECEPTIVE_CHARACTERS.test(initial)
  const [letter = ''] = initial.toLocaleUpperCase('fr')
  return isSeen ? `${capitalised(first)} ${letter}.` : capitalised(first)
}

/** Only 'MARIAMA' or 'mariama'; names in mixed case stay unchanged. */
function capitalised(name: string): string {
  const lower = name.toLocaleLowerCase('fr')
  if (name !== lower && name !== name.toLocaleUpperCase('fr')) return name
  return lower.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toLocaleUpperCase('fr'))
}
