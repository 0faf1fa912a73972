import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/prices/plans.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  activatePlan,
  buildPremiumSince,
  CHECKOUT_SESSIONS_PATH,
  expectCheckoutOpened,
  listBilledSubscriptions,
  listCheckoutSessions,
  payForCheckout,
  readCustomer,
  readStoredSubscription,
  requestCancellation,
  requestCheckout,
  verifyCheckout,
} from '../../testing/plans.ts'
import { buildTransferRequest, WORLD_START } from '../../testing/world.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { createSubscription } from '../endpoints/createSubscription.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { customers } from '../platform/records.ts'

resetWorldForEachTest()

describe('beginning a plan', () => {
  test.each([
    ['basic', 200, 2],
    ['premium', 500, 5],
  ] as const)(
    'the %s plan costs %i cents and has %i transfers @spec-plan-checkout',
    async (tier, price, allowance) => {
      const uid = await world.person()
      const sessionId = await payForCheckout(uid, tier)
      const [session] = await listCheckoutSessions()
      const metadata = { deployment: 'demo-passerelle', kind: 'plan', uid, tier }
      expect(session).toMatchObject({
        id: sessionId,
        mode: 'subscription',
        client_reference_id: uid,
        amount_total: price,
        currency: 'eur',
        locale: 'fr',
        metadata,
        status: 'complete',
        payment_status: 'paid',
      })
      expect(await readStoredSubscription(uid)).toEqual(EMPTY_SUBSCRIPTION)

      const subscriptionId = listBilledSubscriptions()[0]?.id ?? ''
      expect(listBilledSubscriptions()).toMatchObject([
        { status: 'active', metadata, cancel_at_period_end: false },
      ])
      const verified = { ok: true, value: { success: true, tier, subscriptionId } }
      expect(await verifyCheckout(uid, sessionId)).toEqual(verified)
      const plan = { ...buildPremiumSince(WORLD_START, subscriptionId), tier, transactionsLeft: allowance }
      expect(await readStoredSubscription(uid)).toEqual(plan)

      await world.context.db.doc(`users/${uid}`).update({ 'subscription.transactionsLeft': 1 })
      world.pass(2 * DAY)
      expect(await verifyCheckout(uid, sessionId)).toEqual(verified)
      expect(await readStoredSubscription(uid)).toEqual({ ...plan, transactionsLeft: 1 })
    },
  )

  test('opens one plan checkout for repeated and concurrent calls', async () => {
    const uid = await world.person()
    const urls = await Promise.all([
      expectCheckoutOpened(uid),
      expectCheckoutOpened(uid),
      expectCheckoutOpened(uid),
    ])
    world.pass(20 * MINUTE)
    expect(new Set([...urls, await expectCheckoutOpened(uid)]).size).toBe(1)
    expect(await listCheckoutSessions()).toHaveLength(1)
    expect((await world.context.stripe.customers.list()).data).toHaveLength(1)
  })

  test('choosing a different plan expires the first checkout', async () => {
    const uid = await world.person()
    const basic = await expectCheckoutOpened(uid, 'basic')
    const premium = await expectCheckoutOpened(uid, 'premium')
    expect(premium).not.toBe(basic)
    expect((await listCheckoutSessions()).map(({ status }) => status).sort()).toEqual(['expired', 'open'])
    await world.payCheckout(basic)
    expect(listBilledSubscriptions()).toEqual([])
    await world.payCheckout(premium)
    expect(listBilledSubscriptions()).toMatchObject([{ metadata: { tier: 'premium' } }])
  })

  test('concurrent calls for different plans leave one payable checkout', async () => {
    const uid = await world.person()
    const tries = await Promise.all(
      (['basic', 'premium', 'basic', 'premium'] as const).map((tier) => requestCheckout(uid, tier)),
    )
    expect((await listCheckoutSessions()).filter(({ status }) => status === 'open')).toHaveLength(1)
    for (const tried of tries) await world.payCheckout(tried.ok ? tried.value.url : world.origin)
    expect(listBilledSubscriptions()).toHaveLength(1)
  })

  test('opens another plan checkout after the first has expired', async () => {
    const uid = await world.person()
    const first = await expectCheckoutOpened(uid)
    world.pass(25 * HOUR)
    const second = await expectCheckoutOpened(uid)
    expect(second).not.toBe(first)
    expect((await listCheckoutSessions()).map(({ status }) => status)).toEqual(['open', 'expired'])
  })

  test('an active plan refuses a second, even before any webhook', async () => {
    const uid = await world.person()
    const sessionId = await payForCheckout(uid)
    const refused = { ok: false, error: { code: 'planActive', status: 409 } }
    expect(await requestCheckout(uid, 'basic')).toMatchObject(refused)
    expect(await readStoredSubscription(uid)).toMatchObject({ tier: 'premium', status: 'active' })
    await verifyCheckout(uid, sessionId)
    await requestCancellation(uid, listBilledSubscriptions()[0]?.id ?? '')
    expect(await requestCheckout(uid, 'basic')).toMatchObject(refused)
    expect(await listCheckoutSessions()).toHaveLength(1)
  })

  test('an ended plan allows a new one with full allowance', async () => {
    const uid = await world.person()
    const { subscriptionId, sessionId } = await activatePlan(uid)
    await requestCancellation(uid, subscriptionId)
    world.pass(31 * DAY)
    const again = await activatePlan(uid, 'basic')
    expect(await readStoredSubscription(uid)).toMatchObject({
      tier: 'basic',
      status: 'active',
      transactionsLeft: 2,
    })
    expect(await verifyCheckout(uid, sessionId)).toMatchObject({ value: { success: false, status: 'ended' } })
    expect(await readStoredSubscription(uid)).toMatchObject({
      stripeSubscriptionId: again.subscriptionId,
      transactionsLeft: 2,
    })
  })

  test('refuses to begin a plan that has no active price at Stripe', async () => {
    const uid = await world.person()
    const dump = world.sandbox.stripe.dump()
    for (const [, price] of dump.prices) price.active = false
    world.sandbox.stripe.load(dump)
    expect(await requestCheckout(uid, 'basic')).toMatchObject({
      error: { code: 'planUnavailable', error: 'Failed to create subscription' },
    })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'priceMismatch',
      lookupKey: 'passerelle_basic',
      price: null,
    })
    expect(await readCustomer(uid)).toBeUndefined()
  })

  test('refuses to begin a plan for another user or without a profile', async () => {
    const uid = await world.person()
    const body = { tier: 'basic', userId: await world.person(), locale: 'fr' } as const
    expect(await createSubscription(world.context, { uid }, body, world.origin)).toMatchObject({
      error: { code: 'forbidden' },
    })
    expect(await requestCheckout('nobody')).toMatchObject({ error: { code: 'userNotFound' } })
    expect(await listCheckoutSessions()).toEqual([])
  })

  test.each([
    ['cutBefore', 'POST /v1/customers'],
    ['cutAfter', 'POST /v1/customers'],
    ['cutBefore', `POST ${CHECKOUT_SESSIONS_PATH}`],
    ['cutAfter', `POST ${CHECKOUT_SESSIONS_PATH}`],
    ['cutBefore', 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'],
    ['cutAfter', 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'],
  ] as const)('opens one checkout of a plan despite a broken connection (%s %s)', async (kind, on) => {
    const uid = await world.person()
    world.sandbox.faults.add({ on, times: 1, what: { kind } })
    await requestCheckout(uid).catch(() => null)
    const url = await expectCheckoutOpened(uid)
    expect((await listCheckoutSessions()).filter(({ status }) => status === 'open')).toMatchObject([{ url }])
    expect((await world.context.stripe.customers.list()).data).toHaveLength(1)
    expect(await expectCheckoutOpened(uid)).toBe(url)
  })

  test.each([
    ['the checkout', `POST ${CHECKOUT_SESSIONS_PATH}`],
    ['the customer', 'POST /v1/customers'],
  ])('a checkout opens despite a day of repeated errors (creating %s)', async (_, on) => {
    const uid = await world.person()
    world.sandbox.faults.add({ on, times: 1, what: { kind: 'status', status: 500, kept: true } })
    await requestCheckout(uid, 'basic').catch(() => null)
    const url = await expectCheckoutOpened(uid, 'premium')
    const open = (await listCheckoutSessions()).filter(({ status }) => status === 'open')
    expect(open).toMatchObject([{ url, metadata: { tier: 'premium' } }])
  })

  test('a failing call keeps the checkout of another tab', async () => {
    const uid = await world.person()
    const { stripe } = world.context
    let url = ''
    const refused = {
      create: async () => {
        url = await expectCheckoutOpened(uid)
        throw new Stripe.errors.StripeAPIError({ type: 'api_error', message: '', statusCode: 500 })
      },
    }
    const context = {
      ...world.context,
      stripe: Object.create(stripe, { checkout: { value: { sessions: refused } } }),
    }
    const body = { tier: 'premium', userId: uid, locale: 'fr' } as const
    await expect(createSubscription(context, { uid }, body, world.origin)).rejects.toThrow()
    expect(await expectCheckoutOpened(uid)).toBe(url)
    expect(await listCheckoutSessions()).toHaveLength(1)
  })

  test.each([
    ['4000000000000002', null],
    ['4000000000009995', null],
    ['4000002760003184', /\/sandbox\/stripe\/3ds\?source=/],
  ])('a declined or unconfirmed card starts no plan (%s)', async (card, leadsTo) => {
    const uid = await world.person()
    const url = await expectCheckoutOpened(uid)
    const location = await world.payCheckout(url, card)
    if (leadsTo) expect(location).toMatch(leadsTo)
    else expect(location).toBeNull()
    const sessionId = url.split('/').at(-1) ?? ''
    expect(await verifyCheckout(uid, sessionId)).toEqual({
      ok: true,
      value: { success: false, tier: 'premium', subscriptionId: null, status: 'open' },
    })
    expect(await readStoredSubscription(uid)).toEqual(EMPTY_SUBSCRIPTION)
    world.pass(25 * HOUR)
    expect(await verifyCheckout(uid, sessionId)).toMatchObject({
      value: { success: false, status: 'expired' },
    })
  })

  test('the bank’s confirmation starts a plan', async () => {
    const uid = await world.person()
    const location = await world.payCheckout(await expectCheckoutOpened(uid), '4000002760003184')
    const source = new URL(location ?? '').searchParams.get('source')
    await fetch(`${world.origin}/sandbox/stripe/3ds/${source}`, { method: 'POST', body: 'complete' })
    // The browser never returns, but Stripe has the payment.
    await runDueWork(world.context)
    expect(await readStoredSubscription(uid)).toMatchObject({
      tier: 'premium',
      status: 'active',
      transactionsLeft: 5,
    })
  })
})

