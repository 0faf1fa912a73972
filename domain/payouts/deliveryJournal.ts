import type { Entry } from '../journal/entry.ts'
import {
  bookFeeEarned,
  bookPayoutArrivedLate,
  bookPayoutConfirmed,
  bookPayoutFailed,
  bookPayoutSent,
} from '../journal/movements.ts'
import { type DeliveryOrder, hasDeliveryEnded } from './deliveryOrder.ts'

type BookedOrder = Pick<
  DeliveryOrder,
  'state' | 'sentAt' | 'deliveredAt' | 'attempt' | 'provider' | 'amount' | 'net' | 'fee'
>

/** The payout of the present attempt may have left us, and its outcome is unknown. */
const isInFlight = (order: Pick<DeliveryOrder, 'state' | 'sentAt'>): boolean =>
  order.sentAt !== null && !hasDeliveryEnded(order)

/** The entries of an order's step, and a name for it that no other step of the order has. Null if no money moves. */
export function bookDelivery(
  before: BookedOrder,
  after: BookedOrder,
): { readonly change: string; readonly entries: readonly Entry[] } | null {
  const { provider: rail, amount, net, fee, attempt } = after
  const wasSent = isInFlight(before)
  if (after.state === 'delivered')
    return before.state === 'delivered'
      ? null
      : {
          change: 'delivered',
          entries: [...bookPayoutConfirmed({ rail, amount }, { net, wasSent }), ...bookFeeEarned(fee)],
        }
  if (after.deliveredAt !== before.deliveredAt)
    return { change: 'arrivedLate', entries: bookPayoutArrivedLate({ rail, amount }) }
  const isSent = isInFlight(after)
  if (wasSent && !isSent)
    return { change: `failed_${before.attempt}`, entries: bookPayoutFailed({ rail, amount }) }
  return isSent && !wasSent ? { change: `sent_${attempt}`, entries: bookPayoutSent({ rail, amount }) } : null
}
