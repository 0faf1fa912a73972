import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatMoney } from '../../../domain/money/money.ts'
import type { CountryCode } from '../../../domain/numbers/destinations.ts'
import { getWalletName, listWalletNames } from '../../../domain/numbers/wallets.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import type { WalletLimitProblem } from '../../../domain/transfers/walletTariffs.ts'
import { getAmountProblemText } from '../../ui/amountText.ts'
import { getPhoneProblemText } from '../../ui/fieldText.ts'
import { currentLanguage } from '../../ui/i18n.ts'

// French needs the article: 'pour la Guinée', but 'pour le Canada'.
const FOR_COUNTRY: Record<CountryCode, ReturnType<typeof msg>> = {
  GN: msg`la Guinée`,
  FR: msg`la France`,
  CA: msg`le Canada`,
}

export function getWalletLimitText({ wallet, limit }: WalletLimitProblem, i18n: I18n): string {
  const name = getWalletName(wallet) ?? ''
  const max = formatMoney(limit, currentLanguage())
  return i18n._(msg`${name} accepte au plus ${max} par transfert`)
}

/** Specification, section 5. */
export function getTransferProblemText(problem: TransferProblem, i18n: I18n): string {
  switch (problem.kind) {
    case 'amountRequired':
    case 'amountTooHigh':
    case 'amountTooLow':
      return getAmountProblemText(problem, i18n)
    case 'walletLimitExceeded':
      return getWalletLimitText(problem, i18n)
    case 'phoneRequired':
    case 'phoneInvalid':
      return getPhoneProblemText(problem, i18n)
    case 'phonePrefix': {
      const { prefix } = problem
      const country = i18n._(FOR_COUNTRY[problem.country])
      return i18n._(msg`Le numéro doit commencer par ${prefix} pour ${country}`)
    }
    case 'unsupportedDestination':
      return i18n._(msg`Pays de destination non pris en charge`)
    case 'overseasFrance':
      return i18n._(msg`Nous ne pouvons pas envoyer d’argent vers la France d’outre-mer.`)
    case 'recipientNameRequired':
      return i18n._(msg`Saisissez le nom du bénéficiaire`)
    case 'walletRequired': {
      const names = listWalletNames(problem.country, currentLanguage())
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

export function getMissingFieldHint(problem: TransferProblem, i18n: I18n): string {
  switch (problem.field) {
    case 'amount':
      return problem.kind === 'amountRequired'
        ? i18n._(msg`Il reste à indiquer le montant`)
        : i18n._(msg`Il reste à corriger le montant`)
    case 'phone':
      return problem.kind === 'phoneRequired'
        ? i18n._(msg`Il reste à indiquer le numéro de téléphone`)
        : i18n._(msg`Il reste à corriger le numéro de téléphone`)
    case 'recipientName':
      return i18n._(msg`Il reste à indiquer le nom du bénéficiaire`)
    case 'receivingMethod':
      return i18n._(msg`Il reste à choisir le portefeuille mobile`)
    case 'coupon':
      return i18n._(msg`Il reste à corriger le code promo`)
    case 'phoneConfirmed':
      return getTransferProblemText(problem, i18n)
  }
}
