import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatWait } from '../../../domain/common/wait.ts'
import type { Failure } from '../../../domain/errors/failure.ts'
import type { InvoiceProblem } from '../../../domain/invoices/invoice.ts'
import type { InvoiceCheckoutProblem } from '../../../machines/invoice.ts'
import { getFailureText, OPERATION_FAILURE_TEXTS } from '../../ui/failureText.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import {
  type CheckoutText,
  type CheckoutWording,
  getCommonCheckoutText,
  getWording,
} from '../../ui/payment/checkoutText.ts'

const NOT_FETCHED = msg`Les détails de la facture n’ont pas pu être obtenus`
const NOT_PAID = msg`Le paiement de la facture n’a pas pu être effectué`
const NOT_CHARGED = msg`Votre carte n’a pas été débitée.`
const NO_SUCH_INVOICE = msg`Ce fournisseur n’a pas de facture avec ce numéro. Comparez-le avec celui de la facture, chiffre par chiffre.`

const OFFLINE = msg`Vous êtes hors ligne. Votre saisie est gardée : consultez la facture dès le retour du réseau.`
const TRY_LATER = msg`Réessayez dans un moment.`

const REFUNDED: CheckoutWording = [
  'warning',
  NOT_PAID,
  msg`Votre carte a été débitée, et la totalité vous est remboursée, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.`,
]
const STILL_CHECKING: CheckoutWording = [
  'warning',
  msg`Un paiement est encore en vérification`,
  msg`S’il aboutit, la facture apparaîtra parmi vos factures payées. Ne la payez pas autrement avant de connaître son résultat.`,
]

/** Specification, section 5. */
export const INVOICE_LOOKUP_INCOMPLETE = msg`Choisissez un fournisseur et saisissez un numéro de référence`

export function getInvoiceProblemText(problem: InvoiceProblem | undefined, i18n: I18n): string | undefined {
  if (problem?.field === 'supplier') return i18n._(msg`Choisissez un fournisseur`)
  if (problem?.kind === 'referenceInvalid')
    return i18n._(msg`Un numéro de référence a 4 à 24 lettres, chiffres ou tirets`)
  if (problem?.field === 'reference') return i18n._(msg`Saisissez le numéro de référence`)
  return undefined
}

/** Specification, section 8. */
export function getInvoiceLookupFailureText(failure: Failure, isOnline: boolean, i18n: I18n): CheckoutText {
  const text = isOnline ? getLookupFailureText(failure) : OFFLINE
  return getWording([text === NO_SUCH_INVOICE ? 'warning' : 'error', NOT_FETCHED, text], i18n)
}

function getLookupFailureText(failure: Failure): MessageDescriptor {
  if (failure.kind === 'network')
    return msg`Pas de réponse du réseau. Vérifiez votre connexion, puis réessayez.`
  if (failure.kind !== 'function') return TRY_LATER
  switch (failure.code) {
    case 'invoiceNotFound':
      return NO_SUCH_INVOICE
    case 'tooManyRequests':
      return getWaitText(Number(failure.details.retryAfterSeconds))
    case 'unauthenticated':
      return msg`Votre session a expiré. Reconnectez-vous pour continuer.`
    case 'emailUnverified':
      return msg`Ouvrez d’abord le lien reçu par e-mail, puis réessayez.`
  }
  return TRY_LATER
}

/** Specification, section 8. */
export const getPaidInvoicesLoadFailureText = (failure: Failure): MessageDescriptor =>
  getFailureText(failure, OPERATION_FAILURE_TEXTS.fetchInvoicePayments)

/** Specification, section 8. */
export function getInvoiceCheckoutText(problem: InvoiceCheckoutProblem, i18n: I18n): CheckoutText {
  const unpaid = (kind: CheckoutText['kind'], text: MessageDescriptor, title = NOT_PAID): CheckoutText => ({
    kind,
    title: i18n._(title),
    text: `${i18n._(text)} ${i18n._(NOT_CHARGED)}`,
  })
  switch (problem.kind) {
    case 'invoiceNotFound':
      return unpaid('warning', NO_SUCH_INVOICE, NOT_FETCHED)
    case 'invoiceAlreadyPaid':
      return unpaid('info', msg`Cette facture vient d’être payée : il n’y a plus rien à payer.`)
    case 'invoiceSeemsPaid':
      return unpaid(
        'warning',
        msg`Cette facture semble déjà payée. Une facture avec ce numéro et une date limite proche a été payée ici. Si celle-ci en est une autre, écrivez à notre assistance avec ce numéro de référence.`,
      )
    case 'invoiceUnderWay':
      return unpaid(
        'warning',
        msg`Un paiement de cette facture est déjà en cours, de vous sur un autre appareil, ou d’un proche. Consultez-la à nouveau dans une demi-heure.`,
      )
    case 'invoiceChanged':
      return unpaid(
        'warning',
        msg`Le fournisseur a changé le montant ou la date limite de cette facture. Consultez-la à nouveau avant de payer.`,
      )
    case 'initFailed':
      return unpaid('error', msg`Vérifiez votre connexion, puis réessayez.`)
    case 'refused':
      return unpaid('error', msg`Vérifiez votre saisie, puis réessayez.`)
    case 'tooManyHolds': {
      const wait = formatWait(problem.retryAfterSeconds, currentLanguage())
      return unpaid(
        'warning',
        msg`Vous avez commencé plusieurs fois à payer cette facture sans aller au bout. D’autres doivent pouvoir la payer aussi : réessayez dans ${wait}.`,
      )
    }
    case 'minimumPayment': {
      const { text, ...rest } = unpaid(
        'error',
        msg`Ce montant est trop petit pour un paiement par carte.`,
        msg`Montant minimum de paiement non atteint`,
      )
      return { ...rest, text: `${text} ${i18n._(msg`Payez cette facture directement au fournisseur.`)}` }
    }
    case 'maximumPayment':
      return unpaid(
        'error',
        msg`Vous pouvez payer ici une facture de 1 000 € au plus, ou l’équivalent dans sa devise. Payez celle-ci directement au fournisseur.`,
        msg`Montant maximum de paiement atteint`,
      )
    case 'tooManyRequests':
      return unpaid('error', getWaitText(problem.retryAfterSeconds))
    case 'refunded':
      return getWording(REFUNDED, i18n)
    case 'stillChecking':
      return getWording(STILL_CHECKING, i18n)
    default:
      return getCommonCheckoutText(problem, i18n)
  }
}

function getWaitText(seconds: number): MessageDescriptor {
  const wait = formatWait(seconds, currentLanguage())
  return msg`Vous avez consulté beaucoup de factures en peu de temps. Réessayez dans ${wait}.`
}
