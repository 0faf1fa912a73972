import type { Language } from '../../domain/language.ts'
import { formatMoney } from '../../domain/money.ts'
import { type PushKind, readPush } from '../../domain/push.ts'
import { parseOrNull } from '../../domain/schema.ts'

/** What is shown of a message. `id`: of the transfer that it is about; null of one that this worker can't read. */
export interface ShownPush {
  readonly title: string
  readonly body: string
  readonly lang: Language
  readonly id: string | null
}

// The app's catalogs are the page's: the worker has these texts alone. The no-break spaces of French typography are in them.
const WORDS: Readonly<
  Record<
    Language,
    Readonly<
      Record<PushKind, readonly [title: string, body: (gross: string, phoneEnd: string) => string]>
    > & {
      readonly unread: readonly [title: string, body: string]
    }
  >
> = {
  fr: {
    delivered: [
      'Transfert remis',
      (gross, end) => `Votre transfert de ${gross} a été remis au numéro qui se termine par ${end}.`,
    ],
    paidBack: [
      'Transfert remboursé',
      (gross, end) =>
        `Le transfert vers le numéro qui se termine par ${end} n’a pas pu être remis. Votre carte a été remboursée de ${gross}.`,
    ],
    unread: ['Passerelle', 'Il y a du nouveau sur vos transferts. Ouvrez l’application pour le voir.'],
  },
  en: {
    delivered: [
      'Transfer delivered',
      (gross, end) => `Your transfer of ${gross} was delivered to the number that ends in ${end}.`,
    ],
    paidBack: [
      'Transfer refunded',
      (gross, end) =>
        `The transfer to the number that ends in ${end} could not be delivered. ${gross} went back to your card.`,
    ],
    unread: ['Passerelle', 'There is news of your transfers. Open the app to see it.'],
  },
}

/**
 * What is shown of a message as it came. There is always something: a browser takes the permission away from an app that is told and shows
 * nothing. `fallback`: the language for what can't be read.
 */
export function shownPush(message: unknown, fallback: Language): ShownPush {
  const read = parseOrNull(readPush, message)
  if (read === null) {
    const [title, body] = WORDS[fallback].unread
    return { title, body, lang: fallback, id: null }
  }
  const { kind, id, gross, phoneEnd, language } = read
  const [title, body] = WORDS[language][kind]
  return { title, body: body(formatMoney(gross, language), phoneEnd), lang: language, id }
}
