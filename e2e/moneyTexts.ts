// What the product says about money, word by word in both languages, by the screen where it appears: the title of a notice, then its
// sentences. The app's own catalogs are not asked: these are the words that somebody decided on, and a text that becomes another
// one on the way fails here.
import type { Language } from '../domain/language.ts'

export type Said = Readonly<Record<Language, readonly [title: string, ...sentences: string[]]>>
type Texts = Readonly<Record<string, Said>>

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
    en: ['This payment was canceled', 'Your card was not charged. Confirm again to pay.'],
  },
  attemptConflict: {
    fr: ['Ce paiement a été annulé', 'Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.'],
    en: ['This payment was canceled', 'Your card was not charged. Confirm again to pay.'],
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
      'Fee: €1.00 instead of €3.00. To be received: GNF 1,049,400 instead of GNF 1,028,200. Nothing was charged: confirm to pay this price.',
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
      'La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous redemandons, et vous ne serez débité qu’une fois.',
    ],
    en: [
      'Checking the payment',
      'The bank’s answer has not arrived yet. Do not pay a second time: we keep asking, and you will be charged only once.',
    ],
  },
  stillChecking: {
    fr: [
      'Un paiement est encore en vérification',
      'S’il aboutit, il apparaîtra dans l’activité récente. Ne le refaites pas avant de connaître son résultat.',
    ],
    en: [
      'A payment is still being checked',
      'If it succeeds it will appear in recent activity. Do not repeat it before you know its outcome.',
    ],
  },
  invoiceStillChecking: {
    fr: [
      'Un paiement est encore en vérification',
      'S’il aboutit, la facture apparaîtra parmi vos factures payées. Ne la payez pas autrement avant de connaître son résultat.',
    ],
    en: [
      'A payment is still being checked',
      'If it goes through, the invoice will appear among your paid invoices. Do not pay it in another way before you know the outcome.',
    ],
  },
} satisfies Texts

