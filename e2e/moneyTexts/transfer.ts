import type { Said, Texts } from './said.ts'

/** What the transfer form says when its function answers so. */
export const TRANSFER_REFUSALS = {
  userNotFound: {
    fr: [
      'Utilisateur introuvable',
      'Votre profil n’a pas été trouvé. Votre carte n’a pas été débitée. Déconnectez-vous, puis reconnectez-vous.',
    ],
    en: [
      'User not found',
      'Your profile was not found. Your card was not charged. Sign out, then sign in again.',
    ],
  },
  unauthenticated: {
    fr: ['Votre session a expiré', 'Votre carte n’a pas été débitée. Reconnectez-vous pour continuer.'],
    en: ['Your session has expired', 'Your card was not charged. Sign in again to go on.'],
  },
  emailUnverified: {
    fr: [
      'Adresse e-mail à vérifier',
      'Votre carte n’a pas été débitée. Ouvrez le lien reçu par e-mail, puis réessayez.',
    ],
    en: [
      'Verify your email address',
      'Your card was not charged. Open the link in the email, then try again.',
    ],
  },
  attemptEnded: {
    fr: ['Ce paiement a été annulé', 'Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.'],
    en: ['This payment was cancelled', 'Your card was not charged. Confirm again to pay.'],
  },
  attemptConflict: {
    fr: ['Ce paiement a été annulé', 'Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.'],
    en: ['This payment was cancelled', 'Your card was not charged. Confirm again to pay.'],
  },
  paymentUnavailable: {
    fr: [
      'Le paiement n’a pas pu être préparé',
      'Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.',
    ],
    en: [
      'The payment could not be prepared',
      'Your card was not charged. Check your connection, then try again.',
    ],
  },
  tooManyRequests: {
    fr: ['Trop de tentatives', 'Votre carte n’a pas été débitée. Réessayez dans 23 heures.'],
    en: ['Too many attempts', 'Your card was not charged. Please try again in 23 hours.'],
  },
  paymentsPaused: {
    fr: [
      'Vos paiements sont suspendus pour l’instant',
      'Votre carte n’a pas été débitée. Votre historique et vos reçus restent accessibles. Contactez notre assistance : nous regarderons cela avec vous.',
    ],
    en: [
      'Your payments are paused for now',
      'Your card was not charged. Your history and your receipts stay available. Contact our support: we will look into it with you.',
    ],
  },
  tooManyDeclines: {
    fr: [
      'Trop de cartes ont été refusées',
      'Votre carte n’a pas été débitée. Pour protéger vos cartes, attendez 23 heures avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.',
    ],
    en: [
      'Too many cards were declined',
      'Your card was not charged. To protect your cards, wait 23 hours before you try again. Your bank can tell you why it declines.',
    ],
  },
  paymentsClosed: {
    fr: [
      'Les paiements sont fermés pour le moment',
      'Votre carte n’a pas été débitée, et rien n’est à refaire pour ce qui est déjà payé. Réessayez plus tard.',
    ],
    en: [
      'Payments are closed for now',
      'Your card was not charged, and what is already paid needs nothing more. Try again later.',
    ],
  },
  monthlyCapExceeded: {
    fr: [
      'Plafond mensuel atteint',
      'Vous pouvez envoyer 1 000 € par mois. Il vous reste 50,00 € ; un nouveau mois commence le 1er février 2030. Votre carte n’a pas été débitée.',
    ],
    en: [
      'Monthly limit reached',
      'You can send €1,000 a month. You have €50.00 left; a new month starts on 1 February 2030. Your card was not charged.',
    ],
  },
  capUnavailable: {
    fr: [
      'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'The monthly limit can’t be checked right now. Please try again later.',
      'Your card was not charged.',
    ],
  },
  newReason: {
    fr: [
      'Le transfert n’a pas pu être effectué',
      'Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.',
    ],
    en: [
      'Failed to complete transfer',
      'Your card was not charged. Please check what you entered, then try again.',
    ],
  },
} satisfies Texts

