import { describe, expect, test } from 'vitest'
import { DELIVERY_STATES, type DeliveryState, isOurs } from '../domain/delivery.ts'
import { DAY, MINUTE } from '../domain/duration.ts'
import { type DeliveryEvent, deliveryMachine, newDelivery, nextOf, takes } from './delivery.ts'
import {
  arrived,
  claim,
  delivered,
  disputed,
  failed,
  following,
  from,
  giveUp,
  hold,
  look,
  release,
  T,
  taken,
  unknown,
} from './testing/deliverySituations.ts'
import { walk } from './testing/walk.ts'

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

  test.each([
    ['is disputed', disputed],
    ['is given up', giveUp()],
  ])('of ours in one call alone gives nothing back while a slower one may arrive: it %s', (_, event) => {
    const refused = [look(), { type: 'payout.refused', failure: 'noBalance' }] as const
    expect(following(...refused, event)).toMatchObject({ delivery: { state: 'handingOver' }, todo: [] })
    expect(following(...refused, event, delivered)).toMatchObject({ delivery: { state: 'delivered' } })
    expect(following(...refused, event, unknown(T + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['owe'],
    })
    expect(following(look(), failed('noBalance'), event)).toMatchObject({ todo: ['owe'] })
  })

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

  test.each([
    ['is disputed', disputed],
    ['is given up', giveUp()],
  ])('gives nothing back of what is due once more while a slower call may arrive: it %s', (_, event) => {
    const due = [look(), { type: 'payout.refused', failure: 'ourLimit' }, { type: 'balance.enough' }] as const
    expect(following(...due)).toMatchObject({ delivery: { state: 'due', sentAt: T } })
    const asked = following(...due, event)
    expect(asked).toMatchObject({ delivery: { state: 'handingOver', sentAt: T }, todo: [] })
    expect(from(asked.delivery, delivered)).toMatchObject({ delivery: { state: 'delivered' } })
    expect(takes(asked.delivery, unknown(T + 9 * MINUTE))).toBe(false)
    expect(from(asked.delivery, unknown(T + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['owe'],
    })
  })

  test('is a loss with a name once the money is there', () => {
    const loss = { delivery: { state: 'delivered', loss: 'disputed' }, todo: ['alert'] }
    expect(following(look(), delivered, disputed)).toMatchObject(loss)
    expect(following(look(), disputed, delivered)).toMatchObject(loss)
    expect(following(look(), taken, disputed, delivered)).toMatchObject(loss)
    expect(from(newDelivery({ isByHand: true }), claim, disputed, arrived())).toMatchObject(loss)
    const { delivery } = following(look(), delivered, disputed)
    expect(takes(delivery, { type: 'charge.reversed', reversal: 'refundedByHand' })).toBe(false)
  })

  test('waits for who has it in hand', () => {
    const claimed = from(newDelivery({ isByHand: true }), claim, disputed)
    expect(claimed).toMatchObject({ delivery: { state: 'claimed' }, todo: [] })
    expect(from(claimed.delivery, { type: 'claim.release' })).toMatchObject({
      delivery: { state: 'failed', batch: null },
      todo: ['owe'],
    })
  })
})

