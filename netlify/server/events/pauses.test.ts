import { FieldValue } from 'firebase-admin/firestore'
import { describe, expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { cancelPaymentIntent } from '../endpoints/cancelPaymentIntent.ts'
import { changeCard } from '../endpoints/changeCard.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { createSubscription } from '../endpoints/createSubscription.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { payInvoice } from '../endpoints/payInvoice.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import type { Restriction } from '../payments/restrictions.ts'
import type { Caller } from '../platform/caller.ts'
import { runChores } from '../platform/chores.ts'
import { createMissedEventsChore, eventProgressRef } from './missedEvents.ts'
import { liftPause, OPERATOR_PAUSE_CAUSE, pausePayments } from './pauses.ts'

resetWorldForEachTest()

const paused = { ok: false, error: { status: 403, code: 'paymentsPaused' } }
const start = (caller: Caller, changes = {}) =>
  createPaymentIntent(world.context, caller, buildTransferRequest(caller.uid, changes))
const subscribe = (caller: Caller) =>
  createSubscription(world.context, caller, { tier: 'basic', userId: caller.uid, locale: 'fr' }, world.origin)
async function startPayment(caller: Caller) {
  const request = buildTransferRequest(caller.uid)
  const made = await createPaymentIntent(world.context, caller, request)
  if (!made.ok) throw new Error(`refused: ${made.error.code}`)
  return { id: made.value.paymentIntentId, attemptId: request.attemptId }
}
async function payAndRecord(caller: Caller, card = 'pm_card_visa') {
  const { id, attemptId } = await startPayment(caller)
  await world.pay(id, card)
  const answer = await recordTransfer(world.context, caller, { attemptId })
  return { id, attemptId, outcome: answer.ok && answer.value.outcome }
}
const restriction = async (key: string) =>
  (await world.context.db.doc(`restrictions/${key}`).get()).data() as Restriction | undefined
const createContextWithAccount = (phone: string) => ({
  ...world.context,
  accounts: {
    ...world.context.accounts,
    find: async () => ({
      createdAt: 0,
      passwordSince: null,
      validSince: 0,
      isDisabled: false,
      address: 'ada@example.com',
      verifiedAddress: 'ada@example.com',
      phone,
      signInMethods: [],
    }),
  },
})
const WARNED = 'radar.early_fraud_warning.created'
const listEvents = (type: string) => world.sandbox.stripe.events().filter((event) => event.type === type)
async function handleEvents(way: 'webhook' | 'due-work', ...types: string[]) {
  if (way === 'due-work') await runDueWork(world.context)
  else for (const type of types) for (const event of listEvents(type)) await world.deliver(event)
}

describe('an operator', () => {
  test("an operator pauses a person's payments of every kind, and resumes them", async () => {
    const uid = await world.person()
    await world.sandbox.invoices.issue()
    const [path = '', bill] =
      Object.entries(world.sandbox.firestore.documents()).find(
        ([name, { status, currency }]) =>
          name.startsWith('invoices/') && status === 'due' && currency === 'EUR',
      ) ?? []
    const [supplier = '', reference = ''] = path.replace('invoices/', '').split('_')
    const pay = () =>
      payInvoice(world.context, { uid }, {
        attemptId: crypto.randomUUID(),
        supplier,
        reference,
        expected: {
          amount: Math.round(Number(bill?.amount) * 100),
          currency: bill?.currency,
          dueDate: bill?.dueDate,
        },
      } as Parameters<typeof payInvoice>[2])
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect([await start({ uid }), await pay(), await subscribe({ uid })]).toMatchObject([
      paused,
      paused,
      paused,
    ])
    await liftPause(world.context, uid)
    expect([await start({ uid }), await pay(), await subscribe({ uid })]).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
    ])
  })

  test('pausing a person ends their open payments', async () => {
    const uid = await world.person()
    const { id } = await startPayment({ uid })
    const checkout = await subscribe({ uid })
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await world.pay(id)).toBe('payment_intent_unexpected_state')
    await world.payCheckout(checkout.ok ? checkout.value.url : '')
    expect(world.sandbox.stripe.subscriptions()).toEqual([])
    expect(world.sandbox.stripe.charges()).toEqual([])
    const { attempts } = await world.checkInvariants({ quiet: true })
    expect([...attempts.values()]).toMatchObject([{ status: 'released' }])
  })

  test('a pause ends payments under more keys than one query takes', async () => {
    const uid = await world.person()
    const next = await world.person({}, uid)
    const { id } = await startPayment(world.getCaller(next))
    const known = Array.from({ length: 40 }, (_, i) => `key-${i}`)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE, { known })
    expect(await world.pay(id)).toBe('payment_intent_unexpected_state')
    await liftPause(world.context, uid, undefined, { known })
    expect((await startPayment(world.getCaller(next))).id).toBeDefined()
  })

  test('a pause applies to all accounts of the person’s number or mailbox', async () => {
    const [uid, next] = [await world.person(), await world.person()]
    const context = createContextWithAccount('+33612345678')
    await pausePayments(context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await start({ uid: next, phone: '+33612345678' })).toMatchObject(paused)
    expect(await start({ uid: next, email: 'Ada@example.com' })).toMatchObject(paused)
    expect(await start({ uid: next, email: 'ada+2@example.com' })).toMatchObject(paused)
    expect(await start({ uid: next, phone: '+33612345679' })).toMatchObject({ ok: true })
    await liftPause(world.context, uid)
    expect(await start({ uid, phone: '+33612345678' })).toMatchObject({ ok: true })
  })

  test('an operator lifts each cause; a repeated event changes nothing', async () => {
    const uid = await world.person()
    await payAndRecord({ uid }, 'pm_card_createIssuerFraudRecord')
    await handleEvents('webhook', WARNED)
    const { open: [warning = ''] = [] } = (await restriction(uid)) ?? {}
    const since = world.now()
    world.pass(HOUR)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    await liftPause(world.context, uid, warning)
    expect(await restriction(uid)).toEqual({ uid, open: [OPERATOR_PAUSE_CAUSE], lifted: [warning], since })
    await liftPause(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await restriction(uid)).toEqual({
      uid,
      open: [],
      lifted: [warning, OPERATOR_PAUSE_CAUSE],
      since: null,
    })
    expect(await start({ uid })).toMatchObject({ ok: true })

    world.pass(HOUR)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    await handleEvents('webhook', WARNED)
    const again = { uid, open: [OPERATOR_PAUSE_CAUSE], lifted: [warning], since: world.now() }
    expect(await restriction(uid)).toEqual(again)
    expect(await start({ uid })).toMatchObject(paused)
  })

  test('a lifted cause stays lifted, even for a later number', async () => {
    const uid = await world.person()
    await payAndRecord({ uid }, 'pm_card_createIssuerFraudRecord')
    await handleEvents('webhook', WARNED)
    await liftPause(world.context, uid)
    const as = createContextWithAccount('+33612345678')
    for (const event of listEvents(WARNED)) expect((await world.deliver(event, { as })).status).toBe(200)
    expect(await start({ uid, phone: '+33612345678' })).toMatchObject({ ok: true })
  })
})

