import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION, type Tier } from '../domain/plans.ts'
import { cancelSubscription } from './server/endpoints/cancelSubscription.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { verifySubscription } from './server/endpoints/verifySubscription.ts'
import { type Customer, customers, subscriptionOf } from './server/platform/records.ts'
import { createWorld, HOUR, MINUTE, requestOf, START, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const DAY = 24 * HOUR
const CHECKOUTS = '/v1/checkout/sessions'

const create = (uid: string, tier: Tier = 'premium') =>
  createSubscription(world.context, { uid }, { tier, userId: uid, locale: 'fr' }, world.origin)
const opened = async (uid: string, tier?: Tier) => {
  const created = await create(uid, tier)
  if (!created.ok) throw new Error(`refused: ${created.error.code}`)
  return created.value.url
}
const verify = (uid: string, sessionId: string) =>
  verifySubscription(world.context, { uid }, { session_id: sessionId })
const cancel = (uid: string, subscriptionId: string) =>
  cancelSubscription(world.context, { uid }, { subscriptionId })
const stored = async (uid: string) =>
  subscriptionOf((await world.context.db.doc(`users/${uid}`).get()).data())
const billed = () => world.sandbox.stripe.subscriptions()
const payer = async (uid: string) =>
  (await customers(world.context.db).doc(uid).get()).data() as Customer | undefined
const sessions = async () => (await world.context.stripe.checkout.sessions.list({ limit: 100 })).data

/** Pays for a plan as a person does; answers the session that the browser comes back with. */
async function subscribe(uid: string, tier?: Tier) {
  const back = await world.payCheckout(await opened(uid, tier))
  const { pathname, searchParams } = new URL(back ?? '')
  expect(pathname).toBe('/settings')
  return searchParams.get('session_id') ?? ''
}

async function active(uid: string, tier?: Tier) {
  const sessionId = await subscribe(uid, tier)
  const verified = await verify(uid, sessionId)
  if (!verified.ok || !verified.value.success) throw new Error('not active')
  return { sessionId, subscriptionId: verified.value.subscriptionId }
}

/** From now on the person's card is refused, or taken again. */
async function changeCard(subscriptionId: string, card: string) {
  const { stripe } = world.context
  const { customer } = await stripe.subscriptions.retrieve(subscriptionId)
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer as string })
  await stripe.subscriptions.update(subscriptionId, { default_payment_method: id })
}

const premiumSince = (startDate: number, stripeSubscriptionId: string) => ({
  tier: 'premium' as const,
  status: 'active' as const,
  transactionsLeft: 5,
  startDate,
  lastReset: startDate,
  stripeSubscriptionId,
  cancelAt: null,
})

