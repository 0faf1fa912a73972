import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../domain/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { customers } from './server/platform/records.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import {
  active,
  billed,
  CHECKOUTS,
  cancel,
  create,
  opened,
  payer,
  premiumSince,
  sessions,
  stored,
  subscribe,
  verify,
} from './testing/plans.ts'
import { requestOf, START } from './testing/world.ts'

testInEmptyWorld()

describe('subscribing', () => {
  test('leads to the checkout, and back to a plan with its whole allowance @spec-plan-checkout', async () => {
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
  test('keeps the plan until what is paid ends, and says until when @spec-plan-cancel', async () => {
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
