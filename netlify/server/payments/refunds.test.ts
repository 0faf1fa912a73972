import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted, findEvent, readStoredLedger } from '../../testing/payments.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { buildAttemptKey } from '../platform/records.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('a charge that cannot be recorded', () => {
  const refunded = { ok: true, value: { outcome: 'refunded' } }

  test('refunds a charge once, in full, if its user no longer exists', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    expect(await recordPayment(uid, request.attemptId)).toEqual(refunded)
    expect(await recordPayment(uid, request.attemptId)).toEqual(refunded)
    await world.deliver(findEvent('payment_intent.succeeded', paymentIntentId))
    expect(world.sandbox.stripe.refunds()).toMatchObject([
      { payment_intent: paymentIntentId, amount: 10_000 },
    ])
    const refundCharge = world.sandbox.stripe.events().filter(({ type }) => type === 'charge.refunded')
    expect(refundCharge.map(({ request }) => request.idempotency_key)).toEqual([
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
          createdAt: WORLD_START,
          since: WORLD_START,
          checkAt: WORLD_START + 24 * HOUR,
          takenBack: { refunded: 10_000, open: 0, lost: 0, balance: -10_000, fees: 0, changes: 1 },
        },
      ],
    ])
    expect(transactions.size).toBe(0)
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
  })

  const readRefundReason = async (paymentIntentId: string) =>
    (await world.checkInvariants({ quiet: true })).refunds.get(paymentIntentId)?.reason

  test('refunds a charge whose amount differs from its attempt', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.context.stripe.paymentIntents.update(paymentIntentId, { amount: 9000 })
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toEqual(refunded)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: paymentIntentId, amount: 9000 }])
    expect(await readRefundReason(paymentIntentId)).toBe('amountMismatch')
  })

  test('refunds a charge whose currency differs from its attempt', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    const attempt = world.context.db.doc(`attempts/${buildAttemptKey(uid, request.attemptId)}`)
    await attempt.update({ 'transfer.gross.currency': 'CAD' })
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toEqual(refunded)
    expect(await readRefundReason(paymentIntentId)).toBe('amountMismatch')
  })

  test('a copied PaymentIntent’s charge is refunded, and the original’s recorded', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    const { stripe } = world.context
    const { metadata } = await stripe.paymentIntents.retrieve(paymentIntentId)
    const copy = async () =>
      (await stripe.paymentIntents.create({ amount: 10_000, currency: 'eur', metadata })).id
    const [paid, canceled] = [await copy(), await copy()]
    await world.pay(paid)
    expect(await recordTransfer(world.context, { uid }, { paymentIntentId: paid })).toEqual(refunded)
    await stripe.paymentIntents.cancel(canceled)
    await world.deliver(findEvent('payment_intent.canceled', canceled))
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })

    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    const { refunds, transactions } = await world.records()
    expect([...refunds]).toMatchObject([[paid, { reason: 'otherPayment', status: 'done' }]])
    expect([...transactions.keys()]).toEqual([paymentIntentId])
    // These copies were made by hand; the functions never make a second PaymentIntent for an attempt.
    world.reset()
  })

  test('refunds a charge whose attempt had ended', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    const attempt = world.context.db.doc(`attempts/${buildAttemptKey(uid, request.attemptId)}`)
    await attempt.update({ status: 'released' })
    await world.context.db.doc(`ledgers/${uid}_2026-11`).update({ reservedCents: 0 })
    await world.pay(paymentIntentId)
    await world.deliver(findEvent('payment_intent.succeeded', paymentIntentId))
    expect(await readRefundReason(paymentIntentId)).toBe('attemptEnded')
  })

  describe('a charge that an operator or a bank reversed', () => {
    async function makeCharge(card = 'pm_card_visa') {
      const uid = await world.person()
      const request = buildTransferRequest(uid)
      const { paymentIntentId } = await expectTransferPaymentStarted(request)
      await world.pay(paymentIntentId, card)
      return { uid, paymentIntentId, settle: () => recordPayment(uid, request.attemptId) }
    }
    const disputed = { ok: true, value: { outcome: 'disputed' } }
    const byHand = (payment_intent: string, amount?: number) =>
      world.context.stripe.refunds.create(
        { payment_intent, ...(amount && { amount }), metadata: { byHand: 'yes' } },
        { idempotencyKey: `hand:${crypto.randomUUID()}` },
      )
    const back = () => world.sandbox.stripe.refunds().map(({ amount }) => amount)
    async function submitEvidence(evidence: string) {
      const [dispute] = world.sandbox.stripe.disputes()
      await world.context.stripe.disputes.update(dispute?.id ?? '', {
        evidence: { uncategorized_text: evidence },
      })
    }
    const readDebt = async (id: string) => (await world.records()).refunds.get(id)
    const deliverLast = (type: string) =>
      world.deliver(world.sandbox.stripe.events().findLast((one) => one.type === type) ?? {})
    const alerts = () => world.logged.filter(({ event }) => event === 'recordedPaymentReversed')

    test.each<[string, () => Promise<unknown>]>([
      ['the webhook', () => deliverLast('charge.refunded')],
      ['the due-work job', async () => world.pass(31 * MINUTE)],
    ])('a charge refunded by hand is left alone after %s', async (_, hears) => {
      const { uid, paymentIntentId } = await makeCharge()
      await byHand(paymentIntentId)
      await hears()
      await runDueWork(world.context)
      const { transactions, attempts } = await world.checkInvariants({ quiet: true })
      expect([...attempts.values()]).toMatchObject([{ status: 'refunded' }])
      expect(transactions.size).toBe(0)
      expect(await readDebt(paymentIntentId)).toMatchObject({
        reason: 'refundedByHand',
        status: 'done',
        refundId: world.sandbox.stripe.refunds()[0]?.id,
      })
      expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
      expect(back()).toEqual([10_000])
    })

    test('a charge refunded in part is not recorded but refunded fully', async () => {
      const { paymentIntentId, settle } = await makeCharge()
      await byHand(paymentIntentId, 2_500)
      expect(await settle()).toEqual(refunded)
      expect(back()).toEqual([2_500, 7_500])
      expect(await readRefundReason(paymentIntentId)).toBe('refundedByHand')
    })

    test('a refund by hand during recording alerts an operator', async () => {
      const { paymentIntentId, settle } = await makeCharge()
      // Stripe has answered that the charge succeeded, and the record is about to be written.
      await world.interrupted(7, settle, async () => {
        await byHand(paymentIntentId)
        await deliverLast('charge.refunded')
      })
      const { transactions } = await world.records()
      expect([transactions.size, alerts().length]).toEqual([1, 1])
    })

    test('a disputed or lost charge is not refunded', async () => {
      const { paymentIntentId, settle } = await makeCharge('pm_card_createDispute')
      expect(await settle()).toEqual(disputed)
      expect(await readDebt(paymentIntentId)).toMatchObject({ reason: 'disputed', status: 'disputed' })
      for (let days = 0; days < 3; days += 1) {
        world.pass(24 * HOUR)
        await runDueWork(world.context)
      }
      expect(await settle()).toEqual(disputed)
      await world.checkInvariants({ quiet: true })
      await submitEvidence('losing_evidence')
      await deliverLast('charge.dispute.closed')
      expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'done', refundId: null })
      expect(await settle()).toEqual(refunded)
      expect(back()).toEqual([])
      await world.checkInvariants({ quiet: true })
    })

    test.each(['the webhook', 'the daily check'])(
      'refunds a charge after a dispute is won (reported by %s)',
      async (hears) => {
        const { paymentIntentId, settle } = await makeCharge('pm_card_createDispute')
        await settle()
        await submitEvidence('winning_evidence')
        if (hears === 'the webhook') await deliverLast('charge.dispute.closed')
        else world.pass(24 * HOUR)
        await runDueWork(world.context)
        expect(back()).toEqual([10_000])
        expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'done' })
        await world.checkInvariants({ quiet: true })
      },
    )

    test('refunds what a dispute left of a charge', async () => {
      const { paymentIntentId, settle } = await makeCharge()
      world.sandbox.stripe.dispute(paymentIntentId, 4_000)
      expect(await settle()).toEqual(disputed)
      await submitEvidence('losing_evidence')
      await deliverLast('charge.dispute.closed')
      await runDueWork(world.context)
      expect(back()).toEqual([6_000])
      await world.checkInvariants({ quiet: true })
    })

    async function loseDispute() {
      const { paymentIntentId, settle } = await makeCharge('pm_card_createDispute')
      await settle()
      await submitEvidence('losing_evidence')
      await deliverLast('charge.dispute.closed')
      expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'done', refundId: null })
      return { paymentIntentId, dispute: world.sandbox.stripe.disputes()[0]?.id ?? '' }
    }

    test.each<[string, () => unknown]>([
      ['its webhook', () => deliverLast('charge.dispute.funds_reinstated')],
      ['the list of events', () => {}],
      [
        'the daily check',
        () => {
          const what = { kind: 'status', status: 500 } as const
          world.sandbox.faults.add({ on: 'GET /v1/events', times: 99, what })
        },
      ],
    ])('a dispute won a day after its loss refunds once, by %s', async (_, hears) => {
      const { paymentIntentId, dispute } = await loseDispute()
      world.pass(24 * HOUR)
      world.sandbox.stripe.returnDisputedFunds(dispute)
      await hears()
      await runDueWork(world.context)
      expect(world.logged).toContainEqual(
        expect.objectContaining({ level: 'error', event: 'chargeOwedAgain', paymentIntentId }),
      )
      await runDueWork(world.context)
      expect(back()).toEqual([10_000])
      expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'done' })
      await world.checkInvariants({ quiet: true })
    })

    test('refunds only what the bank returned of a lost dispute', async () => {
      const { paymentIntentId, dispute } = await loseDispute()
      world.sandbox.stripe.returnDisputedFunds(dispute, 4_000)
      await deliverLast('charge.dispute.funds_reinstated')
      expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'due' })
      await runDueWork(world.context)
      expect(back()).toEqual([4_000])
      expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'done' })
      await world.checkInvariants({ quiet: true })
    })

    test('checks a charge daily for 180 days after its dispute is lost', async () => {
      const { paymentIntentId } = await loseDispute()
      world.pass(179 * 24 * HOUR)
      expect(await runDueWork(world.context)).toMatchObject({ refundChecked: 1 })
      expect((await readDebt(paymentIntentId))?.checkAt).toBe(world.now() + 24 * HOUR)
      world.pass(24 * HOUR)
      await runDueWork(world.context)
      expect((await readDebt(paymentIntentId))?.checkAt).toBe(null)
    })

    test('refunds a charge whose dispute is won after its checks have ended', async () => {
      const { paymentIntentId, dispute } = await loseDispute()
      world.pass(200 * 24 * HOUR)
      await runDueWork(world.context)
      world.sandbox.stripe.returnDisputedFunds(dispute)
      await deliverLast('charge.dispute.funds_reinstated')
      await runDueWork(world.context)
      expect(back()).toEqual([10_000])
      expect(await readDebt(paymentIntentId)).toMatchObject({ status: 'done' })
    })

    test("refunds a charge immediately during a bank's inquiry", async () => {
      const { paymentIntentId, settle } = await makeCharge('pm_card_createDisputeInquiry')
      expect(await settle()).toEqual(refunded)
      expect(back()).toEqual([10_000])
      expect(await readRefundReason(paymentIntentId)).toBe('disputed')
    })

    test('a charge disputed before its refund is not refunded', async () => {
      const { uid, paymentIntentId, settle } = await makeCharge()
      await world.context.db.doc(`users/${uid}`).delete()
      world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
      expect(await settle()).toEqual(refunded)
      world.sandbox.stripe.dispute(paymentIntentId)
      expect(await runDueWork(world.context)).toEqual({ disputed: 1 })
      expect(await settle()).toEqual(disputed)
      expect(back()).toEqual([])
    })

    test.each<[string, (id: string) => unknown, string]>([
      ['refunded by hand', (id) => byHand(id, 100), 'charge.refunded'],
      ['disputed', (id) => world.sandbox.stripe.dispute(id), 'charge.dispute.created'],
    ])('a charge %s later keeps its record and alerts an operator', async (_, happens, event) => {
      const { paymentIntentId, settle } = await makeCharge()
      await settle()
      await happens(paymentIntentId)
      expect(await deliverLast(event)).toMatchObject({ status: 200 })
      expect(alerts()).toMatchObject([{ level: 'error', paymentIntentId }])
      expect((await world.records()).transactions.size).toBe(1)
      expect(await settle()).toMatchObject({ value: { outcome: 'paid' } })
    })
  })

  test('the due-work job retries a failed refund', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
    expect(await recordPayment(uid, request.attemptId)).toEqual(refunded)
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).refunds.get(paymentIntentId)).toMatchObject({ status: 'due' })
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    expect(await runDueWork(world.context)).toEqual({})
    await world.checkInvariants({ quiet: true })
  })

  test('refunds once despite a lost response and an expired key', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'cutAfter' } })
    await recordPayment(uid, request.attemptId)
    expect((await world.records()).refunds.get(paymentIntentId)).toMatchObject({ status: 'due' })
    world.pass(25 * HOUR)
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
    await world.checkInvariants({ quiet: true })
  })
})