describe('a plan of another user', () => {
  test('refuses to verify or cancel a plan of another user', async () => {
    const [uid, other] = [await world.person(), await world.person()]
    const { sessionId, subscriptionId } = await activatePlan(uid)
    const forbidden = { ok: false, error: { code: 'forbidden', status: 403 } }
    expect(await verifyCheckout(other, sessionId)).toMatchObject(forbidden)
    expect(await requestCancellation(other, subscriptionId)).toMatchObject(forbidden)
    expect(listBilledSubscriptions()).toMatchObject([{ cancel_at_period_end: false }])
    expect(await readStoredSubscription(other)).toEqual(EMPTY_SUBSCRIPTION)
  })

  test('does not find a plan of another product, or an unknown one', async () => {
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
    expect(await verifyCheckout(uid, session.id)).toMatchObject(notFound)
    expect(await verifyCheckout(uid, 'cs_test_none')).toMatchObject(notFound)
    const noPlan = { error: { code: 'planNotFound', error: 'No active subscription found', status: 404 } }
    expect(await requestCancellation(uid, listBilledSubscriptions()[0]?.id ?? '')).toMatchObject(noPlan)
    expect(await requestCancellation(uid, 'sub_none')).toMatchObject(noPlan)
  })
})

describe('canceling a plan', () => {
  test('a canceled plan stays until the returned end of its month @spec-plan-cancel', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    const cancelAt = Date.UTC(2026, 11, 20, 12)
    world.pass(HOUR)
    expect(await requestCancellation(uid, subscriptionId)).toEqual({ ok: true, value: { cancelAt } })
    expect(await requestCancellation(uid, subscriptionId)).toEqual({ ok: true, value: { cancelAt } })
    const plan = buildPremiumSince(WORLD_START, subscriptionId)
    expect(await readStoredSubscription(uid)).toEqual({ ...plan, status: 'canceled', cancelAt })

    world.setTime(cancelAt)
    await runDueWork(world.context)
    expect(listBilledSubscriptions()).toMatchObject([{ status: 'canceled', ended_at: cancelAt / 1000 }])
    expect(await requestCancellation(uid, subscriptionId)).toMatchObject({ error: { code: 'planNotFound' } })
    expect(await readStoredSubscription(uid)).toMatchObject({ status: 'canceled', cancelAt })
    expect((await readCustomer(uid))?.checkAt).toBeNull()
  })

  test.each(['cutBefore', 'cutAfter'] as const)(
    'cancels a plan despite a broken connection to Stripe (%s)',
    async (kind) => {
      const uid = await world.person()
      const { subscriptionId } = await activatePlan(uid)
      world.sandbox.faults.add({ on: `POST /v1/subscriptions/${subscriptionId}`, times: 3, what: { kind } })
      await requestCancellation(uid, subscriptionId).catch(() => null)
      expect(await requestCancellation(uid, subscriptionId)).toMatchObject({ ok: true })
      expect(await readStoredSubscription(uid)).toMatchObject({ status: 'canceled' })
    },
  )
})

