import type { Language } from '../../../../domain/language.ts'
import type { Tracking } from '../../../../domain/tracking.ts'
import { LINK_DAYS } from './links.ts'

/** What is said of where a transfer stands. */
export type SaidStage = Tracking['stage'] | 'handedOver' | 'late'

/** What is said where no transfer is shown. `nothing`: the link leads nowhere, for whatever reason. `silent`: we could not look. */
export type SaidAlone = 'nothing' | 'ended' | 'tooMany' | 'silent'

interface Said {
  readonly title: string
  readonly text: string
}

/** All that the page says in one language. The app's catalogs are of the browser. */
export interface Words {
  readonly title: string
  readonly other: string
  readonly sentBy: string
  readonly phone: string
  readonly wallet: string
  readonly reference: string
  readonly endsIn: (end: string) => string
  readonly amounts: Readonly<Record<'toArrive' | 'arrived' | 'whole', string>>
  readonly stages: Readonly<Record<SaidStage, Said>>
  readonly steps: Readonly<
    Record<'paid' | 'expected' | 'later' | 'delivered' | 'goingBack' | 'wentBack', string>
  > & {
    readonly handedOver: (wallet: string | null) => string
  }
  readonly again: string
  /** What comes before the host, and before the end of the link. */
  readonly proof: Readonly<Record<'title' | 'address' | 'copies' | 'until', string>>
  readonly said: Readonly<Record<SaidAlone, Said>>
  readonly provesNothing: string
}

// The no-break spaces of French typography are in the texts themselves.
export const WORDS: Readonly<Record<Language, Words>> = {
  fr: {
    title: 'Suivi d’un transfert',
    other: 'English',
    sentBy: 'Envoyé par',
    phone: 'Téléphone du bénéficiaire',
    wallet: 'Mode de réception',
    reference: 'Référence du paiement',
    endsIn: (end) => `se termine par ${end}`,
    amounts: { toArrive: 'Montant à recevoir', arrived: 'Montant reçu', whole: 'Montant du transfert' },
    stages: {
      onItsWay: {
        title: 'L’argent est en route',
        text: 'Le transfert est payé. L’argent n’est pas encore arrivé.',
      },
      handedOver: {
        title: 'L’argent arrive bientôt',
        text: 'Le transfert est payé et confié au service de paiement. L’argent n’est pas encore arrivé.',
      },
      late: {
        title: 'Plus tard que prévu',
        text: 'Le transfert est payé. L’argent n’est pas encore arrivé, et il arrive plus tard que prévu.',
      },
      delivered: { title: 'L’argent est arrivé', text: 'Le bénéficiaire a reçu tout le montant.' },
      goingBack: {
        title: 'Le transfert n’a pas pu être remis',
        text: 'L’argent n’arrivera pas. Il retourne à la personne qui l’a envoyé.',
      },
      wentBack: {
        title: 'Le transfert n’a pas pu être remis',
        text: 'L’argent n’arrivera pas. Il est retourné à la personne qui l’a envoyé.',
      },
      unclear: {
        title: 'Nous vérifions ce transfert',
        text: 'Personne ne peut dire encore s’il arrivera. Revenez plus tard.',
      },
    },
    steps: {
      paid: 'Payé',
      handedOver: (wallet) => (wallet === null ? 'Confié au service de paiement' : `Confié à ${wallet}`),
      expected: 'Arrivée prévue au plus tard',
      later: 'Arrivée plus tard que prévu',
      delivered: 'Arrivé',
      goingBack: 'Retourne à la personne qui l’a envoyé',
      wentBack: 'Retourné à la personne qui l’a envoyé',
    },
    again: 'Actualiser',
    proof: {
      title: 'Ce qui prouve ce transfert',
      address: 'Seule l’adresse de ce site prouve quelque chose. Lisez-la en haut de votre navigateur\u00a0:',
      copies: 'Une image ou une copie de cette page ne prouve rien.',
      until: 'Ce lien répond jusqu’au',
    },
    said: {
      nothing: {
        title: 'Aucun transfert sous ce lien',
        text: 'Demandez le lien à la personne qui envoie l’argent. Il est sur son reçu.',
      },
      ended: {
        title: 'Ce lien a pris fin',
        text: `Un lien répond pendant ${LINK_DAYS}\u00a0jours. Demandez à la personne qui a envoyé l’argent où en est le transfert.`,
      },
      tooMany: {
        title: 'Trop de demandes',
        text: 'Trop de pages ont été demandées depuis votre réseau. Réessayez dans dix minutes.',
      },
      silent: {
        title: 'Pas de réponse pour l’instant',
        text: 'Nous ne savons pas où en est ce transfert. Réessayez dans quelques minutes.',
      },
    },
    provesNothing: 'Cette page ne prouve rien\u00a0: ni qu’un transfert a eu lieu, ni le contraire.',
  },
  en: {
    title: 'Where a transfer stands',
    other: 'Français',
    sentBy: 'Sent by',
    phone: 'Recipient’s phone',
    wallet: 'Received through',
    reference: 'Reference of the payment',
    endsIn: (end) => `ends in ${end}`,
    amounts: { toArrive: 'Amount to receive', arrived: 'Amount received', whole: 'Amount of the transfer' },
    stages: {
      onItsWay: {
        title: 'The money is on its way',
        text: 'The transfer is paid. The money has not arrived yet.',
      },
      handedOver: {
        title: 'The money arrives soon',
        text: 'The transfer is paid and handed to the payment service. The money has not arrived yet.',
      },
      late: {
        title: 'Later than planned',
        text: 'The transfer is paid. The money has not arrived yet, and comes later than planned.',
      },
      delivered: { title: 'The money has arrived', text: 'The recipient has received the whole amount.' },
      goingBack: {
        title: 'The transfer could not be delivered',
        text: 'The money will not arrive. It is going back to the person who sent it.',
      },
      wentBack: {
        title: 'The transfer could not be delivered',
        text: 'The money will not arrive. It went back to the person who sent it.',
      },
      unclear: {
        title: 'We are checking this transfer',
        text: 'Nobody can say yet whether it will arrive. Come back later.',
      },
    },
    steps: {
      paid: 'Paid',
      handedOver: (wallet) => (wallet === null ? 'Handed to the payment service' : `Handed to ${wallet}`),
      expected: 'Expected by',
      later: 'Arriving later than planned',
      delivered: 'Arrived',
      goingBack: 'Going back to the person who sent it',
      wentBack: 'Went back to the person who sent it',
    },
    again: 'Refresh',
    proof: {
      title: 'What proves this transfer',
      address: 'Only the address of this site proves anything. Read it at the top of your browser:',
      copies: 'A picture or a copy of this page proves nothing.',
      until: 'This link answers until',
    },
    said: {
      nothing: {
        title: 'No transfer under this link',
        text: 'Ask the person who sends the money for the link. It is on their receipt.',
      },
      ended: {
        title: 'This link has ended',
        text: `A link answers for ${LINK_DAYS} days. Ask the person who sent the money where the transfer stands.`,
      },
      tooMany: {
        title: 'Too many requests',
        text: 'Too many pages were asked for from your network. Try again in ten minutes.',
      },
      silent: {
        title: 'No answer for now',
        text: 'We do not know where this transfer stands. Try again in a few minutes.',
      },
    },
    provesNothing: 'This page proves nothing: neither that a transfer was made, nor that none was.',
  },
}
