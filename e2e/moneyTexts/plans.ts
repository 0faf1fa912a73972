import type { Texts } from './said.ts'

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
  updateUnclear: {
    fr: [
      'Nous ne savons pas encore où en est votre forfait',
      'Rien n’a été débité. Ce que vous voyez ici n’est peut-être plus à jour : si vous avez résilié, c’est peut-être déjà fait. Regardez à nouveau quand le réseau est revenu ; réessayer est sans risque.',
    ],
    en: [
      'We do not know yet how your plan stands',
      'Nothing was charged. What you see here may be out of date: if you cancelled, it may be done already. Look again when the network is back; trying again is safe.',
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
      'Votre banque a refusé le paiement du forfait. Nous réessayons pendant quelques jours ; approvisionnez votre compte, ou prenez une autre carte. Si le paiement ne passe pas, le forfait s’arrête, et vous pourrez vous abonner de nouveau.',
    ],
    en: [
      'The renewal could not be charged',
      'Your bank refused the payment of the plan. We try again for some days; please make sure that your card can be charged, or use another one. If the payment does not go through, the plan ends, and you can subscribe again.',
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
    en: ['Your Premium Plan is cancelled', 'Nothing more will be charged for it.'],
  },
  until: {
    fr: ['Résilié : vous le gardez jusqu’au 1er février 2030, puis rien ne sera plus débité.'],
    en: ['Cancelled: you keep it until 1 February 2030, then nothing is charged any more.'],
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
