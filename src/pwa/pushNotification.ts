import * as v from 'valibot'
import type { Language } from '../../domain/common/language.ts'
import { formatMoney } from '../../domain/money/money.ts'
import { type PushKind, pushSchema } from '../../domain/transfers/push.ts'
import type { NotificationData } from './arrivalBadge.ts'

export interface PushNotificationContent extends NotificationData {
  readonly title: string
  readonly body: string
  readonly lang: Language
}

// The worker can't load the app's catalogs. The texts have the no-break spaces of French typography.
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
      (gross, end) => `Your transfer of ${gross} was delivered to the number ending in ${end}.`,
    ],
    paidBack: [
      'Transfer refunded',
      (gross, end) =>
        `The transfer to the number ending in ${end} could not be delivered. ${gross} was refunded to your card.`,
    ],
    unread: ['Passerelle', 'There is news about your transfers. Open the app to see it.'],
  },
}

/**
 * Browsers revoke the permission of an app that shows no notification. `fallback`: the language for an
 * unreadable message.
 */
export function buildPushNotification(message: unknown, fallback: Language): PushNotificationContent {
  const parsed = v.safeParse(pushSchema, message)
  if (!parsed.success) {
    const [title, body] = WORDS[fallback].unread
    return { title, body, lang: fallback, id: null, isArrival: false }
  }
  const { kind, id, gross, phoneEnd, language } = parsed.output
  const [title, body] = WORDS[language][kind]
  const isArrival = kind === 'delivered'
  return { title, body: body(formatMoney(gross, language), phoneEnd), lang: language, id, isArrival }
}
