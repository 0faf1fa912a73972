import type { DeliveryOrder } from './delivery.ts'
import { lateFrom } from './promise.ts'
import { normaliseStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/**
 * Where a transfer stands, as its recipient is told: less than its sender knows, and nothing of why. Instants are UTC ms. `goingBack`: it will never
 * arrive. `wentBack`: the sender's card has the money again. `unclear`: nobody here can say.
 */
export type Tracking =
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

/**
 * What is told of a transfer and its order at `now` (UTC ms). The order is right about the delivery; a transfer that has none is on its way
 * as long as it counts as paid. Why it waits, is held or failed is between the sender and us.
 */
export function trackingOf(
  {
    status,
    settledAt: paidAt,
    estimatedArrival: expectedBy,
    promisedMinutes,
  }: Pick<Transaction, 'status' | 'settledAt' | 'estimatedArrival' | 'promisedMinutes'>,
  order: Pick<DeliveryOrder, 'state' | 'handedOverAt' | 'deliveredAt'> | null,
  now: number,
): Tracking {
  if (order?.state === 'delivered' && order.deliveredAt !== null)
    return {
      stage: 'delivered',
      paidAt,
      handedOverAt: order.handedOverAt,
      deliveredAt: order.deliveredAt,
    }
  if (order?.state === 'paidBack') return { stage: 'wentBack', paidAt }
  const kind = normaliseStatus(status)
  if (order?.state === 'failed' || kind === 'failed' || kind === 'canceled')
    return { stage: 'goingBack', paidAt }
  if (kind !== 'completed') return { stage: 'unclear' }
  return {
    stage: 'onItsWay',
    paidAt,
    // An earlier try may have been handed over too, and have failed since.
    handedOverAt: order?.state === 'handedOver' ? order.handedOverAt : null,
    expectedBy,
    isLate: now >= lateFrom({ estimatedArrival: expectedBy, promisedMinutes }),
  }
}
