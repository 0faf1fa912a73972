import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { PLANS } from '../../../domain/prices/plans.ts'
import { MAX_PAYOUT_FAILURES } from '../../../machines/delivery.ts'
import { claimDueOrders } from '../../../scripts/operations/handPayments.ts'
import {
  enableSimulatedProvider,
  listLoggedEvents,
  passTimeWithJob,
  payTransfer,
  readOrder,
  readTransactionStatus,
} from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  buildPremiumSubscription,
  findEvent,
  readSlotsLeft,
  readStoredLedger,
} from '../../testing/payments.ts'
import { SAMPLE_PAYOUT } from '../../testing/payouts.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { liftPause } from '../events/pauses.ts'
import { setPaymentsClosed, setPaymentsOpen } from '../payments/paymentsState.ts'
import { syncDebt } from '../payments/refunds.ts'
import { advanceDelivery, updateDelivery } from './deliver.ts'
import { byHandProvider } from './providers/byHand.ts'
import { buildReference } from './reference.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('a recorded transfer', () => {
  test('a transfer recorded without a payout provider gets no order', async () => {
    const { id } = await payTransfer()
    expect(await readOrder(id)).toBeUndefined()
    enableSimulatedProvider()
    await passTimeWithJob()
    expect(await readOrder(id)).toBeUndefined()
    expect(world.payouts.taken()).toEqual([])
    world.payOutBy()
  })

  test('a recorded transfer is handed over, then checked and delivered', async () => {
    enableSimulatedProvider()
    const { uid, id, phone } = await payTransfer()
    const reference = buildReference(id, 1)
    expect(reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await readOrder(id)).toMatchObject({
      uid,
      state: 'handedOver',
      provider: 'mtn',
      reference,
      amount: { minor: 1_028_200, currency: 'GNF' },
      phone,
      senderName: 'Ada Lovelace',
      recipientName: 'Mariama Bah',
      createdAt: WORLD_START,
      handedOverAt: WORLD_START,
    })
    expect(world.payouts.taken()).toMatchObject([
      { reference, transferId: id, senderName: 'Ada Lovelace', recipientName: 'Mariama Bah' },
    ])
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({
      state: 'delivered',
      proof: 'W1',
      deliveredAt: WORLD_START + MINUTE,
    })
    expect(await readTransactionStatus(id)).toBe('completed')
    await world.checkInvariants({ quiet: true })
  })

  test('pays a transfer out once, however often it is settled', async () => {
    enableSimulatedProvider()
    const { id, settle } = await payTransfer()
    await settle()
    await world.deliver(findEvent('payment_intent.succeeded', id))
    await passTimeWithJob()
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('a transfer is recorded and delivered after a provider’s outage', async () => {
    enableSimulatedProvider()
    const api = {
      ...world.payouts.provider.api,
      send: () => Promise.reject(new Error('out of order')),
    }
    world.payOutBy({ ...world.payouts.provider, api: api as typeof world.payouts.provider.api })
    const { id } = await payTransfer()
    expect(listLoggedEvents()).toContain('taskPostponed')
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', reference: buildReference(id, 1) })
    enableSimulatedProvider()
    await passTimeWithJob()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
  })

  test('leaves a transfer to operators if no provider supports its wallet', async () => {
    world.payOutBy({ ...world.payouts.provider, pays: () => false })
    const { id } = await payTransfer()
    expect(await readOrder(id)).toMatchObject({
      state: 'due',
      provider: 'byHand',
      isByHand: true,
      checkAt: null,
    })
  })
})

