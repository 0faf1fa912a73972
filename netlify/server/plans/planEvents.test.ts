import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/prices/plans.ts'
import { createCrashingContext } from '../../testing/crashingContext.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  activatePlan,
  buildPremiumSince,
  expectCheckoutOpened,
  listBilledSubscriptions,
  payForCheckout,
  readCustomer,
  readStoredSubscription,
  requestCancellation,
  requestCheckout,
  setDefaultCard,
} from '../../testing/plans.ts'
import { WORLD_START } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { setPaymentsClosed } from '../payments/paymentsState.ts'

resetWorldForEachTest()

const listPlanEvents = () => {
  world.sandbox.stripe.runDueBilling()
  return world.sandbox.stripe
    .events()
    .filter(({ type }) => /^(customer\.subscription|invoice|checkout)/.test(type))
}

describe('an event about a plan from Stripe @spec-plan-news', () => {
  test('a completed checkout’s event starts the plan without the browser', async () => {
    const uid = await world.person()
    await payForCheckout(uid)
    expect(
      await world.deliver(listPlanEvents().find(({ type }) => type === 'checkout.session.completed') ?? {}),
    ).toEqual({
      status: 200,
      body: { received: true },
    })
    expect(await readStoredSubscription(uid)).toEqual(
      buildPremiumSince(WORLD_START, listBilledSubscriptions()[0]?.id ?? ''),
    )
  })

  test('a failed renewal keeps the plan until Stripe ends it', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    await setDefaultCard(subscriptionId, 'pm_card_chargeCustomerFail')
    const renewal = Date.UTC(2026, 11, 20, 12)
    world.setTime(renewal)
    const failed = listPlanEvents().find(({ type }) => type === 'invoice.payment_failed')
    await world.deliver(failed ?? {})
    // December began in the paid month, so its transfers stay.
    const december = { ...buildPremiumSince(WORLD_START, subscriptionId), lastReset: renewal - 1 }
    expect(await readStoredSubscription(uid)).toEqual({ ...december, renewalFailed: true })
    expect(await requestCheckout(uid)).toMatchObject({ error: { code: 'planActive' } })

    world.setTime(renewal + 15 * DAY)
    const deleted = listPlanEvents().find(({ type }) => type === 'customer.subscription.deleted')
    await world.deliver(deleted ?? {})
    const ended = { status: 'canceled', cancelAt: renewal + 15 * DAY, renewalFailed: true }
    expect(await readStoredSubscription(uid)).toEqual({ ...december, ...ended })
    expect(await requestCheckout(uid)).toMatchObject({ ok: true })
  })

  test('a renewal’s later success removes the notice of its failure', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    await setDefaultCard(subscriptionId, 'pm_card_chargeCustomerFail')
    const renewal = Date.UTC(2026, 11, 20, 12)
    world.setTime(renewal + HOUR)
    for (const event of listPlanEvents()) await world.deliver(event)
    expect(await readStoredSubscription(uid)).toMatchObject({ renewalFailed: true, lastReset: renewal - 1 })
    await setDefaultCard(subscriptionId, 'pm_card_visa')
    world.pass(4 * DAY)
    for (const event of listPlanEvents()) await world.deliver(event)
    expect(listBilledSubscriptions()).toMatchObject([{ status: 'active' }])
    expect(await readStoredSubscription(uid)).not.toHaveProperty('renewalFailed')
    expect(await readStoredSubscription(uid)).toMatchObject({ transactionsLeft: 5, lastReset: renewal - 1 })
  })

  describe('another card after a renewal that failed', () => {
    const createPastDuePlan = async () => {
      const uid = await world.person()
      const { subscriptionId } = await activatePlan(uid)
      await setDefaultCard(subscriptionId, 'pm_card_chargeCustomerFail')
      world.setTime(Date.UTC(2026, 11, 20, 13))
      for (const event of listPlanEvents()) await world.deliver(event)
      const answer = await world.invoke('change-card', { subscriptionId }, { token: await world.token(uid) })
      expect(answer.status).toBe(200)
      return { uid, subscriptionId, page: String(answer.body.url) }
    }
    const saveCard = async (page: string, number?: string) => {
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

    test('a new card pays a failed renewal and later ones', async () => {
      const { uid, subscriptionId, page } = await createPastDuePlan()
      const sessionId = await saveCard(page)
      expect(await verify(uid, sessionId)).toEqual({ success: true, tier: 'premium', subscriptionId })
      expect(await readStoredSubscription(uid)).not.toHaveProperty('renewalFailed')
      expect(await paidInvoices(subscriptionId)).toBe(2)
      world.setTime(Date.UTC(2027, 0, 20, 13))
      world.sandbox.stripe.runDueBilling()
      expect(listBilledSubscriptions()).toMatchObject([{ status: 'active' }])
      expect(await paidInvoices(subscriptionId)).toBe(3)
    })

    test('simultaneous reports charge a new card once', async () => {
      const { uid, subscriptionId, page } = await createPastDuePlan()
      const sessionId = await saveCard(page)
      const saved = listPlanEvents().findLast(({ type }) => type === 'checkout.session.completed') ?? {}
      const [delivered] = await Promise.all([
        world.deliver(saved),
        verify(uid, sessionId),
        world.deliver(saved),
      ])
      expect(delivered.status).toBe(200)
      expect(await readStoredSubscription(uid)).not.toHaveProperty('renewalFailed')
      expect(await paidInvoices(subscriptionId)).toBe(2)
    })

    test('a declined new card is reported, and the renewal stays unpaid', async () => {
      const { uid, subscriptionId, page } = await createPastDuePlan()
      const sessionId = await saveCard(page, '4000000000000341')
      const answer = { success: false, tier: 'premium', subscriptionId, status: 'declined' }
      expect(await verify(uid, sessionId)).toEqual(answer)
      expect(await readStoredSubscription(uid)).toMatchObject({ renewalFailed: true })
      expect(await paidInvoices(subscriptionId)).toBe(1)
    })

    test('a declined card is tried once, before the next card', async () => {
      const { uid, subscriptionId, page } = await createPastDuePlan()
      const refused = () => world.sandbox.stripe.charges().filter(({ status }) => status === 'failed').length
      const before = refused()
      const sessionId = await saveCard(page, '4000000000000341')
      for (let times = 0; times < 2; times += 1) {
        expect(await verify(uid, sessionId)).toMatchObject({ status: 'declined' })
        for (const event of listPlanEvents()) await world.deliver(event)
      }
      expect(refused()).toBe(before + 1)
      const { body } = await world.invoke(
        'change-card',
        { subscriptionId },
        { token: await world.token(uid) },
      )
      expect(await verify(uid, await saveCard(String(body.url)))).toMatchObject({ success: true })
      expect(await paidInvoices(subscriptionId)).toBe(2)
    })

    test.each(['pays', 'is declined too'])(
      'an older card’s report changes nothing after a newer card %s',
      async (newer) => {
        const { uid, subscriptionId, page } = await createPastDuePlan()
        const first = await saveCard(page, '4000000000000341')
        expect(await verify(uid, first)).toMatchObject({ status: 'declined' })
        const completed = listPlanEvents().findLast(({ type }) => type === 'checkout.session.completed') ?? {}
        world.pass(MINUTE)
        const token = await world.token(uid)
        const { body } = await world.invoke('change-card', { subscriptionId }, { token })
        const second = await saveCard(String(body.url), newer === 'pays' ? undefined : '4000000000000341')
        const answer = await verify(uid, second)
        const card = listBilledSubscriptions()[0]?.default_payment_method
        const charges = world.sandbox.stripe.charges().length
        expect(await world.deliver(completed)).toMatchObject({ status: 200 })
        expect(await verify(uid, first)).toEqual(answer)
        expect(listBilledSubscriptions()).toMatchObject([{ default_payment_method: card }])
        expect(world.sandbox.stripe.charges()).toHaveLength(charges)
        expect(answer).toMatchObject(
          newer === 'pays' ? { success: true } : { success: false, status: 'declined' },
        )
      },
    )

    test('a card saved after the plan’s end is not charged', async () => {
      const { uid, subscriptionId } = await createPastDuePlan()
      const ask = async () =>
        (await world.invoke('change-card', { subscriptionId }, { token: await world.token(uid) })).body
      world.pass(14.5 * DAY)
      const { url } = await ask()
      world.pass(DAY / 2)
      world.sandbox.stripe.runDueBilling()
      expect(listBilledSubscriptions()).toMatchObject([{ status: 'canceled' }])
      const ended = { success: false, tier: 'premium', subscriptionId, status: 'ended' }
      expect(await verify(uid, await saveCard(String(url)))).toEqual(ended)
      expect(await paidInvoices(subscriptionId)).toBe(1)
      expect(await ask()).toMatchObject({ code: 'planNotFound' })
    })

    test('no card pays a renewal while payments are closed', async () => {
      const { uid, subscriptionId } = await createPastDuePlan()
      await setPaymentsClosed(world.context)
      const token = await world.token(uid)
      expect(await world.invoke('change-card', { subscriptionId }, { token })).toMatchObject({
        status: 503,
        body: { code: 'paymentsClosed' },
      })
    })

    test('refuses to change the card of another user’s plan', async () => {
      const { subscriptionId, page } = await createPastDuePlan()
      const other = await world.person()
      const { status } = await world.invoke(
        'change-card',
        { subscriptionId },
        { token: await world.token(other) },
      )
      expect(status).toBe(403)
      expect(await verify(other, await saveCard(page))).toMatchObject({ code: 'forbidden' })
    })
  })

  test.each(['forwards', 'backwards', 'twice', 'never'])(
    'any order of events leads to the same state (%s)',
    async (order) => {
      const uid = await world.person()
      const { subscriptionId } = await activatePlan(uid)
      await requestCancellation(uid, subscriptionId)
      world.pass(31 * DAY)
      await payForCheckout(uid, 'basic')
      const [second] = listBilledSubscriptions().filter(({ status }) => status === 'active')
      const all = listPlanEvents()
      const ordered =
        { forwards: all, backwards: all.toReversed(), twice: [...all, ...all], never: [] }[order] ?? []
      for (const event of ordered) expect(await world.deliver(event)).toMatchObject({ status: 200 })
      await runDueWork(world.context)
      expect(await readStoredSubscription(uid)).toMatchObject({
        tier: 'basic',
        status: 'active',
        transactionsLeft: 2,
        stripeSubscriptionId: second?.id,
        cancelAt: null,
      })
    },
  )

  test('ignores Stripe’s events about subscriptions of other products', async () => {
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
    for (const event of listPlanEvents()) expect(await world.deliver(event)).toMatchObject({ status: 200 })
    expect(await readStoredSubscription(uid)).toEqual(EMPTY_SUBSCRIPTION)
  })
})

