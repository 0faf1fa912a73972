import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatLocalMinute } from '../../../domain/common/localDay.ts'
import { formatDay } from '../../../domain/common/month.ts'
import type { FunctionFailure } from '../../../domain/errors/failure.ts'
import { formatMoney, formatMoneyShort, money, type SourceCurrency } from '../../../domain/money/money.ts'
import { convertRemainingCap } from '../../../domain/prices/capUse.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/prices/limits.ts'
import type { Quote } from '../../../domain/prices/quote.ts'
import type { TransferCheckoutProblem } from '../../../machines/transfer.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import {
  type CheckoutText,
  type CheckoutWording,
  getCommonCheckoutText,
  getWording,
} from '../../ui/payment/checkoutText.ts'
import { getWalletLimitText } from './formMessages.ts'
import { getIdentityRequiredText } from './identityRequiredText.ts'

export function getPriceChangeText(before: Quote, after: Quote, i18n: I18n): CheckoutText {
  const language = currentLanguage()
  const fee = formatMoney(after.fee, language)
  const feeBefore = formatMoney(before.fee, language)
  const arrives = formatMoney(after.converted, language)
  const arrivedBefore = formatMoney(before.converted, language)
  const text = msg`Frais : ${fee} au lieu de ${feeBefore}. À recevoir : ${arrives} au lieu de ${arrivedBefore}. Rien n’a été débité : confirmez pour payer à ce prix.`
  return getWording(['warning', msg`Le prix de ce transfert a changé`, text], i18n)
}

/** Specification, section 8. */
export function getTransferCheckoutText(
  problem: TransferCheckoutProblem,
  i18n: I18n,
  currency: SourceCurrency = 'EUR',
): CheckoutText {
  const say = (...wording: CheckoutWording) => getWording(wording, i18n)
  switch (problem.kind) {
    case 'monthlyCapExceeded': {
      const language = currentLanguage()
      const inEuros = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
      const inCurrency = formatMoney(convertRemainingCap(currency, MONTHLY_CAP_EUR_CENTS), language)
      const cap = currency === 'EUR' ? inEuros : `${inEuros} (${inCurrency})`
      const left = formatMoney(convertRemainingCap(currency, problem.leftCents), language)
      const date = formatDay(problem.resetsAt, language)
      return say(
        'warning',
        msg`Plafond mensuel atteint`,
        msg`Vous pouvez envoyer ${cap} par mois. Il vous reste ${left} ; un nouveau mois commence le ${date}. Votre carte n’a pas été débitée.`,
      )
    }
    case 'identityRequired':
      return getIdentityRequiredText(problem, i18n, { currency, isRefused: true })
    case 'capReached':
      return {
        kind: 'warning',
        title: i18n._(msg`Plafond mensuel atteint`),
        text: [problem.message, i18n._(msg`Votre carte n’a pas été débitée.`)].join(' '),
      }
    case 'capUnavailable':
      return say(
        'error',
        msg`Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.`,
        msg`Votre carte n’a pas été débitée.`,
      )
    case 'walletLimitExceeded':
      return {
        kind: 'warning',
        title: getWalletLimitText(problem, i18n),
        text: i18n._(
          msg`Votre carte n’a pas été débitée. Envoyez moins, ou choisissez un autre portefeuille.`,
        ),
      }
    case 'walletMissing':
      return say(
        'warning',
        msg`Ce numéro n’a pas ce portefeuille`,
        msg`Votre carte n’a pas été débitée. Vérifiez le numéro, ou choisissez un autre portefeuille.`,
      )
    case 'quoteChanged':
      return say(
        'warning',
        msg`Le prix de ce transfert a changé`,
        msg`Votre carte n’a pas été débitée. Rechargez l’application, vérifiez le nouveau devis, puis confirmez-le.`,
      )
    case 'refused':
      return getRefusalText(problem.failure, i18n)
    // The user reads these elsewhere, where they can act on them.
    case 'formSentAlready':
    case 'sentAlready':
    case 'couponEnded':
      return getUnknownRefusalText('', i18n)
    case 'stillChecking':
      return say(
        'warning',
        msg`Un paiement est encore en vérification`,
        msg`S’il aboutit, il apparaîtra dans l’activité récente. Ne payez pas à nouveau avant de connaître son résultat.`,
      )
    case 'refunded':
      return say(
        'warning',
        msg`Le transfert n’a pas pu être enregistré`,
        msg`Votre carte a été débitée, et la totalité vous est remboursée, souvent en 5 à 10 jours. Si rien n’arrive en 14 jours, contactez notre assistance.`,
      )
    default:
      return getCommonCheckoutText(problem, i18n)
  }
}

/** Refusals for which the user only reads a text. */
function getRefusalText({ code, details, error }: FunctionFailure, i18n: I18n): CheckoutText {
  const say = (...wording: CheckoutWording) => getWording(wording, i18n)
  switch (code) {
    case 'tooManyUndelivered': {
      const instant = formatLocalMinute(details.until, currentLanguage())
      return say(
        'warning',
        msg`Trop de transferts n’ont pas pu être remis`,
        msg`Trois transferts en un jour n’ont pas pu être remis : ils sont remboursés. Ils venaient de vous ou de votre carte, ou allaient vers ce numéro. Votre carte n’a pas été débitée. Vérifiez le numéro, puis réessayez à partir du ${instant}.`,
      )
    }
    case 'tooManyCanceled': {
      const instant = formatLocalMinute(details.until, currentLanguage())
      return say(
        'warning',
        msg`Trop de transferts ont été annulés`,
        msg`Trop de transferts ont été annulés en un jour : ils sont remboursés. Ils venaient de vous ou de votre carte, ou allaient vers ce numéro. Votre carte n’a pas été débitée. Réessayez à partir du ${instant}.`,
      )
    }
  }
  return getUnknownRefusalText(code === '' ? error : '', i18n)
}

/** `said`: the server's text, which is English. It is shown if it has no code. Specification, section 7. */
const getUnknownRefusalText = (said: string, i18n: I18n): CheckoutText => ({
  kind: 'error',
  title: said || i18n._(msg`Le transfert n’a pas pu être effectué`),
  text: i18n._(msg`Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.`),
})