describe('a customer that Stripe does not know', () => {
  const forgotten = 'cus_ofAnotherAccount'
  const rename = (uid: string, customerId: string) =>
    customers(world.context.db).doc(uid).update({ customerId })

  test('an unknown customer keeps the month until Stripe knows them', async () => {
    const uid = await world.person()
    await activatePlan(uid)
    const { customerId } = (await readCustomer(uid)) ?? { customerId: '' }
    await rename(uid, forgotten)
    world.pass(DAY)
    expect(await runDueWork(world.context)).toEqual({ planChecked: 1 })
    expect(await readStoredSubscription(uid)).toMatchObject({
      status: 'canceled',
      cancelAt: Date.UTC(2026, 11, 20, 12),
    })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'customerUnknown',
      customerId: forgotten,
    })
    await rename(uid, customerId)
    world.pass(DAY)
    expect(await runDueWork(world.context)).toEqual({ planChecked: 1 })
    expect(await readStoredSubscription(uid)).toMatchObject({ status: 'active', cancelAt: null })
  })

  test('beginning a plan replaces an unknown customer', async () => {
    const uid = await world.person()
    await expectCheckoutOpened(uid)
    await rename(uid, forgotten)
    await activatePlan(uid, 'basic')
    expect((await readCustomer(uid))?.customerId).toBe(listBilledSubscriptions()[0]?.customer)
    expect(await readStoredSubscription(uid)).toMatchObject({ tier: 'basic', status: 'active' })
  })
})

