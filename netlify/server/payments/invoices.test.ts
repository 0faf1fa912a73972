import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { SUPPLIERS } from '../../../domain/invoices/suppliers.ts'
import {
  cancelPayment,
  listIntents,
  recordPayment,
  resetWorldForEachTest,
  world,
} from '../../testing/emptyWorld.ts'
import {
  buildInvoiceRequest,
  DUE_INVOICE_DOCUMENT,
  getInvoiceRef,
  INVOICE,
  INVOICE_LOOKUP,
  matchRefusal,
  readStoredInvoice,
  requestInvoiceLookup,
  startInvoicePayment,
  startInvoicePaymentOrThrow,
  storeInvoice,
} from '../../testing/invoices.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { INVOICE_CALLS_LIMIT } from '../endpoints/lookUpInvoice.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { buildAttemptKey } from '../platform/records.ts'
import { INVOICE_AMOUNT_RANGE } from './invoiceState.ts'
import { NEW_INVOICES_LIMIT } from './supplierNotices.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('looking up an invoice @spec-invoice-look-up', () => {
  test.each(['due', 'paid'] as const)(
    'finds a %s invoice by its reference as printed on the bill',
    async (status) => {
      const uid = await world.person()
      await storeInvoice({ status })
      expect(await requestInvoiceLookup(uid, { supplier: 'edf', reference: ' 6012 \u2013 1001' })).toEqual({
        ok: true,
        value: { invoice: { ...INVOICE, status } },
      })
    },
  )

  test('the sandbox has an invoice for the example reference of each supplier', async () => {
    const uid = await world.person()
    await world.sandbox.invoices.issue()
    for (const { id, type, example } of SUPPLIERS)
      expect(await requestInvoiceLookup(uid, { supplier: id, reference: example })).toMatchObject({
        value: { invoice: { supplier: id, type, reference: example } },
      })
  })

  test('reports that an invoice is being paid, but not by whom', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    await startInvoicePaymentOrThrow(ada, buildInvoiceRequest())
    expect(await requestInvoiceLookup(bob)).toEqual({
      ok: true,
      value: { invoice: { ...INVOICE, status: 'processing' } },
    })
  })

  test.each<[string, object | null, { supplier: string; reference: string }, number, string]>([
    ['that does not exist', null, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['without an amount', { amount: null }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['with the amount 0', { amount: 0 }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['of less than a cent', { amount: 0.0099 }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['of an implausibly high amount', { amount: 99_999_999.01 }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['in a currency that cannot be charged', { currency: 'XAU' }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['that is neither due nor paid', { status: 'withdrawn' }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['without a date', { dueDate: null }, INVOICE_LOOKUP, 404, 'invoiceNotFound'],
    ['without a supplier', {}, { ...INVOICE_LOOKUP, supplier: ' ' }, 400, 'invoiceFieldsRequired'],
    ['without a reference', {}, { ...INVOICE_LOOKUP, reference: ' ' }, 400, 'invoiceFieldsRequired'],
    ['of an unknown supplier', {}, { ...INVOICE_LOOKUP, supplier: 'nobody' }, 400, 'supplierUnknown'],
    [
      'with a path as its reference',
      {},
      { ...INVOICE_LOOKUP, reference: 'x/attempts/y' },
      400,
      'referenceInvalid',
    ],
  ])('an invoice lookup fails for an invoice %s', async (_, changes, of, status, code) => {
    const uid = await world.person()
    if (changes) await storeInvoice(changes)
    expect(await requestInvoiceLookup(uid, of)).toEqual(matchRefusal(status, code))
  })

  test.each([INVOICE_AMOUNT_RANGE.least, INVOICE_AMOUNT_RANGE.most])(
    'finds an invoice of the lowest or highest accepted amount (%d)',
    async (amount) => {
      const uid = await world.person()
      await storeInvoice({ amount })
      expect(await requestInvoiceLookup(uid)).toMatchObject({
        ok: true,
        value: { invoice: { amount: { minor: amount * 100 } } },
      })
    },
  )

  test.each(['invoiceNotFound', 'invoiceUnavailable'])(
    'words a failed invoice lookup as the specification does (%s)',
    async (code) => {
      const uid = await world.person()
      if (code === 'invoiceUnavailable')
        world.sandbox.faults.add({
          on: 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet',
          times: 50,
          what: { kind: 'status', status: 400 },
        })
      expect(await requestInvoiceLookup(uid)).toMatchObject({
        error: { code, error: 'Failed to fetch invoice details' },
      })
    },
  )

  test('a user’s invoice lookups and payments share a limit', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    for (let turn = 0; turn < INVOICE_CALLS_LIMIT.most - 1; turn += 1)
      expect(
        await requestInvoiceLookup(ada, { ...INVOICE_LOOKUP, reference: `6012-${2000 + turn}` }),
      ).toEqual(matchRefusal(404, 'invoiceNotFound'))
    expect(await startInvoicePayment(ada, buildInvoiceRequest({ reference: '6012-9999' }))).toEqual(
      matchRefusal(404, 'invoiceNotFound'),
    )
    expect(await requestInvoiceLookup(ada)).toEqual(
      matchRefusal(429, 'tooManyRequests', { retryAfterSeconds: 600 }),
    )
    expect(await startInvoicePayment(ada)).toEqual(
      matchRefusal(429, 'tooManyRequests', { retryAfterSeconds: 600 }),
    )
    expect((await requestInvoiceLookup(bob)).ok).toBe(true)
    world.pass(10 * MINUTE)
    expect((await requestInvoiceLookup(ada)).ok).toBe(true)
  })
})

describe('paying an invoice', () => {
  test('an invoice is reserved, charged and recorded, outside the cap', async () => {
    const uid = await world.person()
    await storeInvoice()
    const request = buildInvoiceRequest()
    const { paymentIntentId, clientSecret, status } = await startInvoicePaymentOrThrow(uid, request)
    expect(listIntents()).toMatchObject([
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
          attemptKey: buildAttemptKey(uid, request.attemptId),
        },
      },
    ])
    expect(await recordPayment(uid, request.attemptId)).toEqual({
      ok: true,
      value: { outcome: 'unpaid', status: 'requires_payment_method' },
    })
    world.pass(2 * MINUTE)
    await world.pay(paymentIntentId)
    const invoicePayment = {
      id: paymentIntentId,
      payerId: uid,
      payerName: 'Ada',
      ...INVOICE_LOOKUP,
      type: 'electricity',
      amount: 84.5,
      currency: 'EUR',
      dueDate: '2026-11-30',
      status: 'completed',
      description: 'Invoice 6012-1001 of EDF',
      paymentMethod: 'card',
      createdAt: WORLD_START,
      settledAt: WORLD_START + 2 * MINUTE,
    }
    const paid = { ok: true, value: { outcome: 'paid', invoicePayment } }
    expect(await recordPayment(uid, request.attemptId)).toEqual(paid)
    expect(await recordPayment(uid, request.attemptId)).toEqual(paid)
    const { ledgers, transactions, invoiceClaims } = await world.checkInvariants({ quiet: true })
    expect([ledgers.size, transactions.size, invoiceClaims.size]).toEqual([0, 0, 0])
    expect(await readStoredInvoice(), 'the document of the supplier').toEqual(DUE_INVOICE_DOCUMENT)

    expect(await startInvoicePaymentOrThrow(uid, request)).toEqual({
      paymentIntentId,
      clientSecret,
      customerSession: null,
      status: 'succeeded',
    })
    expect(await startInvoicePayment(uid)).toEqual(matchRefusal(409, 'invoiceAlreadyPaid'))
    expect(listIntents()).toHaveLength(1)
  })

  test('lets a user begin ten invoice payments a day, not an eleventh @spec-invoice-day', async () => {
    const uid = await world.person()
    const pay = (person: string, n: number) => {
      const bill = { supplier: 'edf', reference: `6012-20${n}` }
      return storeInvoice({}, bill).then(() => startInvoicePayment(person, buildInvoiceRequest(bill)))
    }
    for (let n = 1; n <= NEW_INVOICES_LIMIT.most; n += 1)
      expect(await pay(uid, 10 + n)).toMatchObject({ ok: true })
    expect(await pay(uid, 30)).toEqual(matchRefusal(429, 'tooManyRequests', { retryAfterSeconds: 86_400 }))
    expect(await pay(await world.person(), 31)).toMatchObject({ ok: true })
    world.pass(NEW_INVOICES_LIMIT.windowMs)
    expect(await pay(uid, 32)).toMatchObject({ ok: true })
  })

  test('requires 3-D Secure until an invoice payment of the account is recorded @spec-first-payments', async () => {
    const uid = await world.person()
    await storeInvoice()
    const request = buildInvoiceRequest()
    await world.pay((await startInvoicePaymentOrThrow(uid, request)).paymentIntentId)
    await recordPayment(uid, request.attemptId)
    const next = { supplier: 'edf', reference: '6012-2001' }
    await storeInvoice({}, next)
    await startInvoicePaymentOrThrow(uid, buildInvoiceRequest(next))
    const asked = listIntents().map(
      ({ payment_method_options: options }) => options?.card.request_three_d_secure,
    )
    expect(asked).toEqual(['any', undefined])
  })

  test('charges an invoice in Guinean francs in that currency', async () => {
    const uid = await world.person()
    const bill = { supplier: 'edg', reference: 'EDG-1001' }
    await storeInvoice({ amount: 450_000, currency: 'GNF' }, bill)
    const request = buildInvoiceRequest({ ...bill, expected: { amount: 450_000, currency: 'GNF' } })
    const { paymentIntentId } = await startInvoicePaymentOrThrow(uid, request)
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({
      value: { outcome: 'paid', invoicePayment: { amount: 450_000, currency: 'GNF' } },
    })
    expect(listIntents()).toMatchObject([{ amount: 450_000, amount_received: 450_000, currency: 'gnf' }])
  })

  test.each<[string, () => Promise<unknown>, Parameters<typeof buildInvoiceRequest>[0], unknown]>([
    ['that does not exist', async () => {}, {}, matchRefusal(404, 'invoiceNotFound')],
    ['that is paid', () => storeInvoice({ status: 'paid' }), {}, matchRefusal(409, 'invoiceAlreadyPaid')],
    [
      'whose amount has changed',
      () => storeInvoice({ amount: 90 }),
      {},
      matchRefusal(409, 'invoiceChanged', { amount: 9000, currency: 'EUR', dueDate: '2026-11-30' }),
    ],
    [
      'whose currency has changed',
      () => storeInvoice({ currency: 'CAD' }),
      {},
      matchRefusal(409, 'invoiceChanged', { amount: 8450, currency: 'CAD', dueDate: '2026-11-30' }),
    ],
    [
      'whose due date has changed',
      () => storeInvoice({ dueDate: '2026-12-30' }),
      {},
      matchRefusal(409, 'invoiceChanged', { amount: 8450, currency: 'EUR', dueDate: '2026-12-30' }),
    ],
    [
      'of a cent above the maximum',
      () => storeInvoice({ amount: 1000.01 }),
      { expected: { amount: 100_001, currency: 'EUR' } },
      matchRefusal(409, 'maximumPayment'),
    ],
    [
      'below the minimum charge in euros',
      () => storeInvoice({ amount: 0.49 }),
      { expected: { amount: 49, currency: 'EUR' } },
      matchRefusal(409, 'minimumPayment'),
    ],
    [
      'below the minimum charge in Guinean francs',
      () => storeInvoice({ amount: 9999, currency: 'GNF' }),
      { expected: { amount: 9999, currency: 'GNF' } },
      matchRefusal(409, 'minimumPayment'),
    ],
    [
      'of less than a cent',
      () => storeInvoice({ amount: 0.001 }),
      { expected: { amount: 0, currency: 'EUR' } },
      matchRefusal(404, 'invoiceNotFound'),
    ],
    [
      'without a reference',
      () => storeInvoice(),
      { reference: '' },
      matchRefusal(400, 'invoiceFieldsRequired'),
    ],
  ])('refuses to pay an invoice %s, without effect', async (_, prepare, changes, expected) => {
    const uid = await world.person()
    await prepare()
    const before = await readStoredInvoice()
    expect(await startInvoicePayment(uid, buildInvoiceRequest(changes))).toEqual(expected)
    const { invoiceAttempts } = await world.records()
    expect([invoiceAttempts.size, await readStoredInvoice(), listIntents()]).toEqual([0, before, []])
  })

  test.each([
    ['EUR', 0.5, 50],
    ['CAD', 0.5, 50],
    ['GNF', 10_000, 10_000],
  ] as const)('charges an invoice of the lowest possible amount (%s)', async (currency, amount, minor) => {
    const uid = await world.person()
    await storeInvoice({ amount, currency })
    const { paymentIntentId } = await startInvoicePaymentOrThrow(
      uid,
      buildInvoiceRequest({ expected: { amount: minor, currency } }),
    )
    await world.pay(paymentIntentId)
    expect(listIntents()).toMatchObject([{ status: 'succeeded', amount_received: minor }])
  })

  test('frees an invoice for other payers immediately if Stripe creates no PaymentIntent', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    const on = 'POST /v1/payment_intents'
    world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 500, kept: true } })
    expect(await startInvoicePayment(ada)).toEqual(matchRefusal(409, 'attemptEnded'))
    expect((await startInvoicePayment(bob)).ok).toBe(true)
  })

  test('refuses an invoice payment of a user without a profile', async () => {
    await storeInvoice()
    expect(await startInvoicePayment('nobody')).toEqual(matchRefusal(404, 'userNotFound'))
    expect(listIntents()).toEqual([])
  })

  test('an unreadable invoice charges nothing, in the specification’s words', async () => {
    const uid = await world.person()
    await storeInvoice()
    world.sandbox.faults.add({
      on: 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet',
      times: 50,
      what: { kind: 'status', status: 400 },
    })
    expect(await startInvoicePayment(uid)).toMatchObject({
      error: { status: 503, code: 'invoicePaymentUnavailable', error: 'Failed to process invoice payment' },
    })
    expect(listIntents()).toEqual([])
  })

  test('a second attempt is refused until the first is canceled', async () => {
    const uid = await world.person()
    await storeInvoice()
    const first = buildInvoiceRequest()
    await startInvoicePaymentOrThrow(uid, first)
    expect(await startInvoicePayment(uid)).toEqual(matchRefusal(409, 'invoiceUnderWay'))
    expect(await cancelPayment(uid, first.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    expect(await startInvoicePayment(uid, first)).toEqual(matchRefusal(409, 'attemptEnded'))
    expect((await startInvoicePayment(uid)).ok).toBe(true)
  })

  test('keeps an invoice reserved until Stripe confirms the cancellation of its payment', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    const request = buildInvoiceRequest()
    const { paymentIntentId } = await startInvoicePaymentOrThrow(ada, request)
    world.sandbox.faults.add({
      on: `POST /v1/payment_intents/${paymentIntentId}/cancel`,
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    await expect(cancelPayment(ada, request.attemptId)).rejects.toThrow()
    expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceUnderWay'))
    await world.pay(paymentIntentId)
    expect(await cancelPayment(ada, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceAlreadyPaid'))
  })

  test("refuses to record or cancel another user's payment of an invoice", async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    const request = buildInvoiceRequest()
    const { paymentIntentId } = await startInvoicePaymentOrThrow(ada, request)
    expect(await recordPayment(bob, request.attemptId)).toEqual(matchRefusal(404, 'paymentNotFound'))
    expect(await cancelPayment(bob, request.attemptId)).toEqual(matchRefusal(404, 'paymentNotFound'))
    expect(await recordTransfer(world.context, { uid: bob }, { paymentIntentId })).toEqual(
      matchRefusal(403, 'forbidden'),
    )
  })

  test('an invoice’s attempt ID is refused for anything else', async () => {
    const uid = await world.person()
    await storeInvoice()
    await storeInvoice({}, { ...INVOICE_LOOKUP, reference: '6012-1002' })
    const request = buildInvoiceRequest()
    await startInvoicePaymentOrThrow(uid, request)
    expect(await startInvoicePayment(uid, { ...request, reference: '6012-1002' })).toEqual(
      matchRefusal(409, 'attemptConflict'),
    )
    const { attemptId } = request
    expect(
      await createPaymentIntent(world.context, { uid }, buildTransferRequest(uid, { attemptId })),
    ).toEqual(matchRefusal(409, 'attemptConflict'))
  })

  test.each<[string, () => Promise<unknown>, string]>([
    ['withdrawn by its supplier', () => getInvoiceRef().delete(), 'invoiceGone'],
    ['paid elsewhere', () => getInvoiceRef().update({ status: 'paid' }), 'invoiceGone'],
  ])('refunds the payment of an invoice that was %s before the charge', async (_, happen, reason) => {
    const uid = await world.person()
    await storeInvoice()
    const request = buildInvoiceRequest()
    const { paymentIntentId } = await startInvoicePaymentOrThrow(uid, request)
    await happen()
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toEqual({ ok: true, value: { outcome: 'refunded' } })
    const { refunds, invoicePayments } = await world.records()
    expect(refunds.get(paymentIntentId)).toMatchObject({ uid, reason, status: 'done' })
    expect(invoicePayments.size).toBe(0)
    await getInvoiceRef().delete()
  })

  /** A supplier's system may overwrite an invoice that is still due. */
  const imports: [string, object][] = [
    ['unchanged', DUE_INVOICE_DOCUMENT],
    ['without a status', { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30' }],
    ['with an obsolete field of this app', { ...DUE_INVOICE_DOCUMENT, heldBy: 'somebody' }],
    ['with another amount', { ...DUE_INVOICE_DOCUMENT, amount: 90 }],
    ['with a date some days later', { ...DUE_INVOICE_DOCUMENT, dueDate: '2026-12-10' }],
    ['with next month’s date', { ...DUE_INVOICE_DOCUMENT, dueDate: '2026-12-30' }],
  ]

  test.each(imports)(
    'an invoice imported %s during payment stays reserved at its amount',
    async (_, imported) => {
      const [ada, bob] = [await world.person(), await world.person()]
      await storeInvoice()
      const request = buildInvoiceRequest()
      const { paymentIntentId } = await startInvoicePaymentOrThrow(ada, request)
      await getInvoiceRef().set(imported)
      expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceUnderWay'))
      await world.pay(paymentIntentId)
      expect(await recordPayment(ada, request.attemptId)).toMatchObject({
        value: { outcome: 'paid', invoicePayment: { amount: 84.5, dueDate: '2026-11-30' } },
      })
      expect(await readStoredInvoice()).toEqual(imported)
    },
  )

  const payInvoice = async (uid: string, request = buildInvoiceRequest()) => {
    const { paymentIntentId } = await startInvoicePaymentOrThrow(uid, request)
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    return paymentIntentId
  }

  test.each(imports.slice(0, 4))(
    'an invoice that is imported %s after its payment stays paid',
    async (_, imported) => {
      const [ada, bob] = [await world.person(), await world.person()]
      await storeInvoice()
      await payInvoice(ada)
      await getInvoiceRef().set(imported)
      expect(await requestInvoiceLookup(bob)).toMatchObject({ value: { invoice: { status: 'paid' } } })
      expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceAlreadyPaid'))
    },
  )

  test('a due date changed after payment is refused, with an alert', async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    const paymentIntentId = await payInvoice(ada)
    await storeInvoice({ dueDate: '2026-12-10', amount: 91 })
    world.logged.length = 0
    expect(await requestInvoiceLookup(bob)).toMatchObject({ value: { invoice: { status: 'seemsPaid' } } })
    expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceSeemsPaid'))
    const alert = { level: 'error', event: 'invoiceSeemsPaid', paymentIntentId, dueDate: '2026-12-10' }
    expect(world.logged.filter(({ event }) => event === 'invoiceSeemsPaid')).toEqual([alert, alert])
    expect(listIntents()).toHaveLength(1)
  })

  test("accepts next month's invoice with the same reference", async () => {
    const [ada, bob] = [await world.person(), await world.person()]
    await storeInvoice()
    await payInvoice(ada)
    await storeInvoice({ dueDate: '2026-12-30' })
    expect(await requestInvoiceLookup(bob)).toMatchObject({ value: { invoice: { status: 'due' } } })
    await payInvoice(bob, buildInvoiceRequest({ expected: { dueDate: '2026-12-30' } }))
    expect((await world.records()).invoicePayments.size).toBe(2)
    await storeInvoice()
    expect(await startInvoicePayment(bob)).toEqual(matchRefusal(409, 'invoiceAlreadyPaid'))
  })
})
