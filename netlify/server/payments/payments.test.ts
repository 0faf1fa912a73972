import { describe, expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../../../domain/api/api.ts'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { renameSender } from '../../testing/deliveries.ts'
import {
  cancelPayment,
  listIntents,
  recordPayment,
  resetWorldForEachTest,
  world,
} from '../../testing/emptyWorld.ts'
import {
  buildPremiumSubscription,
  expectTransferPaymentStarted,
  findEvent,
  omitCustomerSession,
  readSlotsLeft,
  readStoredLedger,
  startTransferPayment,
} from '../../testing/payments.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { buildAttemptKey } from '../platform/records.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('a transfer', () => {
  test('reserves, charges and records a transfer @spec-payment', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid, { recipientPhone: '+224 620 00 00 00' })
    const { paymentIntentId, clientSecret, status } = await expectTransferPaymentStarted(request)
    expect(listIntents()).toMatchObject([
      {
        id: paymentIntentId,
        client_secret: clientSecret,
        status,
        amount: 10_000,
        currency: 'eur',
        allowed_payment_method_types: ['card'],
        description: 'Transfer to +224*******00',
        metadata: {
          deployment: 'demo-passerelle',
          kind: 'transfer',
          uid,
          attemptKey: buildAttemptKey(uid, request.attemptId),
        },
      },
    ])
    expect(status).toBe('requires_payment_method')
    expect(await readStoredLedger(uid)).toEqual({
      uid,
      month: '2026-11',
      recordedCents: 0,
      reservedCents: 10_000,
      reservedSlots: 0,
    })
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })

    world.pass(2 * MINUTE)
    await world.pay(paymentIntentId)
    const transaction = {
      id: paymentIntentId,
      senderId: uid,
      type: 'sent',
      recipientPhone: '+224620000000',
      senderName: 'Ada',
      recipientName: 'Mariama Bah',
      amount: 97,
      fees: 3,
      exchangeRate: 10_600,
      convertedAmount: 1_028_200,
      sourceCurrency: 'EUR',
      destinationCurrency: 'GNF',
      destination: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
      status: 'completed',
      createdAt: WORLD_START,
      settledAt: WORLD_START + 2 * MINUTE,
      estimatedArrival: WORLD_START + 2 * MINUTE + HOUR,
      description: 'Transfer to +224*******00',
      paymentMethod: 'card',
      couponCode: null,
      receivingMethod: 'orange_money',
      delivery: null,
      promisedMinutes: null,
      recipientLink: null,
    }
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'paid', transaction },
    })
    expect(await readStoredLedger(uid)).toEqual({
      uid,
      month: '2026-11',
      recordedCents: 10_000,
      reservedCents: 0,
      reservedSlots: 0,
    })
    const stored = (await world.context.db.doc(`transactions/${paymentIntentId}`).get()).data()
    expect(stored?.createdAt.toMillis()).toBe(WORLD_START)
    expect(stored?.settledAt.toMillis()).toBe(WORLD_START + 2 * MINUTE)
    expect(stored?.estimatedArrival.toMillis()).toBe(WORLD_START + 2 * MINUTE + HOUR)
    await world.checkInvariants({ quiet: true })
  })

  test('a card is captured at once, because the journal needs the fee', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    expect(listIntents()).toMatchObject([{ capture_method: 'automatic' }])
    await world.pay(paymentIntentId)
    await recordPayment(uid, request.attemptId)
    const { entries } = (await world.records()).journal.get(`${paymentIntentId}_received`) ?? {}
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'stripeFee' }))
  })

  test('counts a transfer in Canadian dollars toward the cap in euros @spec-cap-in-cad', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid, {
      currency: 'cad',
      amount: 83_333,
      recipientPhone: '+33612345678',
      receivingMethod: 'wero',
      expected: { fee: 2500, converted: 48_500 },
    })
    await expectTransferPaymentStarted(request)
    expect(listIntents()).toMatchObject([{ amount: 83_333, currency: 'cad' }])
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 50_000 })
  })

  test('returns the same PaymentIntent and reservation for a repeated attempt', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid, { recipientPhone: '+224 620 00 00 00' })
    const calls = await Promise.all([
      expectTransferPaymentStarted(request),
      expectTransferPaymentStarted(request),
      expectTransferPaymentStarted(request),
    ])
    const [first, ...others] = calls.map(omitCustomerSession)
    if (!first) throw new Error('not started')
    expect(others).toEqual([first, first])
    const written = { ...request, recipientPhone: '+224620000000' }
    expect(omitCustomerSession(await expectTransferPaymentStarted(written))).toEqual(first)
    expect(listIntents()).toHaveLength(1)
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })

    await world.pay(first.paymentIntentId)
    await recordPayment(uid, request.attemptId)
    expect(omitCustomerSession(await expectTransferPaymentStarted(request))).toEqual({
      ...first,
      status: 'succeeded',
    })
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test.each<[string, Partial<TransferPaymentRequest>]>([
    ['amount', { amount: 10_001, expected: { fee: 300, converted: 1_028_306 } }],
    ['currency', { currency: 'cad', expected: { fee: 300, converted: 621_091 } }],
    ['phone', { recipientPhone: '+224620000001' }],
    ['recipient', { recipientName: 'Mariama Diallo' }],
    ['wallet', { receivingMethod: 'mtn_money' }],
    ['coupon', { couponCode: 'ZERO', expected: { fee: 0, converted: 1_060_000 } }],
  ])('refuses a repeated attempt with another %s, without effect', async (_, changes) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    await expectTransferPaymentStarted(request)
    const before = await world.records()
    expect(await startTransferPayment({ ...request, ...changes })).toMatchObject({
      ok: false,
      error: { status: 409, code: 'attemptConflict' },
    })
    expect(await world.records()).toEqual(before)
    expect(listIntents()).toHaveLength(1)
  })

  test('a transfer and its receipt keep the names of its reservation @spec-transfer-names', async () => {
    const uid = await world.person()
    await renameSender(uid, ' Ada \u202eLovelace')
    const request = buildTransferRequest(uid, { recipientName: '  Mariama\u0007  Bah ' })
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await renameSender(uid, 'Grace Hopper')
    await world.pay(paymentIntentId)
    const names = { senderName: 'Ada Lovelace', recipientName: 'Mariama Bah' }
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { transaction: names } })
    expect((await world.context.db.doc(`transactions/${paymentIntentId}`).get()).data()).toMatchObject(names)
  })

  test('a transfer needs the recipient’s name only where it is required', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid, { recipientName: null })
    const required = { ...world.context, isRecipientNameRequired: true }
    const before = await world.records()
    const refusal = { ok: false, error: { status: 400, code: 'recipientNameRequired' } }
    for (const recipientName of [null, ' \u200f '])
      expect(await createPaymentIntent(required, { uid }, { ...request, recipientName })).toMatchObject(
        refusal,
      )
    expect(await world.records()).toEqual(before)
    const named = { ...request, recipientName: 'Mariama' }
    expect(await createPaymentIntent(required, { uid }, named)).toMatchObject({ ok: true })
    const unnamed = buildTransferRequest(uid, { recipientName: null })
    const { paymentIntentId } = await expectTransferPaymentStarted(unnamed)
    await world.pay(paymentIntentId)
    await recordPayment(uid, unnamed.attemptId)
    expect((await world.context.db.doc(`transactions/${paymentIntentId}`).get()).get('recipientName')).toBe(
      null,
    )
  })

  test('each account requires 3-D Secure until its first recorded transfer @spec-first-payments', async () => {
    const asked = () =>
      listIntents().map(({ payment_method_options: options }) => options?.card.request_three_d_secure)
    const uid = await world.person()
    const [first, meanwhile] = [buildTransferRequest(uid), buildTransferRequest(uid)]
    const { paymentIntentId } = await expectTransferPaymentStarted(first)
    await expectTransferPaymentStarted(meanwhile)
    await world.pay(paymentIntentId)
    await recordPayment(uid, first.attemptId)
    await expectTransferPaymentStarted(buildTransferRequest(uid))
    await expectTransferPaymentStarted(buildTransferRequest(await world.person()))
    expect(asked()).toEqual(['any', 'any', undefined, 'any'])
  })

  test('separates the transfers of two users with the same attempt ID', async () => {
    const ada = await world.person()
    const bob = await world.person()
    const request = buildTransferRequest(ada)
    const one = await expectTransferPaymentStarted(request)
    const two = await expectTransferPaymentStarted({ ...request, senderId: bob })
    expect(one.paymentIntentId).not.toBe(two.paymentIntentId)
    expect(await readStoredLedger(ada)).toMatchObject({ reservedCents: 10_000 })
    expect(await readStoredLedger(bob)).toMatchObject({ reservedCents: 10_000 })
  })

  test('keeps the price of a started transfer when the user’s plan changes @spec-price-kept', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.context.db.doc(`users/${uid}`).update({
      subscription: {
        ...buildPremiumSubscription(5),
        lastReset: new Date(WORLD_START),
        startDate: new Date(WORLD_START),
      },
    })
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({
      value: { outcome: 'paid', transaction: { amount: 97, fees: 3 } },
    })
    expect(await readSlotsLeft(uid)).toBe(5)
  })

  test('an outdated price is refused with the facts of the new', async () => {
    const uid = await world.person({
      ...buildPremiumSubscription(2),
      cancelAt: WORLD_START + HOUR,
      status: 'canceled',
    })
    await expectTransferPaymentStarted(
      buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } }),
    )
    const before = await world.records()
    world.pass(MINUTE)
    expect(await startTransferPayment(buildTransferRequest(uid))).toEqual({
      ok: false,
      error: expect.objectContaining({
        status: 409,
        code: 'quoteChanged',
        details: {
          ...{ fee: 0, net: 10_000, converted: 1_060_000, feeRule: 'premium' },
          at: WORLD_START + MINUTE,
          subscription: {
            ...{ tier: 'premium', status: 'canceled', transactionsLeft: 2 },
            ...{
              startDate: WORLD_START,
              lastReset: WORLD_START,
              stripeSubscriptionId: null,
              cancelAt: WORLD_START + HOUR,
            },
          },
          ledger: { month: '2026-11', recordedCents: 0, reservedCents: 10_000, reservedSlots: 1 },
        },
      }),
    })
    expect(await world.records()).toEqual(before)
    expect(listIntents()).toHaveLength(1)
  })

  test('returns the price of a repeated attempt without counting its own reservation', async () => {
    const uid = await world.person(buildPremiumSubscription(1))
    const request = buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } })
    await expectTransferPaymentStarted(request)
    expect(
      await startTransferPayment({ ...request, expected: { fee: 300, converted: 1_028_200 } }),
    ).toMatchObject({
      error: {
        code: 'quoteChanged',
        details: {
          ...{ fee: 0, at: WORLD_START, subscription: { tier: 'premium', transactionsLeft: 1 } },
          ledger: { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 },
        },
      },
    })
  })

  test('does not record a transfer before Stripe reports its payment as succeeded @spec-recorded-last', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId, 'pm_card_visa_chargeDeclined')
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })
    await world.pay(paymentIntentId, 'pm_card_authenticationRequired')
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unclear', status: 'requires_action' },
    })
    expect((await world.records()).transactions.size).toBe(0)
  })
})

