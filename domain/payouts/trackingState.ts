import { getLateTime } from '../numbers/promisedTime.ts'
import { normalizeStatus } from '../transfers/status.ts'
import type { Transaction } from '../transfers/transaction.ts'
import type { DeliveryOrder } from './deliveryOrder.ts'

/**
 * The recipient sees less than the sender, and no reasons. Instants are UTC ms. `goingBack`: it will never
 * arrive. `wentBack`: the sender was refunded.
 */
export type TrackingState =
  | {
      readonly stage: 'onItsWay'
      readonly paidAt: number
      readonly handedOverAt: number | null
      readonly expectedBy: number
      readonly isLate: boolean
    }
  | {
      readonly stage: 'delivered'
      readonly paidAt: number
      readonly handedOverAt: number | null
      readonly deliveredAt: number
    }
  | { readonly stage: 'goingBack'; readonly paidAt: number }
  | { readonly stage: 'wentBack'; readonly paidAt: number }
  | { readonly stage: 'unclear' }

/** At `now` (UTC ms). The order decides; a paid transfer without an order is on its way. */
export function deriveTrackingState(
  {
    status,
    settledAt: paidAt,
    estimatedArrival: expectedBy,
    promisedMinutes,
  }: Pick<Transaction, 'status' | 'settledAt' | 'estimatedArrival' | 'promisedMinutes'>,
  order: Pick<DeliveryOrder, 'state' | 'handedOverAt' | 'deliveredAt'> | null,
  now: number,
): TrackingState {
  if (order?.state === 'delivered' && order.deliveredAt !== null)
    return {
      stage: 'delivered',
      paidAt,
      handedOverAt: order.handedOverAt,
      deliveredAt: order.deliveredAt,
    }
  if (order?.state === 'paidBack') return { stage: 'wentBack', paidAt }
  const kind = normalizeStatus(status)
  if (order?.state === 'failed' || order?.state === 'canceled' || kind === 'failed' || kind === 'canceled')
    return { stage: 'goingBack', paidAt }
  if (kind !== 'completed') return { stage: 'unclear' }
  return {
    stage: 'onItsWay',
    paidAt,
    // An earlier payout may have been handed over, but has failed since.
    handedOverAt: order?.state === 'handedOver' ? order.handedOverAt : null,
    expectedBy,
    isLate: now >= getLateTime({ estimatedArrival: expectedBy, promisedMinutes }),
  }
}
