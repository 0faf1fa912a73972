import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { PLANS } from '../domain/plans.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { checkRefund } from './server/payments/refunds.ts'
import { deliver, updateDelivery } from './server/payouts/deliver.ts'
import { claim } from './server/payouts/handPayments.ts'
import { byHand } from './server/payouts/providers/byHand.ts'
import { buildReference } from './server/payouts/reference.ts'
import { close } from './server/platform/closing.ts'
import { events, later, mtn, order, paid, status } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { eventOf, ledger, left, premium } from './testing/payments.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('a recorded transfer', () => {
  test('has no order while nobody pays out', async () => {
    const { id } = await paid()
    expect(await order(id)).toBeUndefined()
    mtn()
    await later()
    // Nor later: it is history.
    expect(await order(id)).toBeUndefined()
    expect(world.payouts.taken()).toEqual([])
    world.payOutBy()
  })

  test('is handed over at once, and delivered', async () => {
    mtn()
    const { uid, id, phone } = await paid()
    const reference = buildReference(id, 1)
    expect(reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await order(id)).toMatchObject({
      uid,
      state: 'handedOver',
      provider: 'mtn',
      reference,
      amount: { minor: 1_028_200, currency: 'GNF' },
      phone,
      createdAt: START,
      handedOverAt: START,
    })
    expect(world.payouts.taken()).toMatchObject([{ reference, transferId: id }])
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', proof: 'W1', deliveredAt: START + MINUTE })
    expect(await status(id)).toBe('completed')
    await world.checkInvariants({ quiet: true })
  })

  test('has one order, whoever tells of it and how often', async () => {
    mtn()
    const { id, settle } = await paid()
    await settle()
    await world.deliver(eventOf('payment_intent.succeeded', id))
    await later()
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('is recorded when the provider is out of order', async () => {
    mtn()
    const api = {
      ...world.payouts.provider.api,
      send: () => Promise.reject(new Error('out of order')),
    }
    world.payOutBy({ ...world.payouts.provider, api: api as typeof world.payouts.provider.api })
    const { id } = await paid()
    expect(events()).toContain('deliveryPostponed')
    expect(await order(id)).toMatchObject({ state: 'handingOver', reference: buildReference(id, 1) })
    mtn()
    await later()
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered' })
  })

  test('whose wallet no provider pays is paid by people', async () => {
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    const { id } = await paid()
    expect(await order(id)).toMatchObject({ state: 'due', provider: 'byHand', isByHand: true, checkAt: null })
  })
})

