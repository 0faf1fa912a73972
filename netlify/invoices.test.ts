import { describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { SUPPLIERS } from '../domain/suppliers.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { INVOICES_PER_USER } from './server/endpoints/lookUpInvoice.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { attemptKey } from './server/platform/records.ts'
import { cancelPayment, intents, record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import {
  BILL,
  DUE,
  document,
  INVOICE,
  issue,
  lookUp,
  refusal,
  requestFor,
  start,
  started,
  stored,
} from './testing/invoices.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('looking up @spec-invoice-look-up', () => {
  test.each(['due', 'paid'] as const)(
    'an invoice that is %s, as its reference is written on paper',
    async (status) => {
      const uid = await world.person()
      await issue({ status })
      expect(await lookUp(uid, { supplier: 'edf', reference: ' 6012 \u2013 1001' })).toEqual({
        ok: true,
        value: { invoice: { ...INVOICE, status } },
      })
    },
  )

  test('each supplier’s example is an invoice of the sandbox', async () => {
    const uid = await world.person()
    await world.sandbox.invoices.issue()
    for (const { id, type, example } of SUPPLIERS)
      expect(await lookUp(uid, { supplier: id, reference: example })).toMatchObject({
        value: { invoice: { supplier: id, type, reference: example } },
      })
  })

  test('one that is being paid says so, and nothing about who pays', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    await started(ada, requestFor())
    expect(await lookUp(bob)).toEqual({ ok: true, value: { invoice: { ...INVOICE, status: 'processing' } } })
  })

  test.each<[string, object | null, { supplier: string; reference: string }, number, string]>([
    ['that nobody issued', null, BILL, 404, 'invoiceNotFound'],
    ['without an amount', { amount: null }, BILL, 404, 'invoiceNotFound'],
    ['of nothing', { amount: 0 }, BILL, 404, 'invoiceNotFound'],
    ['in a currency that nobody charges', { currency: 'XAU' }, BILL, 404, 'invoiceNotFound'],
    ['that is neither due nor paid', { status: 'withdrawn' }, BILL, 404, 'invoiceNotFound'],
    ['without a date', { dueDate: null }, BILL, 404, 'invoiceNotFound'],
    ['without a supplier', {}, { ...BILL, supplier: ' ' }, 400, 'invoiceFieldsRequired'],
    ['without a reference', {}, { ...BILL, reference: ' ' }, 400, 'invoiceFieldsRequired'],
    ['of a supplier that is none', {}, { ...BILL, supplier: 'nobody' }, 400, 'supplierUnknown'],
    ['with a path for a reference', {}, { ...BILL, reference: 'x/attempts/y' }, 400, 'referenceInvalid'],
  ])('an invoice %s is refused', async (_, changes, of, status, code) => {
    const uid = await world.person()
    if (changes) await issue(changes)
    expect(await lookUp(uid, of)).toEqual(refusal(status, code))
  })

  test.each(['invoiceNotFound', 'invoiceUnavailable'])(
    '%s is told in the words of the specification',
    async (code) => {
      const uid = await world.person()
      if (code === 'invoiceUnavailable')
        world.sandbox.faults.add({
          on: 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet',
          times: 50,
          what: { kind: 'status', status: 400 },
        })
      expect(await lookUp(uid)).toMatchObject({ error: { code, error: 'Failed to fetch invoice details' } })
    },
  )

  test('is limited for each person, against trying references, by look-up or by payment', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    for (let turn = 0; turn < INVOICES_PER_USER.most - 1; turn += 1)
      expect(await lookUp(ada, { ...BILL, reference: `6012-${2000 + turn}` })).toEqual(
        refusal(404, 'invoiceNotFound'),
      )
    expect(await start(ada, requestFor({ reference: '6012-9999' }))).toEqual(refusal(404, 'invoiceNotFound'))
    expect(await lookUp(ada)).toEqual(refusal(429, 'tooManyRequests', { retryAfterSeconds: 600 }))
    expect(await start(ada)).toEqual(refusal(429, 'tooManyRequests', { retryAfterSeconds: 600 }))
    expect((await lookUp(bob)).ok).toBe(true)
    world.pass(10 * MINUTE)
    expect((await lookUp(ada)).ok).toBe(true)
  })
})

