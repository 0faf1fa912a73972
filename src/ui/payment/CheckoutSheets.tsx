import type { Money } from '../../../domain/money/money.ts'
import { runAfterNetworkCheck } from '../../browser/network.ts'
import type { CheckoutText } from './checkoutText.ts'
import { OutcomeSheet } from './OutcomeSheet.tsx'
import { type PaymentRecap, PaymentSheet } from './PaymentSheet.tsx'
import type { CheckoutState } from './useCheckout.ts'

export function CheckoutSheets({
  state,
  send,
  amount,
  recap,
  explanation,
  returnTo,
}: {
  state: CheckoutState
  send: (event: { type: 'payment.submit' | 'payment.close' | 'outcome.check' | 'outcome.leave' }) => void
  amount: Money
  recap: PaymentRecap
  explanation: CheckoutText | null
  /** Selector of the element to focus on closing, because the opener was disabled while busy. */
  returnTo: string
}) {
  const { payment } = state.context
  const isFinishing = state.matches('recording')
  if (isFinishing || state.matches('checkingOutcome'))
    return (
      <OutcomeSheet
        amount={amount}
        payee={recap.payee}
        isFinishing={isFinishing}
        isAsking={state.matches({ checkingOutcome: 'asking' })}
        explanation={explanation}
        returnTo={returnTo}
        onAsk={() => send({ type: 'outcome.check' })}
        onLeave={() => send({ type: 'outcome.leave' })}
      />
    )
  return (
    payment && (
      <PaymentSheet
        amount={amount}
        recap={recap}
        payment={payment}
        isBusy={state.hasTag('busy')}
        isBankSlow={state.matches({ confirmingCard: 'overdue' })}
        explanation={explanation}
        returnTo={returnTo}
        onSubmit={() => runAfterNetworkCheck(() => send({ type: 'payment.submit' }))}
        onAsk={() => send({ type: 'outcome.check' })}
        onClose={() => send({ type: 'payment.close' })}
      />
    )
  )
}
