import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatWait } from '../../../domain/common/wait.ts'
import type { CommonProblem } from '../../../machines/checkoutTypes.ts'
import { currentLanguage } from '../i18n.ts'

export interface CheckoutText {
  readonly kind: 'info' | 'warning' | 'error'
  readonly title: string
  readonly text: string
}

export type CheckoutWording = readonly [
  kind: CheckoutText['kind'],
  title: MessageDescriptor,
  text: MessageDescriptor,
]

export const getWording = ([kind, title, text]: CheckoutWording, i18n: I18n): CheckoutText => ({
  kind,
  title: i18n._(title),
  text: i18n._(text),
})

/** Each kind of payment has its own texts for these. */
type OwnKind = 'refused' | 'refunded' | 'stillChecking'

type PlainKind = Exclude<CommonProblem['kind'], OwnKind | 'tooManyRequests' | 'tooManyDeclines' | 'failed'>

const CANCELED: CheckoutWording = [
  'warning',
  msg`Ce paiement a été annulé`,
  msg`Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.`,
]

const WORDINGS: Record<PlainKind, CheckoutWording> = {
  userNotFound: [
    'error',
    msg`Utilisateur introuvable`,
    msg`Votre profil n’a pas été trouvé. Votre carte n’a pas été débitée. Déconnectez-vous, puis reconnectez-vous.`,
  ],
  nameRequired: [
    'error',
    msg`Saisissez votre nom complet`,
    msg`Votre profil n’a pas de nom. Votre carte n’a pas été débitée. Ajoutez-le dans votre profil, puis payez.`,
  ],
  sessionExpired: [
    'error',
    msg`Votre session a expiré`,
    msg`Votre carte n’a pas été débitée. Reconnectez-vous pour continuer.`,
  ],
  emailUnverified: [
    'error',
    msg`Adresse e-mail à vérifier`,
    msg`Votre carte n’a pas été débitée. Ouvrez le lien reçu par e-mail, puis réessayez.`,
  ],
  attemptEnded: CANCELED,
  attemptConflict: CANCELED,
  initFailed: [
    'error',
    msg`Le paiement n’a pas pu être préparé`,
    msg`Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.`,
  ],
  paymentsPaused: [
    'warning',
    msg`Vos paiements sont suspendus pour l’instant`,
    msg`Votre carte n’a pas été débitée. Votre historique et vos reçus restent accessibles. Contactez notre assistance : nous regarderons cela avec vous.`,
  ],
  paymentsClosed: [
    'warning',
    msg`Les paiements sont fermés pour le moment`,
    msg`Votre carte n’a pas été débitée. Les paiements déjà faits ne sont pas à refaire. Réessayez plus tard.`,
  ],
  offline: [
    'warning',
    msg`Vous êtes hors ligne`,
    msg`Rien n’est envoyé et votre carte n’est pas débitée. Votre saisie est gardée : payez dès le retour du réseau.`,
  ],
  cardInvalid: ['error', msg`Vérifiez les champs de la carte`, msg`Votre carte n’a pas été débitée.`],
  disputed: [
    'warning',
    msg`Ce paiement est contesté auprès de votre banque`,
    msg`Rien n’a été envoyé. Votre banque retient la somme et décide si elle vous la rend. Si elle nous la laisse, nous vous la remboursons en totalité.`,
  ],
  notCharged: [
    'info',
    msg`Le paiement n’a pas été terminé`,
    msg`Votre carte n’a pas été débitée. Votre saisie est gardée : vous pouvez reprendre.`,
  ],
  statusUnclear: [
    'warning',
    msg`Nous vérifions votre paiement`,
    msg`La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous vérifions encore, et votre carte ne sera débitée qu’une fois.`,
  ],
  lookingUp: [
    'info',
    msg`Nous vérifions vos derniers paiements`,
    msg`Cet appareil ne sait pas s’il en reste un en cours. Ne payez pas une seconde fois : nous demandons au serveur, et le formulaire attend sa réponse.`,
  ],
  bankUnfinished: [
    'warning',
    msg`Votre banque attend votre confirmation`,
    msg`Rien n’est débité sans elle. Si votre banque vous a écrit, répondez-lui ; sinon, payez à nouveau ici : c’est le même paiement, débité une seule fois.`,
  ],
}

/** Specification, section 8. */
export function getCommonCheckoutText(
  problem: Exclude<CommonProblem, { kind: OwnKind }>,
  i18n: I18n,
): CheckoutText {
  switch (problem.kind) {
    case 'tooManyRequests': {
      const wait = formatWait(problem.retryAfterSeconds, currentLanguage())
      const text = msg`Votre carte n’a pas été débitée. Réessayez dans ${wait}.`
      return getWording(['error', msg`Trop de tentatives`, text], i18n)
    }
    case 'tooManyDeclines': {
      const wait = formatWait(problem.retryAfterSeconds, currentLanguage())
      const text = msg`Votre carte n’a pas été débitée. Pour protéger vos cartes, attendez ${wait} avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.`
      return getWording(['warning', msg`Trop de cartes ont été refusées`, text], i18n)
    }
    case 'failed':
      return {
        kind: 'error',
        title: i18n._(msg`Le paiement a échoué`),
        text: `${i18n._(getDeclineText(problem.reason))} ${i18n._(msg`Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.`)}`,
      }
    default:
      return getWording(WORDINGS[problem.kind], i18n)
  }
}

function getDeclineText(reason: string): MessageDescriptor {
  switch (reason) {
    case 'insufficient_funds':
      return msg`Le solde de la carte est insuffisant.`
    case 'expired_card':
      return msg`La carte est expirée.`
    case 'incorrect_cvc':
      return msg`Le code de sécurité de la carte est incorrect.`
    case 'processing_error':
      return msg`La banque n’a pas pu traiter la demande.`
    case 'payment_intent_authentication_failure':
      return msg`L’authentification par votre banque n’a pas abouti.`
    default:
      return msg`La banque a refusé la carte.`
  }
}
