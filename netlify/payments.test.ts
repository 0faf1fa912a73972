import { describe, expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../domain/api.ts'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { attemptKey } from './server/platform/records.ts'
import { cancelPayment, intents, record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { eventOf, ledger, left, premium, start, started, withoutSession } from './testing/payments.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('a transfer', () => {
  test('is reserved, paid, recorded @spec-payment', async () => {
    const uid = await world.person()
    const request = requestOf(uid, { recipientPhone: '+224 620 00 00 00' })
    const { paymentIntentId, clientSecret, status } = await started(request)
    expect(intents()).toMatchObject([
      {
        id: paymentIntentId,
        client_secret: clientSecret,
        status,
        amount: 10_000,
        currency: 'eur',
        allowed_payment_method_types: ['card'],
        automatic_payment_methods: null,
        description: 'Transfer to +224*******00',
        metadata: {
          deployment: 'demo-passerelle',
          kind: 'transfer',
          uid,
          attemptKey: attemptKey(uid, request.attemptId),
        },
      },
    ])
    expect(status).toBe('requires_payment_method')
    expect(await ledger(uid)).toEqual({
      uid,
      month: '2026-11',
      recordedCents: 0,
      reservedCents: 10_000,
      reservedSlots: 0,
    })
    expect(await record(uid, request.attemptId)).toEqual({
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
      amount: 97,
      fees: 3,
      exchangeRate: 10_600,
      convertedAmount: 1_028_200,
      sourceCurrency: 'EUR',
      destinationCurrency: 'GNF',
      destination: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
      status: 'completed',
      createdAt: START,
      settledAt: START + 2 * MINUTE,
      estimatedArrival: START + 2 * MINUTE + HOUR,
      description: 'Transfer to +224*******00',
      paymentMethod: 'card',
      couponCode: null,
      receivingMethod: 'orange_money',
      delivery: null,
      promisedMinutes: null,
      recipientLink: null,
    }
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'paid', transaction },
    })
    expect(await ledger(uid)).toEqual({
      uid,
      month: '2026-11',
      recordedCents: 10_000,
      reservedCents: 0,
      reservedSlots: 0,
    })
    const stored = (await world.context.db.doc(`transactions/${paymentIntentId}`).get()).data()
    expect(stored?.createdAt.toMillis()).toBe(START)
    expect(stored?.settledAt.toMillis()).toBe(START + 2 * MINUTE)
    expect(stored?.estimatedArrival.toMillis()).toBe(START + 2 * MINUTE + HOUR)
    await world.checkInvariants({ quiet: true })
  })

  test('of Canadian dollars counts in euros @spec-cap-in-cad', async () => {
    const uid = await world.person()
    const request = requestOf(uid, {
      currency: 'cad',
      amount: 83_333,
      recipientPhone: '+33612345678',
      receivingMethod: 'wero',
      expected: { fee: 2500, converted: 48_500 },
    })
    await started(request)
    expect(intents()).toMatchObject([{ amount: 83_333, currency: 'cad' }])
    expect(await ledger(uid)).toMatchObject({ reservedCents: 50_000 })
  })

  test('that is sent again is the same, with one PaymentIntent and one reservation', async () => {
    const uid = await world.person()
    const request = requestOf(uid, { recipientPhone: '+224 620 00 00 00' })
    const calls = await Promise.all([started(request), started(request), started(request)])
    const [first, ...others] = calls.map(withoutSession)
    if (!first) throw new Error('not started')
    expect(others).toEqual([first, first])
    const written = { ...request, recipientPhone: '+224620000000' }
    expect(withoutSession(await started(written))).toEqual(first)
    expect(intents()).toHaveLength(1)
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })

    await world.pay(first.paymentIntentId)
    await record(uid, request.attemptId)
    expect(withoutSession(await started(request))).toEqual({ ...first, status: 'succeeded' })
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test.each<[string, Partial<TransferPaymentRequest>]>([
    ['amount', { amount: 10_001, expected: { fee: 300, converted: 1_028_306 } }],
    ['currency', { currency: 'cad', expected: { fee: 300, converted: 621_091 } }],
    ['phone', { recipientPhone: '+224620000001' }],
    ['wallet', { receivingMethod: 'mtn_money' }],
    ['coupon', { couponCode: 'ZERO', expected: { fee: 0, converted: 1_060_000 } }],
  ])('that is sent again with another %s is refused without effect', async (_, changes) => {
    const uid = await world.person()
    const request = requestOf(uid)
    await started(request)
    const before = await world.records()
    expect(await start({ ...request, ...changes })).toMatchObject({
      ok: false,
      error: { status: 409, code: 'attemptConflict' },
    })
    expect(await world.records()).toEqual(before)
    expect(intents()).toHaveLength(1)
  })

  test('of another user with the same attempt id is another transfer', async () => {
    const ada = await world.person()
    const bob = await world.person()
    const request = requestOf(ada)
    const one = await started(request)
    const two = await started({ ...request, senderId: bob })
    expect(one.paymentIntentId).not.toBe(two.paymentIntentId)
    expect(await ledger(ada)).toMatchObject({ reservedCents: 10_000 })
    expect(await ledger(bob)).toMatchObject({ reservedCents: 10_000 })
  })

  test('keeps its price when the plan changes after it was started @spec-price-kept', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.context.db.doc(`users/${uid}`).update({
      subscription: { ...premium(5), lastReset: new Date(START), startDate: new Date(START) },
    })
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({
      value: { outcome: 'paid', transaction: { amount: 97, fees: 3 } },
    })
    expect(await left(uid)).toBe(5)
  })

  test('is charged only at the price that was seen, and what the price is made from is told', async () => {
    const uid = await world.person({ ...premium(2), cancelAt: START + HOUR, status: 'canceled' })
    await started(requestOf(uid, { expected: { fee: 0, converted: 1_060_000 } }))
    const before = await world.records()
    world.pass(MINUTE)
    expect(await start(requestOf(uid))).toEqual({
      ok: false,
      error: expect.objectContaining({
        status: 409,
        code: 'quoteChanged',
        details: {
          ...{ fee: 0, net: 10_000, converted: 1_060_000, feeRule: 'premium' },
          at: START + MINUTE,
          subscription: {
            ...{ tier: 'premium', status: 'canceled', transactionsLeft: 2 },
            ...{ startDate: START, lastReset: START, stripeSubscriptionId: null, cancelAt: START + HOUR },
          },
          ledger: { month: '2026-11', recordedCents: 0, reservedCents: 10_000, reservedSlots: 1 },
        },
      }),
    })
    expect(await world.records()).toEqual(before)
    expect(intents()).toHaveLength(1)
  })

  test('that is sent again at another price is told the price of then, without what it holds itself', async () => {
    const uid = await world.person(premium(1))
    const request = requestOf(uid, { expected: { fee: 0, converted: 1_060_000 } })
    await started(request)
    expect(await start({ ...request, expected: { fee: 300, converted: 1_028_200 } })).toMatchObject({
      error: {
        code: 'quoteChanged',
        details: {
          ...{ fee: 0, at: START, subscription: { tier: 'premium', transactionsLeft: 1 } },
          ledger: { month: '2026-11', recordedCents: 0, reservedCents: 0, reservedSlots: 0 },
        },
      },
    })
  })

  test('is never recorded before the provider says that it succeeded @spec-recorded-last', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId, 'pm_card_visa_chargeDeclined')
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })
    await world.pay(paymentIntentId, 'pm_card_authenticationRequired')
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unclear', status: 'requires_action' },
    })
    expect((await world.records()).transactions.size).toBe(0)
  })
})

