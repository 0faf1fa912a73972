import { describe, expect, test } from 'vitest'
import { DELIVERY_STATES, type DeliveryState } from '../domain/delivery.ts'
import { type Delivery, type DeliveryEvent, deliveryMachine, newDelivery, nextOf, takes } from './delivery.ts'
import { walk } from './testing/walk.ts'

const T = 1_000_000_000_000
const MINUTE = 60_000

/** What follows from these, one after the other; each of them has to agree with what is known then. */
function following(...events: readonly DeliveryEvent[]) {
  return from(newDelivery(false), ...events)
}

function from(start: Delivery, ...events: readonly DeliveryEvent[]) {
  let delivery = start
  let todo: readonly string[] = []
  for (const event of events) {
    expect(takes(delivery, event), `${event.type} in ${delivery.state}`).toBe(true)
    ;({ delivery, todo } = nextOf(delivery, event))
  }
  return { delivery, todo }
}

const look = (at = T): DeliveryEvent => ({ type: 'order.look', at })
const taken: DeliveryEvent = { type: 'payout.taken', at: T }
const unknown = (at = T): DeliveryEvent => ({ type: 'payout.unknown', at })
const delivered: DeliveryEvent = { type: 'payout.delivered', proof: 'W1', at: T }
const failed = (failure: 'noBalance' | 'recipientUnknown'): DeliveryEvent => ({
  type: 'payout.failed',
  failure,
})
const disputed: DeliveryEvent = { type: 'charge.reversed', reversal: 'disputed' }
const claim: DeliveryEvent = { type: 'claim.take', batch: 'b1' }
const hold = (cause: string): DeliveryEvent => ({ type: 'order.hold', cause })
const giveUp: DeliveryEvent = { type: 'order.giveUp', failure: 'recipientUnknown' }

test('a transfer is handed over, asked about and delivered', () => {
  expect(following(look())).toMatchObject({
    delivery: { state: 'handingOver', attempt: 1, sentAt: T },
    todo: ['send'],
  })
  expect(following(look(), taken)).toMatchObject({
    delivery: { state: 'handedOver', handedOverAt: T },
    todo: [],
  })
  expect(following(look(), taken, look(T + 1))).toMatchObject({
    delivery: { state: 'handedOver' },
    todo: ['ask'],
  })
  expect(following(look(), taken, delivered)).toMatchObject({
    delivery: { state: 'delivered', proof: 'W1', deliveredAt: T, loss: null },
    todo: [],
  })
})

describe('what nobody answered', () => {
  test('is asked about before it is sent again, with the same reference', () => {
    expect(following(look(), look(T + MINUTE))).toMatchObject({
      delivery: { state: 'handingOver' },
      todo: ['ask'],
    })
    expect(following(look(), look(T + MINUTE), unknown(T + MINUTE))).toMatchObject({
      delivery: { state: 'handingOver', attempt: 1, sentAt: T + MINUTE },
      todo: ['send'],
    })
  })

  test('is not sent again once the charge is disputed, nor given back before it can’t arrive any more', () => {
    expect(takes(following(look(), disputed).delivery, unknown(T + 9 * MINUTE))).toBe(false)
    expect(following(look(), disputed, unknown(T + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed', reversal: 'disputed' },
      todo: ['owe'],
    })
  })

  test('is never sent again when the provider has something else under its reference', () => {
    const contradicted: DeliveryEvent = { type: 'payout.contradicted', at: T }
    expect(following(look(), contradicted)).toMatchObject({
      delivery: { state: 'handedOver' },
      todo: ['alert'],
    })
    expect(following(look(), taken, contradicted)).toMatchObject({ todo: ['alert'] })
  })

  test('is never sent again when the provider has once had it', () => {
    expect(following(look(), taken, unknown())).toMatchObject({
      delivery: { state: 'handedOver' },
      todo: ['alert'],
    })
  })
})

describe('a failure', () => {
  test.each(['noBalance', 'ourLimit', 'notSetUp'] as const)(
    'of ours (%s) waits, and wakes somebody',
    (failure) => {
      expect(following(look(), taken, { type: 'payout.failed', failure })).toMatchObject({
        delivery: { state: 'waiting', failure, attempt: 2, sentAt: null },
        todo: ['alert'],
      })
      // The reference was never used: it is good for the next try.
      expect(following(look(), { type: 'payout.refused', failure })).toMatchObject({
        delivery: { state: 'waiting', failure, attempt: 1 },
        todo: ['alert'],
      })
    },
  )

  test.each(['recipientUnknown', 'recipientNotAllowed', 'expired', 'canceled', 'rejected'] as const)(
    'for good (%s) is given back',
    (failure) => {
      for (const type of ['payout.failed', 'payout.refused'] as const)
        expect(following(look(), { type, failure })).toMatchObject({
          delivery: { state: 'failed', failure },
          todo: ['owe'],
        })
      expect(following(look(), taken, { type: 'payout.failed', failure })).toMatchObject({
        delivery: { state: 'failed' },
        todo: ['owe'],
      })
    },
  )

  test('of ours is given back when the charge is not ours any more', () => {
    expect(following(look(), taken, disputed, failed('noBalance'))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['owe'],
    })
  })

  test('is tried again with another reference once there is enough', () => {
    const waiting = following(look(), failed('noBalance')).delivery
    expect(from(waiting, look())).toMatchObject({ delivery: { state: 'waiting' }, todo: ['askForBalance'] })
    expect(from(waiting, { type: 'balance.enough' }, look())).toMatchObject({
      delivery: { state: 'handingOver', attempt: 2 },
      todo: ['send'],
    })
  })
})

