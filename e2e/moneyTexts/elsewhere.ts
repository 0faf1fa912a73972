import type { Texts } from './said.ts'

/** What is said of a payment that the end of a session left open: beside the sign-in, and behind it. */
export const SESSION_ENDED = {
  unpaid: {
    fr: [
      'Votre session a pris fin',
      'Elle a été fermée ailleurs. Votre carte n’a pas été débitée. Reconnectez-vous pour reprendre votre paiement.',
    ],
    en: [
      'Your session has ended',
      'It was closed elsewhere. Your card was not charged. Sign in again to take your payment up.',
    ],
  },
  maybePaid: {
    fr: [
      'Votre session a pris fin',
      'Elle a été fermée ailleurs. Votre paiement a peut-être été pris : ne payez pas une seconde fois. Reconnectez-vous, et vous verrez le reçu, ou que rien n’a été débité.',
    ],
    en: [
      'Your session has ended',
      'It was closed elsewhere. Your payment may have gone through: do not pay a second time. Sign in again, and you will see the receipt, or that nothing was charged.',
    ],
  },
  leftUnpaid: {
    fr: ['Le paiement resté ouvert n’a pas été terminé. Votre carte n’a pas été débitée.'],
    en: ['The payment that was left open was not finished. Your card was not charged.'],
  },
  invoicePaid: {
    fr: ['Votre facture est payée. Son reçu est dans vos factures.'],
    en: ['Your invoice is paid. Its receipt is among your invoices.'],
  },
  disputed: {
    fr: [
      'Rien n’a été envoyé. Votre banque retient la somme et décide si elle vous la rend. Si elle nous la laisse, nous vous la remboursons en totalité.',
    ],
    en: [
      'Nothing was sent. Your bank keeps the amount and decides whether it goes back to you. If it leaves it to us, we refund all of it.',
    ],
  },
  refunded: {
    fr: [
      'Votre carte a été débitée, et la totalité vous est remboursée. Le délai dépend de votre banque, souvent 5 à 10 jours.',
    ],
    en: [
      'Your card was charged, and all of it is being refunded. How long it takes depends on your bank, often 5 to 10 days.',
    ],
  },
  unclear: {
    fr: [
      'Un paiement est encore en vérification. S’il aboutit, il apparaîtra dans l’activité récente. Ne payez pas à nouveau avant de connaître son résultat.',
    ],
    en: [
      'A payment is still being checked. If it succeeds it will appear in recent activity. Don’t pay again until you know the result.',
    ],
  },
} satisfies Texts

/** What is said about money on other screens. */
export const ELSEWHERE = {
  again: {
    fr: ['Ce sera un second transfert : votre carte sera débitée une fois de plus.'],
    en: ['It will be a second transfer: your card will be charged once more.'],
  },
  receipt: {
    fr: ['Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre transfert.'],
    en: ['Your card was charged once. Keep this receipt: it proves your transfer.'],
  },
  invoiceReceipt: {
    fr: ['Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre paiement.'],
    en: ['Your card was charged only once. Keep this receipt: it proves your payment.'],
  },
  reopen: {
    fr: ['Si un paiement était en cours, ne payez pas une seconde fois avant d’en connaître le résultat.'],
    en: ['If a payment was under way, do not pay a second time until you know its result.'],
  },
  deletion: {
    fr: ['ce que vous avez envoyé ce mois-ci, jusqu’à la fin du mois : un nouveau compte garde ce plafond'],
    en: ['what you have sent this month, until the month ends: a new account keeps this limit'],
  },
} satisfies Texts