describe('settling', () => {
  test('ends the same in any order and however often', async () => {
    const uid = await world.person()
    const ways = {
      call: (_: string, attemptId: string) => record(uid, attemptId).then((r) => expect(r.ok).toBe(true)),
      byIntent: (id: string) =>
        recordTransfer(world.context, { uid }, { paymentIntentId: id }).then((r) => expect(r.ok).toBe(true)),
      webhook: (id: string) =>
        world
          .deliver(eventOf('payment_intent.succeeded', id))
          .then((r) => expect(r).toEqual({ status: 200, body: { received: true } })),
      // What was true once, delivered late.
      failed: (id: string) =>
        world
          .deliver(eventOf('payment_intent.payment_failed', id))
          .then((r) => expect(r).toEqual({ status: 200, body: { received: true } })),
    }
    const orders: (keyof typeof ways)[][] = [
      ['call', 'webhook', 'failed'],
      ['webhook', 'call', 'byIntent'],
      ['failed', 'webhook', 'webhook', 'webhook'],
      ['byIntent', 'failed', 'call', 'call'],
    ]
    for (const order of orders) {
      const request = requestOf(uid)
      const { paymentIntentId } = await started(request)
      await world.pay(paymentIntentId, 'pm_card_visa_chargeDeclined')
      await world.pay(paymentIntentId)
      for (const way of order) await ways[way](paymentIntentId, request.attemptId)
    }
    expect(await ledger(uid)).toMatchObject({ recordedCents: 40_000, reservedCents: 0 })
    expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(4)
  })

  test('by the webhook three times and the call at once makes one transaction', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    const event = eventOf('payment_intent.succeeded', paymentIntentId)
    await Promise.all([
      world.deliver(event),
      world.deliver(event),
      world.deliver(event),
      record(uid, request.attemptId).catch(() => null),
    ])
    expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test('happens without the browser, by the webhook of the provider', async () => {
    world.deliverWebhooks(true)
    const uid = await world.person()
    const { paymentIntentId } = await started(requestOf(uid))
    await world.pay(paymentIntentId)
    await world.sandbox.stripe.settled()
    expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(1)
  })

  test("is refused for somebody else's payment", async () => {
    const ada = await world.person()
    const eve = await world.person()
    const request = requestOf(ada)
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    const before = await world.records()
    expect(await recordTransfer(world.context, { uid: eve }, { paymentIntentId })).toMatchObject({
      error: { status: 403, code: 'forbidden' },
    })
    for (const refused of [
      await record(eve, request.attemptId),
      await cancelPayment(eve, request.attemptId),
      await recordTransfer(world.context, { uid: eve }, { paymentIntentId: 'pi_unknown' }),
    ])
      expect(refused).toMatchObject({ error: { status: 404, code: 'paymentNotFound' } })
    expect(await world.records()).toEqual(before)
  })

  test('does not depend on the ledger of the month', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    await world.pay((await started(request)).paymentIntentId)
    await world.context.db.doc(`ledgers/${uid}_2026-11`).delete()
    expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
  })

  test("leaves the account's other payments alone", async () => {
    const uid = await world.person()
    const { stripe } = world.context
    const other = await stripe.paymentIntents.create({ amount: 5000, currency: 'eur', metadata: { uid } })
    await world.pay(other.id)
    expect(await world.deliver(eventOf('payment_intent.succeeded', other.id))).toEqual({
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

describe('the sweep', () => {
  test('settles what was paid, ends what was not, and leaves what is fresh', async () => {
    const uid = await world.person()
    const [paid, unpaid, half] = [requestOf(uid), requestOf(uid), requestOf(uid)]
    const { paymentIntentId } = await started(paid)
    await started(unpaid)
    await world.pay((await started(half)).paymentIntentId, 'pm_card_authenticationRequired')
    await world.pay(paymentIntentId)
    world.pass(29 * MINUTE)
    const fresh = requestOf(uid)
    await started(fresh)
    world.pass(2 * MINUTE)
    expect(await sweep(world.context)).toEqual({ paid: 1, released: 2 })
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 10_000 })
    expect(await sweep(world.context)).toEqual({})
    world.pass(72 * HOUR)
    expect(await sweep(world.context)).toEqual({ released: 1, forgotten: 1 })
    await world.checkInvariants({ quiet: true })
  })

  test('makes no second PaymentIntent when the provider has forgotten the key', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(start(request)).rejects.toThrow()
    world.pass(25 * HOUR)
    // No caller has learned the secret of the first one, so nothing can be paid by it.
    expect(await start(request)).toMatchObject({ error: { code: 'attemptEnded' } })
    expect(intents()).toHaveLength(1)
    expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
  })

  test('is not held up by one attempt that fails', async () => {
    const uid = await world.person()
    const stuck = await started(requestOf(uid))
    world.pass(1)
    await started(requestOf(uid))
    world.pass(31 * MINUTE)
    world.sandbox.faults.add({
      on: `POST /v1/payment_intents/${stuck.paymentIntentId}/cancel`,
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    expect(await sweep(world.context)).toEqual({ failed: 1, released: 1 })
    expect(await sweep(world.context)).toEqual({ released: 1 })
  })

  test('goes on when the database refuses a query, and reports it', async () => {
    const uid = await world.person()
    await started(requestOf(uid))
    world.pass(31 * MINUTE)
    const query = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    world.sandbox.faults.add({ on: query, times: 2, what: { kind: 'noIndex' } })
    expect(await sweep(world.context)).toEqual({ failed: 2, released: 1 })
    expect(world.logged.filter(({ event }) => event === 'sweepFailed')).toMatchObject([
      { of: 'refunds' },
      { of: 'refunds' },
    ])
  })

  test('leaves no kind of case out when its time is short, and says what it left over', async () => {
    const { db } = world.context
    const uid = await world.person()
    for (let n = 0; n < 10; n += 1) await started(requestOf(uid))
    await db.doc('deletions/gone').set({ uid: 'gone', status: 'due', createdAt: world.now() })
    world.pass(70 * MINUTE)
    // Each request takes a second.
    const context = { ...world.context, elapsed: () => world.requests.length * 1000 }
    const first = await sweep(context)
    expect(first).toMatchObject({ deleted: 1 })
    const { released = 0, leftOver } = first
    expect(released).toBeGreaterThan(0)
    expect(released).toBeLessThan(10)
    expect(leftOver).toBe(10 - released)
    expect(world.logged.filter(({ event }) => event === 'sweepCut')).toMatchObject([{ of: 'attempts' }])

    let ended = released
    for (let runs = 0; ended < 10 && runs < 10; runs += 1) ended += (await sweep(context)).released ?? 0
    expect(ended).toBe(10)
  })

  test('goes through more than a page', { timeout: 120_000 }, async () => {
    const people = await Promise.all(Array.from({ length: 51 }, () => world.person()))
    for (const uid of people) await started(requestOf(uid))
    world.pass(31 * MINUTE)
    expect(await sweep(world.context)).toEqual({ released: 51 })
    await world.checkInvariants({ quiet: true })
  })
})
