import { expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'
import { buildAttemptKey } from './records.ts'

resetWorldForEachTest()

const begin = async (uid: string) =>
  world.invoke('create-payment-intent', buildTransferRequest(uid), { token: await world.token(uid) })

test('an unreadable transfer blocks payments, and the log names it', async () => {
  const uid = await world.person()
  await world.context.db.doc('transactions/foreign').set({
    ...{ id: 'foreign', senderId: uid, status: 'completed', amount: 'a lot' },
    ...{ recipientPhone: '+224620000000', createdAt: new Date(world.now()) },
  })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'capUnavailable' } })
  expect(world.logged).toContainEqual(
    expect.objectContaining({ event: 'capUnavailable', invalid: 'transactions: amount' }),
  )
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
})

test("an unreadable ledger blocks its user's payments", async () => {
  const uid = await world.person()
  await world.context.db.doc(`ledgers/${uid}_2026-11`).set({ uid, month: '2026-11', recordedCents: 'none' })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'capUnavailable' } })
  expect(world.logged).toContainEqual(expect.objectContaining({ invalid: 'ledgers: recordedCents' }))
})

test('a profile with unreadable session data gets no access', async () => {
  const uid = await world.person()
  await world.context.db.doc(`users/${uid}`).update({ sessionsSince: 'a while ago' })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(world.logged).toContainEqual(expect.objectContaining({ invalid: 'users: sessionsSince' }))
})

test('an unreadable attempt is neither recorded nor canceled', async () => {
  const uid = await world.person()
  const { attemptId } = buildTransferRequest(uid)
  await world.context.db.doc(`attempts/${buildAttemptKey(uid, attemptId)}`).set({
    ...{
      kind: 'transfer',
      draftId: 'd1',
      uid,
      attemptId,
      status: 'reserved',
      createdAt: world.now(),
      paymentIntentId: null,
      persons: [],
    },
    ...{ month: '2026-11', capCents: 10_000, slotPeriod: null },
  })
  const token = await world.token(uid)
  for (const name of ['cancel-payment-intent', 'record-transfer'] as const)
    expect(await world.invoke(name, { attemptId }, { token })).toMatchObject({ status: 503 })
  expect(world.logged).toContainEqual(expect.objectContaining({ invalid: 'attempts: transfer' }))
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
})

test('a charge is recorded despite an unsupported wallet and country', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const request = buildTransferRequest(uid)
  const { body } = await world.invoke('create-payment-intent', request, { token })
  await world.context.db.doc(`attempts/${buildAttemptKey(uid, request.attemptId)}`).update({
    'transfer.receivingMethod': 'a_wallet_of_before',
    'transfer.destination.code': 'XX',
  })
  await world.pay(String(body.paymentIntentId))
  world.pass(31 * MINUTE)
  await world.invoke('due-work', {})
  expect([...(await world.records()).transactions.keys()]).toEqual([body.paymentIntentId])
})

test('a debt is refunded even if its stored reason is unknown', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const request = buildTransferRequest(uid)
  const { body } = await world.invoke('create-payment-intent', request, { token })
  const id = String(body.paymentIntentId)
  await world.pay(id)
  await world.context.db
    .doc(`attempts/${buildAttemptKey(uid, request.attemptId)}`)
    .update({ status: 'refunded' })
  await world.context.db.doc(`refunds/${id}`).set({
    ...{ uid, reason: 'a reason of before', status: 'due', refundId: null },
    ...{ createdAt: world.now(), since: world.now(), checkAt: null },
  })
  await world.invoke('due-work', {})
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
})

test('pausing a person ends their other attempts even if one is unreadable', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const { body } = await world.invoke('create-payment-intent', buildTransferRequest(uid), { token })
  await world.context.db.doc('attempts/unreadable').set({ uid, kind: 'transfer', status: 'reserved' })
  await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
  expect(await world.pay(String(body.paymentIntentId))).toBe('payment_intent_unexpected_state')
  expect(world.logged).toContainEqual(
    expect.objectContaining({ event: 'documentUnreadable', document: 'attempts/unreadable' }),
  )
})
