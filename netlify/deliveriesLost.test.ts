import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { deliver, updateDelivery } from './server/payouts/deliver.ts'
import type { PayoutContext } from './server/payouts/payoutContext.ts'
import { crashAt } from './testing/crashAt.ts'
import { later, mtn, order, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'

// Deliveries when a process dies, or an answer comes late.
testInEmptyWorld({ isMoneyChecked: true })

/** Steps of a process, before which it dies, or after which with the answer lost. */
const moments = (steps: number) =>
  (['before', 'after'] as const).flatMap((when) =>
    Array.from({ length: steps }, (_, i) => [when, i + 1] as const),
  )

test('what an operator gave up and the provider pays after all wakes somebody, once it calls', async () => {
  mtn()
  world.payouts.will('pending')
  const { id } = await paid()
  await later(25 * HOUR)
  await updateDelivery(world.context, id, () => ({
    type: 'order.giveUp',
    failure: 'rejected',
    at: world.now(),
  }))
  await later()
  expect(await order(id)).toMatchObject({ state: 'paidBack' })
  world.payouts.decide('delivered')
  await later(HOUR)
  const alerts = () => world.logged.filter(({ event }) => event === 'deliveryAlert')
  expect(alerts()).toEqual([])
  await deliver(world.context, id, { isHint: true })
  expect(alerts()).toMatchObject([{ paymentIntentId: id, state: 'paidBack' }])
  world.payouts.reset()
})

describe('a process that dies', () => {
  test.each(moments(8))(
    '%s step %i of recording and handing over loses nothing, and pays once',
    async (when, at) => {
      mtn()
      const { id, uid, attemptId } = await paid({ isRecorded: false })
      const { context, life } = crashAt(world.context, at, when)
      await recordTransfer(context, { uid }, { attemptId }).catch(() => null)
      expect(life.dead).toBe(true)
      await later(31 * MINUTE)
      await later(31 * MINUTE)
      await later(31 * MINUTE)
      expect(await order(id)).toMatchObject({ state: 'delivered' })
      expect(world.payouts.taken()).toHaveLength(1)
    },
  )

  test.each(moments(8))('%s step %i of giving back gives back once', async (when, at) => {
    mtn()
    world.payouts.will('recipientUnknown')
    const { id } = await paid()
    world.pass(MINUTE)
    const { context, life } = crashAt(world.context, at, when)
    await deliver(context, id).catch(() => null)
    expect(life.dead).toBe(true)
    await later(31 * MINUTE)
    await later(31 * MINUTE)
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })
})

describe('an answer that comes late', () => {
  /** The functions of a process in which something else happens before it has the provider's answer. */
  function answeredAfter(happens: () => Promise<unknown>): PayoutContext {
    const { provider } = world.payouts
    const late = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        const answer = await call(...args)
        await happens()
        return answer
      }
    }
    const api = provider.api && {
      ...provider.api,
      send: late(provider.api.send),
      state: late(provider.api.state),
    }
    return { ...world.context, providers: [{ ...provider, api }] }
  }

  test('about one try says nothing of the next, which is under way', async () => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    world.payouts.will('pending')
    world.pass(MINUTE)
    const slow = answeredAfter(async () => {
      world.pass(HOUR)
      await deliver(world.context, id)
      world.payouts.fill()
      world.pass(HOUR)
      await deliver(world.context, id)
      expect(await order(id)).toMatchObject({ state: 'handedOver', attempt: 2 })
    })
    await deliver(slow, id)
    expect(await order(id)).toMatchObject({ state: 'handedOver', attempt: 2 })
    await later(HOUR)
    await later(HOUR)
    expect(world.payouts.taken()).toHaveLength(2)
  })

  test('about what was refused says nothing of what was sent again since', async () => {
    mtn()
    world.payouts.fallSilent('before')
    const { id } = await paid()
    world.pass(MINUTE)
    world.payouts.refuse('recipientUnknown')
    let times = 0
    const slow = answeredAfter(async () => {
      times += 1
      // After it was asked about, sent, and asked about again.
      if (times !== 3) return
      world.payouts.refuse(null)
      world.payouts.fallSilent('not', 'after')
      world.pass(HOUR)
      await deliver(world.context, id)
      expect(world.payouts.taken()).toHaveLength(1)
    })
    await deliver(slow, id)
    expect(world.sandbox.stripe.refunds()).toEqual([])
    await later(HOUR)
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered' })
  })
})

test('a process that slept before it sent sends nothing', async () => {
  mtn()
  world.payouts.fill(1)
  const { id } = await paid()
  await later()
  world.payouts.fill()
  world.pass(HOUR)
  const { stripe } = world.context
  const retrieve = async (of: string) => {
    const intent = await stripe.paymentIntents.retrieve(of)
    world.pass(2 * MINUTE)
    return intent
  }
  const paymentIntents = Object.create(stripe.paymentIntents, { retrieve: { value: retrieve } })
  const slept = {
    ...world.context,
    stripe: Object.create(stripe, { paymentIntents: { value: paymentIntents } }),
  }
  expect(await deliver(slept, id)).toBe('deliverySilent')
  expect(world.payouts.taken()).toHaveLength(1)
  expect(await order(id)).toMatchObject({ state: 'handingOver', attempt: 2 })
  await later(HOUR)
  await later(HOUR)
  expect(await order(id)).toMatchObject({ state: 'delivered' })
})