describe('a charge that is reversed', () => {
  test('calls off what nobody was asked to pay', () => {
    for (const before of [[], [look(), failed('noBalance')], [hold('prv_1')]])
      expect(following(...before, disputed)).toMatchObject({
        delivery: { state: 'failed', holds: [] },
        todo: ['owe'],
      })
  })

  test('is a loss with a name once the money is there', () => {
    const loss = { delivery: { state: 'delivered', loss: 'disputed' }, todo: ['alert'] }
    expect(following(look(), delivered, disputed)).toMatchObject(loss)
    expect(following(look(), disputed, delivered)).toMatchObject(loss)
    expect(following(look(), taken, disputed, delivered)).toMatchObject(loss)
    expect(from(newDelivery(true), claim, disputed, delivered)).toMatchObject(loss)
    const { delivery } = following(look(), delivered, disputed)
    expect(takes(delivery, { type: 'charge.reversed', reversal: 'refundedByHand' })).toBe(false)
  })

  test('waits for who has it in hand', () => {
    const claimed = from(newDelivery(true), claim, disputed)
    expect(claimed).toMatchObject({ delivery: { state: 'claimed' }, todo: [] })
    expect(from(claimed.delivery, { type: 'claim.release' })).toMatchObject({
      delivery: { state: 'failed', batch: null },
      todo: ['owe'],
    })
  })
})

describe('by hand', () => {
  test('nothing is sent: somebody claims it, and says what became of it', () => {
    const due = newDelivery(true)
    expect(takes(due, look())).toBe(false)
    expect(takes(due, delivered)).toBe(false)
    expect(from(due, claim)).toMatchObject({ delivery: { state: 'claimed', batch: 'b1' } })
    expect(from(due, claim, { type: 'claim.release' })).toMatchObject({
      delivery: { state: 'due', batch: null },
    })
    expect(from(due, claim, delivered)).toMatchObject({
      delivery: { state: 'delivered', proof: 'W1', batch: null },
    })
    expect(from(due, claim, giveUp)).toMatchObject({
      delivery: { state: 'failed', batch: null },
      todo: ['owe'],
    })
    expect(takes(from(due, claim).delivery, claim)).toBe(false)
    expect(takes(from(due, claim).delivery, hold('operator'))).toBe(false)
  })

  test('only what people pay can be claimed', () => {
    expect(takes(newDelivery(false), claim)).toBe(false)
  })
})

describe('holding', () => {
  test('ends with the last of its causes', () => {
    const { delivery } = following(hold('operator'), hold('prv_1'), hold('prv_1'))
    expect(delivery).toMatchObject({ state: 'held', holds: ['operator', 'prv_1'] })
    const one = from(delivery, { type: 'order.release', cause: 'prv_1' })
    expect(one).toMatchObject({ delivery: { state: 'held', holds: ['operator'] } })
    expect(from(one.delivery, { type: 'order.release', cause: 'operator' })).toMatchObject({
      delivery: { state: 'due', holds: [] },
    })
    expect(from(delivery, { type: 'order.release', cause: null })).toMatchObject({
      delivery: { state: 'due', holds: [] },
    })
  })

  test('an operator can give the money back instead', () => {
    for (const before of [[], [hold('operator')], [look(), failed('noBalance')]])
      expect(following(...before, giveUp)).toMatchObject({ delivery: { state: 'failed' }, todo: ['owe'] })
  })

  test('nothing that somebody has in hand, nor what is over', () => {
    for (const before of [
      [look()],
      [look(), taken],
      [look(), delivered],
      [look(), failed('recipientUnknown')],
    ])
      expect(takes(following(...before).delivery, hold('operator'))).toBe(false)
  })
})