describe('a review that is closed', () => {
  const byHand = (payment: string, reason: 'fraudulent' | 'requested_by_customer') =>
    world.context.stripe.refunds.create({ payment_intent: payment, reason })

  test.each<[string, (payment: string) => unknown, object]>([
    ['pauses payments if its charge was refunded as fraudulent', (id) => byHand(id, 'fraudulent'), paused],
    ['pauses payments if its charge was disputed', (id) => world.sandbox.stripe.dispute(id), paused],
    [
      'pauses nothing if its charge was refunded as the payer requested',
      (id) => byHand(id, 'requested_by_customer'),
      { ok: true },
    ],
  ])('a closed review whose opening was never reported %s', async (_, closes, then) => {
    const uid = await world.person()
    const { id } = await payAndRecord({ uid }, 'pm_card_riskLevelElevated')
    await closes(id)
    await handleEvents('webhook', 'review.closed')
    expect(await start({ uid })).toMatchObject(then)
  })

  test('a review that a refund closes keeps its pause', async () => {
    const uid = await world.person()
    const { id } = await payAndRecord({ uid }, 'pm_card_riskLevelElevated')
    await handleEvents('webhook', 'review.opened')
    await byHand(id, 'requested_by_customer')
    await handleEvents('webhook', 'review.closed')
    expect(await start({ uid })).toMatchObject(paused)
  })
})

