import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { cancelPayment, recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  buildInvoiceRequest,
  INVOICE,
  startInvoicePaymentOrThrow,
  storeInvoice,
} from '../../testing/invoices.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { attempts, buildAttemptKey } from '../platform/records.ts'
import { findLatestAttempt } from './findLatestAttempt.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const find = async (uid: string, kind: 'transfer' | 'invoice' = 'transfer', draftId: string | null = null) =>
  findLatestAttempt(world.context, { uid }, { kind, draftId })

const NONE = { ok: true, value: { attempt: null } }

async function startTransfer(uid: string, amount = 10_000) {
  const request = buildTransferRequest(
    uid,
    amount === 10_000 ? {} : { amount, expected: { fee: 150, converted: 514_100 } },
  )
  const { paymentIntentId } = await expectTransferPaymentStarted(request)
  return { ...request, paymentIntentId }
}

test('finds the open transfer of the caller, with what was promised', async () => {
  const [ada, bob] = [await world.person(), await world.person()]
  expect(await find(ada)).toEqual(NONE)
  const { attemptId, recipientPhone } = await startTransfer(ada)
  expect(await find(ada)).toMatchObject({
    value: {
      attempt: {
        attemptId,
        transfer: { phone: recipientPhone.replaceAll(' ', ''), gross: { minor: 10_000, currency: 'EUR' } },
        invoice: null,
      },
    },
  })
  expect(await find(ada, 'invoice')).toEqual(NONE)
  expect(await find(bob)).toEqual(NONE)
})

test('finds an open invoice behind ten newer transfers', async () => {
  const uid = await world.person()
  await storeInvoice()
  const request = buildInvoiceRequest()
  await startInvoicePaymentOrThrow(uid, request)
  for (const _ of Array(10)) {
    world.pass(MINUTE)
    const { attemptId } = await startTransfer(uid)
    await cancelPayment(uid, attemptId)
  }
  expect(await find(uid, 'invoice')).toMatchObject({ value: { attempt: { attemptId: request.attemptId } } })
})

test('finds the open invoice of the caller', async () => {
  const uid = await world.person()
  await storeInvoice()
  const request = buildInvoiceRequest()
  await startInvoicePaymentOrThrow(uid, request)
  expect(await find(uid, 'invoice')).toMatchObject({
    value: {
      attempt: { attemptId: request.attemptId, transfer: null, invoice: { reference: INVOICE.reference } },
    },
  })
  expect(await find(uid)).toEqual(NONE)
})

test('a recorded transfer is found for an hour', async () => {
  const uid = await world.person()
  const { attemptId, paymentIntentId } = await startTransfer(uid)
  await world.pay(paymentIntentId)
  expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  expect(await find(uid)).toMatchObject({ value: { attempt: { attemptId } } })
  world.pass(HOUR)
  expect(await find(uid)).toEqual(NONE)
})

test('finds an open transfer behind a newer one that was released', async () => {
  const uid = await world.person()
  const open = await startTransfer(uid)
  world.pass(1000)
  const { attemptId } = await startTransfer(uid, 5000)
  await cancelPayment(uid, attemptId)
  expect(await find(uid)).toMatchObject({ value: { attempt: { attemptId: open.attemptId } } })
  await cancelPayment(uid, open.attemptId)
  expect(await find(uid)).toEqual(NONE)
})

test('finds the unreleased attempt of a form, for its payer only', async () => {
  const [uid, other] = [await world.person(), await world.person()]
  const released = await startTransfer(uid)
  const { draftId } = released
  await cancelPayment(uid, released.attemptId)
  expect(await find(uid, 'transfer', draftId)).toEqual(NONE)
  const request = buildTransferRequest(uid, { draftId })
  const { attemptId } = request
  const { paymentIntentId } = await expectTransferPaymentStarted(request)
  await startTransfer(uid)
  expect(await find(uid, 'transfer', draftId)).toMatchObject({ value: { attempt: { attemptId } } })
  await world.pay(paymentIntentId)
  await recordPayment(uid, attemptId)
  world.pass(90 * DAY)
  expect(await find(uid, 'transfer', draftId)).toMatchObject({ value: { attempt: { attemptId } } })
  expect(await find(other, 'transfer', draftId)).toEqual(NONE)
  expect(await find(uid, 'transfer', crypto.randomUUID())).toEqual(NONE)
})

test('never leaves out an attempt that it can’t read', async () => {
  const uid = await world.person()
  const { attemptId } = await startTransfer(uid)
  await attempts(world.context.db).doc(buildAttemptKey(uid, attemptId)).update({ status: 'unheard of' })
  await expect(find(uid)).rejects.toThrow('attempts: status')
  await attempts(world.context.db).doc(buildAttemptKey(uid, attemptId)).update({ status: 'reserved' })
})