describe('after a restore', () => {
  const restore: DeliveryEvent = { type: 'order.restore' }

  test('a provider is asked, and pays nothing that it never had before somebody says so', () => {
    expect(following(restore, look())).toMatchObject({
      delivery: { state: 'handingOver', sentAt: null },
      todo: ['ask'],
    })
    const held = following(restore, look(), unknown())
    expect(held).toMatchObject({ delivery: { state: 'held', holds: ['restored'] }, todo: [] })
    expect(from(held.delivery, { type: 'order.release', cause: null }, look())).toMatchObject({
      delivery: { state: 'handingOver', isRestored: false },
      todo: ['send'],
    })
  })

  test('what people pay is held, and may have been paid', () => {
    const { delivery } = from(newDelivery(true), restore)
    expect(delivery).toMatchObject({ state: 'held', holds: ['restored'], isRestored: true })
    expect(from(delivery, delivered)).toMatchObject({ delivery: { state: 'delivered', holds: [] } })
    expect(takes(following(hold('operator')).delivery, delivered)).toBe(false)
  })
})

test('a refund that fails later is owed again', () => {
  const { delivery } = following(giveUp, { type: 'refund.done' })
  expect(delivery.state).toBe('paidBack')
  expect(from(delivery, { type: 'refund.owed' })).toMatchObject({ delivery: { state: 'failed' }, todo: [] })
})

test('each state is described in a sentence', () => {
  const described = Object.entries(deliveryMachine.config.states ?? {})
  expect(described.map(([state]) => state).sort()).toEqual([...DELIVERY_STATES].sort())
  for (const [state, { description }] of described) expect(description, state).toMatch(/^[A-Z][^.]*\.$/)
})

const EVENTS: readonly DeliveryEvent[] = [
  ...[look(), look(T + 11 * MINUTE), taken, unknown(), unknown(T + 21 * MINUTE), delivered, disputed],
  ...[failed('noBalance'), failed('recipientUnknown'), claim, giveUp],
  { type: 'payout.refused', failure: 'notSetUp' },
  { type: 'payout.refused', failure: 'rejected' },
  ...[hold('operator'), hold('prv_1')],
  { type: 'order.release', cause: 'prv_1' },
  { type: 'order.release', cause: null },
  { type: 'order.restore' },
  { type: 'payout.contradicted', at: T },
  { type: 'claim.release' },
  { type: 'balance.enough' },
  { type: 'refund.done' },
  { type: 'refund.owed' },
]

/** Where all of the money is with us or with the card, and nobody else has any of it in hand. */
const IN_OUR_HANDS: readonly DeliveryState[] = ['due', 'waiting', 'held']

test.each([true, false])(
  'is never paid out and paid back (by hand: %s)',
  { timeout: 60_000 },
  async (isByHand) => {
    await walk({
      machine: deliveryMachine,
      input: { isByHand },
      events: () => EVENTS,
      blur: ({ attempt, sentAt, ...rest }) => ({
        ...rest,
        attempt: Math.min(attempt, 2),
        isSent: sentAt !== null,
      }),
      answers: {},
      invariant({ event, before, after: { value, context }, at }) {
        const { todo } = nextOf({ ...before.context, state: before.value }, event as DeliveryEvent)
        // Given back once, on the way into the state that says so, and from where nobody else has it, or who had it said no.
        expect(todo.includes('owe'), at).toBe(
          value === 'failed' && before.value !== 'failed' && before.value !== 'paidBack',
        )
        if (todo.includes('owe') && !IN_OUR_HANDS.includes(before.value))
          expect(
            ['payout.failed', 'payout.refused', 'payout.unknown', 'claim.release', 'order.giveUp'],
            at,
          ).toContain(event.type)
        // Sent from nowhere but where the reference is stored.
        if (todo.includes('send'))
          expect([value, context.isByHand, context.reversal], at).toEqual(['handingOver', false, null])
        if (before.value === 'delivered') expect(value, at).toBe('delivered')
        if (before.value === 'failed' || before.value === 'paidBack')
          expect(['failed', 'paidBack'], at).toContain(value)
        expect(context.holds.length > 0, at).toBe(value === 'held')
        expect(context.batch !== null, at).toBe(value === 'claimed')
        if (context.loss !== null) expect(value, at).toBe('delivered')
      },
    })
  },
)