describe('subscribing', () => {
  test('leads to the checkout, and back to a plan with its whole allowance', async () => {
    const uid = await world.person()
    const sessionId = await subscribe(uid, 'basic')
    const [session] = await sessions()
    const metadata = { deployment: 'demo-passerelle', kind: 'plan', uid, tier: 'basic' }
    expect(session).toMatchObject({
      id: sessionId,
      mode: 'subscription',
      client_reference_id: uid,
      amount_total: 200,
      currency: 'eur',
      locale: 'fr',
      metadata,
      status: 'complete',
      payment_status: 'paid',
    })
    expect(await stored(uid)).toEqual(EMPTY_SUBSCRIPTION)

    const subscriptionId = billed()[0]?.id ?? ''
    expect(billed()).toMatchObject([{ status: 'active', metadata, cancel_at_period_end: false }])
    const verified = { ok: true, value: { success: true, tier: 'basic', subscriptionId } }
    expect(await verify(uid, sessionId)).toEqual(verified)
    const plan = { ...premiumSince(START, subscriptionId), tier: 'basic', transactionsLeft: 2 }
    expect(await stored(uid)).toEqual(plan)

    await world.context.db.doc(`users/${uid}`).update({ 'subscription.transactionsLeft': 1 })
    world.pass(2 * DAY)
    expect(await verify(uid, sessionId)).toEqual(verified)
    expect(await stored(uid)).toEqual({ ...plan, transactionsLeft: 1 })
  })

  test('twice at once, or again, is one checkout', async () => {
    const uid = await world.person()
    const urls = await Promise.all([opened(uid), opened(uid), opened(uid)])
    world.pass(20 * MINUTE)
    expect(new Set([...urls, await opened(uid)]).size).toBe(1)
    expect(await sessions()).toHaveLength(1)
    expect((await world.context.stripe.customers.list()).data).toHaveLength(1)
  })

  test('with another plan ends the checkout of the first', async () => {
    const uid = await world.person()
    const basic = await opened(uid, 'basic')
    const premium = await opened(uid, 'premium')
    expect(premium).not.toBe(basic)
    expect((await sessions()).map(({ status }) => status).sort()).toEqual(['expired', 'open'])
    await world.payCheckout(basic)
    expect(billed()).toEqual([])
    await world.payCheckout(premium)
    expect(billed()).toMatchObject([{ metadata: { tier: 'premium' } }])
  })

  test('in two tabs at once leaves one checkout that can be paid, whatever they chose', async () => {
    const uid = await world.person()
    const tries = await Promise.all(
      (['basic', 'premium', 'basic', 'premium'] as const).map((tier) => create(uid, tier)),
    )
    expect((await sessions()).filter(({ status }) => status === 'open')).toHaveLength(1)
    for (const tried of tries) await world.payCheckout(tried.ok ? tried.value.url : world.origin)
    expect(billed()).toHaveLength(1)
  })

  test('after a checkout that was left until it was over opens another', async () => {
    const uid = await world.person()
    const first = await opened(uid)
    world.pass(25 * HOUR)
    const second = await opened(uid)
    expect(second).not.toBe(first)
    expect((await sessions()).map(({ status }) => status)).toEqual(['open', 'expired'])
  })

  test('is refused while a plan runs, even before any news of it came', async () => {
    const uid = await world.person()
    const sessionId = await subscribe(uid)
    const refused = { ok: false, error: { code: 'planActive', status: 409 } }
    expect(await create(uid, 'basic')).toMatchObject(refused)
    expect(await stored(uid)).toMatchObject({ tier: 'premium', status: 'active' })
    await verify(uid, sessionId)
    await cancel(uid, billed()[0]?.id ?? '')
    expect(await create(uid, 'basic')).toMatchObject(refused)
    expect(await sessions()).toHaveLength(1)
  })

  test('is possible again once the plan has ended, with a whole allowance', async () => {
    const uid = await world.person()
    const { subscriptionId, sessionId } = await active(uid)
    await cancel(uid, subscriptionId)
    world.pass(31 * DAY)
    const again = await active(uid, 'basic')
    expect(await stored(uid)).toMatchObject({ tier: 'basic', status: 'active', transactionsLeft: 2 })
    // The old checkout, opened once more, neither ends nor refills the new plan.
    expect(await verify(uid, sessionId)).toMatchObject({ value: { success: false, status: 'ended' } })
    expect(await stored(uid)).toMatchObject({
      stripeSubscriptionId: again.subscriptionId,
      transactionsLeft: 2,
    })
  })

  test('is refused at another price than the one shown', async () => {
    const uid = await world.person()
    await world.context.stripe.prices.update('price_basic', { active: false })
    expect(await create(uid, 'basic')).toMatchObject({
      error: { code: 'planUnavailable', error: 'Failed to create subscription' },
    })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'priceMismatch',
      lookupKey: 'passerelle_basic',
      price: null,
    })
    expect(await payer(uid)).toBeUndefined()
  })

  test('for somebody else, or without a profile, is refused', async () => {
    const uid = await world.person()
    const body = { tier: 'basic', userId: await world.person(), locale: 'fr' } as const
    expect(await createSubscription(world.context, { uid }, body, world.origin)).toMatchObject({
      error: { code: 'forbidden' },
    })
    expect(await create('nobody')).toMatchObject({ error: { code: 'userNotFound' } })
    expect(await sessions()).toEqual([])
  })

  test.each([
    ['cutBefore', 'POST /v1/customers'],
    ['cutAfter', 'POST /v1/customers'],
    ['cutBefore', `POST ${CHECKOUTS}`],
    ['cutAfter', `POST ${CHECKOUTS}`],
    ['cutBefore', 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'],
    ['cutAfter', 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'],
  ] as const)('survives an answer that is lost (%s %s)', async (kind, on) => {
    const uid = await world.person()
    world.sandbox.faults.add({ on, times: 1, what: { kind } })
    await create(uid).catch(() => null)
    const url = await opened(uid)
    expect((await sessions()).filter(({ status }) => status === 'open')).toMatchObject([{ url }])
    expect((await world.context.stripe.customers.list()).data).toHaveLength(1)
    expect(await opened(uid)).toBe(url)
  })

  test.each([
    ['the checkout', `POST ${CHECKOUTS}`],
    ['the customer', 'POST /v1/customers'],
  ])('goes on after a failure of the provider that it repeats for a day: %s', async (_, on) => {
    const uid = await world.person()
    world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 500, kept: true } })
    await create(uid, 'basic').catch(() => null)
    const url = await opened(uid, 'premium')
    const open = (await sessions()).filter(({ status }) => status === 'open')
    expect(open).toMatchObject([{ url, metadata: { tier: 'premium' } }])
  })

  test('keeps a checkout that another tab was given while this one was refused', async () => {
    const uid = await world.person()
    const { stripe } = world.context
    let url = ''
    const refused = {
      create: async () => {
        url = await opened(uid)
        throw new Stripe.errors.StripeAPIError({ type: 'api_error', message: '', statusCode: 500 })
      },
    }
    const context = {
      ...world.context,
      stripe: Object.create(stripe, { checkout: { value: { sessions: refused } } }),
    }
    const body = { tier: 'premium', userId: uid, locale: 'fr' } as const
    await expect(createSubscription(context, { uid }, body, world.origin)).rejects.toThrow()
    expect(await opened(uid)).toBe(url)
    expect(await sessions()).toHaveLength(1)
  })

  test.each([
    ['4000000000000002', null],
    ['4000000000009995', null],
    ['4000002760003184', /\/sandbox\/stripe\/3ds\?source=/],
  ])('with the card %s is no plan yet', async (card, leadsTo) => {
    const uid = await world.person()
    const url = await opened(uid)
    const location = await world.payCheckout(url, card)
    if (leadsTo) expect(location).toMatch(leadsTo)
    else expect(location).toBeNull()
    const sessionId = url.split('/').at(-1) ?? ''
    expect(await verify(uid, sessionId)).toEqual({
      ok: true,
      value: { success: false, tier: 'premium', subscriptionId: null, status: 'open' },
    })
    expect(await stored(uid)).toEqual(EMPTY_SUBSCRIPTION)
    world.pass(25 * HOUR)
    expect(await verify(uid, sessionId)).toMatchObject({ value: { success: false, status: 'expired' } })
  })

  test('with a card that the bank wants to see confirmed is paid once it is', async () => {
    const uid = await world.person()
    const location = await world.payCheckout(await opened(uid), '4000002760003184')
    const source = new URL(location ?? '').searchParams.get('source')
    await fetch(`${world.origin}/sandbox/stripe/3ds/${source}`, { method: 'POST', body: 'complete' })
    // The browser dies before it is back: the provider knows all the same.
    await sweep(world.context)
    expect(await stored(uid)).toMatchObject({ tier: 'premium', status: 'active', transactionsLeft: 5 })
  })
})

