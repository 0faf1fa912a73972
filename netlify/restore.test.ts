import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { cancelPaymentIntent } from './server/endpoints/cancelPaymentIntent.ts'
import { changeCard } from './server/endpoints/changeCard.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { payInvoice } from './server/endpoints/payInvoice.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { verifySubscription } from './server/endpoints/verifySubscription.ts'
import { rebuild } from './server/operations/rebuild.ts'
import { subscriptionOf } from './server/platform/records.ts'
import { crashAt, type Moment } from './testing/crashAt.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

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

/** Leaves the database as it was. */
async function refusedToAll() {
  const before = world.sandbox.firestore.dump()
  const uid = await world.person()
  const bill = { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'due' }
  await world.context.db.doc('invoices/edf_6012-9999').set(bill)
  const invoice = {
    attemptId: crypto.randomUUID(),
    supplier: 'edf',
    reference: '6012-9999',
    expected: { amount: 8450, currency: 'EUR' as const, dueDate: '2026-11-30' },
  }
  const plan = { tier: 'basic', userId: uid, locale: 'fr' } as const
  const answers = [
    await createPaymentIntent(world.context, { uid }, requestOf(uid)),
    await payInvoice(world.context, { uid }, invoice),
    await createSubscription(world.context, { uid }, plan, world.origin),
  ]
  for (const answer of answers)
    expect(answer).toMatchObject({ error: { code: 'paymentsClosed', status: 503 } })
  const state = world.sandbox.firestore.dump().documents['settings/payments']
  const documents = { ...before.documents, ...(state && { 'settings/payments': state }) }
  world.sandbox.firestore.load({ documents })
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

const openCheckout = async (uid: string) => {
  const plan = { tier: 'basic', userId: uid, locale: 'fr' } as const
  const opened = await createSubscription(world.context, { uid }, plan, world.origin)
  if (!opened.ok) throw new Error(opened.error.code)
  return opened.value.url
}
const subscribe = async (uid: string) => {
  const back = await world.payCheckout(await openCheckout(uid))
  const sessionId = new URL(back ?? '').searchParams.get('session_id') ?? ''
  await verifySubscription(world.context, { uid }, { session_id: sessionId })
  return sessionId
}

describe('a plan whose customer the database does not know', () => {
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

test('a plan of somebody who had only paid by card before closes payments too', async () => {
  const uid = await world.person()
  await world.pay((await begin(uid)).id)
  await tell()
  await sweep(world.context)
  const { restore } = backUp()
  world.pass(2 * HOUR)
  await subscribe(uid)
  // As long as the plan is known nothing is closed.
  expect(await sweep(world.context)).not.toMatchObject({ closed: 1 })
  restore()
  expect(await sweep(world.context)).toMatchObject({ closed: 1 })
  expect(await closed()).toMatchObject({ why: 'unknownPlan' })
  expect(await rebuild(world.context)).toMatchObject({ plans: 1, isOpen: true, lostProfiles: [] })
  expect(subscriptionOf(world.sandbox.firestore.documents()[`users/${uid}`])).toMatchObject({ tier: 'basic' })
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

  test('finds the PaymentIntent of an attempt that it has forgotten, however old it is', async () => {
    const uid = await world.person()
    await sweep(world.context)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutBefore' } })
    const request = requestOf(uid)
    await expect(createPaymentIntent(world.context, { uid }, request)).rejects.toThrow()
    const { restore } = backUp()
    const started = await createPaymentIntent(world.context, { uid }, request)
    await world.pay(started.ok ? started.value.paymentIntentId : '')
    restore()
    world.pass(25 * HOUR)
    expect(await sweep(world.context)).toMatchObject({ paid: 1 })
    expect(world.sandbox.stripe.refunds()).toEqual([])
    expect((await world.checkInvariants({ quiet: true })).transactions.size).toBe(1)
  })
})

describe('rebuilding', () => {
  const issued = { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'due' }
  const bill = () => ({
    attemptId: crypto.randomUUID(),
    supplier: 'edf',
    reference: '6012-1001',
    expected: { amount: 8450, currency: 'EUR' as const, dueDate: '2026-11-30' },
  })
  const send = async (uid: string, changes: Parameters<typeof requestOf>[1] = {}) => {
    const { request, id } = await begin(uid, changes)
    await world.pay(id)
    await record(uid, request.attemptId)
    return id
  }

  /** What people and operators go by, without what only tells when it was looked at. */
  function inSight() {
    const documents = Object.entries(world.sandbox.firestore.documents())
    const seen = documents.map(([path, data]) => {
      const { rebuilt, checkAt, checkout, ...rest } = data
      return [path, rest] as const
    })
    const kept =
      /^(capUses|invoiceClaims|attempts|ledgers|transactions|invoicePayments|invoices|users|customers)\//
    return Object.fromEntries(seen.filter(([path]) => kept.test(path)))
  }

  test('brings back all that happened since the backup, refunds nothing, and lets people pay again', async () => {
    const plan = { tier: 'premium', status: 'active', transactionsLeft: 5 } as const
    const lastMonth = world.now() - 40 * 24 * HOUR
    const withPlan = await world.person({ ...plan, startDate: lastMonth, lastReset: lastMonth })
    const [plain, payer, other] = [await world.person(), await world.person(), await world.person()]
    await world.context.db.doc('invoices/edf_6012-1001').set(issued)
    const known = await begin(plain)
    await sweep(world.context)
    const { restore } = backUp()

    world.pass(20 * MINUTE)
    // The first transfer of the month fills the allowance again.
    await send(withPlan, { expected: { fee: 0, converted: 1_060_000 } })
    await send(withPlan, { amount: 20_000, expected: { fee: 0, converted: 2_120_000 } })
    await world.pay(known.id)
    await record(plain, known.request.attemptId)
    for (let i = 0; i < 2; i += 1)
      await send(plain, { amount: 40_000, expected: { fee: 1200, converted: 4_112_800 }, couponCode: null })
    const canceled = await begin(plain)
    await cancelPaymentIntent(world.context, { uid: plain }, { attemptId: canceled.request.attemptId })
    const open = await begin(plain)
    const invoice = bill()
    const paying = await payInvoice(world.context, { uid: payer }, invoice)
    await world.pay(paying.ok ? paying.value.paymentIntentId : '')
    await record(payer, invoice.attemptId)
    await subscribe(payer)
    const checkout = await openCheckout(other)
    const late = await world.person()
    await send(late)
    await subscribe(late)
    const before = inSight()

    restore()
    await tell()
    world.pass(MINUTE)
    await sweep(world.context)
    await refusedToAll()
    const done = await rebuild(world.context)
    expect(done).toMatchObject({
      customers: 4,
      plans: 2,
      checkoutsEnded: 1,
      unreadable: [],
      isOpen: true,
    })
    expect(done.lostProfiles).toEqual([late])
    const { [`users/${late}`]: lost, ...found } = before
    expect(lost).toBeDefined()
    const after = inSight()
    for (const path of Object.keys(found).filter((one) => !one.startsWith('customers/')))
      expect(after[path], path).toEqual(found[path])
    expect(Object.keys(after).length).toBeGreaterThanOrEqual(Object.keys(found).length)
    expect(await alarms()).toEqual([])
    expect(await world.payCheckout(checkout)).not.toMatch(/session_id/)
    expect(world.sandbox.stripe.refunds()).toEqual([])

    // Who was lost is asked for the profile, and has what was paid.
    await world.context.db.doc(`users/${late}`).set(lost ?? {})
    world.pass(25 * HOUR)
    await sweep(world.context)
    const plans = world.sandbox.stripe.subscriptions()
    expect(plans.map(({ status }) => status)).toEqual(['active', 'active'])
    await send(other)
    world.pass(31 * MINUTE)
    await sweep(world.context)
    const { attempts } = await world.checkInvariants({ quiet: true })
    expect([...attempts.values()].filter(({ status }) => status === 'released')).toHaveLength(2)
    expect((await world.context.stripe.paymentIntents.retrieve(open.id)).status).toBe('canceled')
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test.each(['before', 'after'] as const)(
    'survives a process that dies %s any of its steps',
    { timeout: 0 },
    async (when: Moment) => {
      const [uid, payer] = [await world.person(), await world.person()]
      await world.context.db.doc('invoices/edf_6012-1001').set(issued)
      const known = await begin(uid)
      await sweep(world.context)
      const { restore } = backUp()
      await world.pay(known.id)
      await record(uid, known.request.attemptId)
      await send(uid)
      const canceled = await begin(uid)
      await cancelPaymentIntent(world.context, { uid }, { attemptId: canceled.request.attemptId })
      await begin(uid)
      const invoice = bill()
      const paying = await payInvoice(world.context, { uid: payer }, invoice)
      await world.pay(paying.ok ? paying.value.paymentIntentId : '')
      await record(payer, invoice.attemptId)
      await subscribe(payer)
      const before = inSight()

      let isDead = true
      for (let step = 1; isDead; step += 1) {
        restore()
        const dying = crashAt(world.context, step, when)
        await rebuild(dying.context).catch(() => null)
        isDead = dying.life.dead
        if (step === 5) await refusedToAll()
        expect(await rebuild(world.context)).toMatchObject({ isOpen: true })
        expect(inSight(), `after step ${step}`).toEqual(before)
      }
      expect(world.sandbox.stripe.refunds()).toEqual([])
    },
  )

  test('leaves the page open on which somebody gives a plan another card', async () => {
    const uid = await world.person()
    await subscribe(uid)
    const [{ id: subscriptionId } = { id: '' }] = world.sandbox.stripe.subscriptions()
    const asked = { subscriptionId, locale: 'fr' } as const
    const page = await changeCard(world.context, { uid }, asked, world.origin)
    expect(await rebuild(world.context)).toMatchObject({ checkoutsEnded: 0, isOpen: true })
    expect(await world.payCheckout(page.ok ? page.value.url : '')).toMatch(/session_id/)
  })

  test('records what was paid while it was going on', async () => {
    const uid = await world.person()
    await sweep(world.context)
    const { restore } = backUp()
    const { id } = await begin(uid)
    restore()
    await sweep(world.context)
    await world.interrupted(
      4,
      () => rebuild(world.context),
      async () => {
        await world.pay(id)
        await tell()
      },
    )
    await tell()
    await rebuild(world.context)
    expect([...(await world.checkInvariants({ quiet: true })).transactions.keys()]).toEqual([id])
    expect(await closed()).toBeNull()
  })

  test('begins no use of the cap anew for a month whose uses are forgotten', async () => {
    const caller = { uid: await world.person(), phone: '+33612345678' }
    const start = async () => {
      const request = requestOf(caller.uid)
      const started = await createPaymentIntent(world.context, caller, request)
      return { request, id: started.ok ? started.value.paymentIntentId : '' }
    }
    const first = await start()
    await world.pay(first.id)
    await record(caller.uid, first.request.attemptId)
    await sweep(world.context)
    const { restore } = backUp()
    world.pass(11 * MINUTE)
    await start()
    world.setTime(Date.UTC(2026, 11, 1, 6))
    restore()
    expect((await world.records()).capUses.size).toBe(1)
    await sweep(world.context)
    expect((await world.records()).capUses.size).toBe(0)
    expect(await rebuild(world.context)).toMatchObject({ payments: { unpaid: 1 }, isOpen: true })
    const { capUses, ledgers } = await world.checkInvariants()
    expect(capUses.size).toBe(0)
    const held = { recordedCents: 10_000, reservedCents: 10_000 }
    expect(ledgers.get(`${caller.uid}_2026-11`)).toMatchObject(held)
    await start()
    expect([...(await world.records()).capUses.values()]).toMatchObject([{ endsAt: Date.UTC(2027, 0, 1) }])
  })

  test('stays closed over a payment whose promise nobody can read', async () => {
    const uid = await world.person()
    await sweep(world.context)
    const { restore } = backUp()
    const { id } = await begin(uid)
    await world.context.stripe.paymentIntents.update(id, { metadata: { attempt: '{}' } })
    restore()
    await sweep(world.context)
    expect(await rebuild(world.context)).toMatchObject({ unreadable: [id], isOpen: false })
    await refusedToAll()
  })

  describe('by what somebody gave back since', () => {
    const byHand = (payment_intent: string) =>
      world.context.stripe.refunds.create(
        { payment_intent, amount: 500, metadata: { byHand: 'yes' } },
        { idempotencyKey: `hand:${payment_intent}` },
      )
    /** Charged after the backup, on a card that gives the first refund back to us a minute later. */
    async function charged() {
      const uid = await world.person()
      await sweep(world.context)
      const { restore } = backUp()
      const { request, id } = await begin(uid)
      await world.pay(id, 'pm_card_refundFail')
      return { uid, id, settle: () => record(uid, request.attemptId), restore }
    }
    const refunded = { ok: true, value: { outcome: 'refunded' } }

    test.each<[string, (uid: string, id: string) => Promise<unknown>, readonly number[]]>([
      ['all', (uid) => world.context.db.doc(`users/${uid}`).delete(), [10_000]],
      ['the rest', (_, id) => byHand(id), [500, 9_500]],
    ])(
      'what was owed is owed again, when we gave back %s and a refund came to nothing',
      async (_, happens, back) => {
        const { uid, id, settle, restore } = await charged()
        await happens(uid, id)
        expect(await settle()).toEqual(refunded)
        expect(world.sandbox.stripe.refunds().map(({ amount }) => amount)).toEqual(back)
        world.pass(MINUTE)
        restore()
        expect(await rebuild(world.context)).toMatchObject({ payments: { refunded: 1 }, isOpen: true })
        const { refunds, transactions } = await world.checkInvariants()
        expect([...refunds]).toMatchObject([[id, { reason: 'owedBefore', status: 'due' }]])
        expect(transactions.size).toBe(0)
        expect(await settle()).toEqual(refunded)
        world.pass(31 * MINUTE)
        await sweep(world.context)
        await world.checkInvariants({ quiet: true })
      },
    )

    test('what was owed is owed again to who asks before it is rebuilt', async () => {
      const uid = await world.person()
      const { request, id } = await begin(uid)
      const { restore } = backUp()
      await world.pay(id, 'pm_card_refundFail')
      await world.context.db.doc(`users/${uid}`).delete()
      expect(await record(uid, request.attemptId)).toEqual(refunded)
      world.pass(MINUTE)
      restore()
      expect(await record(uid, request.attemptId)).toEqual(refunded)
      world.pass(31 * MINUTE)
      await sweep(world.context)
      const { transactions } = await world.checkInvariants({ quiet: true })
      expect(transactions.size).toBe(0)
      const back = world.sandbox.stripe.refunds().map(({ amount, status }) => [amount, status])
      expect(back).toEqual([
        [10_000, 'failed'],
        [10_000, 'succeeded'],
      ])
    })

    test.each(['back', 'lost'])(
      'what was owed of a plan is owed again, when the refund came to nothing and the profile is %s',
      async (profileIs) => {
        const uid = await world.person()
        const profile = world.context.db.doc(`users/${uid}`)
        await sweep(world.context)
        const { restore } = backUp()
        await world.payCheckout(await openCheckout(uid), '4000000000005126')
        await profile.delete()
        world.pass(HOUR)
        expect(await sweep(world.context)).toMatchObject({ planEnded: 1 })
        expect(await sweep(world.context)).toMatchObject({ paidBack: 1 })
        world.pass(MINUTE)
        const [refund] = world.sandbox.stripe.refunds()
        restore()
        if (profileIs === 'lost') await profile.delete()
        for (let times = 0; times < 2; times += 1)
          expect(await rebuild(world.context)).toMatchObject({ isOpen: true })
        const debt = { uid, reason: 'owedBefore', status: 'due' }
        expect([...(await world.checkInvariants()).refunds]).toMatchObject([[refund?.payment_intent, debt]])
        await sweep(world.context)
        await world.checkInvariants({ quiet: true })
        const back = world.sandbox.stripe.refunds().map(({ status }) => status)
        expect(back).toEqual(['failed', 'succeeded'])
      },
    )

    test('what was sent is sent, although an operator gave a part back', async () => {
      const { id, settle, restore } = await charged()
      expect(await settle()).toMatchObject({ value: { outcome: 'paid' } })
      await byHand(id)
      restore()
      expect(await rebuild(world.context)).toMatchObject({ payments: { paid: 1 }, isOpen: true })
      expect([...(await world.checkInvariants({ quiet: true })).transactions.keys()]).toEqual([id])
      expect(world.sandbox.stripe.refunds()).toHaveLength(1)
    })
  })

  test('of a database that was emptied begins at the beginning', async () => {
    const uid = await world.person()
    const profile = (await world.context.db.doc(`users/${uid}`).get()).data() ?? {}
    const id = await send(uid)
    world.pass(10 * 24 * HOUR)
    await sweep(world.context)
    world.sandbox.firestore.load({ documents: {} })
    await refusedToAll()
    await world.context.db.doc(`users/${uid}`).set(profile)
    expect(await rebuild(world.context)).toMatchObject({ payments: { paid: 1 }, isOpen: true })
    expect([...(await world.checkInvariants({ quiet: true })).transactions.keys()]).toEqual([id])
  })
})
