import { expect } from 'vitest'
import {
  acceptsDeliveryEvent,
  applyDeliveryEvent,
  createDelivery,
  type DeliveryEvent,
  type DeliverySnapshot,
} from '../delivery.ts'

export const startTime = 1_000_000_000_000

/** A provider gets `newOrder` from `startTime` on. */
export const newOrder = createDelivery({ isByHand: false, cancelableUntil: startTime })
export const newOrderByHand = createDelivery({ isByHand: true, cancelableUntil: null })

/** Each event must be accepted. */
export function replayEvents(...events: readonly DeliveryEvent[]) {
  return applyEvents(newOrder, ...events)
}

export function applyEvents(start: DeliverySnapshot, ...events: readonly DeliveryEvent[]) {
  let delivery = start
  let todo: readonly string[] = []
  for (const event of events) {
    expect(acceptsDeliveryEvent(delivery, event), `${event.type} in ${delivery.state}`).toBe(true)
    ;({ delivery, todo } = applyDeliveryEvent(delivery, event))
  }
  return { delivery, todo }
}

export const buildCheckEvent = (at = startTime): DeliveryEvent => ({ type: 'order.check', at })
export const acceptedEvent: DeliveryEvent = { type: 'payout.accepted', at: startTime }
export const buildNotFoundEvent = (at = startTime, cause: string | null = null): DeliveryEvent => ({
  type: 'payout.notFound',
  hold: cause,
  at,
})
export const deliveredEvent: DeliveryEvent = { type: 'payout.delivered', proof: 'W1', at: startTime }
export const buildFailedEvent = (
  failure: 'noBalance' | 'limit' | 'unclear' | 'recipientUnknown',
): DeliveryEvent => ({
  type: 'payout.failed',
  failure,
})
export const disputedEvent: DeliveryEvent = { type: 'charge.reversed', reversal: 'disputed' }
export const buildMarkDeliveredEvent = (at = startTime): DeliveryEvent => ({
  type: 'order.markDelivered',
  proof: 'W1',
  at,
})
export const buildReleaseEvent = (cause: string | null = null): DeliveryEvent => ({
  type: 'order.release',
  cause,
})
export const buildCancelEvent = (at: number): DeliveryEvent => ({ type: 'order.cancel', at })
export const claimEvent: DeliveryEvent = { type: 'order.claim', batch: 'b1' }
export const buildHoldEvent = (cause: string): DeliveryEvent => ({ type: 'order.hold', cause })
export const buildMarkFailedEvent = (at = startTime): DeliveryEvent => ({
  type: 'order.markFailed',
  failure: 'recipientUnknown',
  at,
})