describe('what belongs to somebody else', () => {
  test('is neither verified nor canceled', async () => {
    const [uid, other] = [await world.person(), await world.person()]
    const { sessionId, subscriptionId } = await active(uid)
    const forbidden = { ok: false, error: { code: 'forbidden', status: 403 } }
    expect(await verify(other, sessionId)).toMatchObject(forbidden)
    expect(await cancel(other, subscriptionId)).toMatchObject(forbidden)
    expect(billed()).toMatchObject([{ cancel_at_period_end: false }])
    expect(await stored(other)).toEqual(EMPTY_SUBSCRIPTION)
  })

  test('or is not of this product, or not there, is not found', async () => {
    const uid = await world.person()
    const { stripe } = world.context
    const { id: customer } = await stripe.customers.create()
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: 'price_basic', quantity: 1 }],
      success_url: 'http://localhost/shop',
    })
    await world.payCheckout(session.url ?? '')
    const notFound = {
      error: { code: 'checkoutNotFound', error: 'Failed to verify subscription', status: 404 },
    }
    expect(await verify(uid, session.id)).toMatchObject(notFound)
    expect(await verify(uid, 'cs_test_none')).toMatchObject(notFound)
    const noPlan = { error: { code: 'planNotFound', error: 'No active subscription found', status: 404 } }
    expect(await cancel(uid, billed()[0]?.id ?? '')).toMatchObject(noPlan)
    expect(await cancel(uid, 'sub_none')).toMatchObject(noPlan)
  })
})