describe('silence', () => {
  test.each(['before', 'after'] as const)(
    '%s the provider took it is asked about, and pays once @spec-paid-once',
    async (when) => {
      mtn()
      world.payouts.fallSilent(when)
      const { id } = await paid()
      expect(await order(id)).toMatchObject({ state: 'handingOver', reference: buildReference(id, 1) })
      await later()
      await later()
      expect(await order(id)).toMatchObject({ state: 'delivered', reference: buildReference(id, 1) })
      expect(world.payouts.taken()).toHaveLength(1)
    },
  )

  test('for however long is never called a failure', async () => {
    mtn()
    world.payouts.fallSilent(...Array(100).fill('after'))
    const { id } = await paid()
    for (let days = 0; days < 3; days += 1) await later(24 * HOUR)
    expect(await order(id)).toMatchObject({ state: 'handingOver', failure: null })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('of one order keeps no other waiting', async () => {
    mtn()
    world.payouts.will('pending')
    const { id: slow } = await paid()
    world.payouts.will('delivered')
    const { id: quick } = await paid()
    await later()
    expect((await order(slow))?.state).toBe('handedOver')
    expect((await order(quick))?.state).toBe('delivered')
  })

  test('of many is asked about fifty at a time, those first whom nobody has asked about for longest', async () => {
    const { provider } = world.payouts
    const state = () => Promise.resolve({ kind: 'pending' } as const)
    world.payOutBy({ ...provider, api: provider.api && { ...provider.api, state } })
    const { id } = await paid()
    const made = await order(id)
    const copies = Array.from({ length: 59 }, (_, i) => world.context.db.doc(`deliveries/pi_${i}`))
    await Promise.all(copies.map((copy) => copy.set({ ...made, checkAt: START - 1 })))
    expect(await later()).toMatchObject({ handedOver: 50 })
    expect(await order(id)).toMatchObject({ lookedAt: START })
    expect(await later(1)).toMatchObject({ handedOver: 10 })
    expect(await order(id)).toMatchObject({ lookedAt: START + MINUTE + 1 })
    await Promise.all(copies.map((copy) => copy.delete()))
  })

  test('to everybody leaves the provider alone until the next run', async () => {
    mtn()
    world.payouts.fallSilent(...Array(5).fill('before'))
    const ids = [await paid(), await paid(), await paid(), await paid(), await paid()].map(({ id }) => id)
    world.payouts.fallSilent(...Array(3).fill('before'))
    expect(await later()).toMatchObject({ deliverySilent: 3 })
    // Those that nobody has looked at come first.
    expect(await later()).toMatchObject({ handedOver: 5 })
    await later()
    for (const id of ids) expect((await order(id))?.state).toBe('delivered')
  })
})

describe('a failure for good', () => {
  test('gives everything back: the charge, the cap and the plan’s transfer of its month @spec-undelivered', async () => {
    mtn()
    world.payouts.will('recipientUnknown')
    const { uid, id } = await paid({ subscription: premium(5) })
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000 })
    expect(await left(uid)).toBe(4)
    const swept = await later()
    expect(swept).toMatchObject({ deliveryFailed: 1 })
    expect(swept).not.toHaveProperty('failed')
    expect(await order(id)).toMatchObject({ state: 'paidBack', failure: 'recipientUnknown' })
    expect(await status(id)).toBe('failed')
    expect(await ledger(uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
    expect(await left(uid)).toBe(5)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
    await world.checkInvariants({ quiet: true })
  })

  test('is told to who asks what became of the payment', async () => {
    mtn()
    world.payouts.will('recipientUnknown')
    const { settle } = await paid()
    await later()
    expect(await settle()).toMatchObject({ ok: true, value: { outcome: 'refunded' } })
  })

  test('gives nothing to a later month @spec-late-return', async () => {
    mtn()
    world.payouts.will('pending')
    const { uid } = await paid({ subscription: premium(3) })
    world.setTime(Date.UTC(2026, 11, 2))
    const token = await world.token(uid)
    await world.invoke(
      'create-payment-intent',
      requestOf(uid, { expected: { fee: 0, converted: 1_060_000 } }),
      { token },
    )
    expect(await left(uid)).toBe(PLANS.premium.allowance)
    world.payouts.decide('rejected')
    await later()
    expect(await ledger(uid)).toMatchObject({ recordedCents: 0 })
    expect(await ledger(uid, '2026-12')).toMatchObject({
      recordedCents: 0,
      reservedCents: 10_000,
      reservedSlots: 1,
    })
    expect(await left(uid)).toBe(PLANS.premium.allowance)
  })

  test('is owed again when its refund fails later', async () => {
    mtn()
    world.payouts.will('recipientUnknown')
    const { id } = await paid({ card: 'pm_card_refundFail' })
    await later()
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    world.pass(25 * HOUR)
    expect(await checkRefund(world.context, id)).toBe('refundOwed')
    expect(await order(id)).toMatchObject({ state: 'failed' })
    await later()
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(2)
  })

  test('that was refused at once is one only when the provider does not know it either', async () => {
    mtn()
    world.payouts.refuse('recipientNotAllowed')
    const { id } = await paid()
    expect(await order(id)).toMatchObject({ state: 'paidBack', failure: 'recipientNotAllowed' })
    world.payouts.refuse(null)
    world.payouts.fallSilent('after')
    const { id: taken } = await paid()
    world.payouts.refuse('recipientNotAllowed')
    world.payouts.lag()
    await later()
    expect(await order(taken)).toMatchObject({ state: 'delivered' })
  })
})

describe('an account without enough', () => {
  test('makes the transfer wait, wakes somebody, and pays it with another reference', async () => {
    mtn()
    world.payouts.fill(1_000_000)
    const { id } = await paid()
    await later()
    expect(await order(id)).toMatchObject({ state: 'waiting', failure: 'noBalance', attempt: 2 })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'deliveryAlert',
      paymentIntentId: id,
      state: 'waiting',
      failure: 'noBalance',
      loss: null,
    })
    await later()
    expect(world.payouts.taken()).toHaveLength(1)
    world.payouts.fill()
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'handedOver', reference: buildReference(id, 2) })
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'delivered', failure: null })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('keeps nobody waiting for whom it is enough', async () => {
    mtn()
    world.payouts.fill(1_500_000)
    for (let times = 0; times < 4; times += 1)
      await paid({ request: { amount: 20_000, expected: { fee: 600, converted: 2_056_400 } } })
    await later()
    world.payouts.fallSilent('before')
    const { id } = await paid()
    expect(await later()).toMatchObject({ waiting: 4, handedOver: 1 })
    await later()
    expect((await order(id))?.state).toBe('delivered')
  })
})

