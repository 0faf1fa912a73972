import { describe, expect, test } from 'vitest'
import { byHand } from './server/deliveries/byHand.ts'
import { referenceOf } from './server/deliveries/reference.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { claim } from './server/operations/handPayments.ts'
import { rebuild } from './server/operations/rebuild.ts'
import { deliver, tellDelivery } from './server/payments/deliver.ts'
import type { Context } from './server/platform/context.ts'
import { crashAt } from './testing/crashAt.ts'
import { later, mtn, order, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { HOUR, MINUTE, START } from './testing/world.ts'

// What becomes of deliveries when a process dies, or the database is an older one.
testInEmptyWorld({ isMoneyChecked: true })

/** Steps of a process, before which it dies, or after which with the answer lost. */
const moments = (steps: number) =>
  (['before', 'after'] as const).flatMap((when) =>
    Array.from({ length: steps }, (_, i) => [when, i + 1] as const),
  )

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
  function answeredAfter(happens: () => Promise<unknown>): Context {
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

describe('after a restore', () => {
  /** What happens from now on is lost to the database. */
  function backUp() {
    const backup = world.sandbox.firestore.dump()
    return async () => {
      world.sandbox.firestore.load(backup)
      await rebuild(world.context)
    }
  }

  test('a provider says what it has paid out, and nothing is paid twice', async () => {
    await sweep(world.context)
    const restore = backUp()
    mtn()
    const { id } = await paid()
    await later()
    await restore()
    expect(await order(id)).toMatchObject({
      state: 'handingOver',
      isRestored: true,
      reference: referenceOf(id, 1),
    })
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', proof: 'W1' })
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('what a provider never had is paid when an operator says so', async () => {
    await sweep(world.context)
    const restore = backUp()
    // It may have been paid by whoever did so before there was a provider.
    const { id } = await paid()
    mtn()
    await restore()
    await later()
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'] })
    expect(world.payouts.taken()).toEqual([])
    await tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    await later()
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered' })
  })

  test('what people pay is held: they know what they have paid', async () => {
    world.payOutBy(byHand)
    const { id: before } = await paid()
    await sweep(world.context)
    const restore = backUp()
    const { id: since } = await paid()
    await claim(world.context, { batch: 'b1', by: 'Awa', ids: [before, since] })
    await restore()
    for (const id of [before, since])
      expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'] })
    const proof = { type: 'payout.delivered', proof: 'PP1', at: START } as const
    await tellDelivery(world.context, before, () => proof)
    expect(await order(before)).toMatchObject({ state: 'delivered', proof: 'PP1' })
  })

  test('what somebody had in hand, and was given back since, is told not to be paid', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
    await sweep(world.context)
    const restore = backUp()
    await tellDelivery(world.context, id, () => ({ type: 'order.giveUp', failure: 'recipientUnknown' }))
    await restore()
    expect(await order(id)).toMatchObject({ state: 'claimed', reversal: 'owedBefore' })
    await tellDelivery(world.context, id, () => ({ type: 'claim.release' }))
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })

  test('what was forgotten at a provider is sent under the reference that it has', async () => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    await later()
    const restore = backUp()
    world.payouts.fill()
    await later(HOUR)
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered', reference: referenceOf(id, 2) })
    await restore()
    await later(HOUR)
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered', reference: referenceOf(id, 2) })
    expect(world.payouts.taken()).toHaveLength(2)
  })
})
