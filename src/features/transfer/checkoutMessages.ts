import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CheckoutProblem } from '../../../machines/transfer.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../domain/limits.ts'
import { formatMoney, formatMoneyShort, money } from '../../domain/money.ts'
import { formatDay } from '../../domain/month.ts'
import { currentLanguage } from '../../ui/i18n.ts'

export interface CheckoutText {
  readonly kind: 'info' | 'warning' | 'error'
  readonly title: string
  readonly text: string
}

/** What happened, whether money moved, and what to do next. Specification, section 8. */
export function checkoutText(problem: CheckoutProblem, i18n: I18n): CheckoutText {
  switch (problem.kind) {
    case 'monthlyCapExceeded': {
      const language = currentLanguage()
      const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
      const left = formatMoney(money(problem.leftCents, 'EUR'), language)
      const date = formatDay(problem.resetsAt, language)
      return {
        kind: 'warning',
        title: i18n._(msg`Plafond mensuel atteint`),
        text: i18n._(
          msg`Vous pouvez envoyer ${cap} par mois. Il vous reste ${left} ; un nouveau mois commence le ${date}. Votre carte n’a pas été débitée.`,
        ),
      }
    }
    case 'capUnavailable':
      return {
        kind: 'error',
        title: i18n._(
          msg`Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.`,
        ),
        text: i18n._(msg`Votre carte n’a pas été débitée.`),
      }
    case 'quoteChanged':
      return {
        kind: 'warning',
        title: i18n._(msg`Le prix de ce transfert a changé`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Vérifiez le nouveau devis, puis confirmez-le.`),
      }
    case 'userNotFound':
      return {
        kind: 'error',
        title: i18n._(msg`Utilisateur introuvable`),
        text: i18n._(
          msg`Votre profil n’a pas été trouvé. Votre carte n’a pas été débitée. Déconnectez-vous, puis reconnectez-vous.`,
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
    case 'refused':
      return {
        kind: 'error',
        title: i18n._(msg`Le transfert n’a pas pu être effectué`),
        text: problem.message,
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
          msg`La réponse de la banque n’est pas encore arrivée. Ne payez pas une seconde fois : nous redemandons, et vous ne serez débité qu’une fois.`,
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
    case 'stillChecking':
      return {
        kind: 'warning',
        title: i18n._(msg`Un paiement est encore en vérification`),
        text: i18n._(
          msg`S’il aboutit, il apparaîtra dans l’activité récente. Ne le refaites pas avant de connaître son résultat.`,
        ),
      }
    case 'refunded':
      return {
        kind: 'warning',
        title: i18n._(msg`Le transfert n’a pas pu être enregistré`),
        text: i18n._(
          msg`Votre carte a été débitée, et la totalité vous est remboursée. Le délai dépend de votre banque, souvent 5 à 10 jours.`,
        ),
      }
  }
}

/** The provider's reason in our words; its own codes say nothing to a person. */
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