describe('a charge that goes back', () => {
  const refundByHand = (id: string, amount?: number) =>
    world.context.stripe.refunds.create({
      payment_intent: id,
      metadata: { byHand: '1' },
      ...(amount && { amount }),
    })
  const tell = async (type: string) => {
    const event = world.sandbox.stripe.events().findLast((one) => one.type === type)
    await world.deliver(event ?? {})
  }

  test('by an operator’s hand before anybody paid out is given back whole', async () => {
    world.payOutBy(byHand)
    const { id, uid } = await paid()
    await refundByHand(id, 500)
    await tell('charge.refunded')
    expect(await order(id)).toMatchObject({ state: 'paidBack', reversal: 'refundedByHand' })
    expect(
      world.sandbox.stripe
        .refunds()
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([500, 9_500])
    expect(await ledger(uid)).toMatchObject({ recordedCents: 0 })
    expect(events()).not.toContain('recordedButReversed')
  })

  test('leaves an order that is due where it can be held, once nobody pays to its wallet any more', async () => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    await later()
    await world.context.db.doc(`deliveries/${id}`).update({ state: 'due', checkAt: 1 })
    world.payOutBy(byHand)
    expect(await deliver(world.context, id)).toBe('due')
    await refundByHand(id)
    await tell('charge.refunded')
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
  })

  test('is seen before paying out although nobody has told of it', async () => {
    mtn()
    world.payouts.fill(1)
    const { id } = await paid()
    await later()
    await refundByHand(id)
    world.payouts.fill()
    await later(HOUR)
    expect(await order(id)).toMatchObject({ state: 'paidBack', reversal: 'refundedByHand' })
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('and was sent to silence is not sent again', async () => {
    mtn()
    world.payouts.fallSilent('before')
    const { id } = await paid()
    world.sandbox.stripe.dispute(id)
    await later()
    expect(await order(id)).toMatchObject({ state: 'handingOver', reversal: 'disputed' })
    await later(10 * MINUTE)
    expect(await order(id)).toMatchObject({ state: 'failed' })
    expect(world.payouts.taken()).toEqual([])
  })

  test('and was refused once, while a slower call may arrive, is given back when none has', async () => {
    mtn()
    world.payouts.fallSilent('before')
    const { id } = await paid()
    world.payouts.refuse('ourLimit')
    await later()
    expect(await order(id)).toMatchObject({ state: 'waiting', failure: 'ourLimit', attempt: 1 })
    world.sandbox.stripe.dispute(id)
    // It can be tried again, and so its charge is looked at.
    await later()
    expect(await order(id)).toMatchObject({ state: 'handingOver', reversal: 'disputed' })
    expect((await world.records()).refunds.size).toBe(0)
    await later(10 * MINUTE)
    expect(await order(id)).toMatchObject({ state: 'failed', reversal: 'disputed' })
  })

  test('and was refused once, while a slower call does arrive, is a loss', async () => {
    mtn()
    world.payouts.fallSilent('before')
    const { id, phone } = await paid()
    world.payouts.refuse('ourLimit')
    await later()
    world.sandbox.stripe.dispute(id)
    await later()
    world.payouts.refuse(null)
    const { reference, amount, wallet } = (await order(id)) ?? {}
    await world.payouts.provider.api?.send({ reference, transferId: id, amount, wallet, phone })
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered', loss: 'disputed' })
  })

  test('by a dispute after the recipient has the money is a loss with a name', async () => {
    mtn()
    const { id } = await paid()
    await later()
    world.sandbox.stripe.dispute(id)
    await tell('charge.dispute.created')
    expect(await order(id)).toMatchObject({ state: 'delivered', loss: 'disputed' })
    expect(world.logged).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'deliveryAlert', loss: 'disputed' }),
    )
    expect(await status(id)).toBe('completed')
  })

  test('by a dispute in time is called off, and given back only when the bank gives it to us', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    world.sandbox.stripe.dispute(id)
    await tell('charge.dispute.created')
    expect(await order(id)).toMatchObject({ state: 'failed', reversal: 'disputed' })
    expect(world.sandbox.stripe.refunds()).toEqual([])
    const [dispute] = world.sandbox.stripe.disputes()
    await world.context.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    await later(25 * HOUR)
    await later()
    expect(await order(id)).toMatchObject({ state: 'paidBack' })
  })

  test('perhaps, as the card’s network warns, is held until an operator has looked', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    const warning = world.sandbox.stripe.warnOfFraud(id)
    await tell('radar.early_fraud_warning.created')
    expect(await order(id)).toMatchObject({ state: 'held', holds: [warning] })
    await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    expect(await order(id)).toMatchObject({ state: 'due', holds: [] })
  })

  test('perhaps, is not held for the same warning once an operator has looked', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    const warning = world.sandbox.stripe.warnOfFraud(id)
    await tell('radar.early_fraud_warning.created')
    await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    await tell('radar.early_fraud_warning.created')
    expect(await order(id)).toMatchObject({ state: 'due', lifted: [warning] })
    expect(events()).not.toContain('holdTooLate')
    expect(await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id] })).toEqual(
      new Map([[id, 'claimed']]),
    )
  })

  const REVIEWED = 'pm_card_riskLevelElevated'

  test.each(['a program', 'people'])(
    'perhaps, as a review says that began before it was recorded, is held although %s would pay it',
    async (who) => {
      if (who === 'people') world.payOutBy(byHand)
      else mtn()
      const { id, settle } = await paid({ card: REVIEWED, isRecorded: false })
      await tell('review.opened')
      await settle()
      const claimed = () => claim(world.context, { batch: crypto.randomUUID(), by: 'Awa', ids: [id] })
      if (who === 'people') expect(await claimed()).toEqual(new Map([[id, 'held']]))
      const [review] = (await world.context.stripe.reviews.list()).data
      expect(await order(id)).toMatchObject({ state: 'held', holds: [review?.id] })
      await later()
      expect(world.payouts.taken()).toEqual([])
      await world.context.stripe.reviews.approve(review?.id ?? '')
      await tell('review.closed')
      expect(await order(id)).toMatchObject({ state: 'due', holds: [] })
      if (who === 'people') expect(await claimed()).toEqual(new Map([[id, 'claimed']]))
      else {
        await later()
        expect(await order(id)).toMatchObject({ state: 'handedOver' })
      }
    },
  )

  test('perhaps, as a review says that is open still, is paid once an operator says so', async () => {
    mtn()
    const { id } = await paid({ card: REVIEWED })
    expect(await order(id)).toMatchObject({ state: 'held' })
    await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
    await tell('review.opened')
    await later()
    await later()
    expect(await order(id)).toMatchObject({ state: 'delivered' })
  })

  test('perhaps, and was sent to silence is not sent again before an operator has looked', async () => {
    mtn()
    world.payouts.fallSilent('before')
    const { id } = await paid()
    const warning = world.sandbox.stripe.warnOfFraud(id)
    await later()
    expect(await order(id)).toMatchObject({ state: 'held', holds: [warning] })
    // What was sent may arrive still: it is asked about before it is given back.
    world.sandbox.stripe.dispute(id)
    await tell('charge.dispute.created')
    expect(await order(id)).toMatchObject({ state: 'handingOver', reversal: 'disputed' })
    await later(10 * MINUTE)
    expect(await order(id)).toMatchObject({ state: 'failed' })
    expect(world.payouts.taken()).toEqual([])
  })

  test('perhaps, when it is too late to hold it, wakes somebody', async () => {
    mtn()
    const { id } = await paid()
    world.sandbox.stripe.warnOfFraud(id)
    await tell('radar.early_fraud_warning.created')
    expect(await order(id)).toMatchObject({ state: 'handedOver' })
    expect(events()).toContain('holdTooLate')
  })
})

