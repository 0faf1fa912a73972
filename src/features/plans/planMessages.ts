import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import { formatWait } from '../../../domain/common/wait.ts'
import type { PlanProblem } from '../../../machines/subscription.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { type CheckoutText, type CheckoutWording, getWording } from '../../ui/payment/checkoutText.ts'

export const PLAN_NAMES: Record<Tier, string> = { basic: 'Basic', premium: 'Premium' }

const NOT_CHARGED = msg`Rien n’a été débité. Réessayez dans un moment.`

const WORDINGS: Record<Exclude<PlanProblem['kind'], 'tooManyDeclines'>, CheckoutWording> = {
  unauthenticated: [
    'error',
    msg`Veuillez vous connecter pour vous abonner`,
    msg`Votre session a pris fin. Déconnectez-vous, puis reconnectez-vous.`,
  ],
  createFailed: ['error', msg`L’abonnement n’a pas pu être créé`, NOT_CHARGED],
  noCheckoutUrl: ['error', msg`Aucune adresse de paiement reçue`, NOT_CHARGED],
  planNotFound: ['error', msg`Aucun abonnement actif trouvé`, msg`Rien n’a changé. Cette page est à jour.`],
  verifyFailed: [
    'error',
    msg`L’abonnement n’a pas pu être vérifié`,
    msg`Nous n’avons pas pu associer ce paiement à un forfait de votre compte. Si votre carte a été débitée, votre forfait apparaîtra ici : ne payez pas une seconde fois.`,
  ],
  updateFailed: [
    'error',
    msg`L’état de l’abonnement n’a pas pu être mis à jour`,
    msg`Rien n’a été débité. Cette page est à jour ; réessayez si besoin.`,
  ],
  updateUnclear: [
    'warning',
    msg`Nous ne savons pas encore où en est votre forfait`,
    msg`Rien n’a été débité. Cette page n’est peut-être plus à jour : si vous avez résilié, c’est peut-être déjà fait. Vérifiez quand le réseau sera revenu ; réessayer est sans risque.`,
  ],
  planActive: [
    'info',
    msg`Vous avez déjà un forfait`,
    msg`Rien n’a été débité. Vous pourrez en prendre un autre quand celui-ci sera terminé.`,
  ],
  emailUnverified: [
    'warning',
    msg`Vérifiez d’abord votre adresse e-mail`,
    msg`Rien n’a été débité. Ouvrez le lien de l’e-mail de vérification, puis reconnectez-vous.`,
  ],
  paymentsPaused: [
    'warning',
    msg`Vos paiements sont suspendus pour l’instant`,
    msg`Rien n’a été débité. Contactez notre assistance : nous regarderons cela avec vous.`,
  ],
  paymentsClosed: [
    'warning',
    msg`Les paiements sont fermés pour le moment`,
    msg`Rien n’a été débité. Réessayez plus tard.`,
  ],
  offline: [
    'warning',
    msg`Vous êtes hors ligne`,
    msg`Rien n’a été débité. Réessayez quand le réseau est revenu.`,
  ],
  cardChangeFailed: ['error', msg`La page de la carte n’a pas pu s’ouvrir`, NOT_CHARGED],
  cardDeclined: [
    'error',
    msg`Cette carte a été refusée aussi`,
    msg`Rien n’a été débité. Votre forfait reste comme il était ; essayez une autre carte, ou parlez à votre banque.`,
  ],
  cardUnconfirmed: [
    'warning',
    msg`Votre banque veut que vous confirmiez avec cette carte aussi`,
    msg`Rien n’a encore été débité. Confirmez le renouvellement, ou prenez une autre carte.`,
  ],
  verifyUnclear: [
    'info',
    msg`Nous ne savons pas encore si votre forfait est payé`,
    msg`S’il l’est, il apparaîtra ici dès que la banque l’aura confirmé. Vous n’avez rien de plus à payer.`,
  ],
}

/** Specification, section 8. */
export function getPlanProblemText(problem: PlanProblem, i18n: I18n): CheckoutText {
  if (problem.kind !== 'tooManyDeclines') return getWording(WORDINGS[problem.kind], i18n)
  const wait = formatWait(problem.retryAfterSeconds, currentLanguage())
  const text = msg`Rien n’a été débité. Pour protéger vos cartes, attendez ${wait} avant de réessayer. Votre banque peut vous dire pourquoi elle refuse.`
  return getWording(['warning', msg`Trop de cartes ont été refusées`, text], i18n)
}
