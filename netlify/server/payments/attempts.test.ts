import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { createCrashingContext } from '../../testing/crashingContext.ts'
import {
  cancelPayment,
  listIntents,
  recordPayment,
  resetWorldForEachTest,
  world,
} from '../../testing/emptyWorld.ts'
import {
  createInterceptedContext,
  expectTransferPaymentStarted,
  findEvent,
  readStoredLedger,
  startTransferPayment,
} from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('new attempts', () => {
  test('limits a user’s new attempts, but not continued ones', async () => {
    const uid = await world.person()
    const first = buildTransferRequest(uid)
    await expectTransferPaymentStarted(first)
    for (let i = 1; i < 30; i += 1) {
      const request = buildTransferRequest(uid)
      await expectTransferPaymentStarted(request)
      await cancelPayment(uid, request.attemptId)
    }
    world.pass(4 * MINUTE)
    expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
      error: { status: 429, code: 'tooManyRequests', details: { retryAfterSeconds: 360 } },
    })
    expect(listIntents()).toHaveLength(30)
    expect(await startTransferPayment(first)).toMatchObject({ ok: true })
    expect(await startTransferPayment(buildTransferRequest(await world.person()))).toMatchObject({ ok: true })
    world.pass(6 * MINUTE)
    expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({ ok: true })
  })
})

describe('the attempts of a form', () => {
  const refused = { error: { status: 409, code: 'formSentAlready' } }
  const changes = { amount: 5000, expected: { fee: 150, converted: 514_100 } }
  const endings: Record<
    string,
    (uid: string, attemptId: string, paymentIntentId: string) => Promise<unknown>
  > = {
    open: async () => {},
    'paid, but not recorded': (_, __, id) => world.pay(id),
    recorded: async (uid, attemptId, id) => {
      await world.pay(id)
      await recordPayment(uid, attemptId)
    },
    'owed back': async (uid, attemptId, id) => {
      await world.pay(id)
      const { db } = world.context
      const user = await db.doc(`users/${uid}`).get()
      await user.ref.delete()
      await recordPayment(uid, attemptId)
      await user.ref.set(user.data() ?? {})
    },
  }

  test.each(Object.entries(endings))(
    'a form whose attempt is %s gets no other one @spec-one-charge',
    async (_, end) => {
      const uid = await world.person()
      const first = buildTransferRequest(uid)
      const { paymentIntentId } = await expectTransferPaymentStarted(first)
      await end(uid, first.attemptId, paymentIntentId)
      world.pass(DAY)
      const ledger = await readStoredLedger(uid)
      const second = buildTransferRequest(uid, { draftId: first.draftId, ...changes })
      expect(await startTransferPayment(second)).toMatchObject(refused)
      expect(await readStoredLedger(uid)).toEqual(ledger)
      expect(await recordPayment(uid, second.attemptId)).toMatchObject({ error: { code: 'paymentNotFound' } })
    },
  )

  test('the same attempt of a form can begin again', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    await expectTransferPaymentStarted(request)
    await expectTransferPaymentStarted(request)
    expect(listIntents()).toHaveLength(1)
  })

  test('a form gets another attempt once the earlier ones are released @spec-one-charge', async () => {
    const uid = await world.person()
    const first = buildTransferRequest(uid)
    const { draftId } = first
    await expectTransferPaymentStarted(first)
    await cancelPayment(uid, first.attemptId)
    await expectTransferPaymentStarted(buildTransferRequest(uid, { draftId, ...changes }))
    expect(await startTransferPayment(buildTransferRequest(uid, { draftId }))).toMatchObject(refused)
  })

  test('one of two concurrent attempts of a form begins', async () => {
    const uid = await world.person()
    const first = buildTransferRequest(uid)
    const second = buildTransferRequest(uid, { draftId: first.draftId, ...changes })
    const results = await Promise.all([first, second].map((request) => startTransferPayment(request)))
    expect(results.map((result) => (result.ok ? 'started' : result.error.code)).toSorted()).toEqual([
      'formSentAlready',
      'started',
    ])
    expect(listIntents()).toHaveLength(1)
  })

  test('an attempt with the ID of another user’s form begins', async () => {
    const { draftId } = buildTransferRequest('')
    for (const uid of [await world.person(), await world.person()])
      await expectTransferPaymentStarted(buildTransferRequest(uid, { draftId }))
  })
})