describe('by hand', () => {
  const take = (batch: string, ...ids: string[]) => claim(world.context, { batch, by: 'Awa', ids })

  test('who claims has it alone', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    expect(await take('b1', id)).toEqual(new Map([[id, 'claimed']]))
    expect(await take('b2', id)).toEqual(new Map([[id, 'notDue']]))
    expect(await order(id)).toMatchObject({ state: 'claimed', batch: 'b1' })
    expect((await world.context.db.doc('deliveryBatches/b1').get()).data()).toEqual({
      by: 'Awa',
      claimedAt: START,
    })
  })

  test('what is claimed is not given back, whatever its card does, until it is released', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    await take('b1', id)
    world.sandbox.stripe.dispute(id)
    await sweep(world.context)
    for (const event of world.sandbox.stripe.events()) await world.deliver(event)
    expect(await order(id)).toMatchObject({ state: 'claimed', reversal: 'disputed' })
    await updateDelivery(world.context, id, () => ({ type: 'claim.release' }))
    expect(await order(id)).toMatchObject({ state: 'failed' })
  })

  test('nobody claims what is disputed, also when nobody was told', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    world.sandbox.stripe.dispute(id)
    expect(await take('b1', id)).toEqual(new Map([[id, 'calledOff']]))
    expect(await order(id)).toMatchObject({ state: 'failed' })
  })

  test('nobody claims while payments are closed', async () => {
    world.payOutBy(byHand)
    const { id } = await paid()
    await close(world.context)
    expect(await take('b1', id)).toBe(null)
    expect(await order(id)).toMatchObject({ state: 'due' })
  })
})

test('an order whose provider the settings name no more is told of, and goes on when they do', async () => {
  mtn()
  world.payouts.will('pending')
  const { id } = await paid()
  world.payOutBy(byHand)
  expect(await later()).toMatchObject({ deliveriesUnattended: 1 })
  expect(world.logged).toContainEqual({ level: 'error', event: 'deliveriesUnattended', orders: 1 })
  world.payouts.decide('delivered')
  mtn()
  expect(await later()).not.toHaveProperty('deliveriesUnattended')
  expect(await order(id)).toMatchObject({ state: 'delivered' })
})

test('nothing is paid out while payments are closed', async () => {
  mtn()
  world.payouts.fallSilent('before')
  const { id } = await paid()
  await close(world.context)
  world.pass(HOUR)
  expect(await deliver(world.context, id)).toBe('deliveryWaits')
  expect(world.payouts.taken()).toEqual([])
})
