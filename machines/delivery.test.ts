import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../domain/common/duration.ts'
import { DELIVERY_STATES, type DeliveryState, isInternalFailure } from '../domain/payouts/deliveryOrder.ts'
import {
  acceptsDeliveryEvent,
  applyDeliveryEvent,
  type DeliveryEvent,
  deliveryMachine,
  MAX_PAYOUT_FAILURES,
} from './delivery.ts'
import {
  acceptedEvent,
  applyEvents,
  buildCancelEvent,
  buildCheckEvent,
  buildFailedEvent,
  buildHoldEvent,
  buildMarkDeliveredEvent,
  buildMarkFailedEvent,
  buildNotFoundEvent,
  buildReleaseEvent,
  claimEvent,
  deliveredEvent,
  disputedEvent,
  newOrder,
  newOrderByHand,
  replayEvents,
  startTime,
} from './testing/deliverySituations.ts'
import { walk } from './testing/walk.ts'

test('an order is handed over to the provider, checked, and delivered', () => {
  expect(replayEvents(buildCheckEvent())).toMatchObject({
    delivery: { state: 'handingOver', attempt: 1, sentAt: startTime },
    todo: ['requestPayout'],
  })
  expect(replayEvents(buildCheckEvent(), acceptedEvent)).toMatchObject({
    delivery: { state: 'handedOver', handedOverAt: startTime },
    todo: [],
  })
  expect(replayEvents(buildCheckEvent(), acceptedEvent, buildCheckEvent(startTime + 1))).toMatchObject({
    delivery: { state: 'handedOver' },
    todo: ['checkPayout'],
  })
  expect(replayEvents(buildCheckEvent(), acceptedEvent, deliveredEvent)).toMatchObject({
    delivery: { state: 'delivered', proof: 'W1', deliveredAt: startTime, loss: null },
    todo: [],
  })
})

describe('a call without an answer', () => {
  test('a payout call without an answer is checked before its repetition', () => {
    expect(replayEvents(buildCheckEvent(), buildCheckEvent(startTime + MINUTE))).toMatchObject({
      delivery: { state: 'handingOver' },
      todo: ['checkPayout'],
    })
    expect(
      replayEvents(
        buildCheckEvent(),
        buildCheckEvent(startTime + MINUTE),
        buildNotFoundEvent(startTime + MINUTE),
      ),
    ).toMatchObject({
      delivery: { state: 'handingOver', attempt: 1, sentAt: startTime + MINUTE },
      todo: ['requestPayout'],
    })
  })

  test('an unanswered payout call is neither repeated nor refunded after a dispute', () => {
    expect(
      acceptsDeliveryEvent(
        replayEvents(buildCheckEvent(), disputedEvent).delivery,
        buildNotFoundEvent(startTime + 9 * MINUTE),
      ),
    ).toBe(false)
    expect(
      replayEvents(buildCheckEvent(), disputedEvent, buildNotFoundEvent(startTime + 10 * MINUTE)),
    ).toMatchObject({
      delivery: { state: 'failed', reversal: 'disputed' },
      todo: ['recordDebt'],
    })
  })

  test('a payout is never repeated if its reference belongs to another', () => {
    const contradicted: DeliveryEvent = { type: 'payout.mismatched', at: startTime }
    expect(replayEvents(buildCheckEvent(), contradicted)).toMatchObject({
      delivery: { state: 'handedOver' },
      todo: ['alertOperator'],
    })
    expect(replayEvents(buildCheckEvent(), acceptedEvent, contradicted)).toMatchObject({
      todo: ['alertOperator'],
    })
  })

  test('a payout is never repeated if the provider once had it', () => {
    expect(replayEvents(buildCheckEvent(), acceptedEvent, buildNotFoundEvent())).toMatchObject({
      delivery: { state: 'handedOver' },
      todo: ['alertOperator'],
    })
  })
})

