import { leftIn } from '../../../domain/capUse.ts'
import { checkAmount } from '../../../domain/limits.ts'
import type { Money, SourceCurrency } from '../../../domain/money.ts'
import type { TransferCheckoutProblem } from '../../../machines/transfer.ts'

/** What the main button does where paying the form as it stands would be refused again, or might be a second payment. */
export type Instead =
  /** Asks what became of the payment that was left while nobody knew. */
  | { readonly kind: 'ask' }
  /** Puts what the month still lets through into the form, and pays nothing yet. */
  | { readonly kind: 'lower'; readonly to: Money<SourceCurrency> }
  /** Nothing before the form or the network has changed. */
  | { readonly kind: 'nothing' }

/** Null where the button pays. A change of the form takes the problem away, and with it what this says. */
export function insteadOfPaying(
  problem: TransferCheckoutProblem | null,
  currency: SourceCurrency,
): Instead | null {
  switch (problem?.kind) {
    case 'stillChecking':
      return { kind: 'ask' }
    case 'offline':
      return { kind: 'nothing' }
    case 'monthlyCapExceeded': {
      const left = checkAmount(leftIn(currency, problem.leftCents))
      return left.ok ? { kind: 'lower', to: left.value } : { kind: 'nothing' }
    }
    default:
      return null
  }
}
