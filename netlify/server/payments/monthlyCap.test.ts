import { describe, expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../../../domain/api/api.ts'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
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
  readSlotsLeft,
  readStoredLedger,
  startTransferPayment,
} from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import type { Caller } from '../platform/caller.ts'
import { type MonthUse, type PartyCapUse, parseCapUse } from '../platform/documents.ts'
import { buildAttemptKey } from '../platform/records.ts'
import { sumMonthlyTransfers } from './sumMonthlyTransfers.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('the monthly cap @spec-month-cap', () => {
  test.each(Array.from({ length: 20 }, (_, i) => i + 1))(
    'the monthly cap admits 10 of 20 concurrent payments (run %i)',
    async () => {
      const uid = await world.person()
      const token = await world.token(uid)
      // A client whose cap could not be checked sends the same attempt again.
      const insist = async (request: TransferPaymentRequest): Promise<string> => {
        const { status, body } = await world.invoke('create-payment-intent', request, { token })
        if (status === 200) return 'started'
        return body.code === 'capUnavailable' ? insist(request) : String(body.code)
      }
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => insist(buildTransferRequest(uid))))
      expect(outcomes.toSorted()).toEqual([
        ...Array(10).fill('monthlyCapExceeded'),
        ...Array(10).fill('started'),
      ])
      expect(listIntents()).toHaveLength(10)
      await Promise.all(listIntents().map(({ id }) => world.pay(id)))
      await Promise.all(
        listIntents().map(({ id }) => recordTransfer(world.context, { uid }, { paymentIntentId: id })),
      )
      expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 100_000, reservedCents: 0 })
      expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(10)
    },
  )

  test('the cap sums a month’s transfers, even without the index @spec-month-total', async () => {
    const uid = await world.person()
    const sent = [
      buildTransferRequest(uid),
      buildTransferRequest(uid, { amount: 1667, currency: 'cad', expected: { fee: 50, converted: 103_537 } }),
      buildTransferRequest(uid, {
        amount: 3333,
        currency: 'cad',
        expected: { fee: 100, converted: 207_009 },
      }),
    ]
    for (const request of sent) {
      await world.pay((await expectTransferPaymentStarted(request)).paymentIntentId)
      await recordPayment(uid, request.attemptId)
    }
    await expectTransferPaymentStarted(buildTransferRequest(uid))
    const { recordedCents } = (await readStoredLedger(uid)) ?? {}
    // 100 EUR, and 16.67 and 33.33 CAD at 0.6, each rounded half up.
    expect(recordedCents).toBe(10_000 + 1000 + 2000)
    expect(await sumMonthlyTransfers(world.context, uid, '2026-11')).toBe(recordedCents)
    expect(await sumMonthlyTransfers(world.context, uid, '2026-12')).toBe(0)
    expect(await sumMonthlyTransfers(world.context, 'somebody-else', '2026-11')).toBe(0)

    const queries = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    world.sandbox.faults.add({ on: queries, times: 1, what: { kind: 'noIndex' } })
    expect(await sumMonthlyTransfers(world.context, uid, '2026-11')).toBe(recordedCents)
    expect(world.logged.at(-1)).toMatchObject({ level: 'error', event: 'indexMissing' })
    world.sandbox.faults.add({ on: queries, times: 9, what: { kind: 'status', status: 403 } })
    await expect(sumMonthlyTransfers(world.context, uid, '2026-11')).rejects.toThrow()
    world.sandbox.faults.reset()
  })

  test.each([
    ['settled', 20_000],
    ['pending', 10_000],
    ['failed', 10_000],
    ['canceled', 10_000],
    ['unknown', 10_000],
  ])('one completed transfer and one %s sum to %i cents @spec-month-total', async (status, sum) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    await world.pay((await expectTransferPaymentStarted(request)).paymentIntentId)
    await recordPayment(uid, request.attemptId)
    const other = world.context.db.doc('transactions/other')
    await other.set({
      ...(await world.context.db.collection('transactions').get()).docs[0]?.data(),
      status,
    })
    expect(await sumMonthlyTransfers(world.context, uid, '2026-11')).toBe(sum)
    const queries = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    world.sandbox.faults.add({ on: queries, times: 1, what: { kind: 'noIndex' } })
    expect(await sumMonthlyTransfers(world.context, uid, '2026-11')).toBe(sum)
    await other.delete()
  })

  test('the cap counts transfers older than their month’s ledger', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const request = buildTransferRequest(uid, { amount: 50_000, expected })
    await world.pay((await expectTransferPaymentStarted(request)).paymentIntentId)
    await recordPayment(uid, request.attemptId)
    await world.context.db.doc(`transactions/before`).set({
      ...(await world.context.db.collection('transactions').get()).docs[0]?.data(),
      status: 'failed',
    })
    await world.context.db.doc(`ledgers/${uid}_2026-11`).delete()
    await expectTransferPaymentStarted(buildTransferRequest(uid, { amount: 50_000, expected }))
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 50_000, reservedCents: 50_000 })
    expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
      error: { code: 'monthlyCapExceeded' },
    })
    await world.context.db.doc(`transactions/before`).delete()
  })

  test.each([0, 1])('the cap ignores received transfers (%i queries lack an index)', async (times) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    await world.pay((await expectTransferPaymentStarted(request)).paymentIntentId)
    await recordPayment(uid, request.attemptId)
    const received = world.context.db.doc('transactions/received')
    await received.set({
      ...(await world.context.db.collection('transactions').get()).docs[0]?.data(),
      type: 'received',
    })
    await world.context.db.doc(`ledgers/${uid}_2026-11`).delete()
    const queries = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:runQuery'
    if (times > 0) world.sandbox.faults.add({ on: queries, times, after: 5, what: { kind: 'noIndex' } })
    await expectTransferPaymentStarted(buildTransferRequest(uid))
    expect(await readStoredLedger(uid)).toMatchObject({ recordedCents: 10_000, reservedCents: 10_000 })
    await received.delete()
  })

  test('a refusal names what is left and the next month’s start @spec-month-left', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    await expectTransferPaymentStarted(buildTransferRequest(uid, { amount: 50_000, expected }))
    await expectTransferPaymentStarted(
      buildTransferRequest(uid, { amount: 45_000, expected: { fee: 1350, converted: 4_626_900 } }),
    )
    expect(await startTransferPayment(buildTransferRequest(uid))).toEqual({
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
    await expectTransferPaymentStarted(
      buildTransferRequest(uid, { amount: 5000, expected: { fee: 150, converted: 514_100 } }),
    )
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 100_000 })
  })

  test('the cap releases the amount of a canceled, unpaid payment only', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const one = buildTransferRequest(uid, { amount: 50_000, expected })
    const two = buildTransferRequest(uid, { amount: 50_000, expected })
    const paid = await expectTransferPaymentStarted(one)
    await expectTransferPaymentStarted(two)
    await world.pay(paid.paymentIntentId)
    expect(await cancelPayment(uid, one.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await cancelPayment(uid, two.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    await expectTransferPaymentStarted(buildTransferRequest(uid, { amount: 50_000, expected }))
    expect(
      await startTransferPayment(
        buildTransferRequest(uid, { amount: 1000, expected: { fee: 30, converted: 102_820 } }),
      ),
    ).toMatchObject({
      error: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
  })

  test('the cap counts a payment in its starting UTC month @spec-payment-month', async () => {
    const uid = await world.person()
    const expected = { fee: 1500, converted: 5_141_000 }
    const large = () => buildTransferRequest(uid, { amount: 50_000, expected })
    world.setTime(Date.UTC(2026, 11, 1) - 1)
    const last = large()
    const { paymentIntentId } = await expectTransferPaymentStarted(last)
    await expectTransferPaymentStarted(large())
    expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
      error: { code: 'monthlyCapExceeded' },
    })

    world.pass(1)
    await expectTransferPaymentStarted(large())
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, last.attemptId)).toMatchObject({
      value: {
        outcome: 'paid',
        transaction: { createdAt: Date.UTC(2026, 11, 1) - 1, settledAt: Date.UTC(2026, 11, 1) },
      },
    })
    expect(await readStoredLedger(uid, '2026-11')).toMatchObject({
      recordedCents: 50_000,
      reservedCents: 50_000,
    })
    expect(await readStoredLedger(uid, '2026-12')).toMatchObject({ recordedCents: 0, reservedCents: 50_000 })
  })

  test("charges nothing, and reports it, if the monthly cap can't be read @spec-cap-unreadable", async () => {
    const uid = await world.person()
    const reads = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet'
    world.sandbox.faults.add({ on: reads, times: 100, what: { kind: 'status', status: 403 } })
    expect(await startTransferPayment(buildTransferRequest(uid))).toEqual({
      ok: false,
      error: expect.objectContaining({
        status: 503,
        code: 'capUnavailable',
        error: 'Impossible de vérifier le plafond mensuel pour le moment. Veuillez réessayer plus tard.',
      }),
    })
    world.sandbox.faults.reset()
    expect(listIntents()).toEqual([])
    expect((await world.records()).attempts.size).toBe(0)
  })

  test('charges nothing if the monthly cap is not read in time', async () => {
    const uid = await world.person()
    const reads = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:batchGet'
    world.sandbox.faults.add({ on: reads, times: 1, what: { kind: 'delay', ms: 300 } })
    const impatient = { ...world.context, serviceTimeout: 50 }
    expect(await createPaymentIntent(impatient, { uid }, buildTransferRequest(uid))).toMatchObject({
      error: { code: 'capUnavailable' },
    })
    expect(listIntents()).toEqual([])
  })
})