describe('canceling', () => {
  test('keeps the plan until what is paid ends, and says until when', async () => {
    const uid = await world.person()
    const { subscriptionId } = await active(uid)
    const cancelAt = Date.UTC(2026, 11, 20, 12)
    world.pass(HOUR)
    expect(await cancel(uid, subscriptionId)).toEqual({ ok: true, value: { cancelAt } })
    expect(await cancel(uid, subscriptionId)).toEqual({ ok: true, value: { cancelAt } })
    const plan = premiumSince(START, subscriptionId)
    expect(await stored(uid)).toEqual({ ...plan, status: 'canceled', cancelAt })

    world.setTime(cancelAt)
    await sweep(world.context)
    expect(billed()).toMatchObject([{ status: 'canceled', ended_at: cancelAt / 1000 }])
    expect(await cancel(uid, subscriptionId)).toMatchObject({ error: { code: 'planNotFound' } })
    expect(await stored(uid)).toMatchObject({ status: 'canceled', cancelAt })
    expect((await payer(uid))?.checkAt).toBeNull()
  })

  test.each(['cutBefore', 'cutAfter'] as const)('survives an answer that is lost (%s)', async (kind) => {
    const uid = await world.person()
    const { subscriptionId } = await active(uid)
    world.sandbox.faults.add({ on: `POST /v1/subscriptions/${subscriptionId}`, times: 3, what: { kind } })
    await cancel(uid, subscriptionId).catch(() => null)
    expect(await cancel(uid, subscriptionId)).toMatchObject({ ok: true })
    expect(await stored(uid)).toMatchObject({ status: 'canceled' })
  })
})

/** The events of the provider about plans, so far. */
const news = () => {
  world.sandbox.stripe.bill()
  return world.sandbox.stripe
    .events()
    .filter(({ type }) => /^(customer\.subscription|invoice|checkout)/.test(type))
}

