import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { IdentityRequiredProblem } from '../../../domain/account/identityLimit.ts'
import { formatMoney, type SourceCurrency } from '../../../domain/money/money.ts'
import { convertRemainingCap } from '../../../domain/prices/capUse.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import type { CheckoutText } from '../../ui/payment/checkoutText.ts'

const TITLES: Readonly<Record<IdentityRequiredProblem['document'], MessageDescriptor>> = {
  none: msg`Vérifiez votre identité pour envoyer ce montant`,
  pending: msg`Ce montant attend la vérification de votre identité`,
  rejected: msg`Votre document n’a pas été accepté`,
  expired: msg`Votre document a expiré`,
}

const ADVICE: Readonly<Record<IdentityRequiredProblem['document'], MessageDescriptor>> = {
  none: msg`Envoyez-nous votre document : votre saisie reste ici.`,
  pending: msg`Nous examinons votre document : votre saisie reste ici. Payez dès qu’il est accepté.`,
  rejected: msg`Corrigez votre dossier : votre saisie reste ici.`,
  expired: msg`Envoyez-nous un document valable : votre saisie reste ici.`,
}

/** Shows the limit in the form's currency. */
export function getIdentityRequiredText(
  { limitCents, document }: IdentityRequiredProblem,
  i18n: I18n,
  { currency, isRefused }: { readonly currency: SourceCurrency; readonly isRefused: boolean },
): CheckoutText {
  const limit = formatMoney(convertRemainingCap(currency, limitCents), currentLanguage())
  const rule =
    limitCents === 0
      ? msg`Pour envoyer de l’argent, il faut une pièce d’identité vérifiée.`
      : msg`Au-delà de ${limit} par mois, il faut une pièce d’identité vérifiée.`
  const sentences = [rule, ...(isRefused ? [msg`Votre carte n’a pas été débitée.`] : []), ADVICE[document]]
  return {
    kind: 'warning',
    title: i18n._(TITLES[document]),
    text: sentences.map((one) => i18n._(one)).join(' '),
  }
}
