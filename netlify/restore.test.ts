import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPaymentIntent } from './server/createPaymentIntent.ts'
import { createSubscription } from './server/createSubscription.ts'
import { payInvoice } from './server/payInvoice.ts'
import { cancelPaymentIntent, recordTransfer } from './server/payments.ts'
import { verifySubscription } from './server/planChanges.ts'
import { sweep } from './server/sweep.ts'
import { createWorld, HOUR, MINUTE, requestOf, type World } from './testWorld.ts'

// A database that was restored from a backup, while the provider goes on.
let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterEach(() => expect(world.sandbox.unknownCalls).toEqual([]))
afterAll(() => world.close())

async function begin(uid: string, changes: Parameters<typeof requestOf>[1] = {}) {
  const request = requestOf(uid, changes)
  const answer = await createPaymentIntent(world.context, { uid }, request)
  if (!answer.ok) throw new Error(answer.error.code)
  return { request, id: answer.value.paymentIntentId }
}
const record = (uid: string, attemptId: string) => recordTransfer(world.context, { uid }, { attemptId })
const closed = async () => (await world.context.db.doc('settings/payments').get()).get('closed')
const alarms = async () =>
  (await world.context.db.collection('unknownPayments').get()).docs.map(({ id }) => id)
const lists = () => world.requests.filter((line) => /^GET \/v1\/(payment_intents|subscriptions)$/.test(line))

const tell = async () => {
  for (const event of world.sandbox.stripe.events())
    expect(await world.deliver(event)).toMatchObject({ status: 200 })
}

/** What happens from now on is lost to the database when `restore` is called. */
function backUp() {
  const backup = world.sandbox.firestore.dump()
  return { restore: () => world.sandbox.firestore.load(backup) }
}

async function refusedToAll() {
  const uid = await world.person()
  const bill = { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'due' }
  await world.context.db.doc('invoices/edf_6012-1001').set(bill)
  const invoice = {
    attemptId: crypto.randomUUID(),
    supplier: 'edf',
    reference: '6012-1001',
    expected: { amount: 8450, currency: 'EUR' as const },
  }
  const plan = { tier: 'basic', userId: uid, locale: 'fr' } as const
  const answers = [
    await createPaymentIntent(world.context, { uid }, requestOf(uid)),
    await payInvoice(world.context, { uid }, invoice),
    await createSubscription(world.context, { uid }, plan, world.origin),
  ]
  for (const answer of answers)
    expect(answer).toMatchObject({ error: { code: 'paymentsClosed', status: 503 } })
}

describe('a charge whose attempt the database does not know', () => {
  test('is an alarm that closes payments, and no refund, whoever tells of it', async () => {
    const uid = await world.person()
    const other = await begin(await world.person())
    const { restore } = backUp()
    const { id } = await begin(uid)
    await world.pay(id)
    await world.pay(other.id)
    restore()

    const asked = await recordTransfer(world.context, { uid }, { paymentIntentId: id })
    expect(asked).toEqual({ ok: true, value: { outcome: 'unclear', status: 'succeeded' } })
    await tell()
    world.pass(31 * MINUTE)
    expect(await sweep(world.context)).toEqual({ closed: 1 })
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).refunds.size).toBe(0)
    expect(await alarms()).toEqual([id])
    expect(await closed()).toEqual({ why: 'unknownPayment', since: world.now() - 31 * MINUTE })
    expect(world.logged).toContainEqual({ level: 'error', event: 'paymentUnknown', paymentIntentId: id })
    await refusedToAll()
    // What the database does know was recorded all the same.
    expect([...(await world.records()).transactions.keys()]).toEqual([other.id])
  })

  test('is noticed by the sweep before it goes by the records', async () => {
    const uid = await world.person()
    await sweep(world.context)
    const { restore } = backUp()
    await begin(uid)
    restore()
    world.pass(15 * MINUTE)
    expect(await sweep(world.context)).toEqual({ closed: 1 })
    await refusedToAll()
    expect(world.logged).toContainEqual({ level: 'error', event: 'paymentsClosed', why: 'unknownPayment' })
  })

  test('is noticed by the next who wants to pay, when no sweep has come', async () => {
    const uid = await world.person()
    await sweep(world.context)
    const { restore } = backUp()
    world.pass(2 * HOUR)
    await begin(uid)
    restore()
    await refusedToAll()
    expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
  })
})

