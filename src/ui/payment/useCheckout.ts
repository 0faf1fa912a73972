import { useEffect } from 'react'
import type { SnapshotFrom } from 'xstate'
import type { Payment } from '../../../machines/checkoutTypes.ts'
import type { invoiceMachine } from '../../../machines/invoice.ts'
import { holdPayment } from '../../pwa/payments.ts'
import { useOnline } from '../useOnline.ts'

/** The state of a checkout machine, whatever is paid for: invoices have no state that transfers lack. */
export type CheckoutState = Pick<SnapshotFrom<typeof invoiceMachine>, 'hasTag' | 'matches'> & {
  readonly context: { readonly payment: Payment | null }
}

/** Tells the machine whether there is a network. An update of the app has to wait during a payment, and until its receipt is closed. */
export function useCheckout(
  state: CheckoutState,
  send: (event: { type: 'network.lost' | 'network.back' }) => void,
) {
  const isOnline = useOnline()
  useEffect(() => send({ type: isOnline ? 'network.back' : 'network.lost' }), [send, isOnline])

  const isPaying = state.hasTag('paying') || state.matches('receipt')
  useEffect(() => (isPaying ? holdPayment() : undefined), [isPaying])
}

/** Whether `CheckoutSheets` has anything to show: what it needs is fetched only then. */
export const hasSheet = (state: CheckoutState) =>
  state.context.payment !== null || state.matches('recording') || state.matches('checkingOutcome')