describe('news from the provider', () => {
  test('start a plan when the browser never came back', async () => {
    const uid = await world.person()
    await subscribe(uid)
    expect(
      await world.deliver(news().find(({ type }) => type === 'checkout.session.completed') ?? {}),
    ).toEqual({
      status: 200,
      body: { received: true },
    })
    expect(await stored(uid)).toEqual(premiumSince(START, billed()[0]?.id ?? ''))
  })

  test('of a renewal that failed leave the plan, and end it when the provider does', async () => {
    const uid = await world.person()
    const { subscriptionId } = await active(uid)
    await changeCard(subscriptionId, 'pm_card_chargeCustomerFail')
    const renewal = Date.UTC(2026, 11, 20, 12)
    world.setTime(renewal)
    const failed = news().find(({ type }) => type === 'invoice.payment_failed')
    await world.deliver(failed ?? {})
    // December is not paid, so it brings no new transfers.
    const november = premiumSince(START, subscriptionId)
    expect(await stored(uid)).toEqual({ ...november, renewalFailed: true })
    expect(await create(uid)).toMatchObject({ error: { code: 'planActive' } })

    world.setTime(renewal + 15 * DAY)
    const deleted = news().find(({ type }) => type === 'customer.subscription.deleted')
    await world.deliver(deleted ?? {})
    const ended = { status: 'canceled', cancelAt: renewal + 15 * DAY, renewalFailed: true }
    expect(await stored(uid)).toEqual({ ...november, ...ended })
    expect(await create(uid)).toMatchObject({ ok: true })
  })

  test('of a renewal that went through at last say nothing more', async () => {
    const uid = await world.person()
    const { subscriptionId } = await active(uid)
    await changeCard(subscriptionId, 'pm_card_chargeCustomerFail')
    world.setTime(Date.UTC(2026, 11, 20, 13))
    for (const event of news()) await world.deliver(event)
    expect(await stored(uid)).toMatchObject({ renewalFailed: true, lastReset: START })
    await changeCard(subscriptionId, 'pm_card_visa')
    world.pass(4 * DAY)
    for (const event of news()) await world.deliver(event)
    expect(billed()).toMatchObject([{ status: 'active' }])
    expect(await stored(uid)).not.toHaveProperty('renewalFailed')
    expect(await stored(uid)).toMatchObject({ transactionsLeft: 5, lastReset: world.now() })
  })

  describe('another card after a renewal that failed', () => {
    const pastDue = async () => {
      const uid = await world.person()
      const { subscriptionId } = await active(uid)
      await changeCard(subscriptionId, 'pm_card_chargeCustomerFail')
      world.setTime(Date.UTC(2026, 11, 20, 13))
      for (const event of news()) await world.deliver(event)
      const answer = await world.invoke('change-card', { subscriptionId }, { token: await world.token(uid) })
      expect(answer.status).toBe(200)
      return { uid, subscriptionId, page: String(answer.body.url) }
    }
    const typed = async (page: string, number?: string) => {
      const back = await world.payCheckout(page, number)
      const sessionId = back && new URL(back, world.origin).searchParams.get('session_id')
      if (!sessionId) throw new Error('The card was not saved')
      return sessionId
    }
    const verify = async (uid: string, session_id: string) =>
      (
        await world.invoke(
          'verify-subscription',
          { session_id },
          { token: await world.token(uid), method: 'GET' },
        )
      ).body
    const paidInvoices = async (subscription: string) =>
      (await world.context.stripe.invoices.list({ subscription, status: 'paid' })).data.length

    test('pays what is owed and stays the card of the plan', async () => {
      const { uid, subscriptionId, page } = await pastDue()
      const sessionId = await typed(page)
      expect(await verify(uid, sessionId)).toEqual({ success: true, tier: 'premium', subscriptionId })
      expect(await stored(uid)).not.toHaveProperty('renewalFailed')
      expect(await paidInvoices(subscriptionId)).toBe(2)
      world.setTime(Date.UTC(2027, 0, 20, 13))
      world.sandbox.stripe.bill()
      expect(billed()).toMatchObject([{ status: 'active' }])
      expect(await paidInvoices(subscriptionId)).toBe(3)
    })

    test('counts when the browser never came back, and twice as once', async () => {
      const { uid, subscriptionId, page } = await pastDue()
      const sessionId = await typed(page)
      const saved = news().findLast(({ type }) => type === 'checkout.session.completed') ?? {}
      const [told] = await Promise.all([world.deliver(saved), verify(uid, sessionId), world.deliver(saved)])
      expect(told.status).toBe(200)
      expect(await stored(uid)).not.toHaveProperty('renewalFailed')
      expect(await paidInvoices(subscriptionId)).toBe(2)
    })

    test('that is refused too leaves the plan as it was, and says so', async () => {
      const { uid, subscriptionId, page } = await pastDue()
      const sessionId = await typed(page, '4000000000000341')
      const answer = { success: false, tier: 'premium', subscriptionId, status: 'declined' }
      expect(await verify(uid, sessionId)).toEqual(answer)
      expect(await stored(uid)).toMatchObject({ renewalFailed: true })
      expect(await paidInvoices(subscriptionId)).toBe(1)
    })

    test('comes too late for a plan that has ended, and is charged nothing', async () => {
      const { uid, subscriptionId } = await pastDue()
      const ask = async () =>
        (await world.invoke('change-card', { subscriptionId }, { token: await world.token(uid) })).body
      world.pass(14.5 * DAY)
      const { url } = await ask()
      world.pass(DAY / 2)
      world.sandbox.stripe.bill()
      expect(billed()).toMatchObject([{ status: 'canceled' }])
      const ended = { success: false, tier: 'premium', subscriptionId, status: 'ended' }
      expect(await verify(uid, await typed(String(url)))).toEqual(ended)
      expect(await paidInvoices(subscriptionId)).toBe(1)
      expect(await ask()).toMatchObject({ code: 'planNotFound' })
    })

    test('is nobody else’s to give', async () => {
      const { subscriptionId, page } = await pastDue()
      const other = await world.person()
      const { status } = await world.invoke(
        'change-card',
        { subscriptionId },
        { token: await world.token(other) },
      )
      expect(status).toBe(403)
      expect(await verify(other, await typed(page))).toMatchObject({ code: 'forbidden' })
    })
  })

  test.each(['forwards', 'backwards', 'twice', 'never'])('end the same %s', async (order) => {
    const uid = await world.person()
    const { subscriptionId } = await active(uid)
    await cancel(uid, subscriptionId)
    world.pass(31 * DAY)
    await subscribe(uid, 'basic')
    const [second] = billed().filter(({ status }) => status === 'active')
    const all = news()
    const told =
      { forwards: all, backwards: all.toReversed(), twice: [...all, ...all], never: [] }[order] ?? []
    for (const event of told) expect(await world.deliver(event)).toMatchObject({ status: 200 })
    await sweep(world.context)
    expect(await stored(uid)).toMatchObject({
      tier: 'basic',
      status: 'active',
      transactionsLeft: 2,
      stripeSubscriptionId: second?.id,
      cancelAt: null,
    })
  })

  test('that are not about a plan of this product change nothing', async () => {
    const uid = await world.person()
    const { stripe } = world.context
    const { id: customer } = await stripe.customers.create({ metadata: { uid } })
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: 'price_basic', quantity: 1 }],
      success_url: 'http://localhost/shop',
    })
    await world.payCheckout(session.url ?? '')
    for (const event of news()) expect(await world.deliver(event)).toMatchObject({ status: 200 })
    expect(await stored(uid)).toEqual(EMPTY_SUBSCRIPTION)
  })
})