/** What else the transfer form says. */
export const TRANSFER = {
  capReached: {
    fr: ['Plafond mensuel atteint', 'Plafond de la maison atteint.', 'Votre carte n’a pas été débitée.'],
    en: ['Monthly limit reached', 'Plafond de la maison atteint.', 'Your card was not charged.'],
  },
  saidAsItIs: {
    fr: [
      'Unsupported destination country',
      'Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.',
    ],
    en: [
      'Unsupported destination country',
      'Your card was not charged. Please check what you entered, then try again.',
    ],
  },
  samePrice: {
    fr: [
      'Le prix de ce transfert a changé',
      'Votre carte n’a pas été débitée. Rechargez l’application, vérifiez le nouveau devis, puis confirmez-le.',
    ],
    en: [
      'The price of this transfer has changed',
      'Your card was not charged. Reload the app, check the new quote, then confirm it.',
    ],
  },
  otherPrice: {
    fr: [
      'Le prix de ce transfert a changé',
      'Frais : 1,00 € au lieu de 3,00 €. À recevoir : 1 049 400 GNF au lieu de 1 028 200 GNF. Rien n’a été débité : confirmez pour payer à ce prix.',
    ],
    en: [
      'The price of this transfer has changed',
      'Fee: €1.00 instead of €3.00. Recipient gets GNF 1,049,400 instead of GNF 1,028,200. Nothing was charged: confirm to pay this price.',
    ],
  },
  offline: {
    fr: [
      'Vous êtes hors ligne',
      'Rien n’est envoyé et votre carte n’est pas débitée. Votre saisie est gardée : payez dès le retour du réseau.',
    ],
    en: [
      'You are offline',
      'Nothing is sent and your card is not charged. What you typed is kept: pay as soon as the network is back.',
    ],
  },
  couponEnded: {
    fr: ['Ce code promo n’est plus valable, et rien n’a été débité. Effacez-le pour payer au prix affiché.'],
    en: ['This promo code is no longer valid, and nothing was charged. Clear it to pay the price shown.'],
  },
} satisfies Texts

/** What the form says when the card is declined, by the provider’s reason. */
export const DECLINES = {
  insufficient_funds: {
    fr: [
      'Le paiement a échoué',
      'Le solde de la carte est insuffisant.',
      'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.',
    ],
    en: [
      'The payment failed',
      'The card has insufficient funds.',
      'Your card was not charged. Try again, or use another card.',
    ],
  },
  expired_card: {
    fr: [
      'Le paiement a échoué',
      'La carte est expirée.',
      'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.',
    ],
    en: [
      'The payment failed',
      'The card has expired.',
      'Your card was not charged. Try again, or use another card.',
    ],
  },
  incorrect_cvc: {
    fr: [
      'Le paiement a échoué',
      'Le code de sécurité de la carte est incorrect.',
      'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.',
    ],
    en: [
      'The payment failed',
      'The card’s security code is incorrect.',
      'Your card was not charged. Try again, or use another card.',
    ],
  },
  processing_error: {
    fr: [
      'Le paiement a échoué',
      'La banque n’a pas pu traiter la demande.',
      'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.',
    ],
    en: [
      'The payment failed',
      'The bank could not process the request.',
      'Your card was not charged. Try again, or use another card.',
    ],
  },
  payment_intent_authentication_failure: {
    fr: [
      'Le paiement a échoué',
      'L’authentification par votre banque n’a pas abouti.',
      'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.',
    ],
    en: [
      'The payment failed',
      'The check by your bank did not succeed.',
      'Your card was not charged. Try again, or use another card.',
    ],
  },
  generic_decline: {
    fr: [
      'Le paiement a échoué',
      'La banque a refusé la carte.',
      'Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.',
    ],
    en: [
      'The payment failed',
      'The bank declined the card.',
      'Your card was not charged. Try again, or use another card.',
    ],
  },
} satisfies Texts

/** What the form says once the server knows what became of the payment. */
export const OUTCOMES = {
  unpaid: {
    fr: [
      'Le paiement n’a pas été terminé',
      'Votre carte n’a pas été débitée. Votre saisie est gardée : vous pouvez reprendre.',
    ],
    en: [
      'The payment was not completed',
      'Your card was not charged. What you typed is kept: you can go on.',
    ],
  },
  bankUnfinished: {
    fr: [
      'Votre banque attend votre confirmation',
      'Rien n’est débité sans elle. Si votre banque vous a écrit, répondez-lui ; sinon, payez à nouveau ici : c’est le même paiement, débité une seule fois.',
    ],
    en: [
      'Your bank is waiting for your confirmation',
      'Nothing is charged without it. If your bank wrote to you, answer there; otherwise pay again here: it is the same payment, charged once.',
    ],
  },
  disputed: {
    fr: [
      'Ce paiement est contesté auprès de votre banque',
      'Rien n’a été envoyé. Votre banque retient la somme et décide si elle vous la rend. Si elle nous la laisse, nous vous la remboursons en totalité.',
    ],
    en: [
      'This payment is disputed at your bank',
      'Nothing was sent. Your bank keeps the amount and decides whether it goes back to you. If it leaves it to us, we refund all of it.',
    ],
  },
  refunded: {
    fr: [
      'Le transfert n’a pas pu être enregistré',
      'Votre carte a été débitée, et la totalité vous est remboursée. Le délai dépend de votre banque, souvent 5 à 10 jours.',
    ],
    en: [
      'The transfer could not be recorded',
      'Your card was charged, and all of it is being refunded. How long it takes depends on your bank, often 5 to 10 days.',
    ],
  },
} satisfies Texts

