import { describe, expect, onTestFinished, test } from 'vitest'
import type { TransferPaymentRequest } from '../../../domain/api/api.ts'
import { MINUTE } from '../../../domain/common/duration.ts'
import indexFile from '../../../firebase/firestore.indexes.json' with { type: 'json' }
import {
  cancelPayment,
  listIntents,
  recordPayment,
  resetWorldForEachTest,
  world,
} from '../../testing/emptyWorld.ts'
import {
  expectTransferPaymentStarted,
  readStoredLedger,
  startTransferPayment,
} from '../../testing/payments.ts'
import { buildTransferRequest, createWorld, WORLD_START } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'

resetWorldForEachTest({ isMoneyChecked: true })

describe('a duplicate transfer', () => {
  const PHONE = '+224620000000'
  const buildRepeatedRequest = (uid: string, changes: Partial<TransferPaymentRequest> = {}) =>
    buildTransferRequest(uid, { recipientPhone: PHONE, ...changes })
  const buildDuplicateRefusal = (id: string, at: number, isPaid: boolean) => ({
    ok: false,
    error: expect.objectContaining({
      status: 409,
      code: 'sentAlready',
      details: { id, phone: PHONE, amount: 10_000, currency: 'EUR', at, isPaid },
    }),
  })
  async function sendTransfer(request: TransferPaymentRequest) {
    const { paymentIntentId } = await expectTransferPaymentStarted(request)
    await world.pay(paymentIntentId)
    await recordPayment(request.senderId, request.attemptId)
    return paymentIntentId
  }

  test('a duplicate of an open transfer is asked about, without reservation', async () => {
    const uid = await world.person()
    const first = buildRepeatedRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(first)
    await world.pay(paymentIntentId, 'pm_card_authenticationRequired')
    world.pass(25 * MINUTE)
    const second = buildRepeatedRequest(uid)
    expect(await startTransferPayment(second)).toEqual(
      buildDuplicateRefusal(first.attemptId, WORLD_START, false),
    )
    expect(await readStoredLedger(uid)).toMatchObject({ reservedCents: 10_000 })
    expect(listIntents()).toHaveLength(1)
    await expectTransferPaymentStarted({ ...second, again: first.attemptId })
    expect(listIntents()).toHaveLength(2)
  })

  test('asks about a duplicate for ten minutes after the payment', async () => {
    const uid = await world.person()
    const first = buildRepeatedRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(first)
    world.pass(25 * MINUTE)
    await world.pay(paymentIntentId)
    await recordPayment(uid, first.attemptId)
    world.pass(10 * MINUTE)
    const paidAt = WORLD_START + 25 * MINUTE
    expect(await startTransferPayment(buildRepeatedRequest(uid))).toEqual(
      buildDuplicateRefusal(paymentIntentId, paidAt, true),
    )
    world.pass(1)
    await expectTransferPaymentStarted(buildRepeatedRequest(uid))
  })

  test('asks about a duplicate even if the database index is missing', async () => {
    const isOlder = ({ fields }: (typeof indexFile.indexes)[number]) =>
      fields.every(({ fieldPath }) => fieldPath !== 'settledAt')
    const indexes = { ...indexFile, indexes: indexFile.indexes.filter(isOlder) }
    const older = await createWorld({ deployed: { indexes } })
    onTestFinished(() => older.close())
    const uid = await older.person()
    const begin = (request: TransferPaymentRequest) => createPaymentIntent(older.context, { uid }, request)
    const first = buildRepeatedRequest(uid)
    const begun = await begin(first)
    await older.pay(begun.ok ? begun.value.paymentIntentId : '')
    await recordTransfer(older.context, { uid }, { attemptId: first.attemptId })
    expect(await begin(buildRepeatedRequest(uid))).toMatchObject({ error: { code: 'sentAlready' } })
    expect(older.logged).toContainEqual({ level: 'error', event: 'indexMissing', collection: 'transactions' })
  })

  test('only a confirmation of the most recent transfer allows a duplicate', async () => {
    const uid = await world.person()
    const first = await sendTransfer(buildRepeatedRequest(uid))
    world.pass(MINUTE)
    const other = buildRepeatedRequest(uid)
    await expectTransferPaymentStarted({ ...other, again: first })
    const third = buildRepeatedRequest(uid, { again: first })
    expect(await startTransferPayment(third)).toEqual(
      buildDuplicateRefusal(other.attemptId, WORLD_START + MINUTE, false),
    )
    expect(await startTransferPayment({ ...third, again: 'pi_of_somebody' })).toEqual(
      buildDuplicateRefusal(other.attemptId, WORLD_START + MINUTE, false),
    )
    await expectTransferPaymentStarted({ ...third, again: other.attemptId })
  })

  test('accepts a confirmed duplicate after the first transfer was paid', async () => {
    const uid = await world.person()
    const first = buildRepeatedRequest(uid)
    const { paymentIntentId } = await expectTransferPaymentStarted(first)
    const second = buildRepeatedRequest(uid)
    expect(await startTransferPayment(second)).toEqual(
      buildDuplicateRefusal(first.attemptId, WORLD_START, false),
    )
    world.pass(MINUTE)
    await world.pay(paymentIntentId)
    await recordPayment(uid, first.attemptId)
    await expectTransferPaymentStarted({ ...second, again: first.attemptId })
  })

  test('begins one of two concurrent duplicate transfers, and asks about the other', async () => {
    const uid = await world.person()
    const results = await Promise.all([
      startTransferPayment(buildRepeatedRequest(uid)),
      startTransferPayment(buildRepeatedRequest(uid)),
    ])
    expect(results.map((result) => (result.ok ? 'started' : result.error.code)).toSorted()).toEqual([
      'sentAlready',
      'started',
    ])
    expect(listIntents()).toHaveLength(1)
  })

  test('one of two duplicates around a month’s end begins', async () => {
    const uid = await world.person()
    const midnight = Date.UTC(2026, 11, 1)
    const at = (now: number) => ({ ...world.context, now: () => now })
    const results = await Promise.all(
      [midnight - 1, midnight].map((now) => createPaymentIntent(at(now), { uid }, buildRepeatedRequest(uid))),
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
  ])('does not treat a transfer %s as a duplicate', async (_, changes) => {
    const uid = await world.person()
    await sendTransfer(buildRepeatedRequest(uid))
    await expectTransferPaymentStarted(buildRepeatedRequest(uid, changes))
  })

  test("ignores canceled transfers and other users' transfers when it looks for duplicates", async () => {
    const uid = await world.person()
    const first = buildRepeatedRequest(uid)
    await expectTransferPaymentStarted(first)
    await cancelPayment(uid, first.attemptId)
    await expectTransferPaymentStarted(buildRepeatedRequest(uid))
    await expectTransferPaymentStarted(buildRepeatedRequest(await world.person()))
  })
})
