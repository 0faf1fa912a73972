import type { Money, SourceCurrency } from '../../../domain/money/money.ts'
import { convertRemainingCap } from '../../../domain/prices/capUse.ts'
import { checkTransferAmount } from '../../../domain/prices/limits.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import type { TransferCheckoutProblem } from '../../../machines/transfer.ts'

/** Paying the unchanged form would be refused again or might pay twice. */
export type AlternativeAction =
  /** An earlier payment may have been charged. */
  | { readonly kind: 'ask' }
  /** Pays nothing yet. */
  | { readonly kind: 'lower'; readonly to: Money<SourceCurrency> }
  | { readonly kind: 'nothing' }

/** Null if the button pays. A change of the form clears the problem. */
export function getAlternativeAction(
  problem: TransferCheckoutProblem | TransferProblem | null,
  currency: SourceCurrency,
): AlternativeAction | null {
  switch (problem?.kind) {
    case 'lookingUp':
    case 'stillChecking':
      return { kind: 'ask' }
    case 'monthlyCapExceeded': {
      const remainder = checkTransferAmount(convertRemainingCap(currency, problem.leftCents))
      return remainder.ok ? { kind: 'lower', to: remainder.value } : { kind: 'nothing' }
    }
    case 'walletLimitExceeded':
      return { kind: 'lower', to: problem.fits }
    default:
      return null
  }
}
