import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { attemptKey } from './server/platform/records.ts'
import { record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { eventOf, ledger, started } from './testing/payments.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('a charge that can not be recorded', () => {
  const refunded = { ok: true, value: { outcome: 'refunded' } }

  test('because the user is gone goes back once, in full', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    expect(await record(uid, request.attemptId)).toEqual(refunded)
    expect(await record(uid, request.attemptId)).toEqual(refunded)
    await world.deliver(eventOf('payment_intent.succeeded', paymentIntentId))
    expect(world.sandbox.stripe.refunds()).toMatchObject([
      { payment_intent: paymentIntentId, amount: 10_000 },
    ])
    const paidBack = world.sandbox.stripe.events().filter(({ type }) => type === 'charge.refunded')
    expect(paidBack.map(({ request }) => request.idempotency_key)).toEqual([
      `refund:${paymentIntentId}:10000`,
    ])
    const { refunds, transactions } = await world.checkInvariants({ quiet: true })
    expect([...refunds]).toEqual([
      [
        paymentIntentId,
        {
          uid,
          reason: 'userGone',
          status: 'done',
          refundId: world.sandbox.stripe.refunds()[0]?.id,
          createdAt: START,
          checkAt: START + 24 * HOUR,
        },
      ],
    ])
    expect(transactions.size).toBe(0)
    expect(await ledger(uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
  })

  const reasonOf = async (paymentIntentId: string) =>
    (await world.checkInvariants({ quiet: true })).refunds.get(paymentIntentId)?.reason

  test('because its amount was changed goes back', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.context.stripe.paymentIntents.update(paymentIntentId, { amount: 9000 })
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toEqual(refunded)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: paymentIntentId, amount: 9000 }])
    expect(await reasonOf(paymentIntentId)).toBe('amountMismatch')
  })

  test('because its currency is another goes back', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    const attempt = world.context.db.doc(`attempts/${attemptKey(uid, request.attemptId)}`)
    await attempt.update({ 'transfer.gross.currency': 'CAD' })
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toEqual(refunded)
    expect(await reasonOf(paymentIntentId)).toBe('amountMismatch')
  })

  test('because it is the second of its attempt goes back, and the first stays good', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    const { stripe } = world.context
    const { metadata } = await stripe.paymentIntents.retrieve(paymentIntentId)
    const copy = async () =>
      (await stripe.paymentIntents.create({ amount: 10_000, currency: 'eur', metadata })).id
    const [paid, canceled] = [await copy(), await copy()]
    await world.pay(paid)
    expect(await recordTransfer(world.context, { uid }, { paymentIntentId: paid })).toEqual(refunded)
    await stripe.paymentIntents.cancel(canceled)
    await world.deliver(eventOf('payment_intent.canceled', canceled))
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })

    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    const { refunds, transactions } = await world.records()
    expect([...refunds]).toMatchObject([[paid, { reason: 'otherPayment', status: 'done' }]])
    expect([...transactions.keys()]).toEqual([paymentIntentId])
    // Copies were made by hand here; the functions never make a second PaymentIntent for an attempt.
    world.reset()
  })

  test('because its attempt had ended goes back', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    const attempt = world.context.db.doc(`attempts/${attemptKey(uid, request.attemptId)}`)
    await attempt.update({ status: 'released' })
    await world.context.db.doc(`ledgers/${uid}_2026-11`).update({ reservedCents: 0 })
    await world.pay(paymentIntentId)
    await world.deliver(eventOf('payment_intent.succeeded', paymentIntentId))
    expect(await reasonOf(paymentIntentId)).toBe('attemptEnded')
  })

  describe('because somebody else had a hand in it', () => {
    async function charged(card = 'pm_card_visa') {
      const uid = await world.person()
      const request = requestOf(uid)
      const { paymentIntentId } = await started(request)
      await world.pay(paymentIntentId, card)
      return { uid, paymentIntentId, settle: () => record(uid, request.attemptId) }
    }
    const disputed = { ok: true, value: { outcome: 'disputed' } }
    const byHand = (payment_intent: string, amount?: number) =>
      world.context.stripe.refunds.create(
        { payment_intent, ...(amount && { amount }), metadata: { byHand: 'yes' } },
        { idempotencyKey: `hand:${crypto.randomUUID()}` },
      )
    const back = () => world.sandbox.stripe.refunds().map(({ amount }) => amount)
    async function says(evidence: string) {
      const [dispute] = world.sandbox.stripe.disputes()
      await world.context.stripe.disputes.update(dispute?.id ?? '', {
        evidence: { uncategorized_text: evidence },
      })
    }
    const debtOf = async (id: string) => (await world.records()).refunds.get(id)
    const told = (type: string) =>
      world.deliver(world.sandbox.stripe.events().findLast((one) => one.type === type) ?? {})
    const alerts = () => world.logged.filter(({ event }) => event === 'recordedButReversed')

    test.each<[string, () => Promise<unknown>]>([
      ['the webhook', () => told('charge.refunded')],
      ['the sweep', async () => world.pass(31 * MINUTE)],
    ])(
      'a refund of all of it by hand is not recorded, and nothing goes back twice (%s)',
      async (_, hears) => {
        const { uid, paymentIntentId } = await charged()
        await byHand(paymentIntentId)
        await hears()
        await sweep(world.context)
        const { transactions, attempts } = await world.checkInvariants({ quiet: true })
        expect([...attempts.values()]).toMatchObject([{ status: 'refunded' }])
        expect(transactions.size).toBe(0)
        expect(await debtOf(paymentIntentId)).toMatchObject({
          reason: 'refundedByHand',
          status: 'done',
          refundId: world.sandbox.stripe.refunds()[0]?.id,
        })
        expect(await ledger(uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
        expect(back()).toEqual([10_000])
      },
    )

    test('a refund of a part by hand is not recorded, and the rest goes back', async () => {
      const { paymentIntentId, settle } = await charged()
      await byHand(paymentIntentId, 2_500)
      expect(await settle()).toEqual(refunded)
      expect(back()).toEqual([2_500, 7_500])
      expect(await reasonOf(paymentIntentId)).toBe('refundedByHand')
    })

    test('a refund by hand while the answer is on its way to the record: one of the two is told', async () => {
      const { paymentIntentId, settle } = await charged()
      // The provider has answered that all is well, and the record is about to be written.
      await world.interrupted(6, settle, async () => {
        await byHand(paymentIntentId)
        await told('charge.refunded')
      })
      const { transactions } = await world.records()
      expect([transactions.size, alerts().length]).toEqual([1, 1])
    })

    test('a dispute waits until the bank has decided: lost, and the bank has paid it back', async () => {
      const { paymentIntentId, settle } = await charged('pm_card_createDispute')
      expect(await settle()).toEqual(disputed)
      expect(await debtOf(paymentIntentId)).toMatchObject({ reason: 'disputed', status: 'disputed' })
      for (let days = 0; days < 3; days += 1) {
        world.pass(24 * HOUR)
        await sweep(world.context)
      }
      expect(await settle()).toEqual(disputed)
      await world.checkInvariants({ quiet: true })
      await says('losing_evidence')
      await told('charge.dispute.closed')
      expect(await debtOf(paymentIntentId)).toMatchObject({ status: 'done', refundId: null })
      expect(await settle()).toEqual(refunded)
      expect(back()).toEqual([])
      await world.checkInvariants({ quiet: true })
    })

    test.each(['the webhook', 'a day'])('a dispute that is won is paid back (told by %s)', async (hears) => {
      const { paymentIntentId, settle } = await charged('pm_card_createDispute')
      await settle()
      await says('winning_evidence')
      if (hears === 'the webhook') await told('charge.dispute.closed')
      else world.pass(24 * HOUR)
      await sweep(world.context)
      expect(back()).toEqual([10_000])
      expect(await debtOf(paymentIntentId)).toMatchObject({ status: 'done' })
      await world.checkInvariants({ quiet: true })
    })

    test('a dispute of a part that is lost leaves the rest to be paid back', async () => {
      const { paymentIntentId, settle } = await charged()
      world.sandbox.stripe.dispute(paymentIntentId, 4_000)
      expect(await settle()).toEqual(disputed)
      await says('losing_evidence')
      await told('charge.dispute.closed')
      await sweep(world.context)
      expect(back()).toEqual([6_000])
      await world.checkInvariants({ quiet: true })
    })

    test('a charge about which the bank only asks goes back at once', async () => {
      const { paymentIntentId, settle } = await charged('pm_card_createDisputeInquiry')
      expect(await settle()).toEqual(refunded)
      expect(back()).toEqual([10_000])
      expect(await reasonOf(paymentIntentId)).toBe('disputed')
    })

    test('a dispute that comes while it is owed for another reason stops the refund', async () => {
      const { uid, paymentIntentId, settle } = await charged()
      await world.context.db.doc(`users/${uid}`).delete()
      world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
      expect(await settle()).toEqual(refunded)
      world.sandbox.stripe.dispute(paymentIntentId)
      expect(await sweep(world.context)).toEqual({ disputed: 1 })
      expect(await settle()).toEqual(disputed)
      expect(back()).toEqual([])
    })

    test.each<[string, (id: string) => unknown, string]>([
      ['refunded by hand', (id) => byHand(id, 100), 'charge.refunded'],
      ['disputed', (id) => world.sandbox.stripe.dispute(id), 'charge.dispute.created'],
    ])(
      'what is %s after it was recorded stays recorded, and an operator is told',
      async (_, happens, event) => {
        const { paymentIntentId, settle } = await charged()
        await settle()
        await happens(paymentIntentId)
        expect(await told(event)).toMatchObject({ status: 200 })
        expect(alerts()).toMatchObject([{ level: 'error', paymentIntentId }])
        expect((await world.records()).transactions.size).toBe(1)
        expect(await settle()).toMatchObject({ value: { outcome: 'paid' } })
      },
    )
  })

  test('is still owed when the refund fails, and the sweep pays it back', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
    expect(await record(uid, request.attemptId)).toEqual(refunded)
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).refunds.get(paymentIntentId)).toMatchObject({ status: 'due' })
    expect(await sweep(world.context)).toEqual({ paidBack: 1 })
    expect(await sweep(world.context)).toEqual({})
    await world.checkInvariants({ quiet: true })
  })

  test('is paid back once when the answer was lost and the key is forgotten', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'cutAfter' } })
    await record(uid, request.attemptId)
    expect((await world.records()).refunds.get(paymentIntentId)).toMatchObject({ status: 'due' })
    world.pass(25 * HOUR)
    expect(await sweep(world.context)).toEqual({ paidBack: 1, forgotten: 1 })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
    await world.checkInvariants({ quiet: true })
  })
})

