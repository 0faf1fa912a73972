import { type ReactNode, useEffect } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { Money } from '../../../domain/money/money.ts'
import type { OpenCardPayment } from '../../../machines/checkoutTypes.ts'
import type { invoiceMachine } from '../../../machines/invoice.ts'
import { holdPaymentLock } from '../../pwa/paymentLock.ts'
import { useNetworkEvents } from '../useOnline.ts'
import type { CheckoutText } from './checkoutText.ts'

/** The transfer machine has all states of the invoice machine. */
export type CheckoutState = Pick<SnapshotFrom<typeof invoiceMachine>, 'hasTag' | 'matches'> & {
  readonly context: { readonly payment: OpenCardPayment | null }
}

export interface PaymentRecap {
  readonly picture: ReactNode
  readonly payee: ReactNode
  readonly about: ReactNode
  readonly total: Money
  readonly note: ReactNode
}

export interface CheckoutProps {
  readonly state: CheckoutState
  readonly send: (event: {
    type: 'payment.submit' | 'payment.close' | 'outcome.check' | 'outcome.leave'
  }) => void
  readonly amount: Money
  readonly recap: PaymentRecap
  readonly explanation: CheckoutText | null
  /** Selector of the element to focus on closing, because the opener was disabled while busy. */
  readonly returnTo: string
}

export const isPaying = (state: CheckoutState) => state.hasTag('paying') || state.matches('receipt')

/** An update of the app waits until the payment's receipt is closed. */
export function useCheckout(
  page: 'send' | 'invoices',
  isLocked: boolean,
  send: (event: { type: 'network.lost' | 'network.restored' }) => void,
) {
  useNetworkEvents(send)
  useEffect(() => (isLocked ? holdPaymentLock(page) : undefined), [page, isLocked])
}

/** Its chunk is loaded only then. */
export const hasCheckoutSheet = (state: CheckoutState) =>
  state.context.payment !== null || state.matches('recording') || state.matches('checkingOutcome')