describe('a failed payout', () => {
  test.each(['noBalance', 'limit', 'notSetUp'] as const)(
    'a failed payout with an internal cause waits and alerts (%s)',
    (failure) => {
      expect(
        replayEvents(buildCheckEvent(), acceptedEvent, { type: 'payout.failed', failure }),
      ).toMatchObject({
        delivery: { state: 'waiting', failure, attempt: 2, sentAt: null },
        todo: ['alertOperator'],
      })
      // The reference was never used, so the next payout can use it.
      expect(replayEvents(buildCheckEvent(), { type: 'payout.refused', failure })).toMatchObject({
        delivery: { state: 'waiting', failure, attempt: 1 },
        todo: ['alertOperator'],
      })
    },
  )

  test.each([
    ['is disputed', disputedEvent],
    ['is marked as failed', buildMarkFailedEvent()],
  ])('an order that %s isn’t refunded while an earlier call may arrive', (_, event) => {
    const refused = [buildCheckEvent(), { type: 'payout.refused', failure: 'noBalance' }] as const
    expect(replayEvents(...refused, event)).toMatchObject({ delivery: { state: 'handingOver' }, todo: [] })
    expect(replayEvents(...refused, event, deliveredEvent)).toMatchObject({
      delivery: { state: 'delivered' },
    })
    expect(replayEvents(...refused, event, buildNotFoundEvent(startTime + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['recordDebt'],
    })
    expect(replayEvents(buildCheckEvent(), buildFailedEvent('noBalance'), event)).toMatchObject({
      todo: ['recordDebt'],
    })
  })

  test('an operator repeats or refunds a payout that failed without a reason', () => {
    for (const before of [[buildCheckEvent()], [buildCheckEvent(), acceptedEvent]]) {
      const held = replayEvents(...before, buildFailedEvent('unclear'))
      expect(held).toMatchObject({
        delivery: { state: 'held', holds: ['payout'], failure: 'unclear', attempt: 2, sentAt: null },
        todo: ['alertOperator'],
      })
      expect(applyEvents(held.delivery, buildReleaseEvent(), buildCheckEvent())).toMatchObject({
        todo: ['requestPayout'],
      })
      expect(applyEvents(held.delivery, buildMarkFailedEvent())).toMatchObject({ todo: ['recordDebt'] })
    }
    expect(replayEvents(buildCheckEvent(), { type: 'payout.refused', failure: 'unclear' })).toMatchObject({
      delivery: { state: 'held', holds: ['payout'], attempt: 1, sentAt: startTime },
    })
  })

  test.each<[string, DeliveryEvent]>([
    ['fails', buildFailedEvent('limit')],
    ['is refused', { type: 'payout.refused', failure: 'limit' }],
  ])('an order waits for an operator when its last automatic payout %s', (_, event) => {
    const again: readonly DeliveryEvent[] = [buildCheckEvent(), event, { type: 'balance.sufficient' }]
    const tries = Array.from({ length: MAX_PAYOUT_FAILURES - 1 }, () => again).flat()
    expect(replayEvents(...tries).delivery).toMatchObject({ state: 'due', tries: MAX_PAYOUT_FAILURES - 1 })
    const held = replayEvents(...tries, buildCheckEvent(), event)
    expect(held).toMatchObject({ delivery: { state: 'held', holds: ['payout'] }, todo: ['alertOperator'] })
    expect(held.delivery.tries).toBe(0)
    expect(replayEvents(...tries.slice(3), buildCheckEvent(), event).delivery.state).toBe('waiting')
  })

  test.each(['recipientUnknown', 'recipientNotAllowed', 'expired', 'canceled', 'rejected'] as const)(
    'refunds an order whose payout failed permanently (%s)',
    (failure) => {
      for (const type of ['payout.failed', 'payout.refused'] as const)
        expect(replayEvents(buildCheckEvent(), { type, failure })).toMatchObject({
          delivery: { state: 'failed', failure },
          todo: ['recordDebt'],
        })
      expect(
        replayEvents(buildCheckEvent(), acceptedEvent, { type: 'payout.failed', failure }),
      ).toMatchObject({
        delivery: { state: 'failed' },
        todo: ['recordDebt'],
      })
    },
  )

  test('a failed payout with a reversed charge is refunded', () => {
    expect(
      replayEvents(buildCheckEvent(), acceptedEvent, disputedEvent, buildFailedEvent('noBalance')),
    ).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['recordDebt'],
    })
  })

  test('a failed payout is repeated with another reference once funds suffice', () => {
    const waiting = replayEvents(buildCheckEvent(), buildFailedEvent('noBalance')).delivery
    expect(applyEvents(waiting, buildCheckEvent())).toMatchObject({
      delivery: { state: 'waiting' },
      todo: ['checkBalance'],
    })
    expect(applyEvents(waiting, { type: 'balance.sufficient' }, buildCheckEvent())).toMatchObject({
      delivery: { state: 'handingOver', attempt: 2 },
      todo: ['requestPayout'],
    })
  })
})

