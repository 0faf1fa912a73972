import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { formatMoneyShort } from '../../domain/money/money.ts'
import type { AmountProblem } from '../../domain/transfers/transfer.ts'
import { currentLanguage } from './i18n.ts'

/** Specification, section 5. */
export function getAmountProblemText(problem: AmountProblem, i18n: I18n): string {
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
  }
}
