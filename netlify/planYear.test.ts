import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY, MINUTE } from '../domain/duration.ts'
import { halfUp } from '../domain/money.ts'
import { monthOf, nextMonthStart } from '../domain/month.ts'
import { PLANS, slotsLeft } from '../domain/plans.ts'
import type { Tier } from '../domain/schemas/profile.ts'
import { cancelSubscription } from './server/endpoints/cancelSubscription.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { verifySubscription } from './server/endpoints/verifySubscription.ts'
import { subscriptionOf } from './server/platform/records.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** How the provider's news come: all of them in some order and number, or none of them and the sweep. */
type News = { readonly order: 'forwards' | 'backwards' | 'twice' } | { readonly order: 'lost' }

type Step =
  | { do: 'subscribe'; tier: Tier; comesBack: boolean }
  | { do: 'send'; amount: number; isPaid: boolean }
  | { do: 'cancel' }
  | { do: 'card'; isGood: boolean }
  | { do: 'openAgain' }
  | { do: 'wait'; days: number; news: News['order'] }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      tier: fc.constantFrom<Tier>('basic', 'premium'),
      comesBack: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      amount: fc.constantFrom(1000, 1050, 4_999),
      isPaid: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('card' as const), isGood: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'openAgain' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.constantFrom(1, 4, 10, 16, 31),
      news: fc.constantFrom<News['order']>('forwards', 'backwards', 'twice', 'lost'),
    }),
  },
)

/** What must be true, told by the provider's subscriptions and by the transfers that were sent; not by what is stored. */
function modelOf(uid: string) {
  const used = new Map<string, number>()
  /** By subscription: the month whose allowance it has. What is not paid is not refilled. */
  const filled = new Map<string, string>()
  const running = () => {
    world.sandbox.stripe.bill()
    return world.sandbox.stripe.subscriptions().find(({ status }) => status !== 'canceled') ?? null
  }
  const planNow = () => {
    const subscription = running()
    if (!subscription) return null
    const { id, status, metadata } = subscription
    if (status === 'active' || !filled.has(id)) filled.set(id, monthOf(world.now()))
    const plan = PLANS[metadata.tier as Tier]
    const slot = `${id} ${filled.get(id)}`
    return { ...plan, slot, left: plan.allowance - (used.get(slot) ?? 0) }
  }
  return {
    running,
    planNow,
    feeOf(amount: number) {
      const plan = planNow()
      return plan && plan.left > 0 ? plan.fee : halfUp(3 * amount, 100)
    },
    sent() {
      const plan = planNow()
      if (plan && plan.left > 0) used.set(plan.slot, (used.get(plan.slot) ?? 0) + 1)
    },
    async check() {
      const subscription = subscriptionOf((await world.context.db.doc(`users/${uid}`).get()).data())
      const plan = planNow()
      expect(slotsLeft(subscription, world.now())).toBe(plan?.left ?? null)
      expect(subscription.tier === null || plan === null || subscription.tier === plan.id).toBe(true)
    },
  }
}

async function performAs(uid: string) {
  const { context } = world
  const model = modelOf(uid)
  const heard = new Set<string>()
  let sessionId: string | null = null

  const hear = async (order: News['order']) => {
    world.sandbox.stripe.bill()
    const fresh = world.sandbox.stripe.events().filter(({ id }) => !heard.has(id))
    for (const { id } of fresh) heard.add(id)
    const told = {
      forwards: fresh,
      backwards: fresh.toReversed(),
      twice: [...fresh, ...fresh],
      lost: [],
    }[order]
    for (const event of told) expect((await world.deliver(event)).status).toBe(200)
    if (order === 'lost') await sweep(context)
  }

  const perform = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'subscribe': {
        const body = { tier: step.tier, userId: uid, locale: 'fr' } as const
        const isRefused = model.running() !== null
        const created = await createSubscription(context, { uid }, body, world.origin)
        expect(created.ok).toBe(!isRefused)
        if (!created.ok) return
        const back = await world.payCheckout(created.value.url)
        sessionId = new URL(back ?? '').searchParams.get('session_id')
        if (step.comesBack && sessionId) await verifySubscription(context, { uid }, { session_id: sessionId })
        else await hear('forwards')
        return
      }
      case 'send': {
        const fee = model.feeOf(step.amount)
        const converted = (step.amount - fee) * 106
        const request = requestOf(uid, { amount: step.amount, expected: { fee, converted } })
        const started = await createPaymentIntent(context, { uid }, request)
        // Only the cap may stand in the way: a refused price would be another than the plan's.
        if (!started.ok) return expect(started.error.code).toBe('monthlyCapExceeded')
        if (step.isPaid) {
          await world.pay(started.value.paymentIntentId)
          model.sent()
          await recordTransfer(context, { uid }, { attemptId: request.attemptId })
        } else {
          world.pass(31 * MINUTE)
          await sweep(context)
        }
        return
      }
      case 'cancel': {
        const id = model.running()?.id
        if (id) expect((await cancelSubscription(context, { uid }, { subscriptionId: id })).ok).toBe(true)
        return
      }
      case 'card': {
        const subscription = model.running()
        if (!subscription) return
        const card = step.isGood ? 'pm_card_visa' : 'pm_card_chargeCustomerFail'
        const { id } = await context.stripe.paymentMethods.attach(card, { customer: subscription.customer })
        await context.stripe.subscriptions.update(subscription.id, { default_payment_method: id })
        return
      }
      case 'openAgain':
        if (sessionId) await verifySubscription(context, { uid }, { session_id: sessionId })
        return
      case 'wait':
        world.pass(step.days * DAY)
        return hear(step.news)
    }
  }
  return async (step: Step) => {
    await perform(step)
    await model.check()
  }
}

test('a year with plans: each transfer costs what the plan of that moment says', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 50 }), async (steps) => {
      world.reset()
      const uid = await world.person()
      const perform = await performAs(uid)
      for (const step of steps) await perform(step)
      await world.checkInvariants()
    }),
    { numRuns: 8 },
  )
})

test('a year of one plan: exhausted and refilled each month, canceled, ended', async () => {
  world.reset()
  const uid = await world.person()
  const perform = await performAs(uid)
  await perform({ do: 'subscribe', tier: 'premium', comesBack: true })
  for (let month = 0; month < 12; month += 1) {
    for (let sent = 0; sent < 6; sent += 1) await perform({ do: 'send', amount: 4_999, isPaid: true })
    const untilNext = (nextMonthStart(world.now()) - world.now()) / DAY
    await perform({ do: 'wait', days: untilNext, news: month % 2 === 0 ? 'forwards' : 'lost' })
  }
  const { transactions } = await world.checkInvariants({ quiet: true })
  const fees = [...transactions.values()].map(({ fees }) => fees as number)
  expect(fees.filter((fee) => fee === 0)).toHaveLength(60)
  expect(fees.filter((fee) => fee === 1.5)).toHaveLength(12)
  const { data: invoices } = await world.context.stripe.invoices.list({ limit: 100, status: 'paid' })
  expect(invoices.map(({ amount_paid: paid }) => paid)).toEqual(Array(12).fill(500))

  await perform({ do: 'cancel' })
  await perform({ do: 'send', amount: 4_999, isPaid: true })
  await perform({ do: 'wait', days: 31, news: 'lost' })
  await perform({ do: 'send', amount: 4_999, isPaid: true })
  const later = [...(await world.records()).transactions.values()].map(({ fees }) => fees as number)
  expect(later.filter((fee) => fee === 0)).toHaveLength(61)
  expect(later.filter((fee) => fee === 1.5)).toHaveLength(13)
})