describe('with every webhook lost, the sweep', () => {
  test('finds a paid checkout within the hour, and asks no more than it must', async () => {
    const uid = await world.person()
    await subscribe(uid)
    await sweep(world.context)
    expect(await stored(uid)).toMatchObject({ tier: 'premium', status: 'active' })
    world.requests.length = 0
    world.pass(15 * MINUTE)
    await sweep(world.context)
    // But for the one that compares what there is with what is known here.
    expect(world.requests.filter((line) => line.includes('/v1/subscriptions'))).toHaveLength(1)
  })

  test('stops asking about a checkout that nobody paid', async () => {
    const uid = await world.person()
    await opened(uid)
    for (let hours = 0; hours < 27; hours += 1) {
      world.pass(HOUR)
      await sweep(world.context)
    }
    expect((await payer(uid))?.checkAt).toBeNull()
  })

  test('finds within a day a plan that was ended at the provider, and one that could not be renewed', async () => {
    const [ended, unpaid] = [await world.person(), await world.person()]
    const { subscriptionId } = await active(ended)
    await changeCard((await active(unpaid)).subscriptionId, 'pm_card_chargeCustomerFail')
    world.pass(HOUR)
    await world.context.stripe.subscriptions.cancel(subscriptionId)
    world.pass(DAY)
    await sweep(world.context)
    expect(await stored(ended)).toMatchObject({ status: 'canceled', cancelAt: START + HOUR })
    world.setTime(Date.UTC(2026, 11, 20, 14))
    await sweep(world.context)
    expect(await stored(unpaid)).toMatchObject({ status: 'active', renewalFailed: true })
  })

  test('ends a plan whose account is gone; what counted until then is not paid back', async () => {
    const uid = await world.person()
    await active(uid)
    await world.context.db.doc(`users/${uid}`).delete()
    world.pass(DAY)
    expect(await sweep(world.context)).toEqual({ planEnded: 1 })
    expect(billed()).toMatchObject([{ status: 'canceled' }])
    world.pass(2 * DAY)
    expect(await sweep(world.context)).toEqual({ planChecked: 1 })
    expect((await payer(uid))?.checkAt).toBeNull()
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test.each([
    ['at once', 0],
    ['after a process that died before the plan was ended', 3],
  ])('ends a plan that was paid for an account that is gone, and pays it back (%s)', async (_, deaths) => {
    const uid = await world.person()
    await subscribe(uid, 'basic')
    await world.context.db.doc(`users/${uid}`).delete()
    const [{ id: subscriptionId } = { id: '' }] = billed()
    const on = `DELETE /v1/subscriptions/${subscriptionId}`
    if (deaths) world.sandbox.faults.add({ on, times: deaths, what: { kind: 'cutBefore' } })
    for (let days = 0; days < 3; days += 1) {
      await sweep(world.context)
      world.pass(DAY)
    }
    expect(billed()).toMatchObject([{ id: subscriptionId, status: 'canceled' }])
    const [payment] = world.sandbox.stripe.paymentIntents()
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: payment?.id, amount: 200 }])
    const { refunds } = await world.checkInvariants({ quiet: true })
    expect([...refunds]).toMatchObject([[payment?.id, { uid, reason: 'userGone', status: 'done' }]])
  })

  test('pays back the renewals of a plan that never counted, more than a page of them', async () => {
    const uid = await world.person()
    await subscribe(uid, 'basic')
    await world.context.db.doc(`users/${uid}`).delete()
    const { customerId } = (await payer(uid)) ?? { customerId: '' }
    for (let months = 0; months < 11; months += 1) world.sandbox.stripe.advance(customerId, 31)
    const paid = world.sandbox.stripe.paymentIntents().map(({ id }) => id)
    expect(paid).toHaveLength(12)
    expect(await sweep(world.context)).toMatchObject({ planEnded: 1 })
    expect(await sweep(world.context)).toMatchObject({ paidBack: 12 })
    expect(new Set(world.sandbox.stripe.refunds().map((refund) => refund.payment_intent))).toEqual(
      new Set(paid),
    )
    const { refunds } = await world.checkInvariants({ quiet: true })
    expect([...refunds.values()]).toEqual(
      paid.map(() => expect.objectContaining({ uid, reason: 'userGone', status: 'done' })),
    )
  })

  test('does not pay back a try at a renewal that the card refused', async () => {
    const uid = await world.person()
    const { subscriptionId } = await active(uid)
    await changeCard(subscriptionId, 'pm_card_chargeCustomerFail')
    world.setTime(Date.UTC(2026, 11, 20, 14))
    world.sandbox.stripe.bill()
    const { data } = await world.context.stripe.invoices.list({ subscription: subscriptionId })
    const of = async (invoice = '') =>
      (await world.context.stripe.invoicePayments.list({ invoice })).data.map(({ status }) => status)
    expect([await of(data[0]?.id), await of(data[1]?.id)]).toEqual([['open'], ['paid']])
    expect(world.sandbox.stripe.charges().map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  })

  test('goes on after a person whose plan can not be read', async () => {
    const [first, second] = [await world.person(), await world.person()]
    await subscribe(first)
    world.pass(MINUTE)
    await subscribe(second)
    // The first look is the comparison's.
    world.sandbox.faults.add({ on: 'GET /v1/subscriptions', times: 6, what: { kind: 'status', status: 500 } })
    expect(await sweep(world.context)).toMatchObject({ failed: 2, planChecked: 1 })
    expect(await stored(second)).toMatchObject({ status: 'active' })
    await sweep(world.context)
    expect(await stored(first)).toMatchObject({ status: 'active' })
  })
})