describe('settling a payment', () => {
  test('settling has the same result in any order and number', async () => {
    const uid = await world.person()
    const ways = {
      call: (_: string, attemptId: string) =>
        recordPayment(uid, attemptId).then((r) => expect(r.ok).toBe(true)),
      byIntent: (id: string) =>
        recordTransfer(world.context, { uid }, { paymentIntentId: id }).then((r) => expect(r.ok).toBe(true)),
      webhook: (id: string) =>
        world
          .deliver(findEvent('payment_intent.succeeded', id))
          .then((r) => expect(r).toEqual({ status: 200, body: { received: true } })),
      failed: (id: string) =>
        world
          .deliver(findEvent('payment_intent.payment_failed', id))
          .then((r) => expect(r).toEqual({ status: 200, body: { received: true } })),
    }
    const orders: (keyof typeof ways)[][] = [
      ['call', 'webhook', 'failed'],
      ['webhook', 'call', 'byIntent'],
      ['failed', 'webhook', 'webhook', 'webhook'],
      ['byIntent', 'failed', 'call', 'call'],
    ]
    for (const order of orders) {
      const request = buildTransferRequest(uid)
      const { paymentIntentId } = await expectTransferPaymentStarted(request)
      await world.pay(paymentIntentId, 'pm_card_visa_chargeDeclined')
      await world.pay(paymentIntentId)
      for (const way of order) await ways[way](paymentIntentId, request.attemptId)
    }
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 40_000, reservedCents: 0 })
    expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(4)
  })

  test('three webhooks and a call at the same time record one transaction', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    const event = findEvent('payment_intent.succeeded', paymentIntentId)
    await Promise.all([
      world.deliver(event),
      world.deliver(event),
      world.deliver(event),
      recordPayment(uid, request.attemptId).catch(() => null),
    ])
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test("Stripe's webhook settles a payment without the browser", async () => {
    world.deliverWebhooks(true)
    const uid = await world.person()
    const { paymentIntentId } = await expectTransferPaymentStarted(buildTransferRequest(uid))
    await world.pay(paymentIntentId)
    await world.sandbox.stripe.settled()
    expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(1)
  })

  test("refuses to settle another user's payment", async () => {
    const ada = await world.person()
    const eve = await world.person()
    const request = buildTransferRequest(ada)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    const before = await world.records()
    expect(await recordTransfer(world.context, { uid: eve }, { paymentIntentId })).toMatchObject({
      error: { status: 403, code: 'forbidden' },
    })
    for (const refused of [
      await recordPayment(eve, request.attemptId),
      await cancelPayment(eve, request.attemptId),
      await recordTransfer(world.context, { uid: eve }, { paymentIntentId: 'pi_unknown' }),
    ])
      expect(refused).toMatchObject({ error: { status: 404, code: 'paymentNotFound' } })
    expect(await world.records()).toEqual(before)
  })

  test("settles a payment even if the month's ledger is missing", async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    await world.pay((await expectTransferPaymentStarted(request)).paymentIntentId)
    await world.context.db.doc(`ledgers/${uid}_2026-11`).delete()
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
  })

  test('settling ignores payments that this app did not create', async () => {
    const uid = await world.person()
    const { stripe } = world.context
    const other = await stripe.paymentIntents.create({ amount: 5000, currency: 'eur', metadata: { uid } })
    await world.pay(other.id)
    expect(await world.deliver(findEvent('payment_intent.succeeded', other.id))).toEqual({
      status: 200,
      body: { received: true },
    })
    expect(await recordTransfer(world.context, { uid }, { paymentIntentId: other.id })).toMatchObject({
      error: { code: 'paymentNotFound' },
    })
    expect((await world.records()).refunds.size).toBe(0)
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })
})

