import { expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { BY_OPERATOR, pausePaying } from './server/operations/pauses.ts'
import { attemptKey } from './server/platform/records.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { requestOf } from './testing/world.ts'

testInEmptyWorld()

const begin = async (uid: string) =>
  world.invoke('create-payment-intent', requestOf(uid), { token: await world.token(uid) })

test('a transfer that can not be read decides nothing: nobody pays, and the log says where to look', async () => {
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

test('a count of the month that can not be read decides nothing', async () => {
  const uid = await world.person()
  await world.context.db.doc(`ledgers/${uid}_2026-11`).set({ uid, month: '2026-11', recordedCents: 'none' })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'capUnavailable' } })
  expect(world.logged).toContainEqual(expect.objectContaining({ invalid: 'ledgers: recordedCents' }))
})

test('a profile that does not say whose sessions have ended lets nobody in', async () => {
  const uid = await world.person()
  await world.context.db.doc(`users/${uid}`).update({ sessionsSince: 'a while ago' })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(world.logged).toContainEqual(expect.objectContaining({ invalid: 'users: sessionsSince' }))
})

test('an attempt that can not be read is neither paid nor given up', async () => {
  const uid = await world.person()
  const { attemptId } = requestOf(uid)
  await world.context.db.doc(`attempts/${attemptKey(uid, attemptId)}`).set({
    ...{
      kind: 'transfer',
      uid,
      attemptId,
      status: 'reserved',
      createdAt: world.now(),
      paymentIntentId: null,
    },
    ...{ month: '2026-11', capCents: 10_000, slotPeriod: null },
  })
  const token = await world.token(uid)
  for (const name of ['cancel-payment-intent', 'record-transfer'] as const)
    expect(await world.invoke(name, { attemptId }, { token })).toMatchObject({ status: 503 })
  expect(world.logged).toContainEqual(expect.objectContaining({ invalid: 'attempts: transfer' }))
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
})

test('a charge is recorded although nobody knows the wallet or the country of its attempt any more', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const request = requestOf(uid)
  const { body } = await world.invoke('create-payment-intent', request, { token })
  await world.context.db.doc(`attempts/${attemptKey(uid, request.attemptId)}`).update({
    'transfer.receivingMethod': 'a_wallet_of_before',
    'transfer.destination.code': 'XX',
  })
  await world.pay(String(body.paymentIntentId))
  world.pass(31 * MINUTE)
  await world.invoke('sweep', {})
  expect([...(await world.records()).transactions.keys()]).toEqual([body.paymentIntentId])
})

test('a debt is paid back whatever it was owed for', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const request = requestOf(uid)
  const { body } = await world.invoke('create-payment-intent', request, { token })
  const id = String(body.paymentIntentId)
  await world.pay(id)
  await world.context.db.doc(`attempts/${attemptKey(uid, request.attemptId)}`).update({ status: 'refunded' })
  await world.context.db.doc(`refunds/${id}`).set({
    ...{ uid, reason: 'a reason of before', status: 'due', refundId: null },
    ...{ createdAt: world.now(), checkAt: null },
  })
  await world.invoke('sweep', {})
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
})

test('of what a stopped person has begun, one attempt that can not be read leaves no other to be paid', async () => {
  const uid = await world.person()
  const token = await world.token(uid)
  const { body } = await world.invoke('create-payment-intent', requestOf(uid), { token })
  await world.context.db.doc('attempts/unreadable').set({ uid, kind: 'transfer', status: 'reserved' })
  await pausePaying(world.context, uid, BY_OPERATOR)
  expect(await world.pay(String(body.paymentIntentId))).toBe('payment_intent_unexpected_state')
  expect(world.logged).toContainEqual(
    expect.objectContaining({ event: 'unreadable', document: 'attempts/unreadable' }),
  )
})