describe('a plan whose customer the database does not know', () => {
  const subscribe = async (uid: string) => {
    const plan = { tier: 'basic', userId: uid, locale: 'fr' } as const
    const opened = await createSubscription(world.context, { uid }, plan, world.origin)
    const back = await world.payCheckout(opened.ok ? opened.value.url : '')
    return new URL(back ?? '').searchParams.get('session_id') ?? ''
  }

  test.each(['the webhook', 'the way back', 'the sweep', 'the next who wants to pay'])(
    'closes payments, by %s',
    async (by) => {
      const uid = await world.person()
      await sweep(world.context)
      const { restore } = backUp()
      world.pass(2 * HOUR)
      const session = await subscribe(uid)
      restore()
      if (by === 'the webhook') await tell()
      if (by === 'the sweep') expect(await sweep(world.context)).toEqual({ closed: 1 })
      if (by === 'the way back')
        expect(await verifySubscription(world.context, { uid }, { session_id: session })).toMatchObject({
          error: { code: 'unavailable' },
        })
      await refusedToAll()
      expect(await closed()).toMatchObject({ why: 'unknownPlan' })
    },
  )
})

describe('a database that may be an older one', () => {
  test('lets nobody pay when it can not be compared, and everybody when it can', async () => {
    const uid = await world.person()
    world.sandbox.faults.add({
      on: 'GET /v1/payment_intents',
      times: 3,
      what: { kind: 'status', status: 500 },
    })
    expect(await createPaymentIntent(world.context, { uid }, requestOf(uid))).toMatchObject({
      error: { code: 'paymentsClosed' },
    })
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'comparisonFailed' }))
    await begin(uid)
    expect(await closed()).toBeNull()
  })

  test('is asked for once, and then by the sweep alone', async () => {
    const uid = await world.person()
    for (let i = 0; i < 3; i += 1) await begin(uid)
    expect(lists()).toHaveLength(2)
    for (let quarters = 0; quarters < 8; quarters += 1) {
      world.pass(15 * MINUTE)
      await sweep(world.context)
    }
    const swept = lists().length
    expect(swept).toBe(2 + 16)
    await begin(uid)
    expect(lists()).toHaveLength(swept)
  })

  test('pays nobody twice whom somebody paid back in another way since', async () => {
    const uid = await world.person()
    const { request, id } = await begin(uid)
    const unknown = await world.person()
    await world.pay(id)
    await world.context.db.doc(`users/${uid}`).delete()
    world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 9, what: { kind: 'status', status: 429 } })
    await record(uid, request.attemptId)
    world.sandbox.faults.reset()
    const { restore } = backUp()
    await begin(unknown)
    await world.context.db.doc(`refunds/${id}`).update({ status: 'done', refundId: null })
    restore()
    world.pass(15 * MINUTE)
    expect(await sweep(world.context)).toEqual({ closed: 1, refundWaits: 1 })
    await tell()
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).refunds.get(id)).toMatchObject({ status: 'due' })
  })

  test('gives back nothing of an attempt whose PaymentIntent it may have forgotten', async () => {
    const uid = await world.person()
    await sweep(world.context)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutBefore' } })
    const request = requestOf(uid)
    await expect(createPaymentIntent(world.context, { uid }, request)).rejects.toThrow()
    const { restore } = backUp()
    const started = await createPaymentIntent(world.context, { uid }, request)
    await begin(await world.person())
    restore()
    world.pass(25 * HOUR)
    expect(await sweep(world.context)).toMatchObject({ closed: 1, failed: 1 })
    await expect(
      cancelPaymentIntent(world.context, { uid }, { attemptId: request.attemptId }),
    ).rejects.toThrow()
    // Paid in the form that stood open all the time.
    await world.pay(started.ok ? started.value.paymentIntentId : '')
    await tell()
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.records()).transactions.size).toBe(1)
  })
})