describe('a customer that the provider does not know', () => {
  const forgotten = 'cus_ofAnotherAccount'
  const rename = (uid: string, customerId: string) =>
    customers(world.context.db).doc(uid).update({ customerId })

  test('has no plan that anybody pays for; it comes back with the customer', async () => {
    const uid = await world.person()
    await active(uid)
    const { customerId } = (await payer(uid)) ?? { customerId: '' }
    await rename(uid, forgotten)
    world.pass(DAY)
    expect(await sweep(world.context)).toEqual({ planChecked: 1 })
    expect(await stored(uid)).toMatchObject({ status: 'canceled', cancelAt: world.now() })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'customerUnknown',
      customerId: forgotten,
    })
    await rename(uid, customerId)
    world.pass(DAY)
    expect(await sweep(world.context)).toEqual({ planChecked: 1 })
    expect(await stored(uid)).toMatchObject({ status: 'active', cancelAt: null })
  })

  test('is followed by another one, and the plan that it pays for', async () => {
    const uid = await world.person()
    await opened(uid)
    await rename(uid, forgotten)
    await active(uid, 'basic')
    expect((await payer(uid))?.customerId).toBe(billed()[0]?.customer)
    expect(await stored(uid)).toMatchObject({ tier: 'basic', status: 'active' })
  })
})