describe('the due-work job without webhooks', () => {
  test('the job finds a paid checkout, and requests it once', async () => {
    const uid = await world.person()
    await payForCheckout(uid)
    await runDueWork(world.context)
    expect(await readStoredSubscription(uid)).toMatchObject({ tier: 'premium', status: 'active' })
    world.requests.length = 0
    world.pass(15 * MINUTE)
    await runDueWork(world.context)
    expect(world.requests.filter((line) => line.includes('/v1/subscriptions'))).toEqual([])
  })

  test('the due-work job checks an open checkout once an hour', async () => {
    await expectCheckoutOpened(await world.person())
    world.requests.length = 0
    for (let quarters = 0; quarters < 8; quarters += 1) {
      await runDueWork(world.context)
      world.pass(15 * MINUTE)
    }
    const lists = world.requests.filter((line) => line === 'GET /v1/subscriptions')
    expect(lists).toHaveLength(2)
  })

  test('the due-work job stops checking an abandoned checkout', async () => {
    const uid = await world.person()
    await expectCheckoutOpened(uid)
    for (let hours = 0; hours < 27; hours += 1) {
      world.pass(HOUR)
      await runDueWork(world.context)
    }
    expect((await readCustomer(uid))?.checkAt).toBeNull()
  })

  test('the job finds an ended or unrenewed plan within a day', async () => {
    const [ended, unpaid] = [await world.person(), await world.person()]
    const { subscriptionId } = await activatePlan(ended)
    await setDefaultCard((await activatePlan(unpaid)).subscriptionId, 'pm_card_chargeCustomerFail')
    world.pass(HOUR)
    await world.context.stripe.subscriptions.cancel(subscriptionId)
    world.pass(DAY)
    await runDueWork(world.context)
    expect(await readStoredSubscription(ended)).toMatchObject({
      status: 'canceled',
      cancelAt: WORLD_START + HOUR,
    })
    world.setTime(Date.UTC(2026, 11, 20, 14))
    await runDueWork(world.context)
    expect(await readStoredSubscription(unpaid)).toMatchObject({ status: 'active', renewalFailed: true })
  })

  test('the job ends a deleted account’s plan without a refund', async () => {
    const uid = await world.person()
    await activatePlan(uid)
    await world.context.db.doc(`users/${uid}`).delete()
    world.pass(DAY)
    expect(await runDueWork(world.context)).toEqual({ planEnded: 1 })
    expect(listBilledSubscriptions()).toMatchObject([{ status: 'canceled' }])
    world.pass(2 * DAY)
    expect(await runDueWork(world.context)).toEqual({ planChecked: 1 })
    expect((await readCustomer(uid))?.checkAt).toBeNull()
    expect(world.sandbox.stripe.refunds()).toEqual([])
  })

  test.each([
    ['at the first attempt', 0],
    ['after a lost connection to Stripe', 3],
  ])('the job refunds a deleted account’s plan without effect (%s)', async (_, deaths) => {
    const uid = await world.person()
    await payForCheckout(uid, 'basic')
    await world.context.db.doc(`users/${uid}`).delete()
    const [{ id: subscriptionId } = { id: '' }] = listBilledSubscriptions()
    const on = `DELETE /v1/subscriptions/${subscriptionId}`
    if (deaths) world.sandbox.faults.add({ on, times: deaths, what: { kind: 'cutBefore' } })
    for (let days = 0; days < 3; days += 1) {
      await runDueWork(world.context)
      world.pass(DAY)
    }
    expect(listBilledSubscriptions()).toMatchObject([{ id: subscriptionId, status: 'canceled' }])
    const [payment] = world.sandbox.stripe.paymentIntents()
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: payment?.id, amount: 200 }])
    const { refunds } = await world.checkInvariants({ quiet: true })
    expect([...refunds]).toMatchObject([[payment?.id, { uid, reason: 'userGone', status: 'done' }]])
  })

  // Read the plan in a transaction, list its invoices, store the debt, and cancel the plan.
  test.each(
    (['before', 'after'] as const).flatMap((when) => [1, 2, 3, 4, 5].map((at) => [when, at] as const)),
  )('a crash %s step %i refunds a deleted account’s plan once', async (when, at) => {
    const uid = await world.person()
    await payForCheckout(uid, 'basic')
    await world.context.db.doc(`users/${uid}`).delete()
    const { context, life } = createCrashingContext(world.context, at, when)
    await runDueWork(context)
    expect(life.hasCrashed).toBe(true)
    for (let days = 0; days < 3; days += 1) {
      await runDueWork(world.context)
      world.pass(DAY)
    }
    expect(listBilledSubscriptions()).toMatchObject([{ status: 'canceled' }])
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ amount: 200 }])
  })

  test('the job refunds every payment of a plan without effect', async () => {
    const uid = await world.person()
    await payForCheckout(uid, 'basic')
    await world.context.db.doc(`users/${uid}`).delete()
    const { customerId } = (await readCustomer(uid)) ?? { customerId: '' }
    for (let months = 0; months < 11; months += 1) world.sandbox.stripe.advance(customerId, 31)
    const paid = world.sandbox.stripe.paymentIntents().map(({ id }) => id)
    expect(paid).toHaveLength(12)
    expect(await runDueWork(world.context)).toMatchObject({ planEnded: 1, paidBack: 12 })
    expect(new Set(world.sandbox.stripe.refunds().map((refund) => refund.payment_intent))).toEqual(
      new Set(paid),
    )
    const { refunds } = await world.checkInvariants({ quiet: true })
    expect([...refunds.values()]).toEqual(
      paid.map(() => expect.objectContaining({ uid, reason: 'userGone', status: 'done' })),
    )
  })

  test('a declined renewal’s payment is listed as open', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    await setDefaultCard(subscriptionId, 'pm_card_chargeCustomerFail')
    world.setTime(Date.UTC(2026, 11, 20, 14))
    world.sandbox.stripe.runDueBilling()
    const { data } = await world.context.stripe.invoices.list({ subscription: subscriptionId })
    const of = async (invoice = '') =>
      (await world.context.stripe.invoicePayments.list({ invoice })).data.map(({ status }) => status)
    expect([await of(data[0]?.id), await of(data[1]?.id)]).toEqual([['open'], ['paid']])
    expect(world.sandbox.stripe.charges().map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  })

  test('the due-work job continues after a user whose plan cannot be read', async () => {
    const [first, second] = [await world.person(), await world.person()]
    await payForCheckout(first)
    world.pass(MINUTE)
    await payForCheckout(second)
    const customer = world.context.db.doc(`customers/${first}`)
    const { customerId } = (await customer.get()).data() ?? {}
    await customer.update({ customerId: 0 })
    expect(await runDueWork(world.context)).toMatchObject({ failed: 1, planChecked: 1 })
    expect(await readStoredSubscription(second)).toMatchObject({ status: 'active' })
    await customer.update({ customerId })
    await runDueWork(world.context)
    expect(await readStoredSubscription(first)).toMatchObject({ status: 'active' })
  })
})