test('a bank’s inquiry pauses its payer until it is closed', async () => {
  const uid = await world.person()
  await payAndRecord({ uid }, 'pm_card_createDisputeInquiry')
  await handleEvents('webhook', 'charge.dispute.created')
  expect(await start({ uid })).toMatchObject(paused)
  const [inquiry] = world.sandbox.stripe.disputes()
  await world.context.stripe.disputes.update(inquiry?.id ?? '', {
    evidence: { uncategorized_text: 'winning_evidence' },
  })
  await handleEvents('webhook', 'charge.dispute.closed')
  expect(await start({ uid })).toMatchObject({ ok: true })
})

describe.each(['webhook', 'due-work'] as const)('an event from the %s', (way) => {
  test('a dispute of a deleted account pauses the person’s next', async () => {
    const uid = await world.person()
    const caller = world.getCaller(uid)
    const { id } = await payAndRecord(caller)
    const gone = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    expect(gone.body).toEqual({ outcome: 'deleted' })
    const next = world.getCaller(await world.person({}, uid))
    const begun = await startPayment(next)
    world.sandbox.stripe.dispute(id)
    await handleEvents(way, 'charge.dispute.created')
    expect(await start(next)).toMatchObject(paused)
    expect(await world.pay(begun.id)).toBe('payment_intent_unexpected_state')
    await liftPause(world.context, next.uid)
    expect(await start(next)).toMatchObject({ ok: true })
  })

  test('a won dispute lifts its pause, whatever operators did before', async () => {
    const uid = await world.person()
    const { id } = await payAndRecord(world.getCaller(uid))
    await world.invoke('delete-account', {}, { token: await world.token(uid) })
    const next = world.getCaller(await world.person({}, uid))
    await pausePayments(world.context, next.uid, OPERATOR_PAUSE_CAUSE)
    await liftPause(world.context, next.uid)
    const dispute = world.sandbox.stripe.dispute(id) ?? ''
    await handleEvents(way, 'charge.dispute.created')
    expect(await start(next)).toMatchObject(paused)
    await world.context.stripe.disputes.update(dispute, {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    await handleEvents(way, 'charge.dispute.closed')
    expect(await start(next)).toMatchObject({ ok: true })
  })

  test('a deleted account’s declines count for the person’s next', async () => {
    const uid = await world.person()
    const caller = world.getCaller(uid)
    for (let payments = 0; payments < 2; payments += 1) {
      const { id, attemptId } = await startPayment(caller)
      for (let tries = 0; tries < 5; tries += 1) await world.pay(id, 'pm_card_visa_chargeDeclined')
      await cancelPaymentIntent(world.context, caller, { attemptId })
    }
    const gone = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    expect(gone.body).toEqual({ outcome: 'deleted' })
    const next = world.getCaller(await world.person({}, uid))
    await handleEvents(way, 'payment_intent.payment_failed')
    expect(await start(next)).toMatchObject({ ok: false, error: { code: 'tooManyDeclines' } })
  })

  test('a dispute pauses new payments, but not the recording of paid', async () => {
    const uid = await world.person()
    const { id, attemptId, outcome } = await payAndRecord({ uid })
    expect(outcome).toBe('paid')
    world.sandbox.stripe.dispute(id)
    await handleEvents(way, 'charge.dispute.created')
    expect(await start({ uid })).toMatchObject(paused)
    expect(await recordTransfer(world.context, { uid }, { attemptId })).toMatchObject({
      value: { outcome: 'paid' },
    })
    const [dispute] = world.sandbox.stripe.disputes()
    await world.context.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    await handleEvents(way, 'charge.dispute.closed')
    expect(await start({ uid })).toMatchObject({ ok: true })
    expect(await restriction(uid)).toEqual({ uid, open: [], lifted: [dispute?.id], since: null })
    await handleEvents('webhook', 'charge.dispute.closed', 'charge.dispute.created')
    expect(await start({ uid })).toMatchObject({ ok: true })
  })

  test('a lost dispute keeps its pause, a won one the operator’s', async () => {
    const [lost, won] = [await world.person(), await world.person()]
    for (const uid of [lost, won]) world.sandbox.stripe.dispute((await payAndRecord({ uid })).id)
    await handleEvents(way, 'charge.dispute.created')
    await pausePayments(world.context, won, OPERATOR_PAUSE_CAUSE)
    const [first, second] = world.sandbox.stripe.disputes()
    const say = (id = '', text = '') =>
      world.context.stripe.disputes.update(id, { evidence: { uncategorized_text: text } })
    await say(first?.id, 'losing_evidence')
    await say(second?.id, 'winning_evidence')
    await handleEvents(way, 'charge.dispute.closed')
    expect([await start({ uid: lost }), await start({ uid: won })]).toMatchObject([paused, paused])
    expect((await restriction(won))?.open).toEqual([OPERATOR_PAUSE_CAUSE])
  })

  test.each([
    ['an early fraud warning', 'pm_card_createIssuerFraudRecord', WARNED],
    ['a review', 'pm_card_riskLevelElevated', 'review.opened'],
  ])('%s pauses payments until an operator lifts the pause for good', async (_, card, event) => {
    const uid = await world.person()
    await payAndRecord({ uid }, card)
    await handleEvents(way, event)
    expect(await start({ uid })).toMatchObject(paused)
    await liftPause(world.context, uid)
    await handleEvents(way, event)
    expect(await start({ uid })).toMatchObject({ ok: true })
  })

  test('an approved review lifts its own pause', async () => {
    const uid = await world.person()
    await payAndRecord({ uid }, 'pm_card_riskLevelElevated')
    await handleEvents(way, 'review.opened')
    const [review] = (await world.context.stripe.reviews.list()).data
    await world.context.stripe.reviews.approve(review?.id ?? '')
    await handleEvents(way, 'review.closed')
    expect(await start({ uid })).toMatchObject({ ok: true })
  })

  test('five declines end an attempt, ten in a day pause payments', async () => {
    const uid = await world.person()
    const decline = async (id: string, times: number) => {
      for (let n = 0; n < times; n += 1) await world.pay(id, 'pm_card_visa_chargeDeclined')
      await handleEvents(way, 'payment_intent.payment_failed')
    }
    const first = await startPayment({ uid })
    await decline(first.id, 4)
    expect((await world.context.stripe.paymentIntents.retrieve(first.id)).status).toBe(
      'requires_payment_method',
    )
    await decline(first.id, 1)
    expect((await world.context.stripe.paymentIntents.retrieve(first.id)).status).toBe('canceled')
    world.pass(HOUR)
    const second = await startPayment({ uid })
    await decline(second.id, 5)
    expect(await start({ uid })).toMatchObject({
      error: { status: 429, code: 'tooManyDeclines', details: { retryAfterSeconds: 24 * 3600 } },
    })
    const counted = await world.context.db.doc(`incidents/${uid}`).get()
    expect(Object.keys(counted.get('counts.decline.at'))).toHaveLength(10)
    expect(await subscribe({ uid })).toMatchObject({ error: { code: 'tooManyDeclines' } })
    world.pass(24 * HOUR)
    expect(await start({ uid })).toMatchObject({ ok: true })
    await world.checkInvariants()
  })
})

describe('ten declines within a day', () => {
  const declined = 'pm_card_visa_chargeDeclined'
  const tooMany = { error: { status: 429, code: 'tooManyDeclines' } }
  const fetchStatus = async (id: string) => (await world.context.stripe.paymentIntents.retrieve(id)).status

  test('beginning a payment counts open payments’ declines before any webhook', async () => {
    const uid = await world.person()
    const opened = [await startPayment({ uid }), await startPayment({ uid }), await startPayment({ uid })]
    for (const { id } of opened) for (let n = 0; n < 3; n += 1) await world.pay(id, declined)
    expect(await start({ uid })).toMatchObject({ ok: true })
    await world.pay(opened[0]?.id ?? '', declined)
    expect(await start({ uid })).toMatchObject(tooMany)
  })

  test('ends every open payment of a person after ten declines', async () => {
    const uid = await world.person()
    const opened = [await startPayment({ uid }), await startPayment({ uid }), await startPayment({ uid })]
    const [first, second, third] = opened.map(({ id }) => id) as [string, string, string]
    for (let n = 0; n < 4; n += 1) for (const id of [first, second]) await world.pay(id, declined)
    await handleEvents('webhook', 'payment_intent.payment_failed')
    expect([await fetchStatus(first), await fetchStatus(third)]).toEqual(
      Array(2).fill('requires_payment_method'),
    )
    for (const id of [first, second]) await world.pay(id, declined)
    await handleEvents('webhook', 'payment_intent.payment_failed')
    expect([await fetchStatus(first), await fetchStatus(second), await fetchStatus(third)]).toEqual(
      Array(3).fill('canceled'),
    )
  })

  test('a too often declined card ends another user’s payment at once', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { id } = await startPayment({ uid: await world.person() })
      for (let tries = 0; tries < 3; tries += 1) await world.pay(id, declined)
    }
    await handleEvents('webhook', 'payment_intent.payment_failed')
    const [other, next] = [
      await startPayment({ uid: await world.person() }),
      await startPayment({ uid: await world.person() }),
    ]
    await world.pay(other.id, 'pm_card_chargeDeclinedExpiredCard')
    await world.pay(next.id, declined)
    await handleEvents('webhook', 'payment_intent.payment_failed')
    expect([await fetchStatus(other.id), await fetchStatus(next.id)]).toEqual([
      'requires_payment_method',
      'canceled',
    ])
  })

  test('ten declines or a pause close the card change’s page', async () => {
    const [uid, stopped] = [await world.person(), await world.person()]
    const first = await startPayment({ uid })
    for (let n = 0; n < 10; n += 1) await world.pay(first.id, declined)
    await handleEvents('webhook', 'payment_intent.payment_failed')
    await pausePayments(world.context, stopped, OPERATOR_PAUSE_CAUSE)
    const change = (as: Caller) =>
      changeCard(world.context, as, { subscriptionId: 'sub_1', locale: 'fr' }, world.origin)
    expect(await change({ uid })).toMatchObject(tooMany)
    expect(await change({ uid: stopped })).toMatchObject(paused)
  })
})

