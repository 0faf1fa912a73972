import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PaymentStarted } from '../domain/api.ts'
import { cancelPaymentIntent } from './server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent, type PaymentRequest } from './server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { sumOfMonth } from './server/payments/monthSum.ts'
import type { Caller } from './server/platform/caller.ts'
import type { Context } from './server/platform/context.ts'
import { attemptKey } from './server/platform/records.ts'
import { crashAt } from './testing/crashAt.ts'
import { createWorld, HOUR, MINUTE, requestOf, START, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterEach(() => world.checkInvariants())
afterAll(() => world.close())

const start = (request: PaymentRequest, uid = request.senderId) =>
  createPaymentIntent(world.context, { uid }, request)
const started = async (request: PaymentRequest): Promise<PaymentStarted> => {
  const result = await start(request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  return result.value
}
const record = (uid: string, attemptId: string) => recordTransfer(world.context, { uid }, { attemptId })
const cancel = (uid: string, attemptId: string) => cancelPaymentIntent(world.context, { uid }, { attemptId })
const intents = () => world.sandbox.stripe.paymentIntents()
/** The functions of a process in which something else happens when it asks for a new PaymentIntent. */
function asking(ask: (create: () => Promise<unknown>) => Promise<unknown>): Context {
  const { stripe } = world.context
  const paymentIntents = Object.create(stripe.paymentIntents, {
    create: {
      value: (...input: Parameters<typeof stripe.paymentIntents.create>) =>
        ask(() => stripe.paymentIntents.create(...input)),
    },
  })
  return {
    ...world.context,
    stripe: Object.create(stripe, { paymentIntents: { value: paymentIntents } }),
  }
}
const eventOf = (type: string, paymentIntentId: string) => {
  const event = world.sandbox.stripe
    .events()
    .find((one) => one.type === type && (one.data.object as { id?: string }).id === paymentIntentId)
  if (!event) throw new Error(`no event ${type}`)
  return event
}
const premium = (transactionsLeft: number, lastReset = START) =>
  ({ tier: 'premium', status: 'active', transactionsLeft, startDate: START, lastReset }) as const
const left = async (uid: string) =>
  (await world.context.db.doc(`users/${uid}`).get()).get('subscription.transactionsLeft')
const ledger = async (uid: string, month = '2026-11') =>
  (await world.context.db.doc(`ledgers/${uid}_${month}`).get()).data()

describe('a transfer', () => {
  test('is reserved, paid, recorded', async () => {
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

  test('of Canadian dollars counts in euros', async () => {
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
    const [first, ...others] = await Promise.all([started(request), started(request), started(request)])
    if (!first) throw new Error('not started')
    expect(others).toEqual([first, first])
    expect(await started({ ...request, recipientPhone: '+224620000000' })).toEqual(first)
    expect(intents()).toHaveLength(1)
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })

    await world.pay(first.paymentIntentId)
    await record(uid, request.attemptId)
    expect(await started(request)).toEqual({ ...first, status: 'succeeded' })
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test.each<[string, Partial<PaymentRequest>]>([
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

  test('keeps its price when the plan changes after it was started', async () => {
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

  test('is never recorded before the provider says that it succeeded', async () => {
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

describe('the monthly cap', () => {
  test.each(Array.from({ length: 20 }, (_, i) => i + 1))(
    'holds under 20 payments of 100 EUR at once, time %i: exactly 10 are let through',
    async () => {
      const uid = await world.person()
      const token = await world.token(uid)
      // A client that is told that the cap could not be checked asks again with the same attempt.
      const insist = async (request: PaymentRequest): Promise<string> => {
        const { status, body } = await world.invoke('create-payment-intent', request, { token })
        if (status === 200) return 'started'
        return body.code === 'capUnavailable' ? insist(request) : String(body.code)
      }
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => insist(requestOf(uid))))
      expect(outcomes.toSorted()).toEqual([
        ...Array(10).fill('monthlyCapExceeded'),
        ...Array(10).fill('started'),
      ])
      expect(intents()).toHaveLength(10)
      await Promise.all(intents().map(({ id }) => world.pay(id)))
      await Promise.all(
        intents().map(({ id }) => recordTransfer(world.context, { uid }, { paymentIntentId: id })),
      )
      expect(await ledger(uid)).toMatchObject({ recordedCents: 100_000, reservedCents: 0 })
      expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(10)
    },
  )

  test('is what the transfers of a month add up to, with its index and without', async () => {
    const uid = await world.person()
    const sent = [
      requestOf(uid),
      requestOf(uid, { amount: 1667, currency: 'cad', expected: { fee: 50, converted: 103_537 } }),
      requestOf(uid, { amount: 3333, currency: 'cad', expected: { fee: 100, converted: 207_009 } }),
    ]
    for (const request of sent) {
      await world.pay((await started(request)).paymentIntentId)
      await record(uid, request.attemptId)
    }
    await started(requestOf(uid))
    const { recordedCents } = (await ledger(uid)) ?? {}
    // 100 EUR, and 16.67 and 33.33 CAD at 0.6, each half up.
    expect(recordedCents).toBe(10_000 + 1000 + 2000)
    expect(await sumOfMonth(world.context, uid, '2026-11')).toBe(recordedCents)
    expect(await sumOfMonth(world.context, uid, '2026-12')).toBe(0)
    expect(await sumOfMonth(world.context, 'somebody-else', '2026-11')).toBe(0)

    const queries = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    world.sandbox.faults.add({ on: queries, times: 1, what: { kind: 'noIndex' } })
    expect(await sumOfMonth(world.context, uid, '2026-11')).toBe(recordedCents)
    expect(world.logged.at(-1)).toMatchObject({ level: 'error', event: 'indexMissing' })
    world.sandbox.faults.add({ on: queries, times: 9, what: { kind: 'status', status: 403 } })
    await expect(sumOfMonth(world.context, uid, '2026-11')).rejects.toThrow()
    world.sandbox.faults.reset()
  })

  test('counts transfers that are older than the ledger of their month', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const request = requestOf(uid, { amount: 50_000, expected })
    await world.pay((await started(request)).paymentIntentId)
    await record(uid, request.attemptId)
    await world.context.db.doc(`transactions/before`).set({
      ...(await world.context.db.collection('transactions').get()).docs[0]?.data(),
      status: 'failed',
    })
    await world.context.db.doc(`ledgers/${uid}_2026-11`).delete()
    await started(requestOf(uid, { amount: 50_000, expected }))
    expect(await ledger(uid)).toMatchObject({ recordedCents: 50_000, reservedCents: 50_000 })
    expect(await start(requestOf(uid))).toMatchObject({ error: { code: 'monthlyCapExceeded' } })
    await world.context.db.doc(`transactions/before`).delete()
  })

  test.each([0, 1])('does not count what was received (%i times without the index)', async (times) => {
    const uid = await world.person()
    const request = requestOf(uid)
    await world.pay((await started(request)).paymentIntentId)
    await record(uid, request.attemptId)
    const received = world.context.db.doc('transactions/received')
    await received.set({
      ...(await world.context.db.collection('transactions').get()).docs[0]?.data(),
      type: 'received',
    })
    await world.context.db.doc(`ledgers/${uid}_2026-11`).delete()
    const queries = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    if (times > 0) world.sandbox.faults.add({ on: queries, times, what: { kind: 'noIndex' } })
    await started(requestOf(uid))
    expect(await ledger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 10_000 })
    await received.delete()
  })

  test('says what is left and when it starts anew', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    await started(requestOf(uid, { amount: 50_000, expected }))
    await started(requestOf(uid, { amount: 45_000, expected: { fee: 1350, converted: 4_626_900 } }))
    expect(await start(requestOf(uid))).toEqual({
      ok: false,
      error: {
        status: 409,
        code: 'monthlyCapExceeded',
        error: 'MONTHLY_CAP_EXCEEDED',
        message: expect.stringMatching(
          /^Plafond mensuel atteint \(1\s000\s€\)\. Il vous reste 50,00\s€ ce mois-ci ; un nouveau mois commence le 1er décembre 2026\.$/,
        ),
        details: { leftCents: 5000, resetsAt: Date.UTC(2026, 11, 1) },
      },
    })
    await started(requestOf(uid, { amount: 5000, expected: { fee: 150, converted: 514_100 } }))
    expect(await ledger(uid)).toMatchObject({ reservedCents: 100_000 })
  })

  test('is free again for what was canceled, not for what was paid', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const one = requestOf(uid, { amount: 50_000, expected })
    const two = requestOf(uid, { amount: 50_000, expected })
    const paid = await started(one)
    await started(two)
    await world.pay(paid.paymentIntentId)
    expect(await cancel(uid, one.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await cancel(uid, two.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    await started(requestOf(uid, { amount: 50_000, expected }))
    expect(
      await start(requestOf(uid, { amount: 1000, expected: { fee: 30, converted: 102_820 } })),
    ).toMatchObject({
      error: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
  })

  test('belongs to the UTC month in which the payment was started', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const large = () => requestOf(uid, { amount: 50_000, expected })
    world.setTime(Date.UTC(2026, 11, 1) - 1)
    const last = large()
    const { paymentIntentId } = await started(last)
    await started(large())
    expect(await start(requestOf(uid))).toMatchObject({ error: { code: 'monthlyCapExceeded' } })

    world.pass(1)
    await started(large())
    await world.pay(paymentIntentId)
    expect(await record(uid, last.attemptId)).toMatchObject({
      value: {
        outcome: 'paid',
        transaction: { createdAt: Date.UTC(2026, 11, 1) - 1, settledAt: Date.UTC(2026, 11, 1) },
      },
    })
    expect(await ledger(uid, '2026-11')).toMatchObject({ recordedCents: 50_000, reservedCents: 50_000 })
    expect(await ledger(uid, '2026-12')).toMatchObject({ recordedCents: 0, reservedCents: 50_000 })
  })

  test('that can not be read refuses in words, and nothing is charged', async () => {
    const uid = await world.person()
    const reads = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet'
    world.sandbox.faults.add({ on: reads, times: 100, what: { kind: 'status', status: 403 } })
    expect(await start(requestOf(uid))).toEqual({
      ok: false,
      error: expect.objectContaining({
        status: 503,
        code: 'capUnavailable',
        error: 'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.',
      }),
    })
    world.sandbox.faults.reset()
    expect(intents()).toEqual([])
    expect((await world.records()).attempts.size).toBe(0)
  })

  test('that does not answer in time refuses too', async () => {
    const uid = await world.person()
    const reads = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet'
    world.sandbox.faults.add({ on: reads, times: 1, what: { kind: 'delay', ms: 300 } })
    const impatient = { ...world.context, patience: 50 }
    expect(await createPaymentIntent(impatient, { uid }, requestOf(uid))).toMatchObject({
      error: { code: 'capUnavailable' },
    })
    expect(intents()).toEqual([])
  })
})

describe('new attempts', () => {
  test('are limited for each user, who can still go on with those that are started', async () => {
    const uid = await world.person()
    const first = requestOf(uid)
    await started(first)
    for (let i = 1; i < 30; i += 1) {
      const request = requestOf(uid)
      await started(request)
      await cancel(uid, request.attemptId)
    }
    world.pass(4 * MINUTE)
    expect(await start(requestOf(uid))).toMatchObject({
      error: { status: 429, code: 'tooManyRequests', details: { retryAfterSeconds: 360 } },
    })
    expect(intents()).toHaveLength(30)
    expect(await start(first)).toMatchObject({ ok: true })
    expect(await start(requestOf(await world.person()))).toMatchObject({ ok: true })
    world.pass(6 * MINUTE)
    expect(await start(requestOf(uid))).toMatchObject({ ok: true })
  })
})

describe("a person's cap", () => {
  const NUMBER = '+33612345678'
  const half = { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }
  const begin = (caller: Caller, changes: Partial<PaymentRequest> = {}) =>
    createPaymentIntent(world.context, caller, requestOf(caller.uid, { ...half, ...changes }))
  const uses = async () => (await world.context.db.collection('capUses').get()).docs.map((one) => one.data())
  const december = Date.UTC(2026, 11, 1)

  async function pay(caller: Caller) {
    const request = requestOf(caller.uid, half)
    const begun = await createPaymentIntent(world.context, caller, request)
    await world.pay(begun.ok ? begun.value.paymentIntentId : '')
    expect(await record(caller.uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  }

  test('follows the verified number to another account, and starts anew with the month', async () => {
    const first = { uid: await world.person(), phone: NUMBER }
    await pay(first)
    await begin(first)
    const again = { uid: await world.person(), phone: NUMBER }
    expect(await begin(again, { amount: 1000, expected: { fee: 30, converted: 102_820 } })).toMatchObject({
      error: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
    expect(await uses()).toEqual([{ recordedCents: 50_000, reservedCents: 50_000, endsAt: december }])
    expect((await begin({ uid: await world.person(), phone: '+33612345679' })).ok).toBe(true)
    world.setTime(december)
    expect((await begin(again)).ok).toBe(true)
  })

  test('follows the verified address too, however it is written', async () => {
    const one = { uid: await world.person(), phone: NUMBER, email: 'Ada@example.com' }
    await pay(one)
    await pay({ uid: await world.person(), email: 'ada@example.com' })
    expect(await begin(one)).toMatchObject({ error: { code: 'monthlyCapExceeded' } })
    expect((await begin({ uid: await world.person(), phone: NUMBER })).ok).toBe(true)
  })

  test('is given back with the reservation, and what was named for it goes', async () => {
    const caller = { uid: await world.person(), phone: NUMBER }
    const request = requestOf(caller.uid, half)
    await createPaymentIntent(world.context, caller, request)
    const stored = world.context.db.doc(`attempts/${attemptKey(caller.uid, request.attemptId)}`)
    const personKey = world.context.pseudonym(`person:${NUMBER}`)
    expect((await stored.get()).get('persons')).toEqual([caller.uid, personKey])
    await cancel(caller.uid, request.attemptId)
    expect((await stored.get()).get('persons')).toEqual([])
    expect(await uses()).toEqual([{ recordedCents: 0, reservedCents: 0, endsAt: december }])
    await pay(caller)
    for (const attempt of (await world.records()).attempts.values()) expect(attempt.persons).toEqual([])
  })

  test('is forgotten some hours after the month, and what ends then counts nowhere', async () => {
    world.setTime(december - MINUTE)
    const caller = { uid: await world.person(), phone: NUMBER }
    const late = requestOf(caller.uid, half)
    await createPaymentIntent(world.context, caller, late)
    world.setTime(december + 5 * HOUR)
    await begin({ ...caller, uid: await world.person() })
    world.sandbox.faults.add({
      on: 'GET /v1/payment_intents',
      times: 99,
      what: { kind: 'status', status: 500 },
    })
    world.sandbox.faults.add({
      on: 'POST /v1/payment_intents',
      times: 99,
      what: { kind: 'status', status: 500 },
    })
    await sweep(world.context)
    expect(await uses()).toHaveLength(2)
    world.pass(2 * HOUR)
    await sweep(world.context)
    expect(await uses()).toMatchObject([{ endsAt: Date.UTC(2027, 0, 1) }])
    world.sandbox.faults.reset()
    await sweep(world.context)
    expect(await ledger(caller.uid)).toMatchObject({ reservedCents: 0 })
    expect(await uses()).toHaveLength(1)
  })
})

describe('the same transfer once more', () => {
  const PHONE = '+224620000000'
  const toAunt = (uid: string, changes: Partial<PaymentRequest> = {}) =>
    requestOf(uid, { recipientPhone: PHONE, ...changes })
  const asked = (id: string, at: number, isPaid: boolean) => ({
    ok: false,
    error: expect.objectContaining({
      status: 409,
      code: 'sentAlready',
      details: { id, phone: PHONE, amount: 10_000, currency: 'EUR', at, isPaid },
    }),
  })
  const BY_CREATION = {
    collectionGroup: 'transactions',
    queryScope: 'COLLECTION',
    fields: [
      { fieldPath: 'senderId', order: 'ASCENDING' },
      { fieldPath: 'createdAt', order: 'DESCENDING' },
    ],
  }
  /** One transfer to the end. */
  async function sent(request: PaymentRequest) {
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    await record(request.senderId, request.attemptId)
    return paymentIntentId
  }

  test('is asked about while the first is open, on whichever device it was begun, and not reserved', async () => {
    const uid = await world.person()
    const first = toAunt(uid)
    const { paymentIntentId } = await started(first)
    await world.pay(paymentIntentId, 'pm_card_authenticationRequired')
    world.pass(25 * MINUTE)
    const second = toAunt(uid)
    expect(await start(second)).toEqual(asked(first.attemptId, START, false))
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })
    expect(intents()).toHaveLength(1)
    await started({ ...second, again: first.attemptId })
    expect(intents()).toHaveLength(2)
  })

  test('is asked about for ten minutes after it was paid, however long that took', async () => {
    const uid = await world.person()
    const first = toAunt(uid)
    const { paymentIntentId } = await started(first)
    world.pass(25 * MINUTE)
    await world.pay(paymentIntentId)
    await record(uid, first.attemptId)
    world.pass(10 * MINUTE)
    const paidAt = START + 25 * MINUTE
    expect(await start(toAunt(uid))).toEqual(asked(paymentIntentId, paidAt, true))
    world.pass(1)
    await started(toAunt(uid))
  })

  test('is asked about while the database has no index for it yet', async () => {
    const older = await createWorld({ deployed: { indexes: { indexes: [BY_CREATION] } } })
    onTestFinished(() => older.close())
    const uid = await older.person()
    const begin = (request: PaymentRequest) => createPaymentIntent(older.context, { uid }, request)
    const first = toAunt(uid)
    const begun = await begin(first)
    await older.pay(begun.ok ? begun.value.paymentIntentId : '')
    await recordTransfer(older.context, { uid }, { attemptId: first.attemptId })
    expect(await begin(toAunt(uid))).toMatchObject({ error: { code: 'sentAlready' } })
    expect(older.logged).toContainEqual({ level: 'error', event: 'indexMissing', of: 'transactions' })
  })

  test('is let through by who was asked about exactly that one', async () => {
    const uid = await world.person()
    const first = await sent(toAunt(uid))
    world.pass(MINUTE)
    const other = toAunt(uid)
    await started({ ...other, again: first })
    const third = toAunt(uid, { again: first })
    expect(await start(third)).toEqual(asked(other.attemptId, START + MINUTE, false))
    expect(await start({ ...third, again: 'pi_of_somebody' })).toEqual(
      asked(other.attemptId, START + MINUTE, false),
    )
    await started({ ...third, again: other.attemptId })
  })

  test('is let through when the one that was asked about has been paid meanwhile', async () => {
    const uid = await world.person()
    const first = toAunt(uid)
    const { paymentIntentId } = await started(first)
    const second = toAunt(uid)
    expect(await start(second)).toEqual(asked(first.attemptId, START, false))
    world.pass(MINUTE)
    await world.pay(paymentIntentId)
    await record(uid, first.attemptId)
    await started({ ...second, again: first.attemptId })
  })

  test('that is begun twice at once is begun once, and asked about', async () => {
    const uid = await world.person()
    const results = await Promise.all([start(toAunt(uid)), start(toAunt(uid))])
    expect(results.map((result) => (result.ok ? 'started' : result.error.code)).toSorted()).toEqual([
      'sentAlready',
      'started',
    ])
    expect(intents()).toHaveLength(1)
  })

  test('that is begun twice at once on two sides of midnight is begun once, and asked about', async () => {
    const uid = await world.person()
    const midnight = Date.UTC(2026, 11, 1)
    const at = (now: number) => ({ ...world.context, now: () => now })
    const results = await Promise.all(
      [midnight - 1, midnight].map((now) => createPaymentIntent(at(now), { uid }, toAunt(uid))),
    )
    expect(results.map((result) => (result.ok ? 'started' : result.error.code)).toSorted()).toEqual([
      'sentAlready',
      'started',
    ])
  })

  test.each<[string, Partial<PaymentRequest>]>([
    ['to another number', { recipientPhone: '+224620000001' }],
    ['of another amount', { amount: 10_001, expected: { fee: 300, converted: 1_028_306 } }],
    ['in another currency', { currency: 'cad', expected: { fee: 300, converted: 621_091 } }],
  ])('is another one %s', async (_, changes) => {
    const uid = await world.person()
    await sent(toAunt(uid))
    await started(toAunt(uid, changes))
  })

  test('is another one when the first was given up, or is of somebody else', async () => {
    const uid = await world.person()
    const first = toAunt(uid)
    await started(first)
    await cancel(uid, first.attemptId)
    await started(toAunt(uid))
    await started(toAunt(await world.person()))
  })
})

describe('a plan', () => {
  const free = { fee: 0, converted: 1_060_000 }

  test('gives its last transfer to one of 8 payments at once', { timeout: 120_000 }, async () => {
    const uid = await world.person(premium(1))
    const insist = async (request: PaymentRequest): Promise<string> => {
      const result = await start(request)
      if (result.ok) return 'started'
      return result.error.code === 'capUnavailable' ? insist(request) : result.error.code
    }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => insist(requestOf(uid, { expected: free }))),
    )
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('quoteChanged'), 'started'])
    expect(await ledger(uid)).toMatchObject({ reservedSlots: 1 })
    expect(await left(uid)).toBe(1)
  })

  test('has one transfer less once it is recorded, however often it is told', async () => {
    const uid = await world.person(premium(2))
    const request = requestOf(uid, { expected: free })
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    await record(uid, request.attemptId)
    await record(uid, request.attemptId)
    expect(await left(uid)).toBe(1)
    expect(await ledger(uid)).toMatchObject({ reservedSlots: 0, recordedCents: 10_000 })
  })

  test('has one transfer less under a coupon too', async () => {
    const uid = await world.person({ ...premium(2), tier: 'basic' })
    const request = requestOf(uid, { couponCode: 'zéro', expected: free })
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({
      value: { transaction: { fees: 0, couponCode: 'zéro' } },
    })
    expect(await left(uid)).toBe(1)
  })

  test('keeps its transfer when the payment is canceled', async () => {
    const uid = await world.person(premium(1))
    const request = requestOf(uid, { expected: free })
    await started(request)
    expect(await start(requestOf(uid, { expected: free }))).toMatchObject({ error: { code: 'quoteChanged' } })
    await cancel(uid, request.attemptId)
    await started(requestOf(uid, { expected: free }))
  })

  test('is filled again in a new month, once, and not by what the old month still owes', async () => {
    const uid = await world.person(premium(1))
    const old = requestOf(uid, { expected: free })
    const { paymentIntentId } = await started(old)
    world.setTime(Date.UTC(2026, 11, 1))
    const fresh = requestOf(uid, { expected: free })
    const second = await started(fresh)
    expect(await left(uid)).toBe(5)
    await started(requestOf(uid, { expected: free }))
    expect(await left(uid)).toBe(5)

    await world.pay(paymentIntentId)
    await record(uid, old.attemptId)
    expect(await left(uid)).toBe(5)
    await world.pay(second.paymentIntentId)
    await record(uid, fresh.attemptId)
    expect(await left(uid)).toBe(4)
  })

  const DECEMBER = Date.UTC(2026, 11, 1)
  const codeOf = (result: Awaited<ReturnType<typeof start>>) => (result.ok ? 'started' : result.error.code)

  test('gives no transfer of the new month to an instance whose clock is still in the old one', async () => {
    const uid = await world.person(premium(0))
    const at = (now: number) => ({ ...world.context, now: () => now })
    const outcomes: string[] = []
    for (const clock of [...Array(5).fill(DECEMBER), ...Array(2).fill(DECEMBER - 1)])
      outcomes.push(codeOf(await createPaymentIntent(at(clock), { uid }, requestOf(uid, { expected: free }))))
    expect(outcomes).toEqual([...Array(5).fill('started'), ...Array(2).fill('quoteChanged')])
    expect(await ledger(uid, '2026-12')).toMatchObject({ reservedSlots: 5 })
    await createPaymentIntent(at(DECEMBER - 1), { uid }, requestOf(uid))
    expect(await ledger(uid, '2026-12')).toMatchObject({ reservedSlots: 5, reservedCents: 60_000 })
    expect(await ledger(uid)).toBeUndefined()
  })

  test('gives no transfer of the new month to a payment that has waited since the old one', async () => {
    const uid = await world.person(premium(0))
    world.setTime(DECEMBER - 1)
    const outcomes: string[] = []
    const begin = async () => void outcomes.push(codeOf(await start(requestOf(uid, { expected: free }))))
    await world.interrupted(1, begin, async () => {
      world.setTime(DECEMBER)
      for (let times = 0; times < 5; times += 1) await begin()
    })
    expect(outcomes.toSorted()).toEqual(['quoteChanged', ...Array(5).fill('started')])
    expect(await ledger(uid, '2026-12')).toMatchObject({ reservedSlots: 5 })
  })

  test('that a refusal looked at is not filled again by it', async () => {
    const uid = await world.person(premium(1))
    world.setTime(Date.UTC(2026, 11, 1))
    expect(await start(requestOf(uid))).toMatchObject({ error: { code: 'quoteChanged' } })
    expect(await left(uid)).toBe(1)
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
      await cancel(eve, request.attemptId),
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

describe('a PaymentIntent that the provider does not make', () => {
  const CREATE = 'POST /v1/payment_intents'
  const ended = { error: { status: 409, code: 'attemptEnded' } }
  const canceled = { ok: true, value: { outcome: 'unpaid', status: 'canceled' } }

  test.each([
    ['its own failure, kept under the key', { on: CREATE, times: 1, what: { status: 500, kept: true } }],
    ['its own failure, not kept', { on: CREATE, times: 3, what: { status: 503 } }],
    ['a refusal, kept under the key', { on: CREATE, times: 1, what: { status: 402, kept: true } }],
    ['a refusal, not kept', { on: CREATE, times: 1, what: { status: 401 } }],
  ])('gives the amount back at once, and never comes later (%s)', async (_, { on, times, what }) => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const request = requestOf(uid, { amount: 50_000, expected })
    world.sandbox.faults.add({ on, times, what: { kind: 'status', ...what } })
    expect(await start(request)).toMatchObject(ended)
    expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
    expect(await start(request)).toMatchObject(ended)
    expect(await record(uid, request.attemptId)).toEqual(canceled)
    expect(await cancel(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(intents()).toEqual([])
    await started(requestOf(uid, { amount: 50_000, expected }))
    await started(requestOf(uid, { amount: 50_000, expected }))
  })

  test.each([
    ['another call is in progress', { on: CREATE, times: 3, what: { kind: 'status', status: 409 } }],
    ['too many calls', { on: CREATE, times: 1, what: { kind: 'status', status: 429 } }],
    ['the connection is lost', { on: CREATE, times: 3, what: { kind: 'cutBefore' } }],
  ] as const)('keeps its reservation when that is not known (%s)', async (_, fault) => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add(fault)
    await expect(start(request)).rejects.toThrow()
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })
    await started(request)
    expect(intents()).toHaveLength(1)
  })

  test('is known to the sweep and to who gives it up, also when the process died of it', async () => {
    const uid = await world.person()
    // So that the first steps are those of the payment, and not of comparing the records.
    await sweep(world.context)
    for (const end of [(attemptId: string) => cancel(uid, attemptId), () => sweep(world.context)]) {
      const request = requestOf(uid)
      world.sandbox.faults.add({ on: CREATE, times: 1, what: { kind: 'status', status: 500, kept: true } })
      const { context } = crashAt(world.context, 2, 'after')
      await expect(createPaymentIntent(context, { uid }, request)).rejects.toThrow()
      expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })
      world.pass(31 * MINUTE)
      await end(request.attemptId)
      expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
      expect(await record(uid, request.attemptId)).toEqual(canceled)
    }
  })

  test('for one of two calls at once leaves what the other one made', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: CREATE, times: 3, what: { kind: 'status', status: 500 } })
    let paymentIntentId = ''
    const context = asking((create) =>
      create().catch(async (error) => {
        ;({ paymentIntentId } = await started(request))
        throw error
      }),
    )
    await expect(createPaymentIntent(context, { uid }, request)).rejects.toThrow()
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    await world.checkInvariants({ quiet: true })
  })

  test('and that comes after all, once the amount was given back, is shown to nobody', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    // The provider's failure is not kept: the call that came first is answered last.
    const context = asking(async (create) => {
      world.sandbox.faults.add({ on: CREATE, times: 3, what: { kind: 'status', status: 500 } })
      expect(await start(request)).toMatchObject(ended)
      return create()
    })
    expect(await createPaymentIntent(context, { uid }, request)).toMatchObject(ended)
    expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
    expect(intents()).toHaveLength(1)
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
    await world.context.stripe.refunds.create({ payment_intent: paymentIntentId })
    const tell = await told('refund.failed')
    const before = await world.records()
    expect(await tell()).toEqual({ status: 200, body: { received: true } })
    expect(await world.records()).toEqual(before)
  })
})

describe('an attempt that is given up', () => {
  test('is canceled at the provider before its amount is free', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    world.sandbox.faults.add({
      on: `POST /v1/payment_intents/${paymentIntentId}/cancel`,
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    await expect(cancel(uid, request.attemptId)).rejects.toThrow()
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })

    expect(await cancel(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(await cancel(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(intents()).toMatchObject([{ id: paymentIntentId, status: 'canceled' }])
    expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
    expect(await start(request)).toMatchObject({ error: { status: 409, code: 'attemptEnded' } })
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'canceled' },
    })
    await world.checkInvariants({ quiet: true })
  })

  test('whose PaymentIntent was never written down is found by its key and canceled', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(start(request)).rejects.toThrow()
    expect(intents()).toHaveLength(1)
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })
    expect(await cancel(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(intents()).toMatchObject([{ status: 'canceled' }])
    await world.checkInvariants({ quiet: true })
  })

  test('is settled when it turns out to be paid', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(start(request)).rejects.toThrow()
    await world.pay(intents()[0]?.id ?? '')
    expect(await cancel(uid, request.attemptId)).toMatchObject({ ok: true, value: { outcome: 'paid' } })
    await world.checkInvariants({ quiet: true })
  })

  test('while it is being started gets no client secret', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const context = asking(async (create) => {
      const intent = await create()
      expect(await cancel(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
      return intent
    })
    expect(await createPaymentIntent(context, { uid }, request)).toMatchObject({
      error: { code: 'attemptEnded' },
    })
    expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test('ends when somebody cancels its PaymentIntent at the provider', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const { paymentIntentId } = await started(request)
    await world.context.stripe.paymentIntents.cancel(paymentIntentId)
    const event = eventOf('payment_intent.canceled', paymentIntentId)
    await world.deliver(event)
    await world.deliver(event)
    expect(await ledger(uid)).toMatchObject({ reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test('is unknown before it is started', async () => {
    const uid = await world.person()
    for (const refused of [await record(uid, crypto.randomUUID()), await cancel(uid, crypto.randomUUID())])
      expect(refused).toMatchObject({ error: { status: 404, code: 'paymentNotFound' } })
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
    expect(await start(request)).toMatchObject({ value: { paymentIntentId: intents()[0]?.id } })
    expect(await sweep(world.context)).toEqual({ forgotten: 1, released: 1 })
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'canceled' },
    })
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
