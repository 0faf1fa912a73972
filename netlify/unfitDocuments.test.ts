import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptKey } from './server/platform/records.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

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
    expect.objectContaining({ event: 'capUnavailable', misfit: 'transactions: amount' }),
  )
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
})

test('a count of the month that can not be read decides nothing', async () => {
  const uid = await world.person()
  await world.context.db.doc(`ledgers/${uid}_2026-11`).set({ uid, month: '2026-11', recordedCents: 'none' })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'capUnavailable' } })
  expect(world.logged).toContainEqual(expect.objectContaining({ misfit: 'ledgers: recordedCents' }))
})

test('a profile that does not say whose sessions have ended lets nobody in', async () => {
  const uid = await world.person()
  await world.context.db.doc(`users/${uid}`).update({ sessionsSince: 'a while ago' })
  expect(await begin(uid)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(world.logged).toContainEqual(expect.objectContaining({ misfit: 'users: sessionsSince' }))
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
  expect(world.logged).toContainEqual(expect.objectContaining({ misfit: 'attempts: transfer' }))
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
})
