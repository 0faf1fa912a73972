import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import {
  cancelPayment,
  listIntents,
  recordPayment,
  resetWorldForEachTest,
  world,
} from '../../testing/emptyWorld.ts'
import {
  buildInvoiceRequest,
  getInvoiceRef,
  INVOICE_LOOKUP,
  listPaymentIntentEvents,
  matchRefusal,
  readStoredInvoice,
  startInvoicePayment,
  startInvoicePaymentOrThrow,
  storeInvoice,
  waitUntilIdle,
} from '../../testing/invoices.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { payInvoice } from '../endpoints/payInvoice.ts'
import type { Caller } from '../platform/caller.ts'
import { buildAttemptKey } from '../platform/records.ts'
import { UNPAID_HOLDS_LIMIT } from './invoiceReservations.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('a person who repeatedly begins to pay an invoice without paying it', () => {
  const HALF_DAY = 12 * HOUR
  const ADA = { uid: 'ada', phone: '+33612345678' }
  beforeEach(async () => {
    for (const uid of ['ada', 'ada-again', 'bob'])
      await world.context.db.doc(`users/${uid}`).set({ name: uid })
    await storeInvoice()
  })
  const begin = (caller: Caller, request = buildInvoiceRequest()) =>
    payInvoice(world.context, caller, request)
  async function beginPayment(caller: Caller) {
    const request = buildInvoiceRequest()
    const begun = await begin(caller, request)
    if (!begun.ok) throw new Error(`refused: ${begun.error.code}`)
    return { attemptId: request.attemptId, request, id: begun.value.paymentIntentId }
  }
  async function makeUnpaidHolds(caller: Caller, times = UNPAID_HOLDS_LIMIT.most) {
    for (let turn = 0; turn < times; turn += 1) {
      await cancelPayment(caller.uid, (await beginPayment(caller)).attemptId)
      world.pass(MINUTE)
    }
  }
  const buildHoldRefusal = (ms: number) => matchRefusal(429, 'tooManyHolds', { retryAfterSeconds: ms / 1000 })

  test('too many unpaid holds refuse an invoice to that person only', async () => {
    await makeUnpaidHolds(ADA)
    world.pass(HOUR)
    expect(await begin(ADA)).toEqual(buildHoldRefusal(HALF_DAY - HOUR - 5 * MINUTE))
    await storeInvoice({}, { ...INVOICE_LOOKUP, reference: '6012-1002' })
    expect((await begin(ADA, buildInvoiceRequest({ reference: '6012-1002' }))).ok).toBe(true)
    expect((await begin({ uid: 'bob' })).ok).toBe(true)
  })

  test('twelve hours after the first hold the person can pay again', async () => {
    await makeUnpaidHolds(ADA)
    world.pass(HALF_DAY - 5 * MINUTE)
    expect((await begin(ADA)).ok).toBe(true)
  })

  test('counts the invoice holds of all accounts with the same phone number', async () => {
    await makeUnpaidHolds(ADA, 3)
    await makeUnpaidHolds({ ...ADA, uid: 'ada-again' }, 2)
    expect(await begin(ADA)).toEqual(buildHoldRefusal(HALF_DAY - 5 * MINUTE))
    expect(await begin({ ...ADA, uid: 'ada-again' })).toEqual(buildHoldRefusal(HALF_DAY - 5 * MINUTE))
  })

  // Under load, its two simulated days take longer than the usual limit; a timeout would disturb later tests.
  test('one person’s holds block an invoice less than a third', {
    timeout: 120_000,
  }, async () => {
    const ends = world.now() + 2 * 24 * HOUR
    let held = 0
    while (world.now() < ends) {
      const begun = await begin(ADA)
      world.pass(45 * MINUTE)
      await runDueWork(world.context)
      if (begun.ok) held += 45 * MINUTE
    }
    expect(held / (2 * 24 * HOUR)).toBeLessThan(1 / 3)
  })

  test('declined cards are not unpaid invoice holds', async () => {
    const { request, attemptId, id } = await beginPayment(ADA)
    for (let turn = 0; turn < 4; turn += 1) {
      await world.pay(id, 'pm_card_visa_chargeDeclined')
      expect(await begin(ADA, request)).toMatchObject({ ok: true, value: { paymentIntentId: id } })
    }
    await world.pay(id)
    expect(await recordPayment('ada', attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(world.sandbox.firestore.documents()).not.toHaveProperty('invoiceClaims/edf_6012-1001')
  })

  test('attempts without a payment at Stripe are not unpaid holds', async () => {
    for (let turn = 0; turn <= UNPAID_HOLDS_LIMIT.most; turn += 1) {
      const on = 'POST /v1/payment_intents'
      world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 500, kept: true } })
      expect(await begin(ADA)).toEqual(matchRefusal(409, 'attemptEnded'))
    }
    expect((await begin(ADA)).ok).toBe(true)
  })
})