describe('a reversed charge', () => {
  test('a reversed charge cancels a payout that was not sent', () => {
    for (const before of [[], [buildCheckEvent(), buildFailedEvent('noBalance')], [buildHoldEvent('prv_1')]])
      expect(replayEvents(...before, disputedEvent)).toMatchObject({
        delivery: { state: 'failed', holds: [] },
        todo: ['recordDebt'],
      })
  })

  test.each([
    ['is disputed', disputedEvent],
    ['is marked as failed', buildMarkFailedEvent()],
  ])('an order that %s before repetition waits for the earlier call', (_, event) => {
    const due = [
      buildCheckEvent(),
      { type: 'payout.refused', failure: 'limit' },
      { type: 'balance.sufficient' },
    ] as const
    expect(replayEvents(...due)).toMatchObject({ delivery: { state: 'due', sentAt: startTime } })
    const asked = replayEvents(...due, event)
    expect(asked).toMatchObject({ delivery: { state: 'handingOver', sentAt: startTime }, todo: [] })
    expect(applyEvents(asked.delivery, deliveredEvent)).toMatchObject({ delivery: { state: 'delivered' } })
    expect(acceptsDeliveryEvent(asked.delivery, buildNotFoundEvent(startTime + 9 * MINUTE))).toBe(false)
    expect(applyEvents(asked.delivery, buildNotFoundEvent(startTime + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['recordDebt'],
    })
  })

  test('a reversed charge becomes a loss once the money has arrived', () => {
    const loss = { delivery: { state: 'delivered', loss: 'disputed' }, todo: ['alertOperator'] }
    expect(replayEvents(buildCheckEvent(), deliveredEvent, disputedEvent)).toMatchObject(loss)
    expect(replayEvents(buildCheckEvent(), disputedEvent, deliveredEvent)).toMatchObject(loss)
    expect(replayEvents(buildCheckEvent(), acceptedEvent, disputedEvent, deliveredEvent)).toMatchObject(loss)
    expect(applyEvents(newOrderByHand, claimEvent, disputedEvent, buildMarkDeliveredEvent())).toMatchObject(
      loss,
    )
    const { delivery } = replayEvents(buildCheckEvent(), deliveredEvent, disputedEvent)
    expect(acceptsDeliveryEvent(delivery, { type: 'charge.reversed', reversal: 'refundedByHand' })).toBe(
      false,
    )
  })

  test('an order with a reversed charge waits for its claiming operator', () => {
    const claimed = applyEvents(newOrderByHand, claimEvent, disputedEvent)
    expect(claimed).toMatchObject({ delivery: { state: 'claimed' }, todo: [] })
    expect(applyEvents(claimed.delivery, { type: 'order.unclaim' })).toMatchObject({
      delivery: { state: 'failed', batch: null },
      todo: ['recordDebt'],
    })
  })
})

describe('a payout by hand', () => {
  test('an operator claims an order paid by hand and records the outcome', () => {
    const due = newOrderByHand
    expect(acceptsDeliveryEvent(due, buildCheckEvent())).toBe(false)
    expect(applyEvents(due, claimEvent)).toMatchObject({ delivery: { state: 'claimed', batch: 'b1' } })
    expect(applyEvents(due, claimEvent, { type: 'order.unclaim' })).toMatchObject({
      delivery: { state: 'due', batch: null },
    })
    expect(applyEvents(due, claimEvent, buildMarkDeliveredEvent())).toMatchObject({
      delivery: { state: 'delivered', proof: 'W1', batch: 'b1' },
    })
    expect(applyEvents(due, claimEvent, buildMarkFailedEvent())).toMatchObject({
      delivery: { state: 'failed', batch: null },
      todo: ['recordDebt'],
    })
    expect(acceptsDeliveryEvent(applyEvents(due, claimEvent).delivery, claimEvent)).toBe(false)
  })

  test('a restored order by hand is recorded as delivered without a claim', () => {
    for (const before of [[], [buildHoldEvent('velocityOfCard')]])
      expect(applyEvents(newOrderByHand, ...before, buildMarkDeliveredEvent())).toMatchObject({
        delivery: { state: 'delivered', proof: 'W1', holds: [], batch: null },
        todo: [],
      })
    expect(acceptsDeliveryEvent(newOrder, buildMarkDeliveredEvent())).toBe(false)
  })

  test('an order can be claimed only if operators pay it by hand', () => {
    expect(acceptsDeliveryEvent(newOrder, claimEvent)).toBe(false)
  })
})

describe('a hold', () => {
  test('the hold of an order ends when its last cause is released', () => {
    const { delivery } = replayEvents(
      buildHoldEvent('operator'),
      buildHoldEvent('prv_1'),
      buildHoldEvent('prv_1'),
    )
    expect(delivery).toMatchObject({ state: 'held', holds: ['operator', 'prv_1'] })
    const one = applyEvents(delivery, { type: 'order.release', cause: 'prv_1' })
    expect(one).toMatchObject({ delivery: { state: 'held', holds: ['operator'] } })
    expect(applyEvents(one.delivery, { type: 'order.release', cause: 'operator' })).toMatchObject({
      delivery: { state: 'due', holds: [] },
    })
    expect(applyEvents(delivery, { type: 'order.release', cause: null })).toMatchObject({
      delivery: { state: 'due', holds: [] },
    })
  })

  test('a lifted warning or review holds an order only once', () => {
    for (const lifted of [buildReleaseEvent(), buildReleaseEvent('prv_1')]) {
      const { delivery } = replayEvents(buildHoldEvent('prv_1'), lifted)
      expect(delivery).toMatchObject({ state: 'due', lifted: ['prv_1'] })
      expect(acceptsDeliveryEvent(delivery, buildHoldEvent('prv_1'))).toBe(false)
      expect(acceptsDeliveryEvent(delivery, buildHoldEvent('prv_2'))).toBe(true)
      expect(
        applyEvents(delivery, buildCheckEvent(), buildNotFoundEvent(startTime + MINUTE, 'prv_1')),
      ).toMatchObject({ todo: ['requestPayout'] })
    }
    const both = replayEvents(
      buildHoldEvent('prv_1'),
      buildHoldEvent('prv_2'),
      buildReleaseEvent('prv_1'),
    ).delivery
    expect(both).toMatchObject({ holds: ['prv_2'], lifted: ['prv_1'] })
    expect(acceptsDeliveryEvent(both, buildHoldEvent('prv_1'))).toBe(false)
    const waiting = replayEvents(
      buildHoldEvent('prv_1'),
      buildReleaseEvent(),
      buildCheckEvent(),
      buildFailedEvent('noBalance'),
    ).delivery
    expect(acceptsDeliveryEvent(waiting, buildHoldEvent('prv_1'))).toBe(false)
    // An operator may hold the order again, and its sender may be paused again.
    for (const cause of ['operator', 'stop', 'payout'])
      expect(
        acceptsDeliveryEvent(
          replayEvents(buildHoldEvent(cause), buildReleaseEvent()).delivery,
          buildHoldEvent(cause),
        ),
      ).toBe(true)
  })

  test('a payout sent before a hold is checked after the hold', () => {
    const held = replayEvents(buildCheckEvent(), buildNotFoundEvent(startTime + MINUTE, 'prv_1'))
    expect(held).toMatchObject({ delivery: { state: 'held', holds: ['prv_1'] }, todo: [] })
    expect(applyEvents(held.delivery, buildReleaseEvent(), buildCheckEvent())).toMatchObject({
      delivery: { state: 'handingOver', attempt: 1, lifted: ['prv_1'] },
      todo: ['checkPayout'],
    })
    expect(applyEvents(held.delivery, disputedEvent)).toMatchObject({
      delivery: { state: 'handingOver' },
      todo: [],
    })
  })

  test('an operator can have a due, held or waiting order refunded', () => {
    for (const before of [
      [],
      [buildHoldEvent('operator')],
      [buildCheckEvent(), buildFailedEvent('noBalance')],
    ])
      expect(replayEvents(...before, buildMarkFailedEvent())).toMatchObject({
        delivery: { state: 'failed' },
        todo: ['recordDebt'],
      })
  })

  test('the hold of a claimed order alerts, and begins after the claim', () => {
    const claimed = applyEvents(newOrderByHand, claimEvent, buildHoldEvent('stop'))
    expect(claimed).toMatchObject({
      delivery: { state: 'claimed', holds: ['stop'] },
      todo: ['alertOperator'],
    })
    expect(applyEvents(claimed.delivery, { type: 'order.unclaim' })).toMatchObject({
      delivery: { state: 'held', batch: null },
    })
    expect(applyEvents(claimed.delivery, buildReleaseEvent('stop'), { type: 'order.unclaim' })).toMatchObject(
      {
        delivery: { state: 'due' },
      },
    )
    expect(applyEvents(claimed.delivery, buildMarkDeliveredEvent())).toMatchObject({
      delivery: { state: 'delivered', holds: [] },
    })
  })

  test('an order with the provider, or ended, can’t be held', () => {
    for (const before of [
      [buildCheckEvent()],
      [buildCheckEvent(), acceptedEvent],
      [buildCheckEvent(), deliveredEvent],
      [buildCheckEvent(), buildFailedEvent('recipientUnknown')],
    ])
      expect(acceptsDeliveryEvent(replayEvents(...before).delivery, buildHoldEvent('operator'))).toBe(false)
  })
})

describe('a payout that the provider has', () => {
  test.each<[string, readonly DeliveryEvent[]]>([
    ['handingOver', [buildCheckEvent()]],
    ['handedOver', [buildCheckEvent(), acceptedEvent]],
  ])('an operator decides a payout’s outcome only after a day (%s)', (_, before) => {
    const { delivery } = replayEvents(...before)
    expect(acceptsDeliveryEvent(delivery, buildMarkDeliveredEvent(startTime + DAY - 1))).toBe(false)
    expect(applyDeliveryEvent(delivery, buildMarkFailedEvent(startTime + DAY - 1))).toMatchObject({
      delivery: { state: delivery.state },
      todo: [],
    })
    expect(applyEvents(delivery, buildMarkDeliveredEvent(startTime + DAY))).toMatchObject({
      delivery: { state: 'delivered', loss: null },
      todo: [],
    })
    expect(
      acceptsDeliveryEvent(
        applyEvents(delivery, disputedEvent).delivery,
        buildMarkDeliveredEvent(startTime + DAY - 1),
      ),
    ).toBe(false)
    expect(applyEvents(delivery, disputedEvent, buildMarkDeliveredEvent(startTime + DAY))).toMatchObject({
      delivery: { loss: 'disputed' },
      todo: ['alertOperator'],
    })
    expect(applyEvents(delivery, buildMarkFailedEvent(startTime + DAY))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['recordDebt'],
    })
  })

  test('an operator ends the repetition of a payout that never arrives', () => {
    const resent = [buildCheckEvent(), buildNotFoundEvent(startTime + DAY)] as const
    const { delivery } = replayEvents(...resent, buildMarkFailedEvent(startTime + DAY + MINUTE))
    expect(delivery).toMatchObject({ state: 'handingOver', failure: 'recipientUnknown' })
    expect(acceptsDeliveryEvent(delivery, buildNotFoundEvent(startTime + DAY + 9 * MINUTE))).toBe(false)
    expect(applyEvents(delivery, buildNotFoundEvent(startTime + DAY + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['recordDebt'],
    })
    expect(applyEvents(delivery, deliveredEvent)).toMatchObject({
      delivery: { state: 'delivered' },
      todo: [],
    })
  })

  test('a refused repetition of a called-off payout waits for the earlier call', () => {
    for (const event of [disputedEvent, buildMarkFailedEvent()]) {
      const { delivery } = replayEvents(buildCheckEvent(), buildNotFoundEvent(), event)
      expect(applyDeliveryEvent(delivery, { type: 'payout.refused', failure: 'noBalance' })).toMatchObject({
        delivery: { state: 'handingOver' },
        todo: [],
      })
    }
  })

  test('an operator decides an outcome only a day after acceptance', () => {
    const { delivery } = replayEvents(buildCheckEvent(), { type: 'payout.accepted', at: startTime + DAY })
    expect(acceptsDeliveryEvent(delivery, buildMarkDeliveredEvent(startTime + 2 * DAY - 1))).toBe(false)
    expect(acceptsDeliveryEvent(delivery, buildMarkDeliveredEvent(startTime + 2 * DAY))).toBe(true)
  })

  test('a payment of an order marked as failed alerts an operator once', () => {
    const { delivery } = replayEvents(buildCheckEvent(), acceptedEvent, buildMarkFailedEvent(startTime + DAY))
    for (const before of [delivery, applyEvents(delivery, { type: 'refund.completed' }).delivery]) {
      expect(applyEvents(before, buildCheckEvent(startTime + 2 * DAY))).toMatchObject({
        delivery: { state: before.state },
        todo: ['checkPayout'],
      })
      const late = applyEvents(before, deliveredEvent)
      expect(late).toMatchObject({
        delivery: { state: before.state, deliveredAt: startTime },
        todo: ['alertOperator'],
      })
      expect(acceptsDeliveryEvent(late.delivery, deliveredEvent)).toBe(false)
    }
  })
})

test('an order owes its refund again if the completed refund fails later', () => {
  const { delivery } = replayEvents(buildMarkFailedEvent(), { type: 'refund.completed' })
  expect(delivery.state).toBe('paidBack')
  expect(applyEvents(delivery, { type: 'refund.failed' })).toMatchObject({
    delivery: { state: 'failed' },
    todo: [],
  })
})

test('the delivery machine describes each state in a sentence', () => {
  const described = Object.entries(deliveryMachine.config.states ?? {})
  expect(described.map(([state]) => state).sort()).toEqual([...DELIVERY_STATES].sort())
  for (const [state, { description }] of described) expect(description, state).toMatch(/^[A-Z][^.]*\.$/)
})

const EVENTS: readonly DeliveryEvent[] = [
  ...[
    buildCheckEvent(),
    buildCheckEvent(startTime + 11 * MINUTE),
    acceptedEvent,
    buildNotFoundEvent(),
    buildNotFoundEvent(startTime + 21 * MINUTE),
    deliveredEvent,
    disputedEvent,
  ],
  ...[buildCancelEvent(startTime - 1), buildCheckEvent(startTime - 1)],
  ...[
    buildFailedEvent('noBalance'),
    buildFailedEvent('unclear'),
    buildFailedEvent('recipientUnknown'),
    claimEvent,
    buildMarkFailedEvent(),
    buildMarkFailedEvent(startTime + DAY + 21 * MINUTE),
  ],
  { type: 'payout.refused', failure: 'notSetUp' },
  { type: 'payout.refused', failure: 'rejected' },
  { type: 'payout.refused', failure: 'unclear' },
  ...[buildHoldEvent('operator'), buildHoldEvent('prv_1')],
  ...[buildReleaseEvent('prv_1'), buildReleaseEvent(), buildNotFoundEvent(startTime, 'prv_1')],
  ...[buildMarkDeliveredEvent(), buildMarkDeliveredEvent(startTime + DAY + 21 * MINUTE)],
  { type: 'payout.mismatched', at: startTime },
  { type: 'order.unclaim' },
  { type: 'balance.sufficient' },
  { type: 'refund.completed' },
  { type: 'refund.failed' },
]

/** We or the card have the money, not a provider or operator. */
const IN_OUR_HANDS: readonly DeliveryState[] = ['due', 'waiting', 'held']

test.each([
  { isByHand: true, cancelableUntil: null },
  { isByHand: false, cancelableUntil: startTime },
])(
  'the delivery machine never pays and refunds one transfer (by hand: $isByHand)',
  { timeout: 120_000 },
  (input) => {
    walk({
      machine: deliveryMachine,
      input,
      events: () => EVENTS,
      blur({ attempt, tries: _, sentAt, handedOverAt, deliveredAt, failure, holds, ...rest }) {
        if (deliveredAt !== null) return { loss: rest.loss }
        const tried = { attempt: Math.min(attempt, 2), isSent: sentAt !== null }
        return { ...rest, ...tried, isOurs: failure && isInternalFailure(failure), holds: holds.toSorted() }
      },
      answers: {},
      invariant({ event, before, after: { value, context }, at }) {
        const { todo } = applyDeliveryEvent(
          { ...before.context, state: before.value },
          event as DeliveryEvent,
        )
        // A refund is owed once, and only if the money is in our hands or was reported as not paid out.
        const hadEnded = before.value === 'paidBack' || before.value === value
        expect(todo.includes('recordDebt'), at).toBe(
          (value === 'failed' || value === 'canceled') && !hadEnded,
        )
        expect(context.canceledAt !== null, at).toBe(
          value === 'canceled' || (value === 'paidBack' && before.context.canceledAt !== null),
        )
        if (context.canceledAt !== null) expect(context.sentAt, at).toBe(null)
        if (todo.includes('recordDebt') && !IN_OUR_HANDS.includes(before.value))
          expect(
            ['payout.failed', 'payout.refused', 'payout.notFound', 'order.unclaim', 'order.markFailed'],
            at,
          ).toContain(event.type)
        // A payout that may have been made is refunded only after a report that it was not.
        if (todo.includes('recordDebt') && IN_OUR_HANDS.includes(before.value))
          expect(before.context.sentAt, at).toBe(null)
        if (value === 'handingOver') expect(context.sentAt, at).not.toBe(null)
        expect(
          context.holds.filter((cause) => context.lifted.includes(cause)),
          at,
        ).toEqual([])
        // A payout is sent only if its reference is stored.
        if (todo.includes('requestPayout'))
          expect([value, context.isByHand, context.reversal], at).toEqual(['handingOver', false, null])
        if (context.isByHand) expect(context.sentAt, at).toBe(null)
        if (before.value === 'delivered') expect(value, at).toBe('delivered')
        if (before.value === 'failed' || before.value === 'canceled' || before.value === 'paidBack')
          expect([before.context.canceledAt === null ? 'failed' : 'canceled', 'paidBack'], at).toContain(
            value,
          )
        // A provider gets an order only when its sender can't cancel it any more.
        if (todo.includes('requestPayout')) expect(context.sentAt, at).toBeGreaterThanOrEqual(startTime)
        if (value !== 'claimed') expect(context.holds.length > 0, at).toBe(value === 'held')
        expect(context.batch !== null, at).toBe(
          value === 'claimed' || (value === 'delivered' && before.context.batch !== null),
        )
        if (context.loss !== null) expect(value, at).toBe('delivered')
      },
    })
  },
)