/** What the sheet with the card form says. */
export const PAYMENT_SHEET = {
  promise: {
    fr: [
      'Votre numéro de carte va directement à notre prestataire de paiement. Vous n’êtes débité qu’une fois.',
    ],
    en: ['Your card number goes straight to our payment provider. You are charged once.'],
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
      'Cette facture semble déjà payée : une facture avec ce numéro et une date limite proche a été payée ici. Si celle-ci en est une autre, écrivez au support avec ce numéro de référence.',
      'Votre carte n’a pas été débitée.',
    ],
    en: [
      'Failed to process invoice payment',
      'This invoice seems to be paid already: one with this number and a due date close to this one was paid here. If this is another one, write to the support with this reference number.',
      'Your card was not charged.',
    ],
  },
  invoiceUnderWay: {
    fr: [
      'Le paiement de la facture n’a pas pu être effectué',
      'Un paiement de cette facture est déjà en cours, le vôtre sur un autre appareil ou celui d’un proche. Consultez-la à nouveau dans une demi-heure.',
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
      'Sans frais : votre carte est débitée du montant de la facture, dans sa devise. Votre banque convertit s’il le faut. Votre plafond d’envoi n’est pas touché.',
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
      'Une facture avec ce numéro et une date limite proche a été payée ici : il s’agit sans doute de la même. Rien ne sera débité. Si celle-ci en est une autre, écrivez au support avec ce numéro de référence.',
    ],
    en: [
      'This invoice seems to be paid already',
      'An invoice with this number and a due date close to this one was paid here: it is most likely the same. Nothing will be charged. If this is another one, write to the support with this reference number.',
    ],
  },
  processing: {
    fr: [
      'Un paiement de cette facture est en cours',
      'C’est peut-être le vôtre sur un autre appareil, ou celui d’un proche. Pour qu’elle ne soit pas payée deux fois, consultez-la à nouveau dans une demi-heure.',
    ],
    en: [
      'A payment of this invoice is under way',
      'It may be yours on another device, or that of somebody close to you. So that it is not paid twice, look at it again in half an hour.',
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

/** What the plans say when `create-subscription` answers so. */
export const PLAN_REFUSALS = {
  unavailable: {
    fr: ['L’abonnement n’a pas pu être créé', 'Rien n’a été débité. Réessayez dans un moment.'],
    en: ['Failed to create subscription', 'Nothing was charged. Try again in a moment.'],
  },
  unauthenticated: {
    fr: [
      'Veuillez vous connecter pour vous abonner',
      'Votre session a pris fin. Déconnectez-vous, puis reconnectez-vous.',
    ],
    en: ['Please sign in to subscribe', 'Your session has ended. Sign out, then sign in again.'],
  },
  planActive: {
    fr: [
      'Vous avez déjà un forfait',
      'Rien n’a été débité. Vous pourrez en prendre un autre quand celui-ci sera terminé.',
    ],
    en: ['You have a plan already', 'Nothing was charged. You can take another one when this one has ended.'],
  },
  emailUnverified: {
    fr: [
      'Vérifiez d’abord votre adresse e-mail',
      'Rien n’a été débité. Ouvrez le lien de l’e-mail de vérification, puis reconnectez-vous.',
    ],
    en: [
      'Verify your email address first',
      'Nothing was charged. Open the link in the verification email, then sign in again.',
    ],
  },
  paymentsPaused: {
    fr: [
      'Vos paiements sont suspendus pour l’instant',
      'Rien n’a été débité. Contactez notre assistance : nous regarderons cela avec vous.',
    ],
    en: [
      'Your payments are paused for now',
      'Nothing was charged. Contact our support: we will look into it with you.',
    ],
  },
  tooManyDeclines: {
    fr: [
      'Trop de cartes ont été refusées',
      'Rien n’a été débité. Pour protéger vos cartes, attendez 23 heures avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.',
    ],
    en: [
      'Too many cards were declined',
      'Nothing was charged. To protect your cards, wait 23 hours before you try again. Your bank can tell you why it declines.',
    ],
  },
  paymentsClosed: {
    fr: ['Les paiements sont fermés pour le moment', 'Rien n’a été débité. Réessayez plus tard.'],
    en: ['Payments are closed for now', 'Nothing was charged. Try again later.'],
  },
} satisfies Texts

/** What else the plans say. */
export const PLANS = {
  noCheckoutUrl: {
    fr: ['Aucune adresse de paiement reçue', 'Rien n’a été débité. Réessayez dans un moment.'],
    en: ['No checkout URL received', 'Nothing was charged. Try again in a moment.'],
  },
  offline: {
    fr: ['Vous êtes hors ligne', 'Rien n’a été débité. Réessayez quand le réseau est revenu.'],
    en: ['You are offline', 'Nothing was charged. Try again when the network is back.'],
  },
  verifying: {
    fr: ['Nous vérifions votre paiement…', 'Restez sur cette page un instant. Rien ne sera payé deux fois.'],
    en: ['We are checking your payment…', 'Stay on this page for a moment. Nothing is paid twice.'],
  },
  verifyFailed: {
    fr: [
      'L’abonnement n’a pas pu être vérifié',
      'Ce paiement n’est pas, ou n’est plus, celui d’un forfait de votre compte. Si votre carte a été débitée, votre forfait apparaît ici sans rien payer de plus.',
    ],
    en: [
      'Failed to verify subscription',
      'This payment is not, or no longer, that of a plan of your account. If your card was charged, your plan appears here without paying anything more.',
    ],
  },
  verifyUnclear: {
    fr: [
      'Nous ne savons pas encore si votre forfait est payé',
      'S’il l’est, il apparaît ici dès que la banque l’a confirmé, sans rien payer de plus.',
    ],
    en: [
      'We do not know yet whether your plan is paid',
      'If it is, it appears here as soon as the bank has confirmed it, without paying anything more.',
    ],
  },
  planNotFound: {
    fr: ['Aucun abonnement actif trouvé', 'Rien n’a changé. Ce que vous voyez ici est l’état de maintenant.'],
    en: ['No active subscription found', 'Nothing has changed. What you see here is how it is now.'],
  },
  updateFailed: {
    fr: [
      'L’état de l’abonnement n’a pas pu être mis à jour',
      'Rien n’a été débité. Ce que vous voyez ici est l’état de maintenant ; réessayez si besoin.',
    ],
    en: [
      'Failed to update subscription status',
      'Nothing was charged. What you see here is how it is now; try again if needed.',
    ],
  },
  cardChangeFailed: {
    fr: ['La page de la carte n’a pas pu s’ouvrir', 'Rien n’a été débité. Réessayez dans un moment.'],
    en: ['The card page could not be opened', 'Nothing was charged. Try again in a moment.'],
  },
  cardDeclined: {
    fr: [
      'Cette carte a été refusée aussi',
      'Rien n’a été débité. Votre forfait reste comme il était ; essayez une autre carte, ou parlez à votre banque.',
    ],
    en: [
      'This card was refused too',
      'Nothing was charged. Your plan stays as it was; try another card, or talk to your bank.',
    ],
  },
  renewalFailed: {
    fr: [
      'Le renouvellement n’a pas pu être débité',
      'Votre banque a refusé le paiement du forfait. Nous réessayons pendant quelques jours ; approvisionnez votre carte, ou prenez-en une autre. Si le paiement ne passe pas, le forfait s’arrête, et vous pourrez vous abonner de nouveau.',
    ],
    en: [
      'The renewal could not be charged',
      'Your bank refused the payment of the plan. We try again for some days; please make sure that your card can be charged, or use another one. If the payment does not go through, the plan ends, and you can subscribe again.',
    ],
  },
} satisfies Texts

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
      'Un paiement est encore en vérification. S’il aboutit, il apparaîtra dans l’activité récente. Ne le refaites pas avant de connaître son résultat.',
    ],
    en: [
      'A payment is still being checked. If it succeeds it will appear in recent activity. Do not repeat it before you know its outcome.',
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
      'Nothing was paid. The amount to be received is computed at the current rate.',
    ],
  },
} satisfies Texts

