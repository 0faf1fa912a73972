import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../domain/common/duration.ts'
import { cancelPaymentIntent } from '../../netlify/server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { runDueWork } from '../../netlify/server/endpoints/dueWork.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { setPaymentsClosed, setPaymentsOpen } from '../../netlify/server/payments/paymentsState.ts'
import { WAITS } from '../../netlify/server/payouts/waits.ts'
import { createCrashingContext } from '../../netlify/testing/crashingContext.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { checkStripeBooks } from '../../netlify/testing/journalInvariants.ts'
import { buildTransferRequest, createWorld, WORLD_START } from '../../netlify/testing/world.ts'
import { reconcileDay } from './reconcile.ts'
import { keepUnknownPayment, listUnknownPayments, refundUnknownPayment } from './unknownPayments.ts'

resetWorldForEachTest()

async function begin(uid: string) {
  const request = buildTransferRequest(uid)
  const answer = await createPaymentIntent(world.context, { uid }, request)
  if (!answer.ok) throw new Error(answer.error.code)
  return { attemptId: request.attemptId, id: answer.value.paymentIntentId }
}

/** Restores a backup of the database from before the attempt. */
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

async function expectBooksToAgree() {
  const records = await world.checkInvariants()
  checkStripeBooks(records, world.sandbox.stripe)
  const { discrepancies } = await reconcileDay(world.context, Math.floor(WORLD_START / DAY) * DAY)
  expect(discrepancies).toEqual([])
}

const listAlarms = async () =>
  (await world.context.db.collection('unknownPayments').get()).docs.map(({ id }) => id)
const listIds = async () => (await listUnknownPayments(world.context)).map(({ id }) => id)
const refund = (id: string) => refundUnknownPayment(world.context, id)

describe('a payment without an attempt', () => {
  test('a payment without an attempt alarms and is never refunded automatically', async () => {
    const { uid, id } = await payUnknown()
    const asked = await recordTransfer(world.context, { uid }, { paymentIntentId: id })
    expect(asked).toEqual({ ok: true, value: { outcome: 'unclear', status: 'succeeded' } })
    await deliverEvents()
    for (let days = 0; days < 3; days += 1) {
      world.pass(24 * HOUR)
      await runDueWork(world.context)
    }
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).refunds.size).toBe(0)
    expect(await listAlarms()).toEqual([id])
    expect(world.logged).toContainEqual({ level: 'error', event: 'paymentUnknown', paymentIntentId: id })
  })

  test('a payment without an attempt does not block other payments', async () => {
    const { uid } = await payUnknown()
    await deliverEvents()
    const next = await begin(uid)
    await world.pay(next.id)
    expect(await recordPayment(uid, next.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    await begin(await world.person())
  })

  test('a payment whose stored attempt belongs to another user counts as unknown', async () => {
    const uid = await world.person()
    const { id } = await begin(uid)
    await world.pay(id)
    const { docs } = await world.context.db.collection('attempts').where('paymentIntentId', '==', id).get()
    for (const { ref } of docs) await ref.update({ uid: 'somebody-else' })
    await deliverEvents()
    expect(await listIds()).toEqual([id])
  })
})

test('payments begin even if the due-work job has not run for days', async () => {
  const uid = await world.person()
  await runDueWork(world.context)
  world.pass(72 * HOUR)
  await begin(uid)
})

