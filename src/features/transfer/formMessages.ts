import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CountryCode } from '../../../domain/destinations.ts'
import type { TransferProblem } from '../../../domain/transfer.ts'
import { walletNames } from '../../../domain/wallets.ts'
import { amountText } from '../../ui/amountText.ts'
import { phoneText } from '../../ui/fieldText.ts'
import { currentLanguage } from '../../ui/i18n.ts'

// French wants 'pour la Guinée' but 'pour le Canada'.
const FOR_COUNTRY: Record<CountryCode, ReturnType<typeof msg>> = {
  GN: msg`la Guinée`,
  FR: msg`la France`,
  CA: msg`le Canada`,
}

/** What is wrong with a field, in words. Specification, section 5. */
export function formMessage(problem: TransferProblem, i18n: I18n): string {
  switch (problem.kind) {
    case 'amountRequired':
    case 'amountTooHigh':
    case 'amountTooLow':
      return amountText(problem, i18n)
    case 'phoneRequired':
    case 'phoneInvalid':
      return phoneText(problem, i18n)
    case 'phonePrefix': {
      const { prefix } = problem
      const country = i18n._(FOR_COUNTRY[problem.country])
      return i18n._(msg`Le numéro doit commencer par ${prefix} pour ${country}`)
    }
    case 'unsupportedDestination':
      return i18n._(msg`Pays de destination non pris en charge`)
    case 'walletRequired': {
      const names = walletNames(problem.country, currentLanguage())
      return i18n._(msg`Choisissez un portefeuille mobile (${names}).`)
    }
    case 'couponInvalid':
      return i18n._(msg`Format de code promo invalide`)
    case 'couponEnded':
      return i18n._(
        msg`Ce code promo n’est plus valable, et rien n’a été débité. Effacez-le pour payer au prix affiché.`,
      )
    case 'confirmPhoneRequired':
      return i18n._(msg`Confirmez que le numéro de téléphone est correct`)
  }
}

/** The next thing that the form needs before it can be paid, below the button. */
export function missingText(problem: TransferProblem, i18n: I18n): string {
  switch (problem.field) {
    case 'amount':
      return i18n._(msg`Il reste à indiquer le montant`)
    case 'phone':
      return i18n._(msg`Il reste à indiquer le numéro de téléphone`)
    case 'receivingMethod':
      return i18n._(msg`Il reste à choisir le portefeuille mobile`)
    case 'coupon':
      return i18n._(msg`Il reste à corriger le code promo`)
    case 'phoneConfirmed':
      return formMessage(problem, i18n)
  }
}