test('record-transfer counts declines too, and ends after five', async () => {
  const uid = await world.person()
  const { id, attemptId } = await startPayment({ uid })
  for (let n = 0; n < 5; n += 1) await world.pay(id, 'pm_card_visa_chargeDeclined')
  await recordTransfer(world.context, { uid }, { attemptId })
  expect(world.sandbox.stripe.paymentIntents()).toMatchObject([{ status: 'canceled' }])
})

test('the job handles an event without webhook, and retries failures', async () => {
  const uid = await world.person()
  const { id } = await payAndRecord({ uid })
  world.pass(HOUR)
  world.sandbox.stripe.dispute(id)
  world.pass(MINUTE)
  world.sandbox.faults.add({ on: 'GET /v1/disputes', times: 30, what: { kind: 'status', status: 500 } })
  // The dispute, and its withdrawal.
  expect(await runDueWork(world.context)).toMatchObject({ failed: 2 })
  world.sandbox.faults.reset()
  world.pass(15 * MINUTE)
  expect(await runDueWork(world.context)).not.toHaveProperty('failed')
  expect(await start({ uid })).toMatchObject(paused)
  world.pass(15 * MINUTE)
  world.requests.length = 0
  await runDueWork(world.context)
  expect(world.requests.filter((line) => line.startsWith('GET /v1/disputes'))).toEqual([])
})

