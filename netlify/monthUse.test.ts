import { describe, expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../domain/api.ts'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { sumOfMonth } from './server/payments/monthSum.ts'
import type { Caller } from './server/platform/caller.ts'
import { attemptKey } from './server/platform/records.ts'
import { cancelPayment, intents, record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { ledger, left, premium, start, started } from './testing/payments.ts'
import { requestOf } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('the monthly cap @spec-month-cap', () => {
  test.each(Array.from({ length: 20 }, (_, i) => i + 1))(
    'holds under 20 payments of 100 EUR at once, time %i: exactly 10 are let through',
    async () => {
      const uid = await world.person()
      const token = await world.token(uid)
      // A client that is told that the cap could not be checked asks again with the same attempt.
      const insist = async (request: TransferPaymentRequest): Promise<string> => {
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

  test('is what the transfers of a month add up to, with its index and without @spec-month-total', async () => {
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

  test('says what is left and when it starts anew @spec-month-left', async () => {
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
    expect(await cancelPayment(uid, one.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    expect(await cancelPayment(uid, two.attemptId)).toEqual({ ok: true, value: { outcome: 'released' } })
    await started(requestOf(uid, { amount: 50_000, expected }))
    expect(
      await start(requestOf(uid, { amount: 1000, expected: { fee: 30, converted: 102_820 } })),
    ).toMatchObject({
      error: { code: 'monthlyCapExceeded', details: { leftCents: 0 } },
    })
  })

  test('belongs to the UTC month in which the payment was started @spec-payment-month', async () => {
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

  test('that can not be read refuses in words, and nothing is charged @spec-cap-unreadable', async () => {
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

describe("a person's cap", () => {
  const NUMBER = '+33612345678'
  const half = { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }
  const begin = (caller: Caller, changes: Partial<TransferPaymentRequest> = {}) =>
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
    await cancelPayment(caller.uid, request.attemptId)
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

describe('a plan', () => {
  const free = { fee: 0, converted: 1_060_000 }

  test('gives its last transfer to one of 8 payments at once @spec-last-allowance', {
    timeout: 120_000,
  }, async () => {
    const uid = await world.person(premium(1))
    const insist = async (request: TransferPaymentRequest): Promise<string> => {
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

  test('has one transfer less once it is recorded, however often it is told @spec-allowance-used', async () => {
    const uid = await world.person(premium(2))
    const request = requestOf(uid, { expected: free })
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    await record(uid, request.attemptId)
    await record(uid, request.attemptId)
    expect(await left(uid)).toBe(1)
    expect(await ledger(uid)).toMatchObject({ reservedSlots: 0, recordedCents: 10_000 })
  })

  test('has one transfer less under a coupon too @spec-allowance-coupon', async () => {
    const uid = await world.person({ ...premium(2), tier: 'basic' })
    const request = requestOf(uid, { couponCode: 'zéro', expected: free })
    const { paymentIntentId } = await started(request)
    await world.pay(paymentIntentId)
    expect(await record(uid, request.attemptId)).toMatchObject({
      value: { transaction: { fees: 0, couponCode: 'zéro' } },
    })
    expect(await left(uid)).toBe(1)
  })

  test('keeps its transfer when the payment is canceled @spec-allowance-held', async () => {
    const uid = await world.person(premium(1))
    const request = requestOf(uid, { expected: free })
    await started(request)
    expect(await start(requestOf(uid, { expected: free }))).toMatchObject({ error: { code: 'quoteChanged' } })
    await cancelPayment(uid, request.attemptId)
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