describe('a payout provider that does not answer', () => {
  test.each(['before', 'after'] as const)(
    'a provider silent %s accepting is checked, and pays once @spec-paid-once',
    async (when) => {
      enableSimulatedProvider()
      world.payouts.fallSilent(when)
      const { id } = await payTransfer()
      expect(await readOrder(id)).toMatchObject({ state: 'handingOver', reference: buildReference(id, 1) })
      await passTimeWithJob()
      await passTimeWithJob()
      expect(await readOrder(id)).toMatchObject({ state: 'delivered', reference: buildReference(id, 1) })
      expect(world.payouts.taken()).toHaveLength(1)
    },
  )

  test('a provider’s silence never counts as a failure', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent(...Array(100).fill('after'))
    const { id } = await payTransfer()
    for (let days = 0; days < 3; days += 1) await passTimeWithJob(24 * HOUR)
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', failure: null })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('a pending order delays no other order', async () => {
    enableSimulatedProvider()
    world.payouts.will('pending')
    const { id: slow } = await payTransfer()
    world.payouts.will('delivered')
    const { id: quick } = await payTransfer()
    await passTimeWithJob()
    expect((await readOrder(slow))?.state).toBe('handedOver')
    expect((await readOrder(quick))?.state).toBe('delivered')
  })

  test('a silent provider stops further orders in a run', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent(...Array(25).fill('before'))
    const ids: string[] = []
    // Each card stays below the monthly cap.
    const cards = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex']
    for (let n = 0; n < 25; n += 1) ids.push((await payTransfer({ card: cards[n % 3] ?? '' })).id)
    world.payouts.fallSilent(...Array(100).fill('before'))
    expect(await passTimeWithJob()).toEqual({ deliveryUnanswered: 22, leftOver: 3 })
    world.payouts.fallSilent()
    await passTimeWithJob()
    await passTimeWithJob()
    for (const id of ids) expect((await readOrder(id))?.state).toBe('delivered')
  })
})

describe('a final failure', () => {
  test('a permanent failure returns charge, cap and the plan’s transfer @spec-undelivered', async () => {
    enableSimulatedProvider()
    world.payouts.will('recipientUnknown')
    const { uid, id } = await payTransfer({ subscription: buildPremiumSubscription(5) })
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 10_000 })
    expect(await readSlotsLeft(uid)).toBe(4)
    const swept = await passTimeWithJob()
    expect(swept).toMatchObject({ deliveryFailed: 1 })
    expect(swept).not.toHaveProperty('failed')
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack', failure: 'recipientUnknown' })
    expect(await readTransactionStatus(id)).toBe('failed')
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
    expect(await readSlotsLeft(uid)).toBe(5)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
    await world.checkInvariants({ quiet: true })
  })

  test('reports the payment of a failed payout as refunded', async () => {
    enableSimulatedProvider()
    world.payouts.will('recipientUnknown')
    const { settle } = await payTransfer()
    await passTimeWithJob()
    expect(await settle()).toMatchObject({ ok: true, value: { outcome: 'refunded' } })
  })

  test('a later failure returns nothing to its own month’s cap @spec-late-return', async () => {
    enableSimulatedProvider()
    world.payouts.will('pending')
    const { uid } = await payTransfer({ subscription: buildPremiumSubscription(3) })
    world.setTime(Date.UTC(2026, 11, 2))
    const token = await world.token(uid)
    await world.invoke(
      'create-payment-intent',
      buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } }),
      { token },
    )
    expect(await readSlotsLeft(uid)).toBe(PLANS.premium.allowance)
    world.payouts.decide('rejected')
    await passTimeWithJob()
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 0 })
    expect(await readStoredLedger(uid, '2026-12')).toMatchObject({
      recordedCents: 0,
      reservedCents: 10_000,
      reservedSlots: 1,
    })
    expect(await readSlotsLeft(uid)).toBe(PLANS.premium.allowance)
  })

  test('a refund that fails later is owed again', async () => {
    enableSimulatedProvider()
    world.payouts.will('recipientUnknown')
    const { id } = await payTransfer({ card: 'pm_card_refundFail' })
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
    world.pass(25 * HOUR)
    expect(await syncDebt(world.context, id)).toBe('refundOwed')
    expect(await readOrder(id)).toMatchObject({ state: 'failed' })
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(2)
  })

  test('an immediate refusal is final only for an unknown reference', async () => {
    enableSimulatedProvider()
    world.payouts.refuse('recipientNotAllowed')
    const { id } = await payTransfer()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack', failure: 'recipientNotAllowed' })
    world.payouts.refuse(null)
    world.payouts.fallSilent('after')
    const { id: taken } = await payTransfer()
    world.payouts.refuse('recipientNotAllowed')
    world.payouts.lag()
    await passTimeWithJob()
    expect(await readOrder(taken)).toMatchObject({ state: 'delivered' })
  })
})