/** What is said while nobody knows yet whether the card was charged. */
export const IN_DOUBT = {
  bankSlow: {
    fr: [
      'Votre banque n’a pas encore répondu',
      'On ne sait pas encore si votre carte a été débitée. Si votre banque vous demande de confirmer, par exemple dans son application, répondez-lui. Ne payez pas une seconde fois, ni ici ni ailleurs. Vous pouvez quitter cet écran : nous demanderons où en est ce paiement.',
    ],
    en: [
      'Your bank has not answered yet',
      'It is not known yet whether your card was charged. If your bank asks you to confirm, in its app for instance, answer it. Do not pay a second time, neither here nor elsewhere. You may leave this screen: we will ask where this payment stands.',
    ],
  },
  checking: {
    fr: [
      'Paiement en vérification',
      'La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous vérifions encore, et votre carte ne sera débitée qu’une fois.',
    ],
    en: [
      'Checking the payment',
      'The bank’s answer has not arrived yet. Do not pay a second time: we keep checking, and your card will be charged only once.',
    ],
  },
  stillChecking: {
    fr: [
      'Un paiement est encore en vérification',
      'S’il aboutit, il apparaîtra dans l’activité récente. Ne payez pas à nouveau avant de connaître son résultat.',
    ],
    en: [
      'A payment is still being checked',
      'If it succeeds it will appear in recent activity. Don’t pay again until you know the result.',
    ],
  },
  invoiceStillChecking: {
    fr: [
      'Un paiement est encore en vérification',
      'S’il aboutit, la facture apparaîtra parmi vos factures payées. Ne la payez pas autrement avant de connaître son résultat.',
    ],
    en: [
      'A payment is still being checked',
      'If it goes through, the invoice will appear among your paid invoices. Don’t pay it in another way until you know the result.',
    ],
  },
} satisfies Texts

/** What the sheet with the card form says. */
export const PAYMENT_SHEET = {
  promise: {
    fr: [
      'Votre numéro de carte va directement à notre prestataire de paiement. Votre carte n’est débitée qu’une fois.',
    ],
    en: ['Your card number goes straight to our payment provider. Your card is charged once.'],
  },
  cardInvalid: {
    fr: ['Vérifiez les champs de la carte', 'Votre carte n’a pas été débitée.'],
    en: ['Check the card details', 'Your card was not charged.'],
  },
  formFailed: {
    fr: [
      'Le formulaire de carte n’a pas pu s’ouvrir',
      'Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.',
    ],
    en: [
      'The card form could not be opened',
      'Your card was not charged. Check your connection, then try again.',
    ],
  },
} satisfies Texts

/** What the form says beside the amount, of what is left of the month, and of a form that was kept. */
export const AMOUNT = {
  overCap: {
    fr: [
      'C’est plus que ce qu’il vous reste ce mois-ci',
      'Vous pouvez encore envoyer 50,00 €. Un nouveau mois commence le 1er février 2030.',
    ],
    en: [
      'This is more than you have left this month',
      'You can still send €50.00. A new month starts on 1 February 2030.',
    ],
  },
  capUsed: {
    fr: [
      'C’est plus que ce qu’il vous reste ce mois-ci',
      'Votre plafond du mois est utilisé. Un nouveau mois commence le 1er février 2030.',
    ],
    en: [
      'This is more than you have left this month',
      'Your limit for this month is used. A new month starts on 1 February 2030.',
    ],
  },
  kept: {
    fr: [
      'Votre transfert est resté là',
      'Rien n’a été payé. Le montant à recevoir est calculé au tarif de maintenant.',
    ],
    en: [
      'Your transfer is still here',
      'Nothing was paid. What the recipient gets is computed at the current rate.',
    ],
  },
} satisfies Texts

/** What the form says of a number that nobody has a wallet with, by whoever pays out. */
export const NO_WALLET: Said = {
  fr: [
    'MTN ne connaît aucun portefeuille à ce numéro.',
    'Rien n’a été payé. Vérifiez le numéro, ou choisissez un autre portefeuille.',
  ],
  en: [
    'MTN knows no wallet with this number.',
    'Nothing was paid. Check the number, or choose another wallet.',
  ],
}