describe('a refund', () => {
  /** A charge of 100 EUR that can't be recorded. */
  async function charged(card: string) {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId, card)
    await world.context.db.doc(`users/${uid}`).delete()
    return { paymentIntentId, settle: () => record(uid, request.attemptId) }
  }
  async function paidBack(card: string) {
    const { paymentIntentId, settle } = await charged(card)
    await settle()
    return paymentIntentId
  }
  const debt = async (paymentIntentId: string) => (await world.records()).refunds.get(paymentIntentId)
  const refunds = () => world.sandbox.stripe.refunds()
  const keys = () => world.providerRequests.filter(({ path }) => path === '/v1/refunds').map(({ key }) => key)
  const failures = () => world.logged.filter(({ event }) => event === 'refundFailed')
  /** The banks decide what they have, and the provider tells. */
  async function told(type: 'refund.updated' | 'refund.failed') {
    world.pass(MINUTE)
    world.sandbox.stripe.bill()
    const event = world.sandbox.stripe.events().find((one) => one.type === type)
    if (!event) throw new Error(`no event ${type}`)
    return () => world.deliver(event)
  }

  test('that is pending does not count as paid back, and no second one is begun', async () => {
    const { paymentIntentId, settle } = await charged('pm_card_pendingRefund')
    await settle()
    const [refund] = refunds()
    const pending = { status: 'due', refundId: refund?.id }
    expect(await debt(paymentIntentId)).toMatchObject(pending)
    expect(await settle()).toEqual({ ok: true, value: { outcome: 'refunded' } })
    expect(await sweep(world.context)).toEqual({ refundPending: 1 })
    expect(await debt(paymentIntentId)).toMatchObject(pending)
    expect(keys()).toEqual([`refund:${paymentIntentId}:10000`])

    world.pass(MINUTE)
    expect(await sweep(world.context)).toEqual({ paidBack: 1 })
    expect(await sweep(world.context)).toEqual({})
    expect(keys()).toHaveLength(1)
    await world.checkInvariants({ quiet: true })
  })

  test('that was pending is done when the provider tells so', async () => {
    const paymentIntentId = await paidBack('pm_card_pendingRefund')
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'due' })
    const tell = await told('refund.updated')
    await Promise.all([tell(), tell(), tell()])
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[0]?.id })
    await world.checkInvariants({ quiet: true })
  })

  test.each([500, 402])(
    'that is refused (%i) for a day under its key is asked for under another',
    async (status) => {
      const { paymentIntentId, settle } = await charged('pm_card_visa')
      const kept = () =>
        world.sandbox.faults.add({
          on: 'POST /v1/refunds',
          times: 1,
          what: { kind: 'status', status, kept: true },
        })
      kept()
      await settle()
      expect(await debt(paymentIntentId)).toMatchObject({ status: 'due', refusals: 1 })
      kept()
      expect(await sweep(world.context)).toEqual({ failed: 1 })
      expect(await sweep(world.context)).toEqual({ paidBack: 1 })
      expect(new Set(keys())).toEqual(
        new Set(['', ':1', ':2'].map((refusals) => `refund:${paymentIntentId}:10000${refusals}`)),
      )
      expect(refunds()).toHaveLength(1)
      await world.checkInvariants({ quiet: true, requests: world.providerRequests })
    },
  )

  test('that is refused to two who ask at once was refused once', async () => {
    const { paymentIntentId, settle } = await charged('pm_card_visa')
    world.sandbox.faults.add({
      on: 'POST /v1/refunds',
      times: 1,
      what: { kind: 'status', status: 402, kept: true },
    })
    await Promise.all([settle(), settle()])
    expect((await debt(paymentIntentId))?.refusals).toBe(1)
    expect(await sweep(world.context)).toEqual({ paidBack: 1 })
  })

  test('that fails after it succeeded is owed again, and another one is begun', async () => {
    const paymentIntentId = await paidBack('pm_card_refundFail')
    const [first] = refunds()
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: first?.id })
    const tell = await told('refund.failed')
    expect(await tell()).toMatchObject({ status: 200 })
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'due', refundId: null })
    expect(failures()).toMatchObject([{ paymentIntentId, refundId: first?.id }])
    expect(refunds()).toHaveLength(1)

    expect(await sweep(world.context)).toEqual({ paidBack: 1 })
    await tell()
    expect(await sweep(world.context)).toEqual({})
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[1]?.id })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded', amount: 10_000 }])
    expect(keys()).toEqual([
      `refund:${paymentIntentId}:10000`,
      `refund:${paymentIntentId}:10000:${first?.id}`,
    ])
    await world.checkInvariants({ quiet: true })
  })

  test('that failed and of which nobody heard is found by the sweep within a day', async () => {
    await paidBack('pm_card_refundFail')
    world.pass(23 * HOUR)
    expect(await sweep(world.context)).toEqual({})
    world.pass(HOUR)
    // Its event is in the provider's list, where the sweep before has found it.
    expect(await sweep(world.context)).toMatchObject({ paidBack: 1 })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    await world.checkInvariants({ quiet: true })
  })

  test('that is done is asked for once a day until it can not fail any more', async () => {
    await paidBack('pm_card_visa')
    for (let day = 1; day <= 30; day += 1) {
      world.pass(24 * HOUR)
      expect(await sweep(world.context)).toMatchObject({ refundChecked: 1 })
    }
    world.pass(24 * HOUR)
    expect(await sweep(world.context)).toEqual({})
    expect(refunds()).toHaveLength(1)
  })

  /** A process to which the bank's decision comes between two of its requests. */
  function decidingAfterCreation() {
    const { stripe } = world.context
    const create = async (...input: Parameters<typeof stripe.refunds.create>) => {
      const refund = await stripe.refunds.create(...input)
      world.pass(MINUTE)
      return refund
    }
    const slow = Object.create(stripe.refunds, { create: { value: create } })
    return { ...world.context, stripe: Object.create(stripe, { refunds: { value: slow } }) }
  }

  test('that fails at once is not reported as paid back', async () => {
    const { paymentIntentId, settle } = await charged('pm_card_refundFail')
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
    await settle()
    expect(await sweep(decidingAfterCreation())).toEqual({ refundFailed: 1 })
    expect(failures()).toMatchObject([{ paymentIntentId, refundId: refunds()[0]?.id }])
    // The provider's list of events has told of it by the end of the sweep.
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[1]?.id })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    expect(await sweep(world.context)).toEqual({})
    await world.checkInvariants({ quiet: true })
  })

  test('whose answer was lost and that failed since is not taken for done', async () => {
    const { settle } = await charged('pm_card_refundFail')
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'cutAfter' } })
    await settle()
    world.pass(MINUTE)
    expect(await sweep(world.context)).toEqual({ paidBack: 1 })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    await world.checkInvariants({ quiet: true })
  })

  test('of a part by hand leaves the rest to be paid back', async () => {
    const { paymentIntentId, settle } = await charged('pm_card_visa')
    await world.context.stripe.refunds.create({ payment_intent: paymentIntentId, amount: 2500 })
    await settle()
    expect(refunds()).toMatchObject([{ amount: 2500 }, { amount: 7500 }])
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[1]?.id })
  })

  test('is not begun again for what was settled in another way', async () => {
    const paymentIntentId = await paidBack('pm_card_refundFail')
    const tell = await told('refund.failed')
    await world.context.db.doc(`refunds/${paymentIntentId}`).update({ status: 'done', refundId: null })
    await tell()
    expect(await sweep(world.context)).toEqual({})
    expect(refunds()).toHaveLength(1)
  })

  test('that nothing was owed for changes nothing', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId, 'pm_card_refundFail')
    await record(uid, request.attemptId)
    await world.context.stripe.refunds.create({
      payment_intent: paymentIntentId,
      metadata: { byHand: 'yes' },
    })
    const tell = await told('refund.failed')
    const before = await world.records()
    expect(await tell()).toEqual({ status: 200, body: { received: true } })
    expect(await world.records()).toEqual(before)
  })
})