describe('a payout account with an insufficient balance', () => {
  test('an insufficient balance delays a payout, with alert and new reference', async () => {
    enableSimulatedProvider()
    world.payouts.fill(1_000_000)
    const { id } = await payTransfer()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'waiting', failure: 'noBalance', attempt: 2 })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'deliveryAlert',
      paymentIntentId: id,
      state: 'waiting',
      failure: 'noBalance',
      loss: null,
    })
    await passTimeWithJob()
    expect(world.payouts.taken()).toHaveLength(1)
    world.payouts.fill()
    await passTimeWithJob(HOUR)
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver', reference: buildReference(id, 2) })
    await passTimeWithJob(HOUR)
    expect(await readOrder(id)).toMatchObject({ state: 'delivered', failure: null })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('transfers above the balance do not delay one below', async () => {
    enableSimulatedProvider()
    world.payouts.fill(1_500_000)
    for (let times = 0; times < 4; times += 1)
      await payTransfer({ request: { amount: 20_000, expected: { fee: 600, converted: 2_056_400 } } })
    await passTimeWithJob()
    world.payouts.fallSilent('before')
    const { id } = await payTransfer()
    expect(await passTimeWithJob()).toMatchObject({ waiting: 4, handedOver: 1 })
    await passTimeWithJob()
    expect((await readOrder(id))?.state).toBe('delivered')
  })
})

describe('a payout that keeps failing', () => {
  test('a payout that keeps exceeding a limit ends held', async () => {
    enableSimulatedProvider()
    world.payouts.will('limit')
    const { id } = await payTransfer()
    for (let hours = 0; hours < 7 * 24; hours += 1) await passTimeWithJob(HOUR)
    expect(world.payouts.taken().length).toBe(MAX_PAYOUT_FAILURES)
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['payout'], failure: 'limit' })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test('holds a payout with an unclear failure instead of refunding it', async () => {
    enableSimulatedProvider()
    world.payouts.will('unclear')
    const ids = [(await payTransfer()).id, (await payTransfer()).id]
    await passTimeWithJob(HOUR)
    await passTimeWithJob(HOUR)
    for (const id of ids) expect(await readOrder(id)).toMatchObject({ state: 'held', holds: ['payout'] })
    expect(world.payouts.taken()).toHaveLength(2)
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })
})