describe('concurrent payments of one invoice', () => {
  test('one of 20 concurrent payments of an invoice succeeds @spec-invoice-races', {
    timeout: 120_000,
  }, async () => {
    const people = [await world.person(), await world.person()]
    await storeInvoice()
    const all = Array.from({ length: 20 }, (_, index) => ({
      uid: people[index % 2] ?? '',
      request: buildInvoiceRequest(),
    }))
    // A client whose invoice could not be read sends the same attempt again.
    const insist = async ({ uid, request }: (typeof all)[number]): Promise<string> => {
      const result = await startInvoicePayment(uid, request)
      if (result.ok) return result.value.paymentIntentId
      if (result.error.code === 'invoicePaymentUnavailable') return insist({ uid, request })
      return result.error.code
    }
    const outcomes = await Promise.all(all.map(insist))
    const through = outcomes.filter((outcome) => outcome.startsWith('pi_'))
    expect(through).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'invoiceUnderWay')).toHaveLength(19)
    expect(listIntents()).toHaveLength(1)

    const [paid = ''] = through
    await world.pay(paid)
    const { uid = '', request = buildInvoiceRequest() } = all[outcomes.indexOf(paid)] ?? {}
    await Promise.allSettled([
      ...Array.from({ length: 5 }, () => recordPayment(uid, request.attemptId)),
      ...listPaymentIntentEvents(paid).flatMap((event) => [world.deliver(event), world.deliver(event)]),
      runDueWork(world.context),
    ])
    const { invoicePayments } = await waitUntilIdle()
    expect([...invoicePayments.keys()]).toEqual([paid])
    expect(listIntents().filter(({ amount_received }) => amount_received > 0)).toHaveLength(1)
  })

  test('a double tap creates one PaymentIntent for an invoice', async () => {
    const uid = await world.person()
    await storeInvoice()
    const request = buildInvoiceRequest()
    const [first, second] = await Promise.all([
      startInvoicePaymentOrThrow(uid, request),
      startInvoicePaymentOrThrow(uid, request),
    ])
    // Each tap creates a new customer session.
    expect(second).toEqual({ ...first, customerSession: expect.any(String) })
    expect(listIntents()).toHaveLength(1)
  })
})

describe('the first caller to settle', () => {
  test.each<[string, (paymentIntentId: string) => Promise<unknown>]>([
    [
      'the webhook',
      async (id) => Promise.all(listPaymentIntentEvents(id).map((event) => world.deliver(event))),
    ],
    ['the due-work job', async () => waitUntilIdle()],
  ])('%s records an invoice’s payment, and the browser gets that record', async (_, settle) => {
    const uid = await world.person()
    await storeInvoice()
    const request = buildInvoiceRequest()
    const { paymentIntentId } = await startInvoicePaymentOrThrow(uid, request)
    await world.pay(paymentIntentId)
    await settle(paymentIntentId)
    const { invoicePayments } = await world.records()
    expect([...invoicePayments.keys()]).toEqual([paymentIntentId])
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({
      value: { outcome: 'paid', invoicePayment: { id: paymentIntentId } },
    })
  })

  test('the due-work job frees an invoice whose payment was abandoned', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    await startInvoicePaymentOrThrow(ada, buildInvoiceRequest())
    world.pass(29 * MINUTE)
    await runDueWork(world.context)
    expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceUnderWay'))
    world.pass(2 * MINUTE)
    await runDueWork(world.context)
    expect((await startInvoicePayment(bob)).ok).toBe(true)
  })
})