describe("a person's cap", () => {
  const NUMBER = '+33612345678'
  const half = { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }
  const begin = (caller: Caller, changes: Partial<TransferPaymentRequest> = {}) =>
    createPaymentIntent(world.context, caller, buildTransferRequest(caller.uid, { ...half, ...changes }))
  const listCapUses = async () =>
    (await world.context.db.collection('capUses').get()).docs.flatMap((one) => parseCapUse(one) ?? [])
  const december = Date.UTC(2026, 11, 1)
  const buildCapUse = (use: MonthUse): PartyCapUse => ({
    months: { '2026-11': use },
    sent: [],
    endsAt: december,
  })

  async function pay(caller: Caller) {
    const request = buildTransferRequest(caller.uid, half)
    const begun = await createPaymentIntent(world.context, caller, request)
    await world.pay(begun.ok ? begun.value.paymentIntentId : '')
    expect(await recordPayment(caller.uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  }

  test('the cap follows the verified number, and starts again each month', async () => {
    const first = { uid: await world.person(), phone: NUMBER }
    await pay(first)
    await begin(first)
    const again = { uid: await world.person(), phone: NUMBER }
    expect(await begin(again, { amount: 1000, expected: { fee: 30, converted: 102_820 } })).toMatchObject({
      error: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
    expect(await listCapUses()).toEqual([buildCapUse({ recordedCents: 50_000, reservedCents: 50_000 })])
    expect((await begin({ uid: await world.person(), phone: '+33612345679' })).ok).toBe(true)
    world.setTime(december)
    expect((await begin(again)).ok).toBe(true)
  })

  test('the cap follows the verified address, in upper or lower case', async () => {
    const one = { uid: await world.person(), phone: NUMBER, email: 'Ada@example.com' }
    await pay(one)
    await pay({ uid: await world.person(), email: 'ada@example.com' })
    expect(await begin(one)).toMatchObject({ error: { code: 'monthlyCapExceeded' } })
    expect((await begin({ uid: await world.person(), phone: NUMBER })).ok).toBe(true)
  })

  test('canceling returns the person’s amount, and deletes the attempt’s keys', async () => {
    const caller = { uid: await world.person(), phone: NUMBER }
    const request = buildTransferRequest(caller.uid, half)
    await createPaymentIntent(world.context, caller, request)
    const stored = world.context.db.doc(`attempts/${buildAttemptKey(caller.uid, request.attemptId)}`)
    const personKey = world.context.pseudonym(`person:${NUMBER}`)
    expect((await stored.get()).get('persons')).toEqual([caller.uid, personKey])
    await cancelPayment(caller.uid, request.attemptId)
    expect((await stored.get()).get('persons')).toEqual([])
    expect(await listCapUses()).toEqual([buildCapUse({ recordedCents: 0, reservedCents: 0 })])
    await pay(caller)
    for (const attempt of (await world.records()).attempts.values()) expect(attempt.persons).toEqual([])
  })

  test('cap uses are deleted after the month, and stay deleted', async () => {
    world.setTime(december - MINUTE)
    const caller = { uid: await world.person(), phone: NUMBER }
    const late = buildTransferRequest(caller.uid, half)
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
    await runDueWork(world.context)
    const listMonths = async () => (await listCapUses()).map(({ months }) => Object.keys(months).sort())
    expect(await listMonths()).toEqual([['2026-11', '2026-12']])
    world.pass(2 * HOUR)
    world.sandbox.faults.reset()
    await runDueWork(world.context)
    expect(await readStoredLedger(caller.uid)).toMatchObject({ reservedCents: 0 })
    expect(await listMonths()).toEqual([['2026-12']])
    world.setTime(Date.UTC(2027, 0, 1, 7))
    await runDueWork(world.context)
    expect(await listCapUses()).toEqual([])
  })
})

describe('the allowance of a plan', () => {
  const free = { fee: 0, converted: 1_060_000 }

  test("only one of 8 concurrent payments gets a plan's last transfer @spec-last-allowance", {
    timeout: 120_000,
  }, async () => {
    const uid = await world.person(buildPremiumSubscription(1))
    const insist = async (request: TransferPaymentRequest): Promise<string> => {
      const result = await startTransferPayment(request)
      if (result.ok) return 'started'
      return result.error.code === 'capUnavailable' ? insist(request) : result.error.code
    }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => insist(buildTransferRequest(uid, { expected: free }))),
    )
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('quoteChanged'), 'started'])
    expect(await readStoredLedger(uid)).toMatchObject({ reservedSlots: 1 })
    expect(await readSlotsLeft(uid)).toBe(1)
  })

  test('recording a transfer repeatedly uses only one transfer of the plan @spec-allowance-used', async () => {
    const uid = await world.person(buildPremiumSubscription(2))
    const request = buildTransferRequest(uid, { expected: free })
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    await recordPayment(uid, request.attemptId)
    await recordPayment(uid, request.attemptId)
    expect(await readSlotsLeft(uid)).toBe(1)
    expect(await readStoredLedger(uid)).toMatchObject({ reservedSlots: 0, recordedCents: 10_000 })
  })

  test('a transfer with a coupon uses one transfer of the plan too @spec-allowance-coupon', async () => {
    const uid = await world.person({ ...buildPremiumSubscription(2), tier: 'basic' })
    const request = buildTransferRequest(uid, { couponCode: 'zéro', expected: free })
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({
      value: { transaction: { fees: 0, couponCode: 'zéro' } },
    })
    expect(await readSlotsLeft(uid)).toBe(1)
  })

  test('ignores invisible characters in a coupon and a phone number @spec-pasted', async () => {
    const uid = await world.person()
    const request = buildTransferRequest(uid, {
      couponCode: '\u202aZE\u200bRO',
      recipientPhone: '\u2068+224\u202f620\u00a000 00 00\u2069',
      expected: free,
    })
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    expect(await recordPayment(uid, request.attemptId)).toMatchObject({
      value: { transaction: { fees: 0, couponCode: 'ZERO', recipientPhone: '+224620000000' } },
    })
  })

  test("canceling a payment returns its transfer to the plan's allowance @spec-allowance-held", async () => {
    const uid = await world.person(buildPremiumSubscription(1))
    const request = buildTransferRequest(uid, { expected: free })
    await expectTransferPaymentStarted(request)
    expect(await startTransferPayment(buildTransferRequest(uid, { expected: free }))).toMatchObject({
      error: { code: 'quoteChanged' },
    })
    await cancelPayment(uid, request.attemptId)
    await expectTransferPaymentStarted(buildTransferRequest(uid, { expected: free }))
  })

  test('a plan is refilled once a month, for new payments only', async () => {
    const uid = await world.person(buildPremiumSubscription(1))
    const old = buildTransferRequest(uid, { expected: free })
    const { paymentIntentId } = await expectTransferPaymentStarted(old)
    world.setTime(Date.UTC(2026, 11, 1))
    const fresh = buildTransferRequest(uid, { expected: free })
    const second = await expectTransferPaymentStarted(fresh)
    expect(await readSlotsLeft(uid)).toBe(5)
    await expectTransferPaymentStarted(buildTransferRequest(uid, { expected: free }))
    expect(await readSlotsLeft(uid)).toBe(5)

    await world.pay(paymentIntentId)
    await recordPayment(uid, old.attemptId)
    expect(await readSlotsLeft(uid)).toBe(5)
    await world.pay(second.paymentIntentId)
    await recordPayment(uid, fresh.attemptId)
    expect(await readSlotsLeft(uid)).toBe(4)
  })

  const DECEMBER = Date.UTC(2026, 11, 1)
  const readCode = (result: Awaited<ReturnType<typeof startTransferPayment>>) =>
    result.ok ? 'started' : result.error.code

  test('a server in the old month can’t use the new allowance', async () => {
    const uid = await world.person(buildPremiumSubscription(0))
    const at = (now: number) => ({ ...world.context, now: () => now })
    const outcomes: string[] = []
    for (const clock of [...Array(5).fill(DECEMBER), ...Array(2).fill(DECEMBER - 1)])
      outcomes.push(
        readCode(
          await createPaymentIntent(at(clock), { uid }, buildTransferRequest(uid, { expected: free })),
        ),
      )
    expect(outcomes).toEqual([...Array(5).fill('started'), ...Array(2).fill('quoteChanged')])
    expect(await readStoredLedger(uid, '2026-12')).toMatchObject({ reservedSlots: 5 })
    await createPaymentIntent(at(DECEMBER - 1), { uid }, buildTransferRequest(uid))
    expect(await readStoredLedger(uid, '2026-12')).toMatchObject({ reservedSlots: 5, reservedCents: 60_000 })
    expect(await readStoredLedger(uid)).toBeUndefined()
  })

  test('a payment waiting since the old month can’t use the new allowance', async () => {
    const uid = await world.person(buildPremiumSubscription(0))
    world.setTime(DECEMBER - 1)
    const outcomes: string[] = []
    const begin = async () =>
      void outcomes.push(readCode(await startTransferPayment(buildTransferRequest(uid, { expected: free }))))
    await world.interrupted(1, begin, async () => {
      world.setTime(DECEMBER)
      for (let times = 0; times < 5; times += 1) await begin()
    })
    expect(outcomes.toSorted()).toEqual(['quoteChanged', ...Array(5).fill('started')])
    expect(await readStoredLedger(uid, '2026-12')).toMatchObject({ reservedSlots: 5 })
  })

  test('a refused payment does not refill the allowance of a plan', async () => {
    const uid = await world.person(buildPremiumSubscription(1))
    world.setTime(Date.UTC(2026, 11, 1))
    expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
      error: { code: 'quoteChanged' },
    })
    expect(await readSlotsLeft(uid)).toBe(1)
  })
})
