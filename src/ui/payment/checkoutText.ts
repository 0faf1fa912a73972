import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatWait } from '../../../domain/common/wait.ts'
import type { CommonProblem } from '../../../machines/checkoutTypes.ts'
import { currentLanguage } from '../i18n.ts'

export interface CheckoutText {
  readonly kind: 'info' | 'warning' | 'error'
  readonly title: string
  readonly text: string
}

/** Each kind of payment has its own texts for these. */
type OwnKind = 'refused' | 'refunded' | 'stillChecking'

/** Specification, section 8. */
export function getCommonCheckoutText(
  problem: Exclude<CommonProblem, { kind: OwnKind }>,
  i18n: I18n,
): CheckoutText {
  switch (problem.kind) {
    case 'userNotFound':
      return {
        kind: 'error',
        title: i18n._(msg`Utilisateur introuvable`),
        text: i18n._(
          msg`Votre profil n’a pas été trouvé. Votre carte n’a pas été débitée. Déconnectez-vous, puis reconnectez-vous.`,
        ),
      }
    case 'nameRequired':
      return {
        kind: 'error',
        title: i18n._(msg`Saisissez votre nom complet`),
        text: i18n._(
          msg`Votre profil n’a pas de nom. Votre carte n’a pas été débitée. Ajoutez-le dans votre profil, puis payez.`,
        ),
      }
    case 'sessionExpired':
      return {
        kind: 'error',
        title: i18n._(msg`Votre session a expiré`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Reconnectez-vous pour continuer.`),
      }
    case 'emailUnverified':
      return {
        kind: 'error',
        title: i18n._(msg`Adresse e-mail à vérifier`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Ouvrez le lien reçu par e-mail, puis réessayez.`),
      }
    case 'attemptEnded':
    case 'attemptConflict':
      return {
        kind: 'warning',
        title: i18n._(msg`Ce paiement a été annulé`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Confirmez à nouveau pour payer.`),
      }
    case 'initFailed':
      return {
        kind: 'error',
        title: i18n._(msg`Le paiement n’a pas pu être préparé`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.`),
      }
    case 'tooManyRequests': {
      const wait = formatWait(problem.retryAfterSeconds, currentLanguage())
      return {
        kind: 'error',
        title: i18n._(msg`Trop de tentatives`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Réessayez dans ${wait}.`),
      }
    }
    case 'paymentsPaused':
      return {
        kind: 'warning',
        title: i18n._(msg`Vos paiements sont suspendus pour l’instant`),
        text: i18n._(
          msg`Votre carte n’a pas été débitée. Votre historique et vos reçus restent accessibles. Contactez notre assistance : nous regarderons cela avec vous.`,
        ),
      }
    case 'tooManyDeclines': {
      const wait = formatWait(problem.retryAfterSeconds, currentLanguage())
      return {
        kind: 'warning',
        title: i18n._(msg`Trop de cartes ont été refusées`),
        text: i18n._(
          msg`Votre carte n’a pas été débitée. Pour protéger vos cartes, attendez ${wait} avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.`,
        ),
      }
    }
    case 'paymentsClosed':
      return {
        kind: 'warning',
        title: i18n._(msg`Les paiements sont fermés pour le moment`),
        text: i18n._(
          msg`Votre carte n’a pas été débitée. Les paiements déjà faits ne sont pas à refaire. Réessayez plus tard.`,
        ),
      }
    case 'offline':
      return {
        kind: 'warning',
        title: i18n._(msg`Vous êtes hors ligne`),
        text: i18n._(
          msg`Rien n’est envoyé et votre carte n’est pas débitée. Votre saisie est gardée : payez dès le retour du réseau.`,
        ),
      }
    case 'cardInvalid':
      return {
        kind: 'error',
        title: i18n._(msg`Vérifiez les champs de la carte`),
        text: i18n._(msg`Votre carte n’a pas été débitée.`),
      }
    case 'failed':
      return {
        kind: 'error',
        title: i18n._(msg`Le paiement a échoué`),
        text: `${declineText(problem.reason, i18n)} ${i18n._(msg`Votre carte n’a pas été débitée. Réessayez, ou prenez une autre carte.`)}`,
      }
    case 'disputed':
      return {
        kind: 'warning',
        title: i18n._(msg`Ce paiement est contesté auprès de votre banque`),
        text: i18n._(
          msg`Rien n’a été envoyé. Votre banque retient la somme et décide si elle vous la rend. Si elle nous la laisse, nous vous la remboursons en totalité.`,
        ),
      }
    case 'notCharged':
      return {
        kind: 'info',
        title: i18n._(msg`Le paiement n’a pas été terminé`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Votre saisie est gardée : vous pouvez reprendre.`),
      }
    case 'statusUnclear':
      return {
        kind: 'warning',
        title: i18n._(msg`Nous vérifions votre paiement`),
        text: i18n._(
          msg`La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous vérifions encore, et votre carte ne sera débitée qu’une fois.`,
        ),
      }
    case 'lookingUp':
      return {
        kind: 'info',
        title: i18n._(msg`Nous vérifions vos derniers paiements`),
        text: i18n._(
          msg`Cet appareil ne sait pas s’il en reste un en cours. Ne payez pas une seconde fois : nous demandons au serveur, et le formulaire attend sa réponse.`,
        ),
      }
    case 'bankUnfinished':
      return {
        kind: 'warning',
        title: i18n._(msg`Votre banque attend votre confirmation`),
        text: i18n._(
          msg`Rien n’est débité sans elle. Si votre banque vous a écrit, répondez-lui ; sinon, payez à nouveau ici : c’est le même paiement, débité une seule fois.`,
        ),
      }
  }
}

function declineText(reason: string, i18n: I18n): string {
  switch (reason) {
    case 'insufficient_funds':
      return i18n._(msg`Le solde de la carte est insuffisant.`)
    case 'expired_card':
      return i18n._(msg`La carte est expirée.`)
    case 'incorrect_cvc':
      return i18n._(msg`Le code de sécurité de la carte est incorrect.`)
    case 'processing_error':
      return i18n._(msg`La banque n’a pas pu traiter la demande.`)
    case 'payment_intent_authentication_failure':
      return i18n._(msg`L’authentification par votre banque n’a pas abouti.`)
    default:
      return i18n._(msg`La banque a refusé la carte.`)
  }
}
