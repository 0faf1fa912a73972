import { OutcomeSheet } from './OutcomeSheet.tsx'
import { PaymentSheet } from './PaymentSheet.tsx'
import type { CheckoutProps } from './useCheckout.ts'

export function CheckoutSheets(props: CheckoutProps) {
  const { state } = props
  if (state.matches('recording') || state.matches('checkingOutcome')) return <OutcomeSheet {...props} />
  const { payment } = state.context
  return payment && <PaymentSheet {...props} payment={payment} />
}