describe('a refund', () => {
  /** Can't be recorded, because its user is deleted. */
  async function makeCharge(card: string) {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId, card)
    await world.context.db.doc(`users/${uid}`).delete()
    return { paymentIntentId, settle: () => recordPayment(uid, request.attemptId) }
  }
  async function refundCharge(card: string) {
    const { paymentIntentId, settle } = await makeCharge(card)
    await settle()
    return paymentIntentId
  }
  const debt = async (paymentIntentId: string) => (await world.records()).refunds.get(paymentIntentId)
  const refunds = () => world.sandbox.stripe.refunds()
  const keys = () => world.providerRequests.filter(({ path }) => path === '/v1/refunds').map(({ key }) => key)
  const failures = () => world.logged.filter(({ event }) => event === 'refundFailed')
  async function captureDelivery(type: 'refund.updated' | 'refund.failed') {
    world.pass(MINUTE)
    world.sandbox.stripe.runDueBilling()
    const event = world.sandbox.stripe.events().find((one) => one.type === type)
    if (!event) throw new Error(`no event ${type}`)
    return () => world.deliver(event)
  }

  test('a pending refund is neither done nor begun again', async () => {
    const { paymentIntentId, settle } = await makeCharge('pm_card_pendingRefund')
    await settle()
    const [refund] = refunds()
    const pending = { status: 'pending', refundId: refund?.id }
    expect(await debt(paymentIntentId)).toMatchObject(pending)
    expect(await settle()).toEqual({ ok: true, value: { outcome: 'refunded' } })
    expect(await runDueWork(world.context)).toEqual({ refundPending: 1 })
    expect(await debt(paymentIntentId)).toMatchObject(pending)
    expect(keys()).toEqual([`refund:${paymentIntentId}:10000`])

    world.pass(MINUTE)
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    expect(await runDueWork(world.context)).toEqual({})
    expect(keys()).toHaveLength(1)
    await world.checkInvariants({ quiet: true })
  })

  test('says that a refund waits for our balance, until it succeeds', async () => {
    world.sandbox.stripe.setBalanceEmpty(true)
    const paymentIntentId = await refundCharge('pm_card_visa')
    const startedAt = world.now()
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'unfunded', refundId: refunds()[0]?.id })
    world.pass(60 * 24 * HOUR)
    expect(await runDueWork(world.context)).toMatchObject({ refundUnfunded: 1 })
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'unfunded', since: startedAt })
    world.sandbox.stripe.setBalanceEmpty(false)
    expect(await runDueWork(world.context)).toMatchObject({ paidBack: 1 })
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', since: world.now() })
    await world.checkInvariants({ quiet: true })
  })

  test('marks a pending refund as done when Stripe reports its success', async () => {
    const paymentIntentId = await refundCharge('pm_card_pendingRefund')
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'pending' })
    const deliver = await captureDelivery('refund.updated')
    await Promise.all([deliver(), deliver(), deliver()])
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[0]?.id })
    await world.checkInvariants({ quiet: true })
  })

  test.each([500, 402])('an error repeated for the old key leads to a new (%i)', async (status) => {
    const { paymentIntentId, settle } = await makeCharge('pm_card_visa')
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
    expect(await runDueWork(world.context)).toEqual({ refundFailed: 1 })
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'failing', refusals: 2 })
    expect(await runDueWork(world.context)).toEqual({})
    world.pass(15 * MINUTE)
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    expect(new Set(keys())).toEqual(
      new Set(['', ':1', ':2'].map((refusals) => `refund:${paymentIntentId}:10000${refusals}`)),
    )
    expect(refunds()).toHaveLength(1)
    await world.checkInvariants({ quiet: true, requests: world.providerRequests })
  })

  test('counts one refusal of a refund for two concurrent calls', async () => {
    const { paymentIntentId, settle } = await makeCharge('pm_card_visa')
    world.sandbox.faults.add({
      on: 'POST /v1/refunds',
      times: 1,
      what: { kind: 'status', status: 402, kept: true },
    })
    await Promise.all([settle(), settle()])
    expect((await debt(paymentIntentId))?.refusals).toBe(1)
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
  })

  test('an always refused refund is tried hourly, with one alert', async () => {
    const { paymentIntentId, settle } = await makeCharge('pm_card_visa')
    world.sandbox.faults.add({
      on: 'POST /v1/refunds',
      times: 100,
      what: { kind: 'status', status: 402, kept: true },
    })
    await settle()
    const countTries = () => new Set(keys()).size
    for (let quarters = 0; quarters < 24; quarters += 1) {
      world.pass(15 * MINUTE)
      await runDueWork(world.context)
    }
    expect(countTries()).toBeLessThanOrEqual(9)
    const before = countTries()
    for (let quarters = 0; quarters < 4; quarters += 1) {
      world.pass(15 * MINUTE)
      await runDueWork(world.context)
    }
    expect(countTries()).toBe(before + 1)
    const alerts = world.logged.filter(
      ({ level, event }) => level === 'error' && ['refundFailed', 'refundPostponed'].includes(event),
    )
    expect(alerts).toMatchObject([{ paymentIntentId }])
    world.sandbox.faults.reset()
    world.pass(HOUR)
    expect(await runDueWork(world.context)).toMatchObject({ paidBack: 1 })
    await world.checkInvariants({ quiet: true })
  })

  test('a refund that fails later is owed and made again', async () => {
    const paymentIntentId = await refundCharge('pm_card_refundFail')
    const [first] = refunds()
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: first?.id })
    const deliver = await captureDelivery('refund.failed')
    expect(await deliver()).toMatchObject({ status: 200 })
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'due', refundId: null })
    expect(failures()).toMatchObject([{ paymentIntentId, refundId: first?.id }])
    expect(refunds()).toHaveLength(1)

    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    await deliver()
    expect(await runDueWork(world.context)).toEqual({})
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[1]?.id })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded', amount: 10_000 }])
    expect(keys()).toEqual([
      `refund:${paymentIntentId}:10000`,
      `refund:${paymentIntentId}:10000:${first?.id}`,
    ])
    await world.checkInvariants({ quiet: true })
  })

  test('the job finds a failed refund within a day', async () => {
    await refundCharge('pm_card_refundFail')
    world.pass(23 * HOUR)
    await runDueWork(world.context)
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    await world.checkInvariants({ quiet: true })
  })

  test('the job checks a refund daily for 30 days', async () => {
    await refundCharge('pm_card_visa')
    for (let day = 1; day <= 30; day += 1) {
      world.pass(24 * HOUR)
      expect(await runDueWork(world.context)).toMatchObject({ refundChecked: 1 })
    }
    world.pass(24 * HOUR)
    expect(await runDueWork(world.context)).toEqual({})
    expect(refunds()).toHaveLength(1)
  })

  function createDecidingContext() {
    const { stripe } = world.context
    const create = async (...input: Parameters<typeof stripe.refunds.create>) => {
      const refund = await stripe.refunds.create(...input)
      world.pass(MINUTE)
      return refund
    }
    const slow = Object.create(stripe.refunds, { create: { value: create } })
    return { ...world.context, stripe: Object.create(stripe, { refunds: { value: slow } }) }
  }

  test('an immediately failed refund is reported and made again', async () => {
    const { paymentIntentId, settle } = await makeCharge('pm_card_refundFail')
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
    await settle()
    expect(await runDueWork(createDecidingContext())).toEqual({ refundFailed: 1 })
    expect(failures()).toMatchObject([{ paymentIntentId, refundId: refunds()[0]?.id }])
    world.pass(15 * MINUTE)
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[1]?.id })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    expect(await runDueWork(world.context)).toEqual({})
    await world.checkInvariants({ quiet: true })
  })

  test('a refund that failed after a lost response is made again', async () => {
    const { settle } = await makeCharge('pm_card_refundFail')
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'cutAfter' } })
    await settle()
    world.pass(MINUTE)
    expect(await runDueWork(world.context)).toEqual({ paidBack: 1 })
    expect(refunds()).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
    await world.checkInvariants({ quiet: true })
  })

  test('refunds the rest of a debt after a partial refund by hand', async () => {
    const { paymentIntentId, settle } = await makeCharge('pm_card_visa')
    await world.context.stripe.refunds.create({ payment_intent: paymentIntentId, amount: 2500 })
    await settle()
    expect(refunds()).toMatchObject([{ amount: 2500 }, { amount: 7500 }])
    expect(await debt(paymentIntentId)).toMatchObject({ status: 'done', refundId: refunds()[1]?.id })
  })

  test('begins no refund for a debt that was settled in another way', async () => {
    const paymentIntentId = await refundCharge('pm_card_refundFail')
    const deliver = await captureDelivery('refund.failed')
    await world.context.db.doc(`refunds/${paymentIntentId}`).update({ status: 'settled', refundId: null })
    await deliver()
    expect(await runDueWork(world.context)).toEqual({})
    expect(refunds()).toHaveLength(1)
  })

  test('ignores a failed refund of a charge that was not owed', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId, 'pm_card_refundFail')
    await recordPayment(uid, request.attemptId)
    await world.context.stripe.refunds.create({
      payment_intent: paymentIntentId,
      metadata: { byHand: 'yes' },
    })
    const deliver = await captureDelivery('refund.failed')
    const before = await world.records()
    expect(await deliver()).toEqual({ status: 200, body: { received: true } })
    expect(await world.records()).toEqual(before)
  })
})
