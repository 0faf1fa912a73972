import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import type { DeliveryEvent } from '../machines/delivery.ts'
import { byHand } from './server/deliveries/byHand.ts'
import type { Payout, PayoutState } from './server/deliveries/provider.ts'
import { referenceOf } from './server/deliveries/reference.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { claim } from './server/operations/handPayments.ts'
import { rebuild } from './server/operations/rebuild.ts'
import { deliver, tellDelivery } from './server/payments/deliver.ts'
import { close } from './server/platform/closing.ts'
import type { Context } from './server/platform/context.ts'
import { crashAt } from './testing/crashAt.ts'
import { later, mtn, order, paid, status } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { requestOf, START } from './testing/world.ts'

// What becomes of deliveries when a process dies, or the database is an older one.
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
  await tellDelivery(world.context, id, () => ({
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

  async function begun(uid: string) {
    const request = requestOf(uid)
    const answer = await createPaymentIntent(world.context, { uid }, request)
    return { request, id: answer.ok ? answer.value.paymentIntentId : '' }
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
    const proof = { type: 'order.arrived', proof: 'PP1', at: START } as const
    await tellDelivery(world.context, before, () => proof)
    expect(await order(before)).toMatchObject({ state: 'delivered', proof: 'PP1' })
  })

  test('what somebody had in hand, and was given back since, is told not to be paid', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
    await sweep(world.context)
    const restore = backUp()
    await tellDelivery(world.context, id, () => ({
      type: 'order.giveUp',
      failure: 'recipientUnknown',
      at: world.now(),
    }))
    await restore()
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'], reversal: 'owedBefore' })
    await tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })

  test('what somebody had in hand, and another person paid since, is claimed by nobody before they say so', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
    await sweep(world.context)
    const restore = backUp()
    await tellDelivery(world.context, id, () => ({ type: 'claim.release' }))
    await claim(world.context, { batch: 'b2', by: 'Binta', ids: [id] })
    const proof = { type: 'order.arrived', proof: 'PP1', at: START } as const
    await tellDelivery(world.context, id, () => proof)
    await restore()
    // Awa says of what she had in hand that she has not paid it.
    await tellDelivery(world.context, id, () => ({ type: 'claim.release' }))
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'], batch: null })
    expect(await claim(world.context, { batch: 'b3', by: 'Awa', ids: [id] })).toEqual(
      new Map([[id, 'notDue']]),
    )
    await tellDelivery(world.context, id, () => proof)
    expect(await order(id)).toMatchObject({ state: 'delivered', proof: 'PP1' })
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

  const refundPart = (id: string) =>
    world.context.stripe.refunds.create({ payment_intent: id, amount: 500, metadata: { byHand: '1' } })
  const hearRefund = () =>
    world.deliver(world.sandbox.stripe.events().findLast(({ type }) => type === 'charge.refunded') ?? {})

  test.each<[string, (id: string) => Promise<unknown>, object]>([
    ['names otherwise now', async () => world.payouts.rename('rejected'), { loss: null }],
    [
      'is of a charge that went back in part',
      async (id) => [await refundPart(id), await hearRefund()],
      { loss: 'refundedByHand' },
    ],
  ])('a failed try that the provider %s is not the last one', async (_, happens, then) => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    const restore = backUp()
    await later()
    expect(await order(id)).toMatchObject({ state: 'waiting', attempt: 2 })
    world.payouts.fill()
    await later(HOUR)
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered', attempt: 2 })
    await restore()
    expect(await order(id)).toMatchObject({ state: 'handedOver', attempt: 1 })
    await happens(id)
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered', reference: referenceOf(id, 2), ...then })
    expect(await status(id)).toBe('completed')
  })

  test('nothing follows from a failed try while nobody says what became of the next', async () => {
    mtn()
    world.payouts.will('recipientUnknown')
    const { id } = await paid()
    world.payouts.fallSilent('not', 'before')
    expect(await later()).toMatchObject({ deliverySilent: 1 })
    expect(await order(id)).toMatchObject({ state: 'handedOver', attempt: 1 })
    await later()
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
  })

  test('what was refused is not given back when another try was paid', async () => {
    mtn()
    const { id } = await paid()
    await later()
    const delivered = { state: 'handingOver', attempt: 1, sentAt: START, checkAt: 1, lookedAt: null }
    // The provider has forgotten the first try, and the database the second one.
    await world.context.db.doc(`deliveries/${id}`).update(delivered)
    const { provider } = world.payouts
    const taken = world.payouts.taken().map(({ reference }) => reference)
    const api = provider.api && {
      ...provider.api,
      send: () => Promise.resolve({ kind: 'refused', failure: 'expired' } as const),
      state: async (payout: Payout): Promise<PayoutState> => {
        if (payout.reference === referenceOf(id, 1)) return { kind: 'unknown' }
        return { kind: 'delivered', proof: taken[0] ?? '' }
      },
    }
    world.payOutBy({ ...provider, api })
    expect(await deliver(world.context, id)).toBe('delivered')
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('what waits in the backup was paid since, and is not given back', async () => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    await later()
    expect(await order(id)).toMatchObject({ state: 'waiting' })
    const restore = backUp()
    world.payouts.fill()
    await later(HOUR)
    await later(HOUR)
    await restore()
    await refundPart(id)
    await hearRefund()
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', loss: 'refundedByHand' })
    expect(world.payouts.taken()).toHaveLength(2)
  })

  const release = (id: string) =>
    tellDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))

  /** Held by a warning in the backup. */
  async function heldBefore() {
    mtn()
    const { id, settle } = await paid({ isRecorded: false })
    world.sandbox.stripe.warnOfFraud(id)
    await settle()
    const settled = await order(id)
    expect(settled).toMatchObject({ state: 'held', holds: [expect.stringMatching(/^issfr_/)] })
    return { id, restore: backUp() }
  }

  test.each(['goes back in part', 'is in order'])(
    'what is held in the backup, was paid since, and whose charge %s is not paid out or given back',
    async (what) => {
      const { id, restore } = await heldBefore()
      await release(id)
      await later()
      await later()
      expect(await order(id)).toMatchObject({ state: 'delivered' })
      await restore()
      expect(await order(id)).toMatchObject({ state: 'held' })
      if (what === 'is in order') await release(id)
      else {
        await refundPart(id)
        await hearRefund()
      }
      expect(await order(id)).toMatchObject({ state: 'handingOver', holds: [] })
      await later()
      const loss = what === 'is in order' ? null : 'refundedByHand'
      expect(await order(id)).toMatchObject({ state: 'delivered', loss })
      expect(world.payouts.taken()).toHaveLength(1)
    },
  )

  test('what is held in the backup, and the provider never had, is given back in the end', async () => {
    const { id, restore } = await heldBefore()
    await restore()
    await refundPart(id)
    await hearRefund()
    await later()
    expect(await order(id)).toMatchObject({ state: 'handingOver' })
    await later(10 * MINUTE)
    await later()
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    expect(world.payouts.taken()).toEqual([])
  })

  test.each<[string, DeliveryEvent, object]>([
    [
      'was paid is a loss',
      { type: 'order.arrived', proof: 'PP1', at: START },
      { state: 'delivered', loss: 'refundedByHand' },
    ],
    [
      'was not paid is given back when it is released',
      { type: 'order.release', cause: null },
      { state: 'paidBack' },
    ],
    [
      'was not paid is given back when it is given up',
      { type: 'order.giveUp', failure: 'canceled', at: START },
      { state: 'paidBack' },
    ],
  ])(
    'what people may have paid, and whose charge went back, waits for their word: what %s',
    async (_, word, end) => {
      world.payOutBy(byHand)
      const { id } = await paid()
      const restore = backUp()
      await restore()
      await refundPart(id)
      await hearRefund()
      expect(await order(id)).toMatchObject({
        state: 'held',
        holds: ['restored'],
        reversal: 'refundedByHand',
      })
      await tellDelivery(world.context, id, () => word)
      expect(await order(id)).toMatchObject(end)
    },
  )

  test('what was begun in the backup, paid out since and given back in part is not owed, whoever tells of it', async () => {
    mtn()
    const uid = await world.person()
    const { request, id } = await begun(uid)
    await sweep(world.context)
    const backup = world.sandbox.firestore.dump()
    const record = () => recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
    await world.pay(id)
    await record()
    await later()
    await refundPart(id)
    world.sandbox.firestore.load(backup)
    await close(world.context, 'byHand')
    await hearRefund()
    expect(await record()).toMatchObject({ value: { outcome: 'unclear', status: 'succeeded' } })
    expect((await world.records()).refunds.size).toBe(0)
    await rebuild(world.context)
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', loss: 'refundedByHand' })
  })

  test.each([
    ['was paid out is a loss', true],
    ['was not paid out is given back', false],
  ])('what is forgotten and given back whole by others is asked about: what %s', async (_, isPaidOut) => {
    await sweep(world.context)
    const restore = backUp()
    mtn()
    const { id } = await paid({ isRecorded: isPaidOut })
    await world.context.stripe.refunds.create({ payment_intent: id, metadata: { byHand: '1' } })
    await restore()
    expect(await order(id)).toMatchObject({ state: 'handingOver', reversal: 'refundedByHand' })
    await later(10 * MINUTE)
    const end = isPaidOut ? { state: 'delivered', loss: 'refundedByHand' } : { state: 'paidBack' }
    expect(await order(id)).toMatchObject(end)
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })

  test('what people may have paid is not given back by news that come before the rebuilding', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    const backup = world.sandbox.firestore.dump()
    await refundPart(id)
    world.sandbox.firestore.load(backup)
    await close(world.context, 'byHand')
    await hearRefund()
    expect(await order(id)).toMatchObject({ state: 'due', reversal: null })
    await rebuild(world.context)
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'], reversal: 'refundedByHand' })
  })

  test('what people may have paid is held, although the database knows that somebody began to pay', async () => {
    world.payOutBy(byHand)
    const uid = await world.person()
    await sweep(world.context)
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutBefore' } })
    await expect(createPaymentIntent(world.context, { uid }, request)).rejects.toThrow()
    const restore = backUp()
    const answer = await createPaymentIntent(world.context, { uid }, request)
    const id = answer.ok ? answer.value.paymentIntentId : ''
    await world.pay(id)
    await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
    expect(await order(id)).toMatchObject({ state: 'due' })
    await restore()
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['restored'], isRestored: true })
  })
})