describe('missed events, with time for one in each run', () => {
  function lookForMissedEvents() {
    const before = world.requests.length
    const followed = () =>
      world.requests.slice(before).filter((line) => line.startsWith('GET /v1/payment_intents/pi_')).length
    return runChores(
      [createMissedEventsChore(world.context)],
      {
        atOnce: { stripe: 1 },
        perAccount: 1,
        elapsed: followed,
        stopAt: 1,
        deadline: new AbortController().signal,
      },
      { count: vi.fn(), failed: vi.fn(), leftOver: vi.fn() },
    )
  }
  async function createPayers() {
    const [one, other] = [await world.person(), await world.person()]
    const [first, second] = [await payAndRecord({ uid: one }), await payAndRecord({ uid: other })]
    world.pass(HOUR)
    return { one, other, first, second }
  }

  test('a missed event that keeps failing delays no later one', async () => {
    const { one, other, first, second } = await createPayers()
    const transaction = world.context.db.doc(`transactions/${first.id}`)
    const stored = (await transaction.get()).data() ?? {}
    await transaction.update({ amount: FieldValue.delete() })
    for (const { id } of [first, second]) {
      world.sandbox.stripe.dispute(id)
      world.pass(MINUTE)
    }
    world.pass(15 * MINUTE)
    for (let looks = 0; looks < 3; looks += 1) await lookForMissedEvents()
    const listFailed = async () => (await eventProgressRef(world.context.db).get()).get('failed')
    expect(await listFailed()).toHaveLength(1)
    expect([await start({ uid: one }), await start({ uid: other })]).toMatchObject([paused, paused])
    await transaction.set(stored)
    world.pass(DAY)
    await runDueWork(world.context)
    expect(await listFailed()).toEqual([])
  })

  test('the job handles the oldest missed event first', async () => {
    const { one, other, first } = await createPayers()
    world.sandbox.stripe.dispute(first.id)
    const { id } = await startPayment({ uid: other })
    for (let tries = 0; tries < 101; tries += 1) {
      world.pass(MINUTE)
      await world.pay(id, 'pm_card_visa_chargeDeclined')
    }
    await lookForMissedEvents()
    expect(await start({ uid: one })).toMatchObject(paused)
    expect(await runDueWork(world.context)).not.toHaveProperty('leftOver')
    expect(await start({ uid: other })).toMatchObject({ error: { code: 'tooManyDeclines' } })
  })
})

test('the due-work job deletes expired counts of declines', async () => {
  const uid = await world.person()
  const { id } = await startPayment({ uid })
  await world.pay(id, 'pm_card_visa_chargeDeclined')
  await handleEvents('webhook', 'payment_intent.payment_failed')
  expect((await world.context.db.doc(`incidents/${uid}`).get()).exists).toBe(true)
  world.setTime(WORLD_START + 3 * 24 * HOUR)
  await runDueWork(world.context)
  expect((await world.context.db.doc(`incidents/${uid}`).get()).exists).toBe(false)
})
