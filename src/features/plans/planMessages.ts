import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PlanProblem } from '../../../machines/subscription.ts'
import type { Tier } from '../../domain/plans.ts'

/** What the plans are called in a sentence: their names are the same in each language. */
export const PLAN_NAMES: Record<Tier, string> = { basic: 'Basic', premium: 'Premium' }

interface PlanText {
  readonly kind: 'info' | 'warning' | 'error'
  readonly title: string
  readonly text: string
}

const NOT_CHARGED = msg`Rien n’a été débité. Réessayez dans un moment.`

const TEXTS: Record<PlanProblem['kind'], [PlanText['kind'], MessageDescriptor, MessageDescriptor]> = {
  signInRequired: [
    'error',
    msg`Veuillez vous connecter pour vous abonner`,
    msg`Votre session a pris fin. Déconnectez-vous, puis reconnectez-vous.`,
  ],
  createFailed: ['error', msg`L’abonnement n’a pas pu être créé`, NOT_CHARGED],
  noCheckoutUrl: ['error', msg`Aucune adresse de paiement reçue`, NOT_CHARGED],
  planNotFound: [
    'error',
    msg`Aucun abonnement actif trouvé`,
    msg`Rien n’a changé. Ce que vous voyez ici est l’état de maintenant.`,
  ],
  verifyFailed: [
    'error',
    msg`L’abonnement n’a pas pu être vérifié`,
    msg`Ce paiement n’est pas, ou n’est plus, celui d’un forfait de votre compte. Si votre carte a été débitée, votre forfait apparaît ici sans rien payer de plus.`,
  ],
  updateFailed: [
    'error',
    msg`L’état de l’abonnement n’a pas pu être mis à jour`,
    msg`Rien n’a été débité. Ce que vous voyez ici est l’état de maintenant ; réessayez si besoin.`,
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
  verifyUnclear: [
    'info',
    msg`Nous ne savons pas encore si votre forfait est payé`,
    msg`S’il l’est, il apparaît ici dès que la banque l’a confirmé, sans rien payer de plus.`,
  ],
}

/** What happened, whether money moved, and what to do next. Specification, section 8. */
export function planText({ kind }: PlanProblem, i18n: I18n): PlanText {
  const [look, title, text] = TEXTS[kind]
  return { kind: look, title: i18n._(title), text: i18n._(text) }
}