test('what was read earlier is never written later', async () => {
  const uid = await world.person()
  const { sessionId, subscriptionId } = await active(uid)
  // The first call holds an old answer while the plan is canceled; it must not come back to life.
  world.sandbox.faults.add({ on: 'GET /v1/subscriptions', times: 1, what: { kind: 'delay', ms: 300 } })
  const [, canceled] = await Promise.all([verify(uid, sessionId), cancel(uid, subscriptionId)])
  expect(canceled).toMatchObject({ ok: true })
  expect(await stored(uid)).toMatchObject({ status: 'canceled' })
})

test('a transfer under way when the plan is renewed, canceled or read again is counted once', async () => {
  const uid = await world.person()
  const { sessionId, subscriptionId } = await active(uid)
  const request = requestOf(uid, { expected: { fee: 0, converted: 1_060_000 } })
  const started = await createPaymentIntent(world.context, { uid }, request)
  await verify(uid, sessionId)
  await cancel(uid, subscriptionId)
  await world.pay(started.ok ? started.value.paymentIntentId : '')
  world.pass(31 * MINUTE)
  await sweep(world.context)
  expect(await stored(uid)).toMatchObject({ transactionsLeft: 4 })
  await verify(uid, sessionId)
  expect(await stored(uid)).toMatchObject({ transactionsLeft: 4 })
  await world.checkInvariants({ quiet: true })
})

test('the sandbox answers as the SDK expects a subscription to look', async () => {
  const uid = await world.person()
  const { subscriptionId } = await active(uid)
  const subscription: Stripe.Subscription = await world.context.stripe.subscriptions.retrieve(
    subscriptionId,
    {
      expand: ['latest_invoice', 'customer'],
    },
  )
  expect(subscription.items.data[0]).toMatchObject({
    current_period_start: START / 1000,
    current_period_end: Date.UTC(2026, 11, 20, 12) / 1000,
    price: { lookup_key: 'passerelle_premium', unit_amount: 500 },
  })
  expect(subscription.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 500 })
})
