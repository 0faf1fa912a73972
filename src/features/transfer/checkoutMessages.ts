import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { leftIn } from '../../../domain/capUse.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/limits.ts'
import { formatMoney, formatMoneyShort, money, type SourceCurrency } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/month.ts'
import type { Quote } from '../../../domain/quote.ts'
import type { TransferCheckoutProblem } from '../../../machines/transfer.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { type CheckoutText, commonText } from '../../ui/payment/checkoutText.ts'

/** The price is another one than the person saw. */
export function changeText(before: Quote, after: Quote, i18n: I18n): CheckoutText {
  const language = currentLanguage()
  const fee = formatMoney(after.fee, language)
  const feeBefore = formatMoney(before.fee, language)
  const arrives = formatMoney(after.converted, language)
  const arrivedBefore = formatMoney(before.converted, language)
  return {
    kind: 'warning',
    title: i18n._(msg`Le prix de ce transfert a changé`),
    text: i18n._(
      msg`Frais : ${fee} au lieu de ${feeBefore}. À recevoir : ${arrives} au lieu de ${arrivedBefore}. Rien n’a été débité : confirmez pour payer à ce prix.`,
    ),
  }
}

/**
 * What happened, whether money moved, and what to do next; limits also in the currency of the form. Specification,
 * section 8.
 */
export function checkoutText(
  problem: TransferCheckoutProblem,
  i18n: I18n,
  currency: SourceCurrency = 'EUR',
): CheckoutText {
  switch (problem.kind) {
    case 'monthlyCapExceeded': {
      const language = currentLanguage()
      const inEuros = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
      const inCurrency = formatMoney(leftIn(currency, MONTHLY_CAP_EUR_CENTS), language)
      const cap = currency === 'EUR' ? inEuros : `${inEuros} (${inCurrency})`
      const left = formatMoney(leftIn(currency, problem.leftCents), language)
      const date = formatDay(problem.resetsAt, language)
      return {
        kind: 'warning',
        title: i18n._(msg`Plafond mensuel atteint`),
        text: i18n._(
          msg`Vous pouvez envoyer ${cap} par mois. Il vous reste ${left} ; un nouveau mois commence le ${date}. Votre carte n’a pas été débitée.`,
        ),
      }
    }
    case 'capReached':
      return {
        kind: 'warning',
        title: i18n._(msg`Plafond mensuel atteint`),
        text: [problem.message, i18n._(msg`Votre carte n’a pas été débitée.`)].join(' '),
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
        text: i18n._(
          msg`Votre carte n’a pas été débitée. Rechargez l’application, vérifiez le nouveau devis, puis confirmez-le.`,
        ),
      }
    case 'refused':
    // These two are said where the person can answer them, and never here.
    case 'sentAlready':
    case 'couponEnded':
      return {
        kind: 'error',
        // Section 7: what the server says is shown as it is, where the app has no words of its own for it.
        title:
          (problem.kind === 'refused' && problem.said) || i18n._(msg`Le transfert n’a pas pu être effectué`),
        text: i18n._(msg`Votre carte n’a pas été débitée. Vérifiez votre saisie, puis réessayez.`),
      }
    case 'stillChecking':
      return {
        kind: 'warning',
        title: i18n._(msg`Un paiement est encore en vérification`),
        text: i18n._(
          msg`S’il aboutit, il apparaîtra dans l’activité récente. Ne payez pas à nouveau avant de connaître son résultat.`,
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
    default:
      return commonText(problem, i18n)
  }
}