describe('by hand', () => {
  test('nothing is sent: somebody claims it, and says what became of it', () => {
    const due = newDelivery({ isByHand: true })
    expect(takes(due, look())).toBe(false)
    expect(takes(due, arrived())).toBe(false)
    expect(from(due, claim)).toMatchObject({ delivery: { state: 'claimed', batch: 'b1' } })
    expect(from(due, claim, { type: 'claim.release' })).toMatchObject({
      delivery: { state: 'due', batch: null },
    })
    expect(from(due, claim, arrived())).toMatchObject({
      delivery: { state: 'delivered', proof: 'W1', batch: null },
    })
    expect(from(due, claim, giveUp())).toMatchObject({
      delivery: { state: 'failed', batch: null },
      todo: ['owe'],
    })
    expect(takes(from(due, claim).delivery, claim)).toBe(false)
    expect(takes(from(due, claim).delivery, hold('operator'))).toBe(false)
  })

  test('only what people pay can be claimed', () => {
    expect(takes(newDelivery({ isByHand: false }), claim)).toBe(false)
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

  test('comes back for no warning or review that it was lifted of', () => {
    for (const lifted of [release(), release('prv_1')]) {
      const { delivery } = following(hold('prv_1'), lifted)
      expect(delivery).toMatchObject({ state: 'due', lifted: ['prv_1'] })
      expect(takes(delivery, hold('prv_1'))).toBe(false)
      expect(takes(delivery, hold('prv_2'))).toBe(true)
      expect(from(delivery, look(), unknown(T + MINUTE, 'prv_1'))).toMatchObject({ todo: ['send'] })
    }
    const both = following(hold('prv_1'), hold('prv_2'), release('prv_1')).delivery
    expect(both).toMatchObject({ holds: ['prv_2'], lifted: ['prv_1'] })
    expect(takes(both, hold('prv_1'))).toBe(false)
    const waiting = following(hold('prv_1'), release(), look(), failed('noBalance')).delivery
    expect(takes(waiting, hold('prv_1'))).toBe(false)
    // An operator may change their mind.
    expect(takes(following(hold('operator'), release()).delivery, hold('operator'))).toBe(true)
  })

  test('of what may have been sent is asked about when it ends, and not given back before', () => {
    const held = following(look(), unknown(T + MINUTE, 'prv_1'))
    expect(held).toMatchObject({ delivery: { state: 'held', holds: ['prv_1'] }, todo: [] })
    expect(from(held.delivery, release(), look())).toMatchObject({
      delivery: { state: 'handingOver', attempt: 1, lifted: ['prv_1'] },
      todo: ['ask'],
    })
    expect(from(held.delivery, disputed)).toMatchObject({ delivery: { state: 'handingOver' }, todo: [] })
  })

  test('an operator can give the money back instead', () => {
    for (const before of [[], [hold('operator')], [look(), failed('noBalance')]])
      expect(following(...before, giveUp())).toMatchObject({ delivery: { state: 'failed' }, todo: ['owe'] })
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

describe('what a provider has', () => {
  test.each<[string, readonly DeliveryEvent[]]>([
    ['handingOver', [look()]],
    ['handedOver', [look(), taken]],
  ])('is its own for a day, and then an operator says what became of it (%s)', (_, before) => {
    const { delivery } = following(...before)
    for (const end of [arrived, giveUp]) expect(takes(delivery, end(T + DAY - 1))).toBe(false)
    expect(from(delivery, arrived(T + DAY))).toMatchObject({
      delivery: { state: 'delivered', loss: null },
      todo: [],
    })
    expect(takes(from(delivery, disputed).delivery, arrived(T + DAY - 1))).toBe(false)
    expect(from(delivery, disputed, arrived(T + DAY))).toMatchObject({
      delivery: { loss: 'disputed' },
      todo: ['alert'],
    })
    expect(from(delivery, giveUp(T + DAY))).toMatchObject({ delivery: { state: 'failed' }, todo: ['owe'] })
  })

  test('is its own for a day after it took it, however long the way there was', () => {
    const { delivery } = following(look(), { type: 'payout.taken', at: T + DAY })
    expect(takes(delivery, arrived(T + 2 * DAY - 1))).toBe(false)
    expect(takes(delivery, arrived(T + 2 * DAY))).toBe(true)
  })

  test('and is paid out after an operator gave it up wakes somebody', () => {
    const { delivery } = following(look(), taken, giveUp(T + DAY))
    for (const before of [delivery, from(delivery, { type: 'refund.done' }).delivery]) {
      expect(from(before, look(T + 2 * DAY))).toMatchObject({
        delivery: { state: before.state },
        todo: ['ask'],
      })
      expect(from(before, delivered)).toMatchObject({ delivery: { state: before.state }, todo: ['alert'] })
    }
  })
})

test('a refund that fails later is owed again', () => {
  const { delivery } = following(giveUp(), { type: 'refund.done' })
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
  ...[failed('noBalance'), failed('recipientUnknown'), claim, giveUp(), giveUp(T + DAY + 21 * MINUTE)],
  { type: 'payout.refused', failure: 'notSetUp' },
  { type: 'payout.refused', failure: 'rejected' },
  ...[hold('operator'), hold('prv_1')],
  ...[release('prv_1'), release(), unknown(T, 'prv_1')],
  ...[arrived(), arrived(T + DAY + 21 * MINUTE)],
  { type: 'payout.contradicted', at: T },
  { type: 'claim.release' },
  { type: 'balance.enough' },
  { type: 'refund.done' },
  { type: 'refund.owed' },
]

/** The states in which the money is with us or on the card, and no provider or operator has it. */
const IN_OUR_HANDS: readonly DeliveryState[] = ['due', 'waiting', 'held']

test.each([{ isByHand: true }, { isByHand: false }])(
  'is never paid out and paid back (by hand: $isByHand)',
  { timeout: 120_000 },
  async (input) => {
    await walk({
      machine: deliveryMachine,
      input,
      events: () => EVENTS,
      blur({ attempt, sentAt, handedOverAt, deliveredAt, failure, holds, ...rest }) {
        if (deliveredAt !== null) return { loss: rest.loss }
        const tried = { attempt: Math.min(attempt, 2), isSent: sentAt !== null }
        return { ...rest, ...tried, isOurs: failure && isOurs(failure), holds: holds.toSorted() }
      },
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
        // What may have been paid out is not given back before whoever may have done so says that it was not.
        if (todo.includes('owe') && IN_OUR_HANDS.includes(before.value))
          expect(before.context.sentAt, at).toBe(null)
        if (value === 'handingOver') expect(context.sentAt, at).not.toBe(null)
        expect(
          context.holds.filter((cause) => context.lifted.includes(cause)),
          at,
        ).toEqual([])
        // Sent from nowhere but where the reference is stored.
        if (todo.includes('send'))
          expect([value, context.isByHand, context.reversal], at).toEqual(['handingOver', false, null])
        if (context.isByHand) expect(context.sentAt, at).toBe(null)
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
