import type { Language } from '../../../../domain/common/language.ts'
import { RECIPIENT_LINK_DAYS } from './links.ts'

// The app's catalogs are only for the browser. These texts contain their own no-break spaces.
const FRENCH = {
  title: 'Suivi d’un transfert',
  other: 'English',
  sentBy: 'Envoyé par',
  sentTo: 'Pour',
  phone: 'Téléphone du bénéficiaire',
  wallet: 'Mode de réception',
  number: 'Numéro du transfert',
  reference: 'Référence du paiement',
  referenceEnd: (end: string) => `se termine par ${end}`,
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
      text: 'Nous ne savons pas encore s’il arrivera. Revenez plus tard.',
    },
  },
  steps: {
    paid: 'Payé',
    handedOver: (wallet: string | null) =>
      wallet === null ? 'Confié au service de paiement' : `Confié à ${wallet}`,
    expected: 'Arrivée prévue au plus tard',
    later: 'Arrivée plus tard que prévu',
    delivered: 'Arrivé',
    goingBack: 'Retourne à la personne qui l’a envoyé',
    wentBack: 'Retourné à la personne qui l’a envoyé',
  },
  again: 'Actualiser',
  /** `address` precedes the host, `code` a state, and `until` the instant at which the link expires. */
  proof: {
    title: 'Ce qui prouve ce transfert',
    address: 'Seule l’adresse de ce site fait foi. Vérifiez-la en haut de votre navigateur\u00a0:',
    code: 'Le code du reçu est authentique. Il dit\u00a0:',
    later: 'Il ne dit rien d’un remboursement ou d’une contestation qui aurait suivi.',
    copies: 'Une image ou une copie de cette page ne prouve rien.',
    until: 'Ce lien est valable jusqu’au',
  },
  /** `nothing`: the link leads nowhere, for any reason. `silent`: the transfer could not be read. */
  said: {
    nothing: {
      title: 'Ce lien ne mène à aucun transfert',
      text: 'Demandez le lien à la personne qui envoie l’argent. Il est sur son reçu.',
    },
    ended: {
      title: 'Ce lien a expiré',
      text: `Un lien reste valable ${RECIPIENT_LINK_DAYS}\u00a0jours. Demandez à la personne qui a envoyé l’argent où en est le transfert.`,
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
}

export type RecipientPageTexts = typeof FRENCH
export type StageWithText = keyof RecipientPageTexts['stages']
export type MessagePage = keyof RecipientPageTexts['said']

const ENGLISH: RecipientPageTexts = {
  title: 'Transfer status',
  other: 'Français',
  sentBy: 'Sent by',
  sentTo: 'For',
  phone: 'Recipient’s phone',
  wallet: 'Receiving method',
  number: 'Transfer number',
  reference: 'Payment reference',
  referenceEnd: (end) => `ends in ${end}`,
  amounts: { toArrive: 'Amount to receive', arrived: 'Amount received', whole: 'Transfer amount' },
  stages: {
    onItsWay: {
      title: 'The money is on its way',
      text: 'The transfer is paid. The money has not arrived yet.',
    },
    handedOver: {
      title: 'The money will arrive soon',
      text: 'The transfer is paid and was sent to the payment service. The money has not arrived yet.',
    },
    late: {
      title: 'Later than expected',
      text: 'The transfer is paid. The money has not arrived yet, and will arrive later than expected.',
    },
    delivered: { title: 'The money has arrived', text: 'The recipient has received the whole amount.' },
    goingBack: {
      title: 'The transfer could not be delivered',
      text: 'The money will not arrive. It is being returned to the person who sent it.',
    },
    wentBack: {
      title: 'The transfer could not be delivered',
      text: 'The money will not arrive. It was returned to the person who sent it.',
    },
    unclear: {
      title: 'We are checking this transfer',
      text: 'We do not know yet whether it will arrive. Come back later.',
    },
  },
  steps: {
    paid: 'Paid',
    handedOver: (wallet) => (wallet === null ? 'Sent to the payment service' : `Sent to ${wallet}`),
    expected: 'Expected by',
    later: 'Arriving later than expected',
    delivered: 'Arrived',
    goingBack: 'Being returned to the person who sent it',
    wentBack: 'Returned to the person who sent it',
  },
  again: 'Refresh',
  proof: {
    title: 'What proves this transfer',
    address: 'Only the address of this site is proof. Check it at the top of your browser:',
    code: 'The receipt’s code is genuine. It says:',
    later: 'It says nothing about a refund or a dispute that may have followed.',
    copies: 'A picture or a copy of this page proves nothing.',
    until: 'This link is valid until',
  },
  said: {
    nothing: {
      title: 'This link does not lead to a transfer',
      text: 'Ask the person who sends the money for the link. It is on their receipt.',
    },
    ended: {
      title: 'This link has expired',
      text: `A link is valid for ${RECIPIENT_LINK_DAYS} days. Ask the person who sent the money about the transfer.`,
    },
    tooMany: {
      title: 'Too many requests',
      text: 'Too many pages were requested from your network. Try again in ten minutes.',
    },
    silent: {
      title: 'Status not available',
      text: 'We can’t show the status of this transfer right now. Try again in a few minutes.',
    },
  },
  provesNothing: 'This page proves nothing: neither that a transfer was made, nor that none was.',
}

export const RECIPIENT_PAGE_TEXTS: Readonly<Record<Language, RecipientPageTexts>> = {
  fr: FRENCH,
  en: ENGLISH,
}
