import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { getNextMonthStart, toMonth } from '../../../domain/common/month.ts'
import { divideHalfUp } from '../../../domain/money/money.ts'
import { countSlotsLeft, PLANS } from '../../../domain/prices/plans.ts'
import { buildTransferRequest, createWorld, type World } from '../../testing/world.ts'
import { cancelSubscription } from '../endpoints/cancelSubscription.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { createSubscription } from '../endpoints/createSubscription.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { verifySubscription } from '../endpoints/verifySubscription.ts'
import { parseSubscription } from '../platform/records.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** `lost`: only the due-work job reacts. */
type EventOrder = { readonly order: 'forwards' | 'backwards' | 'twice' } | { readonly order: 'lost' }

type Step =
  | { do: 'subscribe'; tier: Tier; comesBack: boolean }
  | { do: 'send'; amount: number; isPaid: boolean }
  | { do: 'cancel' }
  | { do: 'card'; isGood: boolean }
  | { do: 'openAgain' }
  | { do: 'wait'; days: number; news: EventOrder['order'] }

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
      news: fc.constantFrom<EventOrder['order']>('forwards', 'backwards', 'twice', 'lost'),
    }),
  },
)

/** Derived from Stripe's subscriptions and the sent transfers, not from the stored documents. */
function createModel(uid: string) {
  const used = new Map<string, number>()
  /** For each subscription, the month whose allowance it has. An unpaid period refills nothing. */
  const filled = new Map<string, string>()
  const running = () => {
    world.sandbox.stripe.runDueBilling()
    return world.sandbox.stripe.subscriptions().find(({ status }) => status !== 'canceled') ?? null
  }
  const planNow = () => {
    const subscription = running()
    if (!subscription) return null
    const { id, status, metadata, items } = subscription
    const paidUntil =
      status === 'active' ? world.now() : (items.data[0]?.current_period_start ?? 0) * 1000 - 1
    const month = toMonth(paidUntil)
    if (month > (filled.get(id) ?? '')) filled.set(id, month)
    const plan = PLANS[metadata.tier as Tier]
    const slot = `${id} ${filled.get(id)}`
    return { ...plan, slot, left: plan.allowance - (used.get(slot) ?? 0) }
  }
  return {
    running,
    planNow,
    computeFee(amount: number) {
      const plan = planNow()
      return plan && plan.left > 0 ? plan.fee : divideHalfUp(3 * amount, 100)
    },
    sent() {
      const plan = planNow()
      if (plan && plan.left > 0) used.set(plan.slot, (used.get(plan.slot) ?? 0) + 1)
    },
    async check() {
      const subscription = parseSubscription((await world.context.db.doc(`users/${uid}`).get()).data())
      const plan = planNow()
      expect(countSlotsLeft(subscription, world.now())).toBe(plan?.left ?? null)
      expect(subscription.tier === null || plan === null || subscription.tier === plan.id).toBe(true)
    },
  }
}

async function createPerformer(uid: string) {
  const { context } = world
  const model = createModel(uid)
  const heard = new Set<string>()
  let sessionId: string | null = null

  const hear = async (order: EventOrder['order']) => {
    world.sandbox.stripe.runDueBilling()
    const fresh = world.sandbox.stripe.events().filter(({ id }) => !heard.has(id))
    for (const { id } of fresh) heard.add(id)
    const ordered = {
      forwards: fresh,
      backwards: fresh.toReversed(),
      twice: [...fresh, ...fresh],
      lost: [],
    }[order]
    for (const event of ordered) expect((await world.deliver(event)).status).toBe(200)
    if (order === 'lost') await runDueWork(context)
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
        const fee = model.computeFee(step.amount)
        const converted = (step.amount - fee) * 106
        const request = buildTransferRequest(uid, { amount: step.amount, expected: { fee, converted } })
        const started = await createPaymentIntent(context, { uid }, request)
        // Only the cap may refuse; any other refusal means that the price differs from the plan's.
        if (!started.ok) return expect(started.error.code).toBe('monthlyCapExceeded')
        if (step.isPaid) {
          await world.pay(started.value.paymentIntentId)
          model.sent()
          await recordTransfer(context, { uid }, { attemptId: request.attemptId })
        } else {
          world.pass(31 * MINUTE)
          await runDueWork(context)
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

test('any year charges each transfer at its moment’s price', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 50 }), async (steps) => {
      world.reset()
      const uid = await world.person()
      const perform = await createPerformer(uid)
      for (const step of steps) await perform(step)
      await world.checkInvariants()
    }),
    { numRuns: 8 },
  )
})

test('a plan has free transfers each month until it ends', async () => {
  world.reset()
  const uid = await world.person()
  const perform = await createPerformer(uid)
  await perform({ do: 'subscribe', tier: 'premium', comesBack: true })
  for (let month = 0; month < 12; month += 1) {
    for (let sent = 0; sent < 6; sent += 1) await perform({ do: 'send', amount: 4_999, isPaid: true })
    const untilNext = (getNextMonthStart(world.now()) - world.now()) / DAY
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