test('an outdated response about a plan does not overwrite a newer one', async () => {
  const uid = await world.person()
  const { sessionId, subscriptionId } = await activatePlan(uid)
  // The first call holds an outdated response while the plan is canceled, and must not reactivate it.
  world.sandbox.faults.add({ on: 'GET /v1/subscriptions', times: 1, what: { kind: 'delay', ms: 300 } })
  const [, canceled] = await Promise.all([
    verifyCheckout(uid, sessionId),
    requestCancellation(uid, subscriptionId),
  ])
  expect(canceled).toMatchObject({ ok: true })
  expect(await readStoredSubscription(uid)).toMatchObject({ status: 'canceled' })
})

test('a transfer counts once, even with its plan canceled before recording', async () => {
  const uid = await world.person()
  const { sessionId, subscriptionId } = await activatePlan(uid)
  const request = buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } })
  const started = await createPaymentIntent(world.context, { uid }, request)
  await verifyCheckout(uid, sessionId)
  await requestCancellation(uid, subscriptionId)
  await world.pay(started.ok ? started.value.paymentIntentId : '')
  world.pass(31 * MINUTE)
  await runDueWork(world.context)
  expect(await readStoredSubscription(uid)).toMatchObject({ transactionsLeft: 4 })
  await verifyCheckout(uid, sessionId)
  expect(await readStoredSubscription(uid)).toMatchObject({ transactionsLeft: 4 })
  await world.checkInvariants({ quiet: true })
})

test('the sandbox returns a subscription in the form that the SDK expects', async () => {
  const uid = await world.person()
  const { subscriptionId } = await activatePlan(uid)
  const subscription: Stripe.Subscription = await world.context.stripe.subscriptions.retrieve(
    subscriptionId,
    {
      expand: ['latest_invoice', 'customer'],
    },
  )
  expect(subscription.items.data[0]).toMatchObject({
    current_period_start: WORLD_START / 1000,
    current_period_end: Date.UTC(2026, 11, 20, 12) / 1000,
    price: { lookup_key: 'passerelle_premium', unit_amount: 500 },
  })
  expect(subscription.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 500 })
})