describe('a reversed charge', () => {
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

  test('an operator’s partial refund leads to refunding the rest', async () => {
    world.payOutBy(byHandProvider)
    const { id, uid } = await payTransfer()
    await refundByHand(id, 500)
    await tell('charge.refunded')
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack', reversal: 'refundedByHand' })
    expect(
      world.sandbox.stripe
        .refunds()
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([500, 9_500])
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 0 })
    expect(listLoggedEvents()).not.toContain('recordedPaymentReversed')
  })

  test('an order without its provider stays due, and can be called off', async () => {
    enableSimulatedProvider()
    world.payouts.fill(1)
    const { id } = await payTransfer()
    await passTimeWithJob()
    await world.context.db.doc(`deliveries/${id}`).update({ state: 'due', checkAt: 1 })
    world.payOutBy(byHandProvider)
    expect(await advanceDelivery(world.context, id)).toBe('due')
    await refundByHand(id)
    await tell('charge.refunded')
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
  })

  test('a refund before the payout is detected without a webhook', async () => {
    enableSimulatedProvider()
    world.payouts.fill(1)
    const { id } = await payTransfer()
    await passTimeWithJob()
    await refundByHand(id)
    world.payouts.fill()
    await passTimeWithJob(HOUR)
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack', reversal: 'refundedByHand' })
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test('does not send a disputed transfer again after the provider fell silent', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent('before')
    const { id } = await payTransfer()
    world.sandbox.stripe.dispute(id)
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', reversal: 'disputed' })
    await passTimeWithJob(10 * MINUTE)
    expect(await readOrder(id)).toMatchObject({ state: 'failed' })
    expect(world.payouts.taken()).toEqual([])
  })

  test('a refused, disputed transfer fails once no call can arrive', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent('before')
    const { id } = await payTransfer()
    world.payouts.refuse('limit')
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'waiting', failure: 'limit', attempt: 1 })
    world.sandbox.stripe.dispute(id)
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', reversal: 'disputed' })
    expect((await world.records()).refunds.size).toBe(0)
    await passTimeWithJob(10 * MINUTE)
    expect(await readOrder(id)).toMatchObject({ state: 'failed', reversal: 'disputed' })
  })

  test('an earlier call’s late delivery of a failed transfer is a loss', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent('before')
    const { id, phone } = await payTransfer()
    world.payouts.refuse('limit')
    await passTimeWithJob()
    world.sandbox.stripe.dispute(id)
    await passTimeWithJob()
    world.payouts.refuse(null)
    const { reference, amount, wallet } = (await readOrder(id)) ?? {}
    const payout = { ...SAMPLE_PAYOUT, reference, transferId: id, amount, wallet, phone }
    await world.payouts.provider.api?.send(payout)
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered', loss: 'disputed' })
  })

  test('reports a dispute after the delivery as a loss', async () => {
    enableSimulatedProvider()
    const { id } = await payTransfer()
    await passTimeWithJob()
    world.sandbox.stripe.dispute(id)
    await tell('charge.dispute.created')
    expect(await readOrder(id)).toMatchObject({ state: 'delivered', loss: 'disputed' })
    expect(world.logged).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'deliveryAlert', loss: 'disputed' }),
    )
    expect(await readTransactionStatus(id)).toBe('completed')
  })

  test('a transfer disputed before sending is refunded after the dispute’s win', async () => {
    world.payOutBy(byHandProvider)
    const { id } = await payTransfer()
    world.sandbox.stripe.dispute(id)
    await tell('charge.dispute.created')
    expect(await readOrder(id)).toMatchObject({ state: 'failed', reversal: 'disputed' })
    expect(world.sandbox.stripe.refunds()).toEqual([])
    const [dispute] = world.sandbox.stripe.disputes()
    await world.context.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    await passTimeWithJob(25 * HOUR)
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
  })

  async function approve(uid: string, id: string) {
    await liftPause(world.context, uid)
    await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
  }

  test('a fraud warning holds a transfer until an operator’s check', async () => {
    world.payOutBy(byHandProvider)
    const { id, uid } = await payTransfer()
    const warning = world.sandbox.stripe.raiseFraudWarning(id)
    await tell('radar.early_fraud_warning.created')
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: [warning, 'stop'] })
    await approve(uid, id)
    expect(await readOrder(id)).toMatchObject({ state: 'due', holds: [] })
  })

  test('a lifted fraud warning does not hold a transfer again', async () => {
    world.payOutBy(byHandProvider)
    const { id, uid } = await payTransfer()
    const warning = world.sandbox.stripe.raiseFraudWarning(id)
    await tell('radar.early_fraud_warning.created')
    await approve(uid, id)
    await tell('radar.early_fraud_warning.created')
    expect(await readOrder(id)).toMatchObject({ state: 'due', lifted: [warning] })
    expect(listLoggedEvents()).not.toContain('holdTooLate')
    expect(await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [id] })).toEqual(
      new Map([[id, 'claimed']]),
    )
  })

  const REVIEWED = 'pm_card_riskLevelElevated'

  test.each(['a provider', 'an operator'])(
    'a review before the recording holds the transfer (paid by %s)',
    async (who) => {
      if (who === 'an operator') world.payOutBy(byHandProvider)
      else enableSimulatedProvider()
      const { id, settle } = await payTransfer({ card: REVIEWED, isRecorded: false })
      await tell('review.opened')
      await settle()
      const claimed = () =>
        claimDueOrders(world.context, { batch: crypto.randomUUID(), by: 'Awa', ids: [id] })
      if (who === 'an operator') expect(await claimed()).toEqual(new Map([[id, 'held']]))
      const [review] = (await world.context.stripe.reviews.list()).data
      expect(await readOrder(id)).toMatchObject({ state: 'held', holds: [review?.id] })
      await passTimeWithJob()
      expect(world.payouts.taken()).toEqual([])
      await world.context.stripe.reviews.approve(review?.id ?? '')
      await tell('review.closed')
      expect(await readOrder(id)).toMatchObject({ state: 'due', holds: [] })
      if (who === 'an operator') expect(await claimed()).toEqual(new Map([[id, 'claimed']]))
      else {
        await passTimeWithJob()
        expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
      }
    },
  )

  test('an approved review pays its transfer out', async () => {
    enableSimulatedProvider()
    const { id, uid } = await payTransfer({ card: REVIEWED })
    expect(await readOrder(id)).toMatchObject({ state: 'held' })
    await tell('review.opened')
    await approve(uid, id)
    await passTimeWithJob()
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
  })

  test('a warned transfer is sent again only after an operator’s check', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent('before')
    const { id } = await payTransfer()
    const warning = world.sandbox.stripe.raiseFraudWarning(id)
    await passTimeWithJob()
    expect(await readOrder(id)).toMatchObject({ state: 'held', holds: [warning, 'stop'] })
    // The payout may still arrive, so the provider is asked before the refund.
    world.sandbox.stripe.dispute(id)
    await tell('charge.dispute.created')
    expect(await readOrder(id)).toMatchObject({ state: 'handingOver', reversal: 'disputed' })
    await passTimeWithJob(10 * MINUTE)
    expect(await readOrder(id)).toMatchObject({ state: 'failed' })
    expect(world.payouts.taken()).toEqual([])
  })

  test('a fraud warning too late for a hold alerts an operator', async () => {
    enableSimulatedProvider()
    const { id } = await payTransfer()
    world.sandbox.stripe.raiseFraudWarning(id)
    await tell('radar.early_fraud_warning.created')
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
    expect(listLoggedEvents()).toContain('holdTooLate')
  })
})

