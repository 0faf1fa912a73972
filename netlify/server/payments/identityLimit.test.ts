import { expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../../../domain/api/api.ts'
import { DAY } from '../../../domain/common/duration.ts'
import { cancelPayment, listIntents, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted, startTransferPayment } from '../../testing/payments.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const LIMIT_CENTS = 30_000
const WHOLE_LIMIT = { amount: LIMIT_CENTS, expected: { fee: 900, converted: 3_084_600 } }
const isRequired = (document: string) => ({
  error: { status: 403, code: 'identityRequired', details: { limitCents: LIMIT_CENTS, document } },
})

async function personAtLimit() {
  world.requireIdentityAbove(LIMIT_CENTS)
  const uid = await world.person()
  await expectTransferPaymentStarted(buildTransferRequest(uid, WHOLE_LIMIT))
  return uid
}

test('a transfer above the limit without identity is refused before reserving @spec-identity-required', async () => {
  const uid = await personAtLimit()
  const before = await world.records()
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject(isRequired('none'))
  expect(await world.records()).toEqual(before)
  expect(listIntents()).toHaveLength(1)
})

test('an approved document allows transfers above the limit', async () => {
  const uid = await personAtLimit()
  await world.writeIdentity(uid, 'approved')
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({ ok: true })
})

test.each([
  ['pending', 'pending', '2035-01-31'],
  ['rejected', 'rejected', '2035-01-31'],
  ['expired', 'approved', '2026-11-20'],
] as const)('a document that is %s does not count', async (document, status, expirationDate) => {
  const uid = await personAtLimit()
  await world.writeIdentity(uid, status, expirationDate)
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject(isRequired(document))
})

test('an approved document of another user does not count', async () => {
  const uid = await personAtLimit()
  await world.writeIdentity(await world.person(), 'approved')
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject(isRequired('none'))
})

test('a document that expires ends the permission at midnight UTC', async () => {
  const uid = await personAtLimit()
  await world.writeIdentity(uid, 'approved', '2026-11-21')
  await expectTransferPaymentStarted(buildTransferRequest(uid))
  world.setTime(WORLD_START + DAY / 2)
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject(isRequired('expired'))
})

test('without the setting no document is needed', async () => {
  const uid = await world.person()
  const half = { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }
  for (const _ of [1, 2]) await expectTransferPaymentStarted(buildTransferRequest(uid, half))
})

test('a limit of zero requires a document of every sender', async () => {
  world.requireIdentityAbove(0)
  const uid = await world.person()
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject({
    error: { code: 'identityRequired', details: { limitCents: 0 } },
  })
})

test('the limit without identity counts Canadian dollars in EUR', async () => {
  world.requireIdentityAbove(LIMIT_CENTS)
  const uid = await world.person()
  const inDollars = (amount: number, converted: number) =>
    buildTransferRequest(uid, { amount, currency: 'cad', expected: { fee: 1500, converted } })
  expect(await startTransferPayment(inDollars(50_002, 3_105_583))).toMatchObject(isRequired('none'))
  await expectTransferPaymentStarted(inDollars(50_000, 3_105_455))
})

test('the limit follows the verified number, and starts again each month', async () => {
  world.requireIdentityAbove(LIMIT_CENTS)
  const phone = '+33612345678'
  const begin = (uid: string, changes: Partial<TransferPaymentRequest> = {}) =>
    createPaymentIntent(world.context, { uid, phone }, buildTransferRequest(uid, changes))
  await begin(await world.person(), WHOLE_LIMIT)
  const again = await world.person()
  expect(await begin(again)).toMatchObject(isRequired('none'))
  world.setTime(Date.UTC(2026, 11, 1))
  expect(await begin(again, WHOLE_LIMIT)).toMatchObject({ ok: true })
})

test('a canceled payment no longer counts toward the limit without identity', async () => {
  world.requireIdentityAbove(LIMIT_CENTS)
  const uid = await world.person()
  const canceled = buildTransferRequest(uid, WHOLE_LIMIT)
  await expectTransferPaymentStarted(canceled)
  await cancelPayment(uid, canceled.attemptId)
  await expectTransferPaymentStarted(buildTransferRequest(uid, WHOLE_LIMIT))
})

test('an attempt reserved with approval can be resent after a rejection', async () => {
  const uid = await personAtLimit()
  await world.writeIdentity(uid, 'approved')
  const request = buildTransferRequest(uid)
  const first = await expectTransferPaymentStarted(request)
  await world.writeIdentity(uid, 'rejected')
  expect(await expectTransferPaymentStarted(request)).toMatchObject({
    paymentIntentId: first.paymentIntentId,
  })
  expect(await startTransferPayment(buildTransferRequest(uid))).toMatchObject(isRequired('rejected'))
})

test('6 concurrent payments begin only as far as the limit allows', {
  timeout: 120_000,
}, async () => {
  world.requireIdentityAbove(LIMIT_CENTS)
  const uid = await world.person()
  const insist = async (request: TransferPaymentRequest): Promise<string> => {
    const result = await startTransferPayment(request)
    if (result.ok) return 'started'
    return result.error.code === 'capUnavailable' ? insist(request) : result.error.code
  }
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => insist(buildTransferRequest(uid))))
  expect(outcomes.toSorted()).toEqual([...Array(3).fill('identityRequired'), ...Array(3).fill('started')])
})

test('the monthly cap is refused first, because a document would not help', async () => {
  const uid = await personAtLimit()
  await world.writeIdentity(uid, 'approved')
  await expectTransferPaymentStarted(
    buildTransferRequest(uid, { amount: 50_000, expected: { fee: 1500, converted: 5_141_000 } }),
  )
  await world.writeIdentity(uid, 'rejected')
  expect(await startTransferPayment(buildTransferRequest(uid, WHOLE_LIMIT))).toMatchObject({
    error: { code: 'monthlyCapExceeded' },
  })
})
