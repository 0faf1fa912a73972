import type { Money, SourceCurrency } from '../../../domain/money/money.ts'
import { convertRemainingCap } from '../../../domain/prices/capUse.ts'
import { checkTransferAmount } from '../../../domain/prices/limits.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import type { TransferCheckoutProblem } from '../../../machines/transfer.ts'

/** The main button's action if paying the unchanged form would be refused again or might pay twice. */
export type AlternativeAction =
  /** Looks up the payment that was left with an unknown outcome. */
  | { readonly kind: 'ask' }
  /** Puts the largest accepted amount into the form, and pays nothing yet. */
  | { readonly kind: 'lower'; readonly to: Money<SourceCurrency> }
  /** Does nothing until the form or the network changes. */
  | { readonly kind: 'nothing' }

/**
 * Returns the main button's action after a problem; null if the button pays. A change of the form clears the
 * problem, so the button pays again.
 */
export function getAlternativeAction(
  problem: TransferCheckoutProblem | TransferProblem | null,
  currency: SourceCurrency,
): AlternativeAction | null {
  switch (problem?.kind) {
    case 'stillChecking':
      return { kind: 'ask' }
    case 'monthlyCapExceeded': {
      const left = checkTransferAmount(convertRemainingCap(currency, problem.leftCents))
      return left.ok ? { kind: 'lower', to: left.value } : { kind: 'nothing' }
    }
    case 'walletLimitExceeded':
      return { kind: 'lower', to: problem.fits }
    default:
      return null
  }
}
