import { expect } from 'vitest'
import { type Delivery, type DeliveryEvent, newDelivery, nextOf, takes } from '../delivery.ts'

export const T = 1_000_000_000_000

/** What follows from these, one after the other; each of them has to agree with what is known then. */
export function following(...events: readonly DeliveryEvent[]) {
  return from(newDelivery({ isByHand: false }), ...events)
}

export function from(start: Delivery, ...events: readonly DeliveryEvent[]) {
  let delivery = start
  let todo: readonly string[] = []
  for (const event of events) {
    expect(takes(delivery, event), `${event.type} in ${delivery.state}`).toBe(true)
    ;({ delivery, todo } = nextOf(delivery, event))
  }
  return { delivery, todo }
}

export const look = (at = T): DeliveryEvent => ({ type: 'order.look', at })
export const taken: DeliveryEvent = { type: 'payout.taken', at: T }
export const unknown = (at = T, cause: string | null = null): DeliveryEvent => ({
  type: 'payout.unknown',
  hold: cause,
  at,
})
export const delivered: DeliveryEvent = { type: 'payout.delivered', proof: 'W1', at: T }
export const failed = (failure: 'noBalance' | 'recipientUnknown'): DeliveryEvent => ({
  type: 'payout.failed',
  failure,
})
export const disputed: DeliveryEvent = { type: 'charge.reversed', reversal: 'disputed' }
export const arrived = (at = T): DeliveryEvent => ({ type: 'order.arrived', proof: 'W1', at })
export const release = (cause: string | null = null): DeliveryEvent => ({ type: 'order.release', cause })
export const claim: DeliveryEvent = { type: 'claim.take', batch: 'b1' }
export const hold = (cause: string): DeliveryEvent => ({ type: 'order.hold', cause })
export const giveUp = (at = T): DeliveryEvent => ({ type: 'order.giveUp', failure: 'recipientUnknown', at })