/** What a month costs in each plan for three transfers of 100 EUR, and what is in it. */
export const PRICES = {
  none: {
    fr: ['par mois : 9,00 € de frais', '3 % de frais par transfert'],
    en: ['a month: €9.00 in fees', '3% fee for each transfer'],
  },
  basic: {
    fr: [
      'par mois : 2,00 € d’abonnement et 5,00 € de frais',
      '2 € par mois, sans engagement',
      '2 transferts par mois à 1 € de frais chacun',
      'Au-delà : 3 % de frais',
    ],
    en: [
      'a month: €2.00 for the subscription and €5.00 in fees',
      '€2 a month, cancel anytime',
      '2 transfers a month at a fee of €1 each',
      'Beyond that: 3% fee',
    ],
  },
  premium: {
    fr: [
      'par mois : 5,00 € d’abonnement et 0,00 € de frais',
      '5 € par mois, sans engagement',
      '5 transferts par mois sans frais',
      'Au-delà : 3 % de frais',
    ],
    en: [
      'a month: €5.00 for the subscription and €0.00 in fees',
      '€5 a month, cancel anytime',
      '5 transfers a month without a fee',
      'Beyond that: 3% fee',
    ],
  },
  saved: {
    fr: ['Premium est le moins cher pour vous', 'Vous économisez 4,00 € par mois, abonnement compris.'],
    en: ['Premium is the cheapest for you', 'You save €4.00 a month, subscription included.'],
  },
} satisfies Texts

/** What is said of the end of a plan. */
export const PLAN_ENDS = {
  question: {
    fr: [
      'Ce mois est payé : vous gardez le forfait et ses transferts jusqu’au {until}. Après, plus rien n’est débité, et vos transferts reviennent au tarif sans forfait.',
    ],
    en: [
      'This month is paid: you keep the plan and its transfers until {until}. After that nothing is charged any more, and your transfers cost what they do without a plan.',
    ],
  },
  canceled: {
    fr: ['Votre forfait Premium est résilié', 'Rien ne sera plus débité pour lui.'],
    en: ['Your Premium Plan is canceled', 'Nothing more will be charged for it.'],
  },
  until: {
    fr: ['Résilié : vous le gardez jusqu’au 1er février 2030, puis rien ne sera plus débité.'],
    en: ['Canceled: you keep it until 1 February 2030, then nothing is charged any more.'],
  },
  stopped: {
    fr: [
      'Votre forfait Premium s’est arrêté le 1er février 2026',
      'Votre banque a refusé son renouvellement. Rien n’a été débité pour ce nouveau mois ; vous pouvez vous abonner de nouveau.',
    ],
    en: [
      'Your Premium Plan stopped on 1 February 2026',
      'Your bank refused its renewal. Nothing was charged for that new month; you can subscribe again.',
    ],
  },
} satisfies Texts

/** What the wallet says. */
export const WALLET = {
  left: {
    fr: ['Ce que vous pouvez encore envoyer ce mois-ci'],
    en: ['What you can still send this month'],
  },
  plain: {
    fr: ['Autant de transferts que le plafond le permet, à 3 % de frais.'],
    en: ['As many transfers as the limit allows, at a 3% fee.'],
  },
} satisfies Texts

/** What is said about money on other screens. */
export const ELSEWHERE = {
  again: {
    fr: ['Envoyer encore est un second transfert : votre carte sera débitée une fois de plus.'],
    en: ['Sending again is a second transfer: your card will be charged once more.'],
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
    fr: [
      'Si un paiement était en cours, son résultat s’affichera à la réouverture. Ne payez pas une seconde fois avant de l’avoir vu.',
    ],
    en: [
      'If a payment was under way, its result will show when the app opens again. Do not pay a second time before you have seen it.',
    ],
  },
  deletion: {
    fr: [
      'ce que vous avez envoyé ce mois-ci, jusqu’à la fin du mois : votre plafond ne repart pas de zéro avec un nouveau compte',
    ],
    en: ['what you have sent this month, until the month ends: a new account does not start your cap anew'],
  },
} satisfies Texts
