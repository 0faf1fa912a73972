import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CountryCode } from '../../domain/destinations.ts'
import { formatMoneyShort } from '../../domain/money.ts'
import type { TransferProblem } from '../../domain/transfer.ts'
import { phoneText } from '../../ui/fieldText.ts'
import { currentLanguage } from '../../ui/i18n.ts'

export const COUNTRY_NAMES = { GN: msg`Guinée`, FR: msg`France`, CA: msg`Canada` }

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
      return i18n._(msg`Saisissez un montant valide`)
    case 'amountTooHigh': {
      const max = formatMoneyShort(problem.limit, currentLanguage())
      return i18n._(msg`Le montant maximum par transfert est de ${max}`)
    }
    case 'amountTooLow': {
      const min = formatMoneyShort(problem.limit, currentLanguage())
      return i18n._(msg`Le montant minimum par transfert est de ${min}`)
    }
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
    case 'walletRequired':
      return i18n._(msg`Choisissez un portefeuille mobile (Orange Money ou MTN Money).`)
    case 'couponInvalid':
      return i18n._(msg`Format de code promo invalide`)
    case 'confirmPhoneRequired':
      return i18n._(msg`Confirmez que le numéro de téléphone est correct`)
  }
}