type Action =
  | { do: 'start' | 'record' | 'cancel' | 'webhook'; attempt: number }
  | { do: 'pay'; attempt: number; card: string }
  | { do: 'due-work' | 'reissue' | 'takeBack' | 'paidElsewhere' }
  | { do: 'wait'; ms: number }
  | { do: 'fault'; on: string; kind: 'cutBefore' | 'cutAfter' }
  | { do: 'together'; first: Action; second: Action }

const attempt = fc.nat(3)
const COMMIT = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'
const single: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['start', 'start', 'record', 'cancel', 'webhook'] as const)),
      attempt,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      attempt,
      card: fc.constantFrom('pm_card_visa', 'pm_card_visa', 'pm_card_visa_chargeDeclined'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('due-work', 'reissue', 'takeBack', 'paidElsewhere') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(MINUTE, 31 * MINUTE, 25 * HOUR),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      on: fc.constantFrom(COMMIT, 'POST /v1/payment_intents'),
      kind: fc.constantFrom('cutBefore' as const, 'cutAfter' as const),
    }),
  },
)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('together' as const), first: single, second: single }),
  },
)

test('any sequence leaves an invoice with one recorded payment at most', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), async (actions) => {
      world.reset()
      const people = [await world.person(), await world.person()]
      await storeInvoice()
      const attempts = Array.from({ length: 4 }, (_, index) => ({
        uid: people[index % 2] ?? '',
        request: buildInvoiceRequest(),
      }))
      const of = (index: number) => attempts[index] as (typeof attempts)[number]
      const findPaymentIntentId = async (index: number) => {
        const { uid, request } = of(index)
        const { invoiceAttempts } = await world.records()
        return invoiceAttempts.get(buildAttemptKey(uid, request.attemptId))?.paymentIntentId
      }
      const perform = async (action: Action): Promise<unknown> => {
        switch (action.do) {
          case 'start':
            return startInvoicePayment(of(action.attempt).uid, of(action.attempt).request)
          case 'record':
            return recordPayment(of(action.attempt).uid, of(action.attempt).request.attemptId)
          case 'cancel':
            return cancelPayment(of(action.attempt).uid, of(action.attempt).request.attemptId)
          case 'webhook': {
            const id = await findPaymentIntentId(action.attempt)
            return id && Promise.all(listPaymentIntentEvents(id).map((event) => world.deliver(event)))
          }
          case 'pay': {
            const id = await findPaymentIntentId(action.attempt)
            return id && world.pay(id, action.card)
          }
          case 'due-work':
            return runDueWork(world.context)
          case 'reissue':
            return storeInvoice()
          case 'takeBack':
            return getInvoiceRef().delete()
          case 'paidElsewhere':
            return (await readStoredInvoice()) && getInvoiceRef().update({ status: 'paid' })
          case 'wait':
            return world.pass(action.ms)
          case 'fault':
            return world.sandbox.faults.add({ on: action.on, times: 1, what: { kind: action.kind } })
          case 'together':
            return Promise.allSettled([perform(action.first), perform(action.second)])
        }
      }
      for (const action of actions) {
        // A call that is cut off is repeated by the browser or by Stripe.
        await perform(action).catch(() => undefined)
        await world.checkInvariants()
      }
      world.sandbox.faults.reset()
      const { invoicePayments } = await waitUntilIdle()
      expect(invoicePayments.size).toBeLessThanOrEqual(1)
    }),
    { numRuns: 25 },
  )
})