describe('a PaymentIntent that Stripe does not create', () => {
  const CREATE = 'POST /v1/payment_intents'
  const ended = { error: { status: 409, code: 'attemptEnded' } }
  const canceled = { ok: true, value: { outcome: 'unpaid', status: 'canceled' } }

  test.each([
    ['500, repeated for the idempotency key', { on: CREATE, times: 1, what: { status: 500, kept: true } }],
    ['503, not repeated', { on: CREATE, times: 3, what: { status: 503 } }],
    ['402, repeated for the idempotency key', { on: CREATE, times: 1, what: { status: 402, kept: true } }],
    ['401, not repeated', { on: CREATE, times: 1, what: { status: 401 } }],
  ])(
    'releases the reservation immediately if Stripe refuses to create a PaymentIntent (%s)',
    async (_, { on, times, what }) => {
      const uid = await world.person()
      const expected = { fee: 1500, converted: 5_141_000 }
      const request = buildTransferRequest(uid, { amount: 50_000, expected })
      world.sandbox.faults.add({ on, times, what: { kind: 'status', ...what } })
      expect(await startTransferPayment(request)).toMatchObject(ended)
      expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
      expect(await startTransferPayment(request)).toMatchObject(ended)
      expect(await recordPayment(uid, request.attemptId)).toEqual(canceled)
      expect(await cancelPayment(uid, request.attemptId)).toEqual({
        ok: true,
        value: { outcome: 'released' },
      })
      expect(listIntents()).toEqual([])
      await expectTransferPaymentStarted(buildTransferRequest(uid, { amount: 50_000, expected }))
      await expectTransferPaymentStarted(buildTransferRequest(uid, { amount: 50_000, expected }))
    },
  )

  test.each([
    ['another call is in progress', { on: CREATE, times: 3, what: { kind: 'status', status: 409 } }],
    ['too many calls', { on: CREATE, times: 1, what: { kind: 'status', status: 429 } }],
    ['the connection is lost', { on: CREATE, times: 3, what: { kind: 'cutBefore' } }],
  ] as const)('keeps the reservation if the PaymentIntent’s creation is unknown (%s)', async (_, fault) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add(fault)
    await expect(startTransferPayment(request)).rejects.toThrow()
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })
    await expectTransferPaymentStarted(request)
    expect(listIntents()).toHaveLength(1)
  })

  test('a cancellation or the job ends an attempt without PaymentIntent', async () => {
    const uid = await world.person()
    // Compares the records now, so that the crash below hits a step of the payment.
    await runDueWork(world.context)
    for (const end of [
      (attemptId: string) => cancelPayment(uid, attemptId),
      () => runDueWork(world.context),
    ]) {
      const request = buildTransferRequest(uid)
      world.sandbox.faults.add({ on: CREATE, times: 1, what: { kind: 'status', status: 500, kept: true } })
      const { context } = createCrashingContext(world.context, 2, 'after')
      await expect(createPaymentIntent(context, { uid }, request)).rejects.toThrow()
      expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })
      world.pass(31 * MINUTE)
      await end(request.attemptId)
      expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
      expect(await recordPayment(uid, request.attemptId)).toEqual(canceled)
    }
  })

  test('a concurrent failed call leaves the PaymentIntent unchanged', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add({ on: CREATE, times: 3, what: { kind: 'status', status: 500 } })
    let paymentIntentId = ''
    const context = createInterceptedContext((create) =>
      create().catch(async (error) => {
        ;({ paymentIntentId } = await expectTransferPaymentStarted(request))
        throw error
      }),
    )
    await expect(createPaymentIntent(context, { uid }, request)).rejects.toThrow()
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    await world.checkInvariants({ quiet: true })
  })

  test('does not reveal a PaymentIntent created after its release', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    // Stripe does not repeat its error, so the first call succeeds after the second one has failed.
    const context = createInterceptedContext(async (create) => {
      world.sandbox.faults.add({ on: CREATE, times: 3, what: { kind: 'status', status: 500 } })
      expect(await startTransferPayment(request)).toMatchObject(ended)
      return create()
    })
    expect(await createPaymentIntent(context, { uid }, request)).toMatchObject(ended)
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
    expect(listIntents()).toHaveLength(1)
    await world.checkInvariants({ quiet: true })
  })
})

describe('an attempt that is canceled', () => {
  test('cancels the PaymentIntent of an attempt before releasing its reservation', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    world.sandbox.faults.add({
      on: `POST /v1/payment_intents/${paymentIntentId}/cancel`,
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    await expect(cancelPayment(uid, request.attemptId)).rejects.toThrow()
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })

    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(listIntents()).toMatchObject([{ id: paymentIntentId, status: 'canceled' }])
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
    expect(await startTransferPayment(request)).toMatchObject({
      error: { status: 409, code: 'attemptEnded' },
    })
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'canceled' },
    })
    await world.checkInvariants({ quiet: true })
  })

  test('canceling finds an unstored PaymentIntent by its idempotency key', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(startTransferPayment(request)).rejects.toThrow()
    expect(listIntents()).toHaveLength(1)
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })
    expect(await cancelPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(listIntents()).toMatchObject([{ status: 'canceled' }])
    await world.checkInvariants({ quiet: true })
  })

  test('canceling an attempt that turns out to be paid settles it', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutAfter' } })
    await expect(startTransferPayment(request)).rejects.toThrow()
    await world.pay(listIntents()[0]?.id ?? '')
    expect(await cancelPayment(uid, request.attemptId)).toMatchObject({
      ok: true,
      value: { outcome: 'paid' },
    })
    await world.checkInvariants({ quiet: true })
  })

  test('an attempt canceled during its start gets no client secret', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const context = createInterceptedContext(async (create) => {
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
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test('ends an attempt whose PaymentIntent is canceled at Stripe', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.context.stripe.paymentIntents.cancel(paymentIntentId)
    const event = findEvent('payment_intent.canceled', paymentIntentId)
    await world.deliver(event)
    await world.deliver(event)
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 0 })
    await world.checkInvariants({ quiet: true })
  })

  test('reports an attempt that was never started as not found', async () => {
    const uid = await world.person()
    for (const refused of [
      await recordPayment(uid, crypto.randomUUID()),
      await cancelPayment(uid, crypto.randomUUID()),
    ])
      expect(refused).toMatchObject({ error: { status: 404, code: 'paymentNotFound' } })
  })
})
