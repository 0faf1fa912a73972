import type { Texts } from './said.ts'

/** What the invoice screen says when its function answers so. */
export const INVOICE_REFUSALS = {
  invoiceNotFound: {
    fr: [
      'Les détails de la facture n’ont pas pu être obtenus',
      'Ce fournisseur n’a pas de facture avec ce numéro. Comparez-le avec celui de la facture, chiffre par chiffre.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to fetch invoice details',
      'This supplier has no invoice with this number. Compare it with the one on the invoice, digit by digit.',
      'Your card was not charged.',
    ],
  },
  invoiceAlreadyPaid: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Cette facture vient d’être payée : il n’y a plus rien à payer.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'This invoice has just been paid: there is nothing left to pay.',
      'Your card was not charged.',
    ],
  },
  invoiceSeemsPaid: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Cette facture semble déjà payée. Une facture avec ce numéro et une date limite proche a été payée ici. Si celle-ci en est une autre, écrivez au support avec ce numéro de référence.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'This invoice seems to be paid already. One with this number and a close due date was paid here. If this is another one, write to the support with this reference number.',
      'Your card was not charged.',
    ],
  },
  invoiceUnderWay: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Un paiement de cette facture est déjà en cours, de vous sur un autre appareil, ou d’un proche. Consultez-la à nouveau dans une demi-heure.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'A payment of this invoice is already under way, yours on another device or that of somebody close to you. Look at it again in half an hour.',
      'Your card was not charged.',
    ],
  },
  tooManyHolds: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Vous avez commencé plusieurs fois à payer cette facture sans aller au bout. D’autres doivent pouvoir la payer aussi : réessayez dans 23 heures.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'You have begun to pay this invoice several times without finishing. Others have to be able to pay it too: try again in 23 hours.',
      'Your card was not charged.',
    ],
  },
  invoiceChanged: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Le fournisseur a changé le montant ou la date limite de cette facture. Consultez-la à nouveau avant de payer.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'The supplier has changed the amount or the due date of this invoice. Look at it again before paying.',
      'Your card was not charged.',
    ],
  },
  minimumPayment: {
    fr: [
      'Montant minimum de paiement non atteint',
      'Une carte ne peut pas payer une somme aussi petite.',
      'Votre carte n’a pas été débitée.',
      'Payez cette facture directement au fournisseur.',
    ],
    en: [
      'Minimum payment amount not reached',
      'A card can’t pay so small an amount.',
      'Your card was not charged.',
      'Pay this invoice directly to the supplier.',
    ],
  },
  maximumPayment: {
    fr: [
      'Montant maximum de paiement atteint',
      'Une carte ne peut pas payer cette somme en une fois.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Maximum payment amount reached',
      'A card can’t pay this sum at once.',
      'Your card was not charged.',
    ],
  },
  tooManyRequests: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Vous avez consulté beaucoup de factures en peu de temps. Réessayez dans 23 heures.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'You have looked at many invoices in a short time. Try again in 23 hours.',
      'Your card was not charged.',
    ],
  },
  paymentUnavailable: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Vérifiez votre connexion, puis réessayez.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'Check your connection, then try again.',
      'Your card was not charged.',
    ],
  },
  newReason: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Vérifiez votre saisie, puis réessayez.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'Please check what you entered, then try again.',
      'Your card was not charged.',
    ],
  },
} satisfies Texts

/** What else the invoice screen says. */
export const INVOICES = {
  noFee: {
    fr: [
      'Sans frais : votre carte est débitée du montant de la facture, dans sa devise. Votre banque convertit s’il le faut. Votre plafond d’envoi n’est pas entamé.',
    ],
    en: [
      'No fee: your card is charged the amount of the invoice, in its currency. Your bank converts it where needed. Your sending limit is not affected.',
    ],
  },
  refunded: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Votre carte a été débitée, et la totalité vous est remboursée. Le délai dépend de votre banque, souvent 5 à 10 jours.',
    ],
    en: [
      'Failed to process invoice payment',
      'Your card was charged, and all of it is being refunded. How long it takes depends on your bank, often 5 to 10 days.',
    ],
  },
  paid: {
    fr: ['Cette facture est déjà payée', 'Il n’y a plus rien à payer, et rien ne sera débité.'],
    en: ['This invoice is already paid', 'There is nothing left to pay, and nothing will be charged.'],
  },
  seemsPaid: {
    fr: [
      'Cette facture semble déjà payée',
      'Une facture avec ce numéro et une date limite proche a été payée ici. Il s’agit sans doute de la même. Rien ne sera débité. Si celle-ci en est une autre, écrivez au support avec ce numéro de référence.',
    ],
    en: [
      'This invoice seems to be paid already',
      'An invoice with this number and a close due date was paid here. It is most likely the same. Nothing will be charged. If this is another one, write to the support with this reference number.',
    ],
  },
  processing: {
    fr: [
      'Un paiement de cette facture est en cours',
      'Il vient peut-être de vous, sur un autre appareil, ou d’un proche. Pour ne pas payer deux fois, consultez la facture à nouveau dans une demi-heure.',
    ],
    en: [
      'A payment of this invoice is under way',
      'It may come from you, on another device, or from somebody close to you. So as not to pay twice, look at the invoice again in half an hour.',
    ],
  },
  overdue: {
    fr: [
      'La date limite est passée',
      'Vous pouvez encore payer ici. Le fournisseur peut demander des frais de retard à part.',
    ],
    en: ['The due date has passed', 'You can still pay here. The supplier may ask for late fees separately.'],
  },
} satisfies Texts