describe('an order that operators pay by hand', () => {
  const take = (batch: string, ...ids: string[]) => claimDueOrders(world.context, { batch, by: 'Awa', ids })

  test('only one operator can claim an order', async () => {
    world.payOutBy(byHandProvider)
    const { id } = await payTransfer()
    expect(await take('b1', id)).toEqual(new Map([[id, 'claimed']]))
    expect(await take('b2', id)).toEqual(new Map([[id, 'notDue']]))
    expect(await readOrder(id)).toMatchObject({ state: 'claimed', batch: 'b1' })
    expect((await world.context.db.doc('deliveryBatches/b1').get()).data()).toEqual({
      by: 'Awa',
      claimedAt: WORLD_START,
    })
  })

  test('a claimed, disputed order fails once released', async () => {
    world.payOutBy(byHandProvider)
    const { id } = await payTransfer()
    await take('b1', id)
    world.sandbox.stripe.dispute(id)
    await runDueWork(world.context)
    for (const event of world.sandbox.stripe.events()) await world.deliver(event)
    expect(await readOrder(id)).toMatchObject({ state: 'claimed', reversal: 'disputed' })
    await updateDelivery(world.context, id, () => ({ type: 'order.unclaim' }))
    expect(await readOrder(id)).toMatchObject({ state: 'failed' })
  })

  test('refuses to claim a disputed order, even before any webhook arrives', async () => {
    world.payOutBy(byHandProvider)
    const { id } = await payTransfer()
    world.sandbox.stripe.dispute(id)
    expect(await take('b1', id)).toEqual(new Map([[id, 'calledOff']]))
    expect(await readOrder(id)).toMatchObject({ state: 'failed' })
  })

  test('refuses to claim an order while payments are closed', async () => {
    world.payOutBy(byHandProvider)
    const { id } = await payTransfer()
    await setPaymentsClosed(world.context)
    expect(await take('b1', id)).toBe(null)
    expect(await readOrder(id)).toMatchObject({ state: 'due' })
  })
})

test('an order without its provider is reported, and continues with it', async () => {
  enableSimulatedProvider()
  world.payouts.will('pending')
  const { id } = await payTransfer()
  world.payOutBy(byHandProvider)
  expect(await passTimeWithJob()).toMatchObject({ deliveryWithoutProvider: 1 })
  expect(world.logged).toContainEqual({ level: 'error', event: 'deliveryWithoutProvider', orders: 1 })
  world.payouts.decide('delivered')
  enableSimulatedProvider()
  expect(await passTimeWithJob()).not.toHaveProperty('deliveryWithoutProvider')
  expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
})

test('nothing is paid out while payments are closed', async () => {
  enableSimulatedProvider()
  world.payouts.fallSilent('before')
  const { id } = await payTransfer()
  await setPaymentsClosed(world.context)
  world.pass(HOUR)
  expect(await advanceDelivery(world.context, id)).toBe('deliveryWaits')
  expect(world.payouts.taken()).toEqual([])
})

test('a payout is asked about, but not sent again, while payments are closed', async () => {
  enableSimulatedProvider()
  world.payouts.fallSilent('after', 'before')
  const [arrived, lost] = [await payTransfer(), await payTransfer()]
  await setPaymentsClosed(world.context)
  expect(await passTimeWithJob(HOUR)).toMatchObject({ delivered: 1, deliveryWaits: 1 })
  expect(world.payouts.taken().map(({ transferId }) => transferId)).toEqual([arrived.id])
  await setPaymentsOpen(world.context)
  await passTimeWithJob(HOUR)
  expect(world.payouts.taken().map(({ transferId }) => transferId)).toEqual([arrived.id, lost.id])
})
