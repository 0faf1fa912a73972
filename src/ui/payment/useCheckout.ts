import { useEffect } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { OpenCardPayment } from '../../../machines/checkoutTypes.ts'
import type { invoiceMachine } from '../../../machines/invoice.ts'
import { holdPaymentLock } from '../../pwa/paymentLock.ts'
import { useNetworkEvents } from '../useOnline.ts'

/** The transfer machine has all states of the invoice machine. */
export type CheckoutState = Pick<SnapshotFrom<typeof invoiceMachine>, 'hasTag' | 'matches'> & {
  readonly context: { readonly payment: OpenCardPayment | null }
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