describe('an invoice', () => {
  test('is reserved, paid, recorded, and counts toward no cap', async () => {
    const uid = await world.person()
    await issue()
    const request = requestFor()
    const { paymentIntentId, clientSecret, status } = await started(uid, request)
    expect(intents()).toMatchObject([
      {
        id: paymentIntentId,
        client_secret: clientSecret,
        status,
        amount: 8450,
        currency: 'eur',
        description: 'Invoice 6012-1001 of EDF',
        metadata: {
          deployment: 'demo-passerelle',
          kind: 'invoice',
          uid,
          attemptKey: attemptKey(uid, request.attemptId),
        },
      },
    ])
    expect(await record(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })
    world.pass(2 * MINUTE)
    await world.pay(paymentIntentId)
    const invoicePayment = {
      id: paymentIntentId,
      payerId: uid,
      ...BILL,
      type: 'electricity',
      amount: 84.5,
      currency: 'EUR',
      dueDate: '2026-11-30',
      status: 'completed',
      description: 'Invoice 6012-1001 of EDF',
      paymentMethod: 'card',
      createdAt: START,
      settledAt: START + 2 * MINUTE,
    }
    const paid = { ok: true, value: { outcome: 'paid', invoicePayment } }
    expect(await record(uid, request.attemptId)).toEqual(paid)
    expect(await record(uid, request.attemptId)).toEqual(paid)
    const { ledgers, transactions, invoiceClaims } = await world.checkInvariants({ quiet: true })
    expect([ledgers.size, transactions.size, invoiceClaims.size]).toEqual([0, 0, 0])
    expect(await stored(), 'what its supplier wrote').toEqual(DUE)

    expect(await started(uid, request)).toEqual({
      paymentIntentId,
      clientSecret,
      customerSession: null,
      status: 'succeeded',
    })
    expect(await start(uid)).toEqual(refusal(409, 'invoiceAlreadyPaid'))
    expect(intents()).toHaveLength(1)
  })

  test('in francs is charged in francs', async () => {
    const uid = await world.person()
    const bill = { supplier: 'edg', reference: 'EDG-1001' }
    await issue({ amount: 450_000, currency: 'GNF' }, bill)
    const request = requestFor({ ...bill, expected: { amount: 450_000, currency: 'GNF' } })
    const { paymentIntentId } = await started(uid, request)
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({
      value: { outcome: 'paid', invoicePayment: { amount: 450_000, currency: 'GNF' } },
    })
    expect(intents()).toMatchObject([{ amount: 450_000, amount_received: 450_000, currency: 'gnf' }])
  })

  test.each<[string, () => Promise<unknown>, Parameters<typeof requestFor>[0], unknown]>([
    ['that nobody issued', async () => {}, {}, refusal(404, 'invoiceNotFound')],
    ['that is paid', () => issue({ status: 'paid' }), {}, refusal(409, 'invoiceAlreadyPaid')],
    [
      'whose amount has changed',
      () => issue({ amount: 90 }),
      {},
      refusal(409, 'invoiceChanged', { amount: 9000, currency: 'EUR', dueDate: '2026-11-30' }),
    ],
    [
      'whose currency has changed',
      () => issue({ currency: 'CAD' }),
      {},
      refusal(409, 'invoiceChanged', { amount: 8450, currency: 'CAD', dueDate: '2026-11-30' }),
    ],
    [
      'whose due date has changed',
      () => issue({ dueDate: '2026-12-30' }),
      {},
      refusal(409, 'invoiceChanged', { amount: 8450, currency: 'EUR', dueDate: '2026-12-30' }),
    ],
    [
      'that is more than one charge can be',
      () => issue({ amount: 1_000_000 }),
      { expected: { amount: 100_000_000, currency: 'EUR' } },
      refusal(409, 'maximumPayment'),
    ],
    [
      'of less than one charge can be, in euros',
      () => issue({ amount: 0.49 }),
      { expected: { amount: 49, currency: 'EUR' } },
      refusal(409, 'minimumPayment'),
    ],
    [
      'of less than one charge can be, in francs',
      () => issue({ amount: 9999, currency: 'GNF' }),
      { expected: { amount: 9999, currency: 'GNF' } },
      refusal(409, 'minimumPayment'),
    ],
    [
      'of less than a cent',
      () => issue({ amount: 0.001 }),
      { expected: { amount: 0, currency: 'EUR' } },
      refusal(409, 'minimumPayment'),
    ],
    ['without a reference', () => issue(), { reference: '' }, refusal(400, 'invoiceFieldsRequired')],
  ])('%s is refused without effect', async (_, prepare, changes, expected) => {
    const uid = await world.person()
    await prepare()
    const before = await stored()
    expect(await start(uid, requestFor(changes))).toEqual(expected)
    const { invoiceAttempts } = await world.records()
    expect([invoiceAttempts.size, await stored(), intents()]).toEqual([0, before, []])
  })

  test.each([
    ['EUR', 0.5, 50],
    ['CAD', 0.5, 50],
    ['GNF', 10_000, 10_000],
  ] as const)('of the least that one charge can be is paid (%s)', async (currency, amount, minor) => {
    const uid = await world.person()
    await issue({ amount, currency })
    const { paymentIntentId } = await started(uid, requestFor({ expected: { amount: minor, currency } }))
    await world.pay(paymentIntentId)
    expect(intents()).toMatchObject([{ status: 'succeeded', amount_received: minor }])
  })

  test('that the provider does not charge is free again at once, for others too', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    const on = 'POST /v1/payment_intents'
    world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 500, kept: true } })
    expect(await start(ada)).toEqual(refusal(409, 'attemptEnded'))
    expect((await start(bob)).ok).toBe(true)
  })

  test('of somebody without a profile is refused', async () => {
    await issue()
    expect(await start('nobody')).toEqual(refusal(404, 'userNotFound'))
    expect(intents()).toEqual([])
  })

  test('that can not be read is not charged, and says so in the words of the specification', async () => {
    const uid = await world.person()
    await issue()
    world.sandbox.faults.add({
      on: 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet',
      times: 50,
      what: { kind: 'status', status: 400 },
    })
    expect(await start(uid)).toMatchObject({
      error: { status: 503, code: 'invoicePaymentUnavailable', error: 'Failed to process invoice payment' },
    })
    expect(intents()).toEqual([])
  })

  test('is reserved for one attempt: another one of the same person is refused until the first is given up', async () => {
    const uid = await world.person()
    await issue()
    const first = requestFor()
    await started(uid, first)
    expect(await start(uid)).toEqual(refusal(409, 'invoiceUnderWay'))
    expect(await cancelPayment(uid, first.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(await start(uid, first)).toEqual(refusal(409, 'attemptEnded'))
    expect((await start(uid)).ok).toBe(true)
  })

  test('stays reserved as long as the provider has not confirmed the cancellation', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    const request = requestFor()
    const { paymentIntentId } = await started(ada, request)
    world.sandbox.faults.add({
      on: `POST /v1/payment_intents/${paymentIntentId}/cancel`,
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    await expect(cancelPayment(ada, request.attemptId)).rejects.toThrow()
    expect(await start(bob)).toEqual(refusal(409, 'invoiceUnderWay'))
    await world.pay(paymentIntentId)
    expect(await cancelPayment(ada, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await start(bob)).toEqual(refusal(409, 'invoiceAlreadyPaid'))
  })

  test('is nobody else’s: another person can neither record nor cancel its payment', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    const request = requestFor()
    const { paymentIntentId } = await started(ada, request)
    expect(await record(bob, request.attemptId)).toEqual(refusal(404, 'paymentNotFound'))
    expect(await cancelPayment(bob, request.attemptId)).toEqual(refusal(404, 'paymentNotFound'))
    expect(await recordTransfer(world.context, { uid: bob }, { paymentIntentId })).toEqual(
      refusal(403, 'forbidden'),
    )
  })

  test('and a transfer never share an attempt', async () => {
    const uid = await world.person()
    await issue()
    await issue({}, { ...BILL, reference: '6012-1002' })
    const request = requestFor()
    await started(uid, request)
    expect(await start(uid, { ...request, reference: '6012-1002' })).toEqual(refusal(409, 'attemptConflict'))
    const { attemptId } = request
    expect(await createPaymentIntent(world.context, { uid }, requestOf(uid, { attemptId }))).toEqual(
      refusal(409, 'attemptConflict'),
    )
  })

  test.each<[string, () => Promise<unknown>, string]>([
    ['taken back by its supplier', () => document().delete(), 'invoiceGone'],
    ['paid in another way', () => document().update({ status: 'paid' }), 'invoiceGone'],
  ])('%s while its payment was under way is paid back in full', async (_, happen, reason) => {
    const uid = await world.person()
    await issue()
    const request = requestFor()
    const { paymentIntentId } = await started(uid, request)
    await happen()
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'refunded' } })
    const { refunds, invoicePayments } = await world.records()
    expect(refunds.get(paymentIntentId)).toMatchObject({ uid, reason, status: 'done' })
    expect(invoicePayments.size).toBe(0)
    await document().delete()
  })

  /** Whatever a supplier's system writes over an invoice that is still asked for. */
  const imports: [string, object][] = [
    ['as it was', DUE],
    ['without a status', { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30' }],
    ['with a field of ours from before', { ...DUE, heldBy: 'somebody' }],
    ['with another amount', { ...DUE, amount: 90 }],
    ['with a date some days later', { ...DUE, dueDate: '2026-12-10' }],
    ['with next month’s date', { ...DUE, dueDate: '2026-12-30' }],
  ]

  test.each(imports)(
    'that its supplier imports again %s while it is being paid stays reserved, and is paid as promised',
    async (_, imported) => {
      const [ada, bob] = [await world.person(), await world.person()]
      await issue()
      const request = requestFor()
      const { paymentIntentId } = await started(ada, request)
      await document().set(imported)
      expect(await start(bob)).toEqual(refusal(409, 'invoiceUnderWay'))
      await world.pay(paymentIntentId)
      expect(await record(ada, request.attemptId)).toMatchObject({
        value: { outcome: 'paid', invoicePayment: { amount: 84.5, dueDate: '2026-11-30' } },
      })
      expect(await stored()).toEqual(imported)
    },
  )

  const paidBy = async (uid: string, request = requestFor()) => {
    const { paymentIntentId } = await started(uid, request)
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    return paymentIntentId
  }

  test.each(imports.slice(0, 4))(
    'that its supplier imports again %s after it was paid stays paid',
    async (_, imported) => {
      const [ada, bob] = [await world.person(), await world.person()]
      await issue()
      await paidBy(ada)
      await document().set(imported)
      expect(await lookUp(bob)).toMatchObject({ value: { invoice: { status: 'paid' } } })
      expect(await start(bob)).toEqual(refusal(409, 'invoiceAlreadyPaid'))
    },
  )

  test('whose date is changed after it was paid waits for an operator, who is told', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    const paymentIntentId = await paidBy(ada)
    await issue({ dueDate: '2026-12-10', amount: 91 })
    world.logged.length = 0
    expect(await lookUp(bob)).toMatchObject({ value: { invoice: { status: 'seemsPaid' } } })
    expect(await start(bob)).toEqual(refusal(409, 'invoiceSeemsPaid'))
    const alert = { level: 'error', event: 'invoiceSeemsPaid', paymentIntentId, dueDate: '2026-12-10' }
    expect(world.logged.filter(({ event }) => event === 'invoiceSeemsPaid')).toEqual([alert, alert])
    expect(intents()).toHaveLength(1)
  })

  test('of next month has the same reference, and is paid too', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await issue()
    await paidBy(ada)
    await issue({ dueDate: '2026-12-30' })
    expect(await lookUp(bob)).toMatchObject({ value: { invoice: { status: 'due' } } })
    await paidBy(bob, requestFor({ expected: { dueDate: '2026-12-30' } }))
    expect((await world.records()).invoicePayments.size).toBe(2)
    // The one of before, imported once more.
    await issue()
    expect(await start(bob)).toEqual(refusal(409, 'invoiceAlreadyPaid'))
  })
})
