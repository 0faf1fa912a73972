import { describe, expect, test } from 'vitest'
import { DAY } from '../domain/common/duration.ts'
import { acceptsDeliveryEvent } from './delivery.ts'
import {
  applyEvents,
  buildCancelEvent,
  buildCheckEvent,
  buildHoldEvent,
  buildMarkDeliveredEvent,
  buildMarkFailedEvent,
  claimEvent,
  deliveredEvent,
  disputedEvent,
  newOrder,
  newOrderByHand,
  replayEvents,
  startTime,
} from './testing/deliverySituations.ts'

describe('a cancellation by the sender', () => {
  const canceledAt = startTime - 1

  test('a sender cancels an order until the handover, and is refunded', () => {
    expect(acceptsDeliveryEvent(newOrder, buildCheckEvent(canceledAt))).toBe(false)
    expect(replayEvents(buildCancelEvent(canceledAt))).toMatchObject({
      delivery: { state: 'canceled', canceledAt, sentAt: null },
      todo: ['recordDebt'],
    })
    expect(acceptsDeliveryEvent(newOrder, buildCancelEvent(startTime))).toBe(false)
    expect(acceptsDeliveryEvent(newOrder, buildCheckEvent())).toBe(true)
  })

  test('a sender cancels an order paid by hand until its claim', () => {
    const at = startTime + DAY
    expect(applyEvents(newOrderByHand, buildCancelEvent(at))).toMatchObject({
      delivery: { state: 'canceled', canceledAt: at },
      todo: ['recordDebt'],
    })
    const claimed = applyEvents(newOrderByHand, claimEvent).delivery
    expect(acceptsDeliveryEvent(claimed, buildCancelEvent(at))).toBe(false)
    const released = applyEvents(claimed, { type: 'order.unclaim' }).delivery
    expect(acceptsDeliveryEvent(released, buildCancelEvent(at))).toBe(true)
  })

  test.each(['operator', 'stop', 'issfr_1', 'velocityOfCard'])(
    'a sender cannot cancel an order that is held by %s',
    (cause) => {
      for (const order of [newOrder, newOrderByHand]) {
        const { delivery } = applyEvents(order, buildHoldEvent(cause))
        expect(acceptsDeliveryEvent(delivery, buildCancelEvent(canceledAt))).toBe(false)
      }
    },
  )

  test('a canceled order is neither paid out, claimed, held nor canceled again', () => {
    for (const order of [newOrder, newOrderByHand]) {
      const { delivery } = applyEvents(order, buildCancelEvent(canceledAt))
      for (const event of [
        ...[buildCheckEvent(), claimEvent, buildHoldEvent('operator'), disputedEvent, deliveredEvent],
        ...[buildMarkDeliveredEvent(), buildMarkFailedEvent(), buildCancelEvent(canceledAt)],
      ])
        expect(acceptsDeliveryEvent(delivery, event), event.type).toBe(false)
    }
  })

  test('a canceled order stays canceled if its refund fails', () => {
    expect(
      replayEvents(buildCancelEvent(canceledAt), { type: 'refund.completed' }, { type: 'refund.failed' })
        .delivery,
    ).toMatchObject({ state: 'canceled', canceledAt })
  })
})
