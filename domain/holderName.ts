import { firstNameOf, UNSEEN } from './firstName.ts'

/** What a provider knows the holder of a wallet by, as it writes it. */
export interface WalletHolder {
  readonly given: string
  readonly family: string
}

/**
 * What whoever types a number may learn of its holder: the first name and the initial of the family name, 'Mariama B.'. Of a
 * family name that begins with no letter there is none. Null where the first name is nothing that strangers are told (`firstNameOf`).
 */
export function holderName({ given, family }: WalletHolder): string | null {
  const first = firstNameOf(given.normalize('NFC'))
  if (first === null) return null
  const [initial = ''] = /^\p{L}/u.exec(family.normalize('NFC').trim()) ?? []
  const isSeen = initial !== '' && !UNSEEN.test(initial)
  const [letter = ''] = initial.toLocaleUpperCase('fr')
  return isSeen ? `${capitalised(first)} ${letter}.` : capitalised(first)
}

/** Providers write names as people were registered: 'MARIAMA', 'mariama'. One that has both kinds of letters stays as it is. */
function capitalised(name: string): string {
  const lower = name.toLocaleLowerCase('fr')
  if (name !== lower && name !== name.toLocaleUpperCase('fr')) return name
  return lower.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toLocaleUpperCase('fr'))
}
