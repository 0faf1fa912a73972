import { FieldValue } from 'firebase-admin/firestore'
import { describe, expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../domain/duration.ts'
import { cancelPaymentIntent } from './server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { payInvoice } from './server/endpoints/payInvoice.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { eventsRef, followMissedEvents } from './server/operations/missedEvents.ts'
import { BY_OPERATOR, liftPause, pausePaying } from './server/operations/pauses.ts'
import type { Declines, Restriction } from './server/payments/mayPay.ts'
import type { Caller } from './server/platform/caller.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld()

const paused = { ok: false, error: { status: 403, code: 'paymentsPaused' } }
const start = (caller: Caller, changes = {}) =>
  createPaymentIntent(world.context, caller, requestOf(caller.uid, changes))
const subscribe = (caller: Caller) =>
  createSubscription(world.context, caller, { tier: 'basic', userId: caller.uid, locale: 'fr' }, world.origin)
async function started(caller: Caller) {
  const request = requestOf(caller.uid)
  const made = await createPaymentIntent(world.context, caller, request)
  if (!made.ok) throw new Error(`refused: ${made.error.code}`)
  return { id: made.value.paymentIntentId, attemptId: request.attemptId }
}
async function paid(caller: Caller, card = 'pm_card_visa') {
  const { id, attemptId } = await started(caller)
  await world.pay(id, card)
  const answer = await recordTransfer(world.context, caller, { attemptId })
  return { id, attemptId, outcome: answer.ok && answer.value.outcome }
}
const restriction = async (key: string) =>
  (await world.context.db.doc(`restrictions/${key}`).get()).data() as Restriction | undefined
/** A process that finds this account, whomever it looks for. */
const withAccount = (phone: string) => ({
  ...world.context,
  accounts: {
    ...world.context.accounts,
    find: async () => ({
      validSince: 0,
      isDisabled: false,
      verifiedAddress: 'ada@example.com',
      phone,
      waysIn: [],
    }),
  },
})
const WARNED = 'radar.early_fraud_warning.created'
const eventsOf = (type: string) => world.sandbox.stripe.events().filter((event) => event.type === type)
async function hear(way: 'webhook' | 'sweep', ...types: string[]) {
  if (way === 'sweep') await sweep(world.context)
  else for (const type of types) for (const event of eventsOf(type)) await world.deliver(event)
}

describe('an operator', () => {
  test('stops a person, whatever they want to pay, and lets them go on', async () => {
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
    await pausePaying(world.context, uid, BY_OPERATOR)
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

  test('ends what a person has begun', async () => {
    const uid = await world.person()
    const { id } = await started({ uid })
    const checkout = await subscribe({ uid })
    await pausePaying(world.context, uid, BY_OPERATOR)
    expect(await world.pay(id)).toBe('payment_intent_unexpected_state')
    await world.payCheckout(checkout.ok ? checkout.value.url : '')
    expect(world.sandbox.stripe.subscriptions()).toEqual([])
    expect(world.sandbox.stripe.charges()).toEqual([])
    const { attempts } = await world.checkInvariants({ quiet: true })
    expect([...attempts.values()]).toMatchObject([{ status: 'released' }])
  })

  test('stops the person and not the account: another one with the same verified number pays nothing', async () => {
    const [uid, next] = [await world.person(), await world.person()]
    const context = withAccount('+33612345678')
    await pausePaying(context, uid, BY_OPERATOR)
    expect(await start({ uid: next, phone: '+33612345678' })).toMatchObject(paused)
    expect(await start({ uid: next, email: 'Ada@example.com' })).toMatchObject(paused)
    expect(await start({ uid: next, phone: '+33612345679' })).toMatchObject({ ok: true })
    // Also when the account has another number by then.
    await liftPause(world.context, uid)
    expect(await start({ uid, phone: '+33612345678' })).toMatchObject({ ok: true })
  })

  test('lifts one of two causes, then the other; may stop the same person again, which old news may not', async () => {
    const uid = await world.person()
    await paid({ uid }, 'pm_card_createIssuerFraudRecord')
    await hear('webhook', WARNED)
    const { open: [warning = ''] = [] } = (await restriction(uid)) ?? {}
    const since = world.now()
    world.pass(HOUR)
    await pausePaying(world.context, uid, BY_OPERATOR)
    await liftPause(world.context, uid, warning)
    expect(await restriction(uid)).toEqual({ uid, open: [BY_OPERATOR], lifted: [warning], since })
    await liftPause(world.context, uid, BY_OPERATOR)
    expect(await restriction(uid)).toEqual({ uid, open: [], lifted: [warning, BY_OPERATOR], since: null })
    expect(await start({ uid })).toMatchObject({ ok: true })

    world.pass(HOUR)
    await pausePaying(world.context, uid, BY_OPERATOR)
    await hear('webhook', WARNED)
    const again = { uid, open: [BY_OPERATOR], lifted: [warning], since: world.now() }
    expect(await restriction(uid)).toEqual(again)
    expect(await start({ uid })).toMatchObject(paused)
  })

  test('lifts a cause for good, also for a number that the person has only since', async () => {
    const uid = await world.person()
    await paid({ uid }, 'pm_card_createIssuerFraudRecord')
    await hear('webhook', WARNED)
    await liftPause(world.context, uid)
    const as = withAccount('+33612345678')
    for (const event of eventsOf(WARNED)) expect((await world.deliver(event, { as })).status).toBe(200)
    expect(await start({ uid, phone: '+33612345678' })).toMatchObject({ ok: true })
  })
})

describe('a review that is closed', () => {
  const byHand = (payment: string, reason: 'fraudulent' | 'requested_by_customer') =>
    world.context.stripe.refunds.create({ payment_intent: payment, reason })

  test.each<[string, (payment: string) => unknown, object]>([
    ['because the charge went back as a fraud', (id) => byHand(id, 'fraudulent'), paused],
    ['because the charge was disputed', (id) => world.sandbox.stripe.dispute(id), paused],
    [
      'because the charge went back as the person asked',
      (id) => byHand(id, 'requested_by_customer'),
      { ok: true },
    ],
  ])('%s, and of which nobody heard before', async (_, closes, then) => {
    const uid = await world.person()
    const { id } = await paid({ uid }, 'pm_card_riskLevelElevated')
    await closes(id)
    await hear('webhook', 'review.closed')
    expect(await start({ uid })).toMatchObject(then)
  })

  test('by a refund lifts nothing: only an approval does', async () => {
    const uid = await world.person()
    const { id } = await paid({ uid }, 'pm_card_riskLevelElevated')
    await hear('webhook', 'review.opened')
    await byHand(id, 'requested_by_customer')
    await hear('webhook', 'review.closed')
    expect(await start({ uid })).toMatchObject(paused)
  })
})

test('a bank that only asks about a charge stops its payer until it has closed the question', async () => {
  const uid = await world.person()
  await paid({ uid }, 'pm_card_createDisputeInquiry')
  await hear('webhook', 'charge.dispute.created')
  expect(await start({ uid })).toMatchObject(paused)
  const [inquiry] = world.sandbox.stripe.disputes()
  await world.context.stripe.disputes.update(inquiry?.id ?? '', {
    evidence: { uncategorized_text: 'winning_evidence' },
  })
  await hear('webhook', 'charge.dispute.closed')
  expect(await start({ uid })).toMatchObject({ ok: true })
})

describe.each(['webhook', 'sweep'] as const)('by the %s', (way) => {
  test('a dispute about a payment of an account that is gone stops its owner, who has another one', async () => {
    const uid = await world.person()
    const caller = world.callerOf(uid)
    const { id } = await paid(caller)
    const gone = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    expect(gone.body).toEqual({ outcome: 'deleted' })
    const next = world.callerOf(await world.person({}, uid))
    const begun = await started(next)
    world.sandbox.stripe.dispute(id)
    await hear(way, 'charge.dispute.created')
    expect(await start(next)).toMatchObject(paused)
    // What they have begun meanwhile can't be paid either.
    expect(await world.pay(begun.id)).toBe('payment_intent_unexpected_state')
    await liftPause(world.context, next.uid)
    expect(await start(next)).toMatchObject({ ok: true })
  })

  test('a dispute that is won lets everybody pay whom it stopped, also who was stopped before', async () => {
    const uid = await world.person()
    const { id } = await paid(world.callerOf(uid))
    await world.invoke('delete-account', {}, { token: await world.token(uid) })
    const next = world.callerOf(await world.person({}, uid))
    await pausePaying(world.context, next.uid, BY_OPERATOR)
    await liftPause(world.context, next.uid)
    const dispute = world.sandbox.stripe.dispute(id) ?? ''
    await hear(way, 'charge.dispute.created')
    expect(await start(next)).toMatchObject(paused)
    await world.context.stripe.disputes.update(dispute, {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    await hear(way, 'charge.dispute.closed')
    expect(await start(next)).toMatchObject({ ok: true })
  })

  test('cards that are declined count for a person, whose account is gone by then', async () => {
    const uid = await world.person()
    const caller = world.callerOf(uid)
    for (let payments = 0; payments < 2; payments += 1) {
      const { id, attemptId } = await started(caller)
      for (let tries = 0; tries < 5; tries += 1) await world.pay(id, 'pm_card_visa_chargeDeclined')
      await cancelPaymentIntent(world.context, caller, { attemptId })
    }
    const gone = await world.invoke('delete-account', {}, { token: await world.token(uid) })
    expect(gone.body).toEqual({ outcome: 'deleted' })
    const next = world.callerOf(await world.person({}, uid))
    await hear(way, 'payment_intent.payment_failed')
    expect(await start(next)).toMatchObject({ ok: false, error: { code: 'tooManyDeclines' } })
  })

  test('a dispute pauses paying, and only that, until it is won', async () => {
    const uid = await world.person()
    const { id, attemptId, outcome } = await paid({ uid })
    expect(outcome).toBe('paid')
    world.sandbox.stripe.dispute(id)
    await hear(way, 'charge.dispute.created')
    expect(await start({ uid })).toMatchObject(paused)
    expect(await recordTransfer(world.context, { uid }, { attemptId })).toMatchObject({
      value: { outcome: 'paid' },
    })
    const [dispute] = world.sandbox.stripe.disputes()
    await world.context.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    await hear(way, 'charge.dispute.closed')
    expect(await start({ uid })).toMatchObject({ ok: true })
    expect(await restriction(uid)).toEqual({ uid, open: [], lifted: [dispute?.id], since: null })
    // Old news changes nothing.
    await hear('webhook', 'charge.dispute.closed', 'charge.dispute.created')
    expect(await start({ uid })).toMatchObject({ ok: true })
  })

  test("a dispute that is lost keeps the pause, and one that is won does not lift an operator's", async () => {
    const [lost, won] = [await world.person(), await world.person()]
    for (const uid of [lost, won]) world.sandbox.stripe.dispute((await paid({ uid })).id)
    await hear(way, 'charge.dispute.created')
    await pausePaying(world.context, won, BY_OPERATOR)
    const [first, second] = world.sandbox.stripe.disputes()
    const say = (id = '', text = '') =>
      world.context.stripe.disputes.update(id, { evidence: { uncategorized_text: text } })
    await say(first?.id, 'losing_evidence')
    await say(second?.id, 'winning_evidence')
    await hear(way, 'charge.dispute.closed')
    expect([await start({ uid: lost }), await start({ uid: won })]).toMatchObject([paused, paused])
    expect((await restriction(won))?.open).toEqual([BY_OPERATOR])
  })

  test.each([
    ['an early fraud warning', 'pm_card_createIssuerFraudRecord', WARNED],
    ['a review', 'pm_card_riskLevelElevated', 'review.opened'],
  ])('%s pauses paying, and an operator lifts it for good', async (_, card, event) => {
    const uid = await world.person()
    await paid({ uid }, card)
    await hear(way, event)
    expect(await start({ uid })).toMatchObject(paused)
    await liftPause(world.context, uid)
    await hear(way, event)
    expect(await start({ uid })).toMatchObject({ ok: true })
  })

  test('a review that is approved lifts its own pause', async () => {
    const uid = await world.person()
    await paid({ uid }, 'pm_card_riskLevelElevated')
    await hear(way, 'review.opened')
    const [review] = (await world.context.stripe.reviews.list()).data
    await world.context.stripe.reviews.approve(review?.id ?? '')
    await hear(way, 'review.closed')
    expect(await start({ uid })).toMatchObject({ ok: true })
  })

  test('five declines end an attempt, ten within a day pause paying until they are older', async () => {
    const uid = await world.person()
    const decline = async (id: string, times: number) => {
      for (let n = 0; n < times; n += 1) await world.pay(id, 'pm_card_visa_chargeDeclined')
      await hear(way, 'payment_intent.payment_failed')
    }
    const first = await started({ uid })
    await decline(first.id, 4)
    expect((await world.context.stripe.paymentIntents.retrieve(first.id)).status).toBe(
      'requires_payment_method',
    )
    await decline(first.id, 1)
    expect((await world.context.stripe.paymentIntents.retrieve(first.id)).status).toBe('canceled')
    world.pass(HOUR)
    const second = await started({ uid })
    await decline(second.id, 5)
    expect(await start({ uid })).toMatchObject({
      error: { status: 429, code: 'tooManyDeclines', details: { retryAfterSeconds: 23 * 3600 } },
    })
    const { at } = (await world.context.db.doc(`declines/${uid}`).get()).data() as Declines
    expect(Object.keys(at)).toHaveLength(10)
    expect(await subscribe({ uid })).toMatchObject({ error: { code: 'tooManyDeclines' } })
    world.pass(23 * HOUR)
    expect(await start({ uid })).toMatchObject({ ok: true })
    await world.checkInvariants()
  })
})

test('asking what became of a payment counts its declines too', async () => {
  const uid = await world.person()
  const { id, attemptId } = await started({ uid })
  for (let n = 0; n < 5; n += 1) await world.pay(id, 'pm_card_visa_chargeDeclined')
  await recordTransfer(world.context, { uid }, { attemptId })
  expect(world.sandbox.stripe.paymentIntents()).toMatchObject([{ status: 'canceled' }])
})

test('what nobody told is followed once, the oldest first; what fails is followed again', async () => {
  const uid = await world.person()
  const { id } = await paid({ uid })
  world.pass(HOUR)
  world.sandbox.stripe.dispute(id)
  world.pass(MINUTE)
  world.sandbox.faults.add({ on: 'GET /v1/disputes', times: 30, what: { kind: 'status', status: 500 } })
  expect(await sweep(world.context)).toMatchObject({ failed: 1 })
  world.sandbox.faults.reset()
  world.pass(15 * MINUTE)
  expect(await sweep(world.context)).not.toHaveProperty('failed')
  expect(await start({ uid })).toMatchObject(paused)
  world.pass(15 * MINUTE)
  world.requests.length = 0
  await sweep(world.context)
  expect(world.requests.filter((line) => line.startsWith('GET /v1/disputes'))).toEqual([])
})

describe('of what nobody told, with time for one event in each run,', () => {
  /** Its time is over as soon as the second event is looked at. */
  function look() {
    const before = world.requests.length
    const followed = () =>
      world.requests.slice(before).filter((line) => line.startsWith('GET /v1/payment_intents/pi_')).length
    return followMissedEvents({ ...world.context, elapsed: followed }, 0, vi.fn(), vi.fn())
  }
  async function payers() {
    const [one, other] = [await world.person(), await world.person()]
    const [first, second] = [await paid({ uid: one }), await paid({ uid: other })]
    world.pass(HOUR)
    return { one, other, first, second }
  }

  test('one that fails for good keeps no later one waiting, and is followed once it can be', async () => {
    const { one, other, first, second } = await payers()
    const transaction = world.context.db.doc(`transactions/${first.id}`)
    const stored = (await transaction.get()).data() ?? {}
    await transaction.update({ amount: FieldValue.delete() })
    for (const { id } of [first, second]) {
      world.sandbox.stripe.dispute(id)
      world.pass(MINUTE)
    }
    world.pass(15 * MINUTE)
    for (let looks = 0; looks < 2; looks += 1) await look()
    expect([await start({ uid: one }), await start({ uid: other })]).toMatchObject([{ ok: true }, paused])
    await transaction.set(stored)
    world.pass(DAY)
    await sweep(world.context)
    expect(await start({ uid: one })).toMatchObject(paused)
    expect((await eventsRef(world.context.db).get()).get('failed')).toEqual([])
  })

  test('the oldest comes first, however many were told since', async () => {
    const { one, other, first } = await payers()
    world.sandbox.stripe.dispute(first.id)
    const { id } = await started({ uid: other })
    for (let tries = 0; tries < 101; tries += 1) {
      world.pass(MINUTE)
      await world.pay(id, 'pm_card_visa_chargeDeclined')
    }
    await look()
    expect(await start({ uid: one })).toMatchObject(paused)
    expect(await sweep(world.context)).not.toHaveProperty('leftOver')
    expect(await start({ uid: other })).toMatchObject({ error: { code: 'tooManyDeclines' } })
  })
})

test('the counts of declines are forgotten', async () => {
  const uid = await world.person()
  const { id } = await started({ uid })
  await world.pay(id, 'pm_card_visa_chargeDeclined')
  await hear('webhook', 'payment_intent.payment_failed')
  expect((await world.context.db.doc(`declines/${uid}`).get()).exists).toBe(true)
  world.setTime(START + 3 * 24 * HOUR)
  await sweep(world.context)
  expect((await world.context.db.doc(`declines/${uid}`).get()).exists).toBe(false)
})
