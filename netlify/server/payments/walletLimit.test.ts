import { expect, test } from 'vitest'
import { listIntents, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted, startTransferPayment } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const LIGHT_ACCOUNT = { mtn_money: { since: '2026-11-01', limit: 4_000_000 } }
const MTN = { recipientPhone: '+224660000000', receivingMethod: 'mtn_money' }
const WHOLE = { ...MTN, amount: 50_000, expected: { fee: 1_500, converted: 5_141_000 } }
const FITTING = { ...MTN, amount: 38_902, expected: { fee: 1_167, converted: 3_999_910 } }
const isRefused = {
  error: { status: 409, code: 'walletLimitExceeded', details: { limit: 4_000_000, fits: 38_902 } },
}

test('a transfer above its wallet’s limit is refused before reserving @spec-wallet-limit', async () => {
  world.limitWallets(LIGHT_ACCOUNT)
  const uid = await world.person()
  const before = await world.records()
  expect(await startTransferPayment(buildTransferRequest(uid, WHOLE))).toMatchObject(isRefused)
  expect(await world.records()).toEqual(before)
  expect(listIntents()).toEqual([])
  await expectTransferPaymentStarted(buildTransferRequest(uid, FITTING))
})

test('a forged received amount does not bypass the limit', async () => {
  world.limitWallets(LIGHT_ACCOUNT)
  const uid = await world.person()
  const forged = { ...WHOLE, expected: { ...WHOLE.expected, converted: 4_000_000 } }
  expect(await startTransferPayment(buildTransferRequest(uid, forged))).toMatchObject({
    error: { code: 'quoteChanged' },
  })
  expect(listIntents()).toEqual([])
})

test('a wallet’s limit applies to no other, and requires the setting', async () => {
  const uid = await world.person()
  const { recipientPhone: _, receivingMethod: __, ...orange } = WHOLE
  world.limitWallets(LIGHT_ACCOUNT)
  await expectTransferPaymentStarted(buildTransferRequest(uid, orange))
  world.limitWallets({})
  await expectTransferPaymentStarted(buildTransferRequest(uid, WHOLE))
})

test('an attempt that was reserved before the limit can be sent again', async () => {
  const uid = await world.person()
  const request = buildTransferRequest(uid, WHOLE)
  const first = await expectTransferPaymentStarted(request)
  world.limitWallets(LIGHT_ACCOUNT)
  expect(await expectTransferPaymentStarted(request)).toMatchObject({
    paymentIntentId: first.paymentIntentId,
  })
})
