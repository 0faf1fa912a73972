import { describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { crashAt } from './testing/crashAt.ts'
import { cancelPayment, intents, record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { asking, eventOf, ledger, start, started } from './testing/payments.ts'
import { requestOf } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('new attempts', () => {
  test('are limited for each user, who can still go on with those that are started', async () => {
    const uid = await world.person()
    const first = requestOf(uid)
    await started(first)
    for (let i = 1; i < 30; i += 1) {
      const request = requestOf(uid)
      await started(request)
      await cancelPayment(uid, request.attemptId)
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
    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
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
    for (const end of [(attemptId: string) => cancelPayment(uid, attemptId), () => sweep(world.context)]) {
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
    await expect(cancelPayment(uid, request.attemptId)).rejects.toThrow()
    expect(await ledger(uid)).toMatchObject({ reservedCents: 10_000 })

    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
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
    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(intents()).toMatchObject([{ status: 'canceled' }])
    await world.checkInvariants({ quiet: true })
  })

  test('is settled when it turns out to be paid', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(start(request)).rejects.toThrow()
    await world.pay(intents()[0]?.id ?? '')
    expect(await cancelPayment(uid, request.attemptId)).toMatchObject({
      ok: true,
      value: { outcome: 'paid' },
    })
    await world.checkInvariants({ quiet: true })
  })

  test('while it is being started gets no client secret', async () => {
    const uid = await world.person()
    const request = requestOf(uid)
    const context = asking(async (create) => {
      const intent = await create()
      expect(await cancelPayment(uid, request.attemptId)).toEqual({
        ok: true,
        value: { outcome: 'released' },
      })
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
    for (const refused of [
      await record(uid, crypto.randomUUID()),
      await cancelPayment(uid, crypto.randomUUID()),
    ])
      expect(refused).toMatchObject({ error: { status: 404, code: 'paymentNotFound' } })
  })
})
