import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { cancelPaymentIntent } from './server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { listUnknownPayments, refundUnknownPayment } from './server/operations/unknownPayments.ts'
import { close, open } from './server/platform/closing.ts'
import { crashAt } from './testing/crashAt.ts'
import { record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { createWorld, requestOf } from './testing/world.ts'

testInEmptyWorld()

async function begin(uid: string) {
  const request = requestOf(uid)
  const answer = await createPaymentIntent(world.context, { uid }, request)
  if (!answer.ok) throw new Error(answer.error.code)
  return { attemptId: request.attemptId, id: answer.value.paymentIntentId }
}

/** Pays, and then restores the database to the point before the attempt began. */
async function payUnknown(uid?: string) {
  const payer = uid ?? (await world.person())
  const backup = world.sandbox.firestore.dump()
  const { id } = await begin(payer)
  await world.pay(id)
  world.sandbox.firestore.load(backup)
  return { uid: payer, id }
}

async function deliverEvents() {
  for (const event of world.sandbox.stripe.events())
    expect(await world.deliver(event)).toMatchObject({ status: 200 })
}

const alarms = async () =>
  (await world.context.db.collection('unknownPayments').get()).docs.map(({ id }) => id)
const listIds = async () =>
  (await listUnknownPayments(world.context)).map(({ paymentIntentId }) => paymentIntentId)
const refund = (id: string) => refundUnknownPayment(world.context, id)

describe('a payment that no attempt knows', () => {
  test('raises an alarm and is never refunded automatically', async () => {
    const { uid, id } = await payUnknown()
    const asked = await recordTransfer(world.context, { uid }, { paymentIntentId: id })
    expect(asked).toEqual({ ok: true, value: { outcome: 'unclear', status: 'succeeded' } })
    await deliverEvents()
    for (let days = 0; days < 3; days += 1) {
      world.pass(24 * HOUR)
      await sweep(world.context)
    }
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).refunds.size).toBe(0)
    expect(await alarms()).toEqual([id])
    expect(world.logged).toContainEqual({ level: 'error', event: 'paymentUnknown', paymentIntentId: id })
  })

  test('closes no payments: its payer and others can pay', async () => {
    const { uid } = await payUnknown()
    await deliverEvents()
    const next = await begin(uid)
    await world.pay(next.id)
    expect(await record(uid, next.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    await begin(await world.person())
  })

  test('is not mistaken for a payment of another user with the same attempt', async () => {
    const uid = await world.person()
    const { id } = await begin(uid)
    await world.pay(id)
    const { docs } = await world.context.db.collection('attempts').where('paymentIntentId', '==', id).get()
    for (const { ref } of docs) await ref.update({ uid: 'somebody-else' })
    await deliverEvents()
    expect(await listIds()).toEqual([id])
  })
})

test('payments begin although no sweep has run for days', async () => {
  const uid = await world.person()
  await sweep(world.context)
  world.pass(72 * HOUR)
  await begin(uid)
})

describe('the list of unknown payments', () => {
  test('contains payments that no webhook tells about, oldest first', async () => {
    const first = await payUnknown()
    world.pass(MINUTE)
    const second = await payUnknown()
    expect(await listUnknownPayments(world.context)).toMatchObject([
      { paymentIntentId: first.id, uid: first.uid, amount: 10_000, currency: 'eur' },
      { paymentIntentId: second.id },
    ])
  })

  test('keeps a payment that raised an alarm however long ago', async () => {
    const { id } = await payUnknown()
    await deliverEvents()
    world.pass(90 * 24 * HOUR)
    expect(await listIds()).toEqual([id])
  })

  test('contains no payment that the records know, nor one that took no money', async () => {
    const uid = await world.person()
    const paid = await begin(uid)
    await world.pay(paid.id)
    expect(await listIds()).toEqual([])
    await record(uid, paid.attemptId)
    const canceled = await begin(uid)
    await cancelPaymentIntent(world.context, { uid }, { attemptId: canceled.attemptId })
    const gone = await begin(await world.person())
    await world.pay(gone.id)
    const backup = world.sandbox.firestore.dump()
    await begin(uid)
    world.sandbox.firestore.load(backup)
    expect(await listIds()).toEqual([])
  })

  test('contains no payment of another deployment, and refuses to refund it', async () => {
    const staging = await createWorld({ projectId: 'passerelle-staging', beside: world })
    const { id } = await payUnknown()
    expect(await listUnknownPayments(staging.context)).toEqual([])
    expect(await refundUnknownPayment(staging.context, id)).toEqual({ ok: false, error: 'notListed' })
    await staging.close()
  })
})

describe('an operator', () => {
  test('refunds an unknown payment once, in full, and it leaves the list', async () => {
    const { uid, id } = await payUnknown()
    await deliverEvents()
    for (let times = 0; times < 2; times += 1)
      expect(await refund(id)).toEqual({ ok: true, value: 'paidBack' })
    expect(await Promise.all([refund(id), refund(id)])).toHaveLength(2)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
    expect(await listIds()).toEqual([])
    await deliverEvents()
    const asked = await recordTransfer(world.context, { uid }, { paymentIntentId: id })
    expect(asked).toEqual({ ok: true, value: { outcome: 'refunded' } })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })

  test('refunds one while payments are closed', async () => {
    const { id } = await payUnknown()
    await close(world.context)
    expect(await refund(id)).toEqual({ ok: true, value: 'paidBack' })
  })

  test('cannot refund a payment that the records know, nor one that does not exist', async () => {
    const uid = await world.person()
    const { attemptId, id } = await begin(uid)
    expect(await refund(id)).toEqual({ ok: false, error: 'notListed' })
    await world.pay(id)
    await record(uid, attemptId)
    for (const known of [id, 'pi_nobody'])
      expect(await refund(known)).toEqual({ ok: false, error: 'notListed' })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test.each((['before', 'after'] as const).flatMap((when) => [1, 2, 3, 4].map((at) => [when, at] as const)))(
    'refunds once although the process dies %s step %i',
    async (when, at) => {
      const { id } = await payUnknown()
      const { context, life } = crashAt(world.context, at, when)
      await refundUnknownPayment(context, id).catch(() => null)
      expect(life.dead).toBe(true)
      await sweep(world.context)
      await refund(id)
      expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
      expect(await listIds()).toEqual([])
    },
  )

  test('gets the refund made by the sweep when Stripe refuses it for a day', async () => {
    const { id } = await payUnknown()
    const what = { kind: 'status', status: 500, kept: true } as const
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 1, what })
    await expect(refund(id)).rejects.toThrow()
    world.sandbox.faults.reset()
    await sweep(world.context)
    await sweep(world.context)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  })

  test('closes payments: what has begun is recorded, what is owed waits, and nothing begins until they are open', async () => {
    const uid = await world.person()
    const { attemptId, id } = await begin(uid)
    const owed = await begin(await world.person())
    await world.pay(id)
    await world.pay(owed.id)
    await close(world.context)
    expect(await record(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    await deletePayer(owed.id)
    await deliverEvents()
    world.pass(31 * MINUTE)
    expect(await sweep(world.context)).toMatchObject({ closed: 1, refundWaits: 1 })
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect(await createPaymentIntent(world.context, { uid }, requestOf(uid))).toMatchObject({
      error: { code: 'paymentsClosed', status: 503 },
    })
    await open(world.context)
    await begin(uid)
    await sweep(world.context)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: owed.id }])
  })
})

/** Deletes the profile of the payer, so that the charge is owed. */
async function deletePayer(id: string) {
  const { metadata } = await world.context.stripe.paymentIntents.retrieve(id)
  await world.context.db.doc(`users/${metadata.uid}`).delete()
}
