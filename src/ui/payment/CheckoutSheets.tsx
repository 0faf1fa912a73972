import type { ReactNode } from 'react'
import type { Money } from '../../../domain/money.ts'
import type { CheckoutText } from './checkoutText.ts'
import { OutcomeSheet } from './OutcomeSheet.tsx'
import { PaymentSheet, type RecapLine } from './PaymentSheet.tsx'
import type { CheckoutState } from './useCheckout.ts'

/** The sheets over the form during a payment, of transfers and invoices alike: the card form, and then what becomes of the payment. */
export function CheckoutSheets({
  state,
  send,
  amount,
  recap,
  backLabel,
  told,
  returnTo,
}: {
  state: CheckoutState
  send: (event: { type: 'payment.submit' | 'payment.close' | 'outcome.ask' | 'outcome.leave' }) => void
  amount: Money
  recap: readonly RecapLine[]
  /** What leads back to the form. */
  backLabel: ReactNode
  told: CheckoutText | null
  /** What gets the focus afterwards: a busy button has lost it. */
  returnTo: string
}) {
  const { payment } = state.context
  const isFinishing = state.matches('recording')
  if (isFinishing || state.matches('checkingOutcome'))
    return (
      <OutcomeSheet
        isFinishing={isFinishing}
        isAsking={state.matches({ checkingOutcome: 'asking' })}
        told={told}
        returnTo={returnTo}
        onAsk={() => send({ type: 'outcome.ask' })}
        onLeave={() => send({ type: 'outcome.leave' })}
      />
    )
  return (
    payment && (
      <PaymentSheet
        amount={amount}
        recap={recap}
        backLabel={backLabel}
        payment={payment}
        isBusy={state.hasTag('busy')}
        isBankSlow={state.matches({ confirmingCard: 'overdue' })}
        told={told}
        returnTo={returnTo}
        onSubmit={() => send({ type: 'payment.submit' })}
        onAsk={() => send({ type: 'outcome.ask' })}
        onClose={() => send({ type: 'payment.close' })}
      />
    )
  )
}