describe('the due-work job', () => {
  test('the job settles paid attempts, and ends only abandoned ones', async () => {
    const uid = await world.person()
    const [paid, unpaid, half] = [
      buildTransferRequest(uid),
      buildTransferRequest(uid),
      buildTransferRequest(uid),
    ]
    const { paymentIntentId } = await expectTransferPaymentStarted(paid)
    await expectTransferPaymentStarted(unpaid)
    await world.pay(
      (await expectTransferPaymentStarted(half)).paymentIntentId,
      'pm_card_authenticationRequired',
    )
    await world.pay(paymentIntentId)
    world.pass(29 * MINUTE)
    const fresh = buildTransferRequest(uid)
    await expectTransferPaymentStarted(fresh)
    world.pass(2 * MINUTE)
    expect(await runDueWork(world.context)).toEqual({ paid: 1, released: 2 })
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 10_000 })
    expect(await runDueWork(world.context)).toEqual({})
    world.pass(72 * HOUR)
    expect(await runDueWork(world.context)).toEqual({ released: 1 })
    await world.checkInvariants({ quiet: true })
  })

  test('a repeated attempt creates one PaymentIntent despite an expired key', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(startTransferPayment(request)).rejects.toThrow()
    world.pass(25 * HOUR)
    // No caller has received the client secret of the first PaymentIntent, so it can't be paid.
    expect(await startTransferPayment(request)).toMatchObject({ error: { code: 'attemptEnded' } })
    expect(listIntents()).toHaveLength(1)
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
  })

  test('the job continues after a failing attempt, and retries it', async () => {
    const uid = await world.person()
    const stuck = await expectTransferPaymentStarted(buildTransferRequest(uid))
    world.pass(1)
    await expectTransferPaymentStarted(buildTransferRequest(uid))
    world.pass(31 * MINUTE)
    world.sandbox.faults.add({
      on: `POST /v1/payment_intents/${stuck.paymentIntentId}/cancel`,
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    expect(await runDueWork(world.context)).toEqual({ failed: 1, released: 1 })
    expect(await runDueWork(world.context)).toEqual({ released: 1 })
  })

  test('the job continues after a refused query, and reports it', async () => {
    const uid = await world.person()
    await expectTransferPaymentStarted(buildTransferRequest(uid))
    world.pass(31 * MINUTE)
    const query = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    world.sandbox.faults.add({ on: query, times: 2, what: { kind: 'noIndex' } })
    expect(await runDueWork(world.context)).toEqual({ failed: 2, released: 1 })
    expect(world.logged.filter(({ event }) => event === 'dueWorkFailed')).toMatchObject([
      { collection: 'refunds' },
      { collection: 'refunds' },
    ])
  })

  test('the job handles every kind in time, and reports the rest', async () => {
    const { db } = world.context
    const uid = await world.person()
    for (let n = 0; n < 10; n += 1) await expectTransferPaymentStarted(buildTransferRequest(uid))
    await db.doc('deletions/gone').set({ uid: 'gone', status: 'due', createdAt: world.now() })
    world.pass(70 * MINUTE)
    const context = { ...world.context, elapsed: () => world.requests.length * 1000 }
    const first = await runDueWork(context)
    expect(first).toMatchObject({ deleted: 1 })
    const { released = 0, leftOver } = first
    expect(released).toBeGreaterThan(0)
    expect(released).toBeLessThan(10)
    expect(leftOver).toBe(10 - released)
    expect(world.logged.filter(({ event }) => event === 'dueWorkCutShort')).toMatchObject([
      { collection: 'attempts' },
    ])

    let ended = released
    for (let runs = 0; ended < 10 && runs < 10; runs += 1) ended += (await runDueWork(context)).released ?? 0
    expect(ended).toBe(10)
  })

  test('the due-work job releases more than one page of attempts', { timeout: 120_000 }, async () => {
    const people = await Promise.all(Array.from({ length: 51 }, () => world.person()))
    for (const uid of people) await expectTransferPaymentStarted(buildTransferRequest(uid))
    world.pass(31 * MINUTE)
    expect(await runDueWork(world.context)).toEqual({ released: 51 })
    await world.checkInvariants({ quiet: true })
  })
})
