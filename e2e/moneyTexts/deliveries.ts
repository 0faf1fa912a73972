import type { Texts } from './said.ts'

/** What a receipt says of a transfer that does not arrive as it should. */
export const DELIVERIES = {
  late: {
    fr: [
      'Arrivée plus tard que prévu',
      'Votre paiement est bien enregistré, et la remise prend plus de temps. Vous n’avez rien à faire : ne payez pas une seconde fois. Si elle échoue, tout est remboursé sur votre carte, frais compris.',
    ],
    en: [
      'Arriving later than expected',
      'Your payment is recorded, and bringing the money takes longer. You have nothing to do: don’t pay a second time. If it fails, your card is refunded in full, fee included.',
    ],
  },
  failed: {
    fr: [
      'N’a pas pu être remis',
      'Aucun portefeuille n’a ce numéro. Vérifiez-le avec le bénéficiaire avant un nouvel envoi.',
      'Le bénéficiaire n’a rien reçu. Tout est remboursé sur votre carte, frais compris. Le délai dépend de votre banque, souvent 5 à 10 jours.',
    ],
    en: [
      'Could not be delivered',
      'No wallet has this number. Check it with the recipient before you send again.',
      'The recipient got nothing. Your card is refunded in full, fee included. How long it takes depends on your bank, often 5 to 10 days.',
    ],
  },
  calledOff: {
    fr: [
      'N’a pas pu être remis',
      'Le paiement a été remboursé ou contesté avant la remise : le transfert a été arrêté.',
      'Le bénéficiaire n’a rien reçu. Ce qui ne vous est pas encore rendu le sera, par nous ou par votre banque.',
    ],
    en: [
      'Could not be delivered',
      'The payment was refunded or disputed before the money was handed over: the transfer was stopped.',
      'The recipient got nothing. What you don’t have back yet you will get, from us or from your bank.',
    ],
  },
  paidBack: {
    fr: [
      'N’a pas pu être remis',
      'Aucun portefeuille n’a ce numéro. Vérifiez-le avec le bénéficiaire avant un nouvel envoi.',
      'Le bénéficiaire n’a rien reçu. Tout ce que vous aviez payé vous est rendu, frais compris.',
    ],
    en: [
      'Could not be delivered',
      'No wallet has this number. Check it with the recipient before you send again.',
      'The recipient got nothing. All that you had paid was given back to you, fee included.',
    ],
  },
} satisfies Texts
