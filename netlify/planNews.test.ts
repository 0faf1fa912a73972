import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../domain/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import {
  active,
  billed,
  cancel,
  changeCard,
  create,
  opened,
  payer,
  premiumSince,
  stored,
  subscribe,
} from './testing/plans.ts'
import { START } from './testing/world.ts'

testInEmptyWorld()

const news = () => {
  world.sandbox.stripe.bill()
  return world.sandbox.stripe
    .events()
    .filter(({ type }) => /^(customer\.subscription|invoice|checkout)/.test(type))
}

describe('news from the provider @spec-plan-news', () => {
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

    test('that is refused too is asked of the bank once, whoever tells of it, and the next one again', async () => {
      const { uid, subscriptionId, page } = await pastDue()
      const refused = () => world.sandbox.stripe.charges().filter(({ status }) => status === 'failed').length
      const before = refused()
      const sessionId = await typed(page, '4000000000000341')
      for (let times = 0; times < 2; times += 1) {
        expect(await verify(uid, sessionId)).toMatchObject({ status: 'declined' })
        for (const event of news()) await world.deliver(event)
      }
      expect(refused()).toBe(before + 1)
      const { body } = await world.invoke(
        'change-card',
        { subscriptionId },
        { token: await world.token(uid) },
      )
      expect(await verify(uid, await typed(String(body.url)))).toMatchObject({ success: true })
      expect(await paidInvoices(subscriptionId)).toBe(2)
    })

    test.each(['that pays', 'that is refused too'])(
      'stays the card of the plan when the one before is told of again, by a newer one %s',
      async (newer) => {
        const { uid, subscriptionId, page } = await pastDue()
        const first = await typed(page, '4000000000000341')
        expect(await verify(uid, first)).toMatchObject({ status: 'declined' })
        const told = news().findLast(({ type }) => type === 'checkout.session.completed') ?? {}
        world.pass(MINUTE)
        const token = await world.token(uid)
        const { body } = await world.invoke('change-card', { subscriptionId }, { token })
        const second = await typed(String(body.url), newer === 'that pays' ? undefined : '4000000000000341')
        const answer = await verify(uid, second)
        const card = billed()[0]?.default_payment_method
        const charges = world.sandbox.stripe.charges().length
        expect(await world.deliver(told)).toMatchObject({ status: 200 })
        expect(await verify(uid, first)).toEqual(answer)
        expect(billed()).toMatchObject([{ default_payment_method: card }])
        expect(world.sandbox.stripe.charges()).toHaveLength(charges)
        expect(answer).toMatchObject(
          newer === 'that pays' ? { success: true } : { success: false, status: 'declined' },
        )
      },
    )

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
    expect(world.requests.filter((line) => line.includes('/v1/subscriptions'))).toEqual([])
  })

  test('asks about a checkout that may still be paid once an hour', async () => {
    await opened(await world.person())
    world.requests.length = 0
    for (let quarters = 0; quarters < 8; quarters += 1) {
      await sweep(world.context)
      world.pass(15 * MINUTE)
    }
    const lists = world.requests.filter((line) => line === 'GET /v1/subscriptions')
    expect(lists).toHaveLength(2)
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
    world.sandbox.faults.add({ on: 'GET /v1/subscriptions', times: 3, what: { kind: 'status', status: 500 } })
    expect(await sweep(world.context)).toMatchObject({ failed: 1, planChecked: 1 })
    expect(await stored(second)).toMatchObject({ status: 'active' })
    await sweep(world.context)
    expect(await stored(first)).toMatchObject({ status: 'active' })
  })
})
