import { describe, expect, onTestFinished, test } from 'vitest'
import type { TransferPaymentRequest } from '../domain/api.ts'
import { MINUTE } from '../domain/duration.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { cancelPayment, intents, record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { ledger, start, started } from './testing/payments.ts'
import { createWorld, requestOf, START } from './testing/world.ts'

testInEmptyWorld({ isMoneyChecked: true })

describe('the same transfer once more', () => {
  const PHONE = '+224620000000'
  const toAunt = (uid: string, changes: Partial<TransferPaymentRequest> = {}) =>
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
  async function sent(request: TransferPaymentRequest) {
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
    const begin = (request: TransferPaymentRequest) => createPaymentIntent(older.context, { uid }, request)
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

  test.each<[string, Partial<TransferPaymentRequest>]>([
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
    await cancelPayment(uid, first.attemptId)
    await started(toAunt(uid))
    await started(toAunt(await world.person()))
  })
})
