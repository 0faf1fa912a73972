import { describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { type DeliveryEvent, newDelivery, takes } from './delivery.ts'
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
  restore,
  superseded,
  T,
  taken,
  unknown,
} from './testing/deliverySituations.ts'

describe('after a restore', () => {
  const rebuilt = newDelivery({ isByHand: false, isRestored: true })

  test('a provider is asked, and pays nothing written anew that it never had before somebody says so', () => {
    expect(from(rebuilt, restore, look())).toMatchObject({
      delivery: { state: 'handingOver', sentAt: T },
      todo: ['ask'],
    })
    const held = from(rebuilt, restore, look(), unknown())
    expect(held).toMatchObject({ delivery: { state: 'held', holds: ['restored'] }, todo: [] })
    for (const lifted of [release(), release('restored')])
      expect(from(held.delivery, lifted, look(), unknown())).toMatchObject({
        delivery: { state: 'handingOver', isRestored: false },
        todo: ['send'],
      })
  })

  test('what is written anew is asked about also when another hold was lifted before', () => {
    const { delivery } = from(rebuilt, hold('prv_1'), release('prv_1'))
    expect(delivery).toMatchObject({ state: 'due', isRestored: true, lifted: ['prv_1'] })
    expect(from(delivery, look(), unknown())).toMatchObject({
      delivery: { state: 'held', holds: ['restored'] },
      todo: [],
    })
  })

  test.each<[string, readonly DeliveryEvent[], number]>([
    ['due', [], 1],
    ['waiting', [look(), failed('noBalance')], 2],
    ['handingOver', [look()], 1],
  ])('what is %s is asked about before it is sent, or given back', (_, before, attempt) => {
    const { delivery } = following(...before, restore)
    expect(delivery).toMatchObject({ state: 'handingOver', attempt, sentAt: T })
    expect(from(delivery, look(), unknown())).toMatchObject({ todo: ['send'] })
    expect(from(delivery, disputed)).toMatchObject({ delivery: { state: 'handingOver' }, todo: [] })
    expect(from(delivery, disputed, delivered)).toMatchObject({
      delivery: { state: 'delivered', loss: 'disputed' },
    })
    expect(from(delivery, disputed, unknown(T + 10 * MINUTE))).toMatchObject({
      delivery: { state: 'failed' },
      todo: ['owe'],
    })
  })

  test('what is held stays so, and is asked about before it is sent, or given back', () => {
    const { delivery } = following(hold('prv_1'), restore)
    expect(delivery).toMatchObject({ state: 'held', holds: ['prv_1'] })
    expect(from(delivery, release(), look(), unknown())).toMatchObject({
      delivery: { state: 'handingOver', holds: [] },
      todo: ['send'],
    })
    for (const end of [disputed, giveUp()]) {
      const asked = from(delivery, end)
      expect(asked).toMatchObject({ delivery: { state: 'handingOver', holds: [] }, todo: [] })
      expect(takes(asked.delivery, unknown(T + 9 * MINUTE))).toBe(false)
      expect(from(asked.delivery, unknown(T + 10 * MINUTE))).toMatchObject({
        delivery: { state: 'failed' },
        todo: ['owe'],
      })
      // It is not tried again.
      expect(from(asked.delivery, failed('noBalance'))).toMatchObject({ delivery: { state: 'failed' } })
    }
    expect(from(delivery, giveUp(), delivered)).toMatchObject({
      delivery: { state: 'delivered', failure: null, loss: null },
    })
  })

  test('what people pay is held, and may have been paid', () => {
    const { delivery } = from(newDelivery({ isByHand: true }), restore)
    expect(delivery).toMatchObject({ state: 'held', holds: ['restored'], sentAt: null })
    expect(from(delivery, arrived())).toMatchObject({
      delivery: { state: 'delivered', holds: [], loss: null },
      todo: [],
    })
    expect(from(delivery, release())).toMatchObject({ delivery: { state: 'due' } })
    expect(takes(following(hold('operator')).delivery, arrived())).toBe(false)
    const held = from(newDelivery({ isByHand: true }), hold('operator'), restore)
    expect(held.delivery.holds).toEqual(['operator', 'restored'])
    expect(from(held.delivery, arrived())).toMatchObject({ delivery: { state: 'delivered' } })
    // Who may have paid it has said no.
    expect(takes(from(held.delivery, disputed, release('restored')).delivery, arrived())).toBe(false)
  })

  test('what somebody has in hand is held: it may have been released since, and paid by another', () => {
    const held = from(newDelivery({ isByHand: true }), claim, restore)
    expect(held).toMatchObject({ delivery: { state: 'held', holds: ['restored'], batch: null }, todo: [] })
    expect(takes(held.delivery, { type: 'claim.release' })).toBe(false)
    expect(from(held.delivery, arrived())).toMatchObject({ delivery: { state: 'delivered' } })
    expect(from(held.delivery, release())).toMatchObject({ delivery: { state: 'due' } })
    expect(from(newDelivery({ isByHand: true }), claim, disputed, restore, release())).toMatchObject({
      delivery: { state: 'failed', reversal: 'disputed' },
      todo: ['owe'],
    })
  })

  test('what people may have paid is not given back before they say so', () => {
    const reversed = from(newDelivery({ isByHand: true }), restore, disputed)
    expect(reversed).toMatchObject({ delivery: { state: 'held', reversal: 'disputed' }, todo: [] })
    expect(from(reversed.delivery, arrived())).toMatchObject({
      delivery: { state: 'delivered', loss: 'disputed', holds: [] },
      todo: ['alert'],
    })
    for (const end of [release(), giveUp()])
      expect(from(reversed.delivery, end)).toMatchObject({
        delivery: { state: 'failed', holds: [] },
        todo: ['owe'],
      })
  })

  test.each<[string, readonly DeliveryEvent[]]>([
    ['handingOver', [look()]],
    ['handedOver', [look(), taken]],
  ])('a try that failed counts for nothing when the provider has had the next (%s)', (_, before) => {
    for (const then of [[], [disputed]])
      expect(following(...before, ...then, superseded)).toMatchObject({
        delivery: { state: 'handingOver', attempt: 2, sentAt: T },
        todo: ['ask'],
      })
  })
})