describe('the list of unknown payments', () => {
  test('the list of unknown payments contains those without a webhook, oldest first', async () => {
    const first = await payUnknown()
    world.pass(MINUTE)
    const second = await payUnknown()
    expect(await listUnknownPayments(world.context)).toMatchObject([
      { id: first.id, metadata: { uid: first.uid }, amount_received: 10_000, currency: 'eur' },
      { id: second.id },
    ])
  })

  test('the list keeps a payment that alarmed, however long ago', async () => {
    const { id } = await payUnknown()
    await deliverEvents()
    world.pass(90 * 24 * HOUR)
    expect(await listIds()).toEqual([id])
  })

  test('the list omits recorded payments and those without a charge', async () => {
    const uid = await world.person()
    const paid = await begin(uid)
    await world.pay(paid.id)
    expect(await listIds()).toEqual([])
    await recordPayment(uid, paid.attemptId)
    const canceled = await begin(uid)
    await cancelPaymentIntent(world.context, { uid }, { attemptId: canceled.attemptId })
    const gone = await begin(await world.person())
    await world.pay(gone.id)
    const backup = world.sandbox.firestore.dump()
    await begin(uid)
    world.sandbox.firestore.load(backup)
    expect(await listIds()).toEqual([])
  })

  test('the records of a page of payments are read in one call', async () => {
    const uid = await world.person()
    for (let n = 0; n < 3; n += 1) await payUnknown(uid)
    const { db } = world.context
    let reads = 0
    const counted = new Proxy(db, {
      get(target, name) {
        if (name === 'getAll') reads += 1
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    expect(await listUnknownPayments({ ...world.context, db: counted })).toHaveLength(3)
    expect(reads).toBe(1)
  })

  test('an unknown payment of another deployment is neither listed nor refundable', async () => {
    const staging = await createWorld({ projectId: 'passerelle-staging', peer: world })
    const { id } = await payUnknown()
    expect(await listUnknownPayments(staging.context)).toEqual([])
    expect(await refundUnknownPayment(staging.context, id)).toEqual({ ok: false, error: 'notListed' })
    await staging.close()
  })
})

describe('an operator', () => {
  test('an operator refunds an unknown payment once, in full', async () => {
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

  test('an operator keeps an unknown payment, which ends its waiting', async () => {
    const { id } = await payUnknown()
    await deliverEvents()
    world.pass(2 * DAY)
    const countWaiting = () => WAITS['unknownPayment.open'].count(world.context, world.now())
    expect(await countWaiting()).toBe(1)
    expect(await keepUnknownPayment(world.context, id)).toEqual({ ok: true })
    expect(await countWaiting()).toBe(0)
    expect(await listIds()).toEqual([])
    await deliverEvents()
    expect(await listIds()).toEqual([])
    expect(world.sandbox.stripe.refunds()).toEqual([])
    await expectBooksToAgree()
  })

  test('a kept payment can be refunded, but no refunded one kept', async () => {
    const { id } = await payUnknown()
    await keepUnknownPayment(world.context, id)
    expect(await refund(id)).toEqual({ ok: true, value: 'paidBack' })
    expect(await keepUnknownPayment(world.context, id)).toEqual({ ok: false, error: 'notListed' })
    world.pass(2 * DAY)
    await expectBooksToAgree()
  })

  test('an operator refunds an unknown payment while payments are closed', async () => {
    const { id } = await payUnknown()
    await setPaymentsClosed(world.context)
    expect(await refund(id)).toEqual({ ok: true, value: 'paidBack' })
  })

  test('a recorded or missing payment can’t be refunded', async () => {
    const uid = await world.person()
    const { attemptId, id } = await begin(uid)
    expect(await refund(id)).toEqual({ ok: false, error: 'notListed' })
    await world.pay(id)
    await recordPayment(uid, attemptId)
    for (const known of [id, 'pi_nobody'])
      expect(await refund(known)).toEqual({ ok: false, error: 'notListed' })
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test.each((['before', 'after'] as const).flatMap((when) => [1, 2, 3, 4].map((at) => [when, at] as const)))(
    'a crash %s step %i refunds an unknown payment once',
    async (when, at) => {
      const { id } = await payUnknown()
      const { context, life } = createCrashingContext(world.context, at, when)
      await refundUnknownPayment(context, id).catch(() => null)
      expect(life.hasCrashed).toBe(true)
      await runDueWork(world.context)
      await refund(id)
      expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
      expect(await listIds()).toEqual([])
    },
  )

  test('the job completes a refund that Stripe refused at first', async () => {
    const { id } = await payUnknown()
    const what = { kind: 'status', status: 500, kept: true } as const
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 1, what })
    await expect(refund(id)).rejects.toThrow()
    world.sandbox.faults.reset()
    await runDueWork(world.context)
    await runDueWork(world.context)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  })

  test('while payments are closed, open ones are recorded and refunds wait', async () => {
    const uid = await world.person()
    const { attemptId, id } = await begin(uid)
    const owed = await begin(await world.person())
    await world.pay(id)
    await world.pay(owed.id)
    await setPaymentsClosed(world.context)
    expect(await recordPayment(uid, attemptId)).toMatchObject({ value: { outcome: 'paid' } })
    await deletePayer(owed.id)
    await deliverEvents()
    world.pass(31 * MINUTE)
    expect(await runDueWork(world.context)).toMatchObject({ closed: 1, refundWaits: 1 })
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect(await createPaymentIntent(world.context, { uid }, buildTransferRequest(uid))).toMatchObject({
      error: { code: 'paymentsClosed', status: 503 },
    })
    await setPaymentsOpen(world.context)
    await begin(uid)
    await runDueWork(world.context)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: owed.id }])
  })
})

async function deletePayer(id: string) {
  const { metadata } = await world.context.stripe.paymentIntents.retrieve(id)
  await world.context.db.doc(`users/${metadata.uid}`).delete()
}
