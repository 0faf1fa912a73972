import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { startTransferPayment } from '../../testing/payments.ts'
import {
  activatePlan,
  expectCheckoutOpened,
  listCheckoutSessions,
  requestCheckout,
} from '../../testing/plans.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { cancelPaymentIntent } from '../endpoints/cancelPaymentIntent.ts'
import { changeCard } from '../endpoints/changeCard.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { MAX_OPEN_ATTEMPTS } from '../payments/openAttempts.ts'
import { OPERATOR_PAUSE_CAUSE, pausePayments } from './pauses.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const DECLINED = 'pm_card_visa_chargeDeclined'
const DECLINED_NUMBER = '4000 0000 0000 0002'
const tooMany = { error: { status: 429, code: 'tooManyDeclines' } }

/** Ten transfers of this amount stay below the monthly cap. */
const SMALL = { amount: 1_000, expected: { fee: 30, converted: 102_820 } }

const listFailedCharges = () => world.sandbox.stripe.charges().filter(({ status }) => status === 'failed')

function createEventDelivery() {
  let deliveredCount = world.sandbox.stripe.events().length
  return async () => {
    const news = world.sandbox.stripe.events().slice(deliveredCount)
    deliveredCount += news.length
    for (const event of news) expect(await world.deliver(event)).toMatchObject({ status: 200 })
  }
}

async function begin(uid: string) {
  const request = buildTransferRequest(uid, SMALL)
  const made = await startTransferPayment(request)
  return made.ok ? { attemptId: request.attemptId, id: made.value.paymentIntentId } : null
}

describe('declines', () => {
  test('a user’s ten open payments at most have their declines counted @spec-open-payments', async () => {
    const uid = await world.person()
    const begun = await Promise.all(Array.from({ length: 2 * MAX_OPEN_ATTEMPTS }, () => begin(uid)))
    const open = begun.flatMap((one) => one ?? [])
    expect(open).toHaveLength(MAX_OPEN_ATTEMPTS)
    expect(await startTransferPayment(buildTransferRequest(uid, SMALL))).toMatchObject({
      error: { status: 429, code: 'tooManyRequests', details: { retryAfterSeconds: 45 * 60 } },
    })
    for (const { id } of open) for (let n = 0; n < 3; n += 1) await world.pay(id, DECLINED)
    await cancelPaymentIntent(world.context, { uid }, { attemptId: open[0]?.attemptId ?? '' })
    expect(await startTransferPayment(buildTransferRequest(uid, SMALL))).toMatchObject(tooMany)
  })

  test('counts the declines of canceled payments, even before any webhook arrives', async () => {
    const uid = await world.person()
    for (let begun = await begin(uid); begun; begun = await begin(uid)) {
      for (let n = 0; n < 4; n += 1) await world.pay(begun.id, DECLINED)
      await cancelPaymentIntent(world.context, { uid }, { attemptId: begun.attemptId })
    }
    expect(listFailedCharges()).toHaveLength(12)
    expect(await startTransferPayment(buildTransferRequest(uid, SMALL))).toMatchObject(tooMany)
  })

  test("ends a plan's checkout and all open payments at the tenth decline", async () => {
    const tell = createEventDelivery()
    const uid = await world.person()
    const payment = await begin(uid)
    const page = await expectCheckoutOpened(uid)
    for (let n = 0; n < 60; n += 1) {
      await world.payCheckout(page, DECLINED_NUMBER)
      await tell()
    }
    expect(listFailedCharges()).toHaveLength(10)
    expect(await listCheckoutSessions()).toMatchObject([{ status: 'expired' }])
    expect(await world.context.stripe.paymentIntents.retrieve(payment?.id ?? '')).toMatchObject({
      status: 'canceled',
    })
    expect(await requestCheckout(uid)).toMatchObject(tooMany)
    world.pass(DAY)
    expect(await requestCheckout(uid)).toMatchObject({ ok: true })
  })

  test('the tenth decline expires the checkout that changes a card', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    const tell = createEventDelivery()
    const change = () => changeCard(world.context, { uid }, { subscriptionId, locale: 'fr' }, world.origin)
    const page = await change()
    const refused = () =>
      world.sandbox.stripe.events().filter(({ type }) => type === 'setup_intent.setup_failed')
    for (let n = 0; n < 60; n += 1) {
      await world.payCheckout(page.ok ? page.value.url : '', DECLINED_NUMBER)
      await tell()
    }
    expect(refused()).toHaveLength(10)
    expect(await change()).toMatchObject(tooMany)
    expect(await startTransferPayment(buildTransferRequest(uid, SMALL))).toMatchObject(tooMany)
  })

  test('the job counts a plan card’s declines whose webhooks were lost', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    const change = () => changeCard(world.context, { uid }, { subscriptionId, locale: 'fr' }, world.origin)
    const page = await change()
    for (let n = 0; n < 10; n += 1) await world.payCheckout(page.ok ? page.value.url : '', DECLINED_NUMBER)
    world.pass(MINUTE)
    await runDueWork(world.context)
    expect(await change()).toMatchObject(tooMany)
    expect((await listCheckoutSessions()).map(({ status }) => status)).not.toContain('open')
  })
})

test('a pause expires a card change’s checkout that is being created', async () => {
  const uid = await world.person()
  const { subscriptionId } = await activatePlan(uid)
  const { stripe } = world.context
  const create: typeof stripe.checkout.sessions.create = async (...wanted) => {
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    return stripe.checkout.sessions.create(...wanted)
  }
  const sessions = Object.create(stripe.checkout.sessions, { create: { value: create } })
  const checkout = Object.create(stripe.checkout, { sessions: { value: sessions } })
  const slow = { ...world.context, stripe: Object.create(stripe, { checkout: { value: checkout } }) }
  expect(await changeCard(slow, { uid }, { subscriptionId, locale: 'fr' }, world.origin)).toMatchObject({
    error: { code: 'paymentsPaused' },
  })
  expect((await listCheckoutSessions()).map(({ status }) => status)).toEqual(['expired', 'complete'])
})

test('a pause expires the checkout that changes a plan’s card', async () => {
  const uid = await world.person()
  const { subscriptionId } = await activatePlan(uid)
  const page = await changeCard(world.context, { uid }, { subscriptionId, locale: 'fr' }, world.origin)
  await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
  await world.payCheckout(page.ok ? page.value.url : '', DECLINED_NUMBER)
  expect(world.sandbox.stripe.events().map(({ type }) => type)).not.toContain('setup_intent.setup_failed')
  expect((await listCheckoutSessions()).map(({ status }) => status)).toEqual(['expired', 'complete'])
})

test('a canceled payment is closed at once, an abandoned after 45 minutes', async () => {
  const uid = await world.person()
  const begun = []
  for (let n = 0; n < MAX_OPEN_ATTEMPTS; n += 1) begun.push(await begin(uid))
  expect(await begin(uid)).toBe(null)
  await cancelPaymentIntent(world.context, { uid }, { attemptId: begun[0]?.attemptId ?? '' })
  expect(await begin(uid)).not.toBe(null)
  expect(await begin(uid)).toBe(null)
  world.pass(45 * MINUTE - 1)
  expect(await begin(uid)).toBe(null)
  world.pass(1)
  expect(await begin(uid)).not.toBe(null)
})
