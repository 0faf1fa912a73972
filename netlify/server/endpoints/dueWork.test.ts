import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { enableSimulatedProvider, payTransfer, readOrder } from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { MAX_OPEN_ATTEMPTS } from '../payments/openAttempts.ts'

resetWorldForEachTest({ isMoneyChecked: true })

/** 100 such requests fit into the monthly cap. */
const buildSmallRequest = (uid: string) =>
  buildTransferRequest(uid, { amount: 1_000, expected: { fee: 30, converted: 102_820 } })

/** The host ends the job after 30 seconds. */
async function runJob() {
  return world.inTime(async () => {
    const before = world.time.elapsed()
    const { status, body } = await world.invoke('due-work', {})
    expect(status).toBe(200)
    expect(world.time.elapsed() - before).toBeLessThan(28_000)
    return body
  })
}

async function runForAnHour(isDone: () => Promise<boolean> | boolean) {
  for (let runs = 0; runs < 4; runs += 1) {
    await runJob()
    if (await isDone()) return
    world.pass(15 * MINUTE)
  }
  expect('everything that was due').toBe('done within an hour')
}

async function abandonPayments(count: number) {
  const uid = await world.person()
  for (let n = 0; n < count; n += 1) await expectTransferPaymentStarted(buildSmallRequest(uid))
  return uid
}

const openAttempts = async () =>
  [...(await world.records()).attempts.values()].filter(({ status }) => status === 'reserved').length

test('the due-work job releases 30 abandoned attempts in one run', async () => {
  for (let users = 0; users < 10; users += 1) await abandonPayments(3)
  world.pass(31 * MINUTE)
  expect(await runJob()).toMatchObject({ released: 30 })
})

test('the job hands a transfer over in its recording run', async () => {
  enableSimulatedProvider()
  const { id } = await payTransfer({ isRecorded: false })
  world.pass(31 * MINUTE)
  await runJob()
  expect(await readOrder(id)).toMatchObject({ state: 'handedOver' })
})

test('the due-work job makes 20 owed refunds in one run', async () => {
  for (let n = 0; n < 20; n += 1) {
    const { uid, settle } = await payTransfer({ isRecorded: false })
    await world.context.db.doc(`users/${uid}`).delete()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
    await settle()
  }
  expect(await runJob()).toMatchObject({ paidBack: 20 })
})

test('in the due-work job, refunds that keep failing delay no new one', async () => {
  const { uid, settle } = await payTransfer({ isRecorded: false })
  await world.context.db.doc(`users/${uid}`).delete()
  world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } })
  await settle()
  const batch = world.context.db.batch()
  const old = world.now() - HOUR
  for (let n = 0; n < 30; n += 1)
    batch.set(world.context.db.doc(`refunds/pi_failing_${n}`), {
      ...{ uid: `user${n}`, reason: 'userGone', status: 'failing', refundId: null },
      ...{ createdAt: old, since: old, checkAt: old },
    })
  await batch.commit()
  world.network.slow('stripe', [4_000, 4_000])
  expect(await runJob()).toMatchObject({ paidBack: 1 })
  const written = await world.context.db.collection('refunds').where('status', '==', 'failing').get()
  for (const { ref } of written.docs) await ref.delete()
})

test('a user with the most open attempts delays no other', async () => {
  await abandonPayments(MAX_OPEN_ATTEMPTS)
  const { id } = await payTransfer({ isRecorded: false })
  world.pass(31 * MINUTE)
  await runJob()
  expect((await world.records()).transactions.get(id)).toMatchObject({ status: 'completed' })
  await runForAnHour(async () => (await openAttempts()) === 0)
})

test('deleting 6,000 contacts within an hour delays no other deletion', async () => {
  const { db } = world.context
  const documents: [string, object][] = Array.from({ length: 6_000 }, (_, n) => [
    `contacts/big_${n}`,
    { userId: 'big', name: 'Ada', phone: `+22462${n}`, createdAt: new Date(world.now()) },
  ])
  for (let from = 0; from < documents.length; from += 500) {
    const batch = db.batch()
    for (const [path, data] of documents.slice(from, from + 500)) batch.set(db.doc(path), data)
    await batch.commit()
  }
  for (const uid of ['big', 'small'])
    await db.doc(`deletions/${uid}`).set({ uid, status: 'due', createdAt: world.now() })
  world.pass(70 * MINUTE)
  world.network.slow('firestore', [1_000, 1_000])
  expect(await runJob()).toMatchObject({ deleted: 1, leftOver: 1 })
  await runForAnHour(async () => !(await db.doc('deletions/big').get()).exists)
  expect((await db.collection('contacts').get()).size).toBe(0)
})

test('a slow Stripe delays neither a run’s end nor payout checks', async () => {
  enableSimulatedProvider()
  world.payouts.will('pending')
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) ids.push((await payTransfer()).id)
  for (let n = 0; n < 4; n += 1) await payTransfer({ isRecorded: false })
  await abandonPayments(4)
  world.payouts.decide('delivered')
  world.pass(HOUR)
  world.network.slow('stripe', [6_500, 6_500])
  await runJob()
  for (const id of ids) expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
})

test('a silent provider does not delay the release of attempts', async () => {
  world.payOutAsDeployed()
  world.network.slow('provider', [60_000, 60_000])
  for (let n = 0; n < 6; n += 1) {
    await payTransfer({ request: { recipientPhone: `+2246600000${n + 10}`, receivingMethod: 'mtn_money' } })
  }
  await abandonPayments(8)
  world.pass(31 * MINUTE)
  expect(await runJob()).toMatchObject({ released: 8 })
})
