import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { destinationByCode } from '../src/domain/destinations.ts'
import { money } from '../src/domain/money.ts'
import { PLANS } from '../src/domain/plans.ts'
import { quoteTransfer } from '../src/domain/quote.ts'
import type { Context } from './server/context.ts'
import { createPaymentIntent, type PaymentRequest } from './server/createPaymentIntent.ts'
import { cancelPaymentIntent, recordTransfer } from './server/payments.ts'
import { subscriptionOf } from './server/records.ts'
import { sweep } from './server/sweep.ts'
import { createWorld, HOUR, MINUTE, requestOf, START, type World } from './testWorld.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const DAY = 24 * HOUR

/** The price that a screen would show now. */
async function priced(uid: string, request: PaymentRequest): Promise<PaymentRequest> {
  const subscription = subscriptionOf((await world.context.db.doc(`users/${uid}`).get()).data())
  const { fee, converted } = quoteTransfer({
    gross: money(request.amount ?? 0, 'EUR'),
    destination: destinationByCode('GN'),
    coupon: request.couponCode,
    subscription,
    now: world.now(),
  })
  return { ...request, expected: { fee: fee.minor, converted: converted.minor } }
}

/** A long time later, with the sweep as the only thing that still works. */
async function calmDown() {
  world.pass(31 * MINUTE)
  await sweep(world.context)
  await sweep(world.context)
  return world.checkInvariants({ quiet: true })
}

/**
 * A context whose process dies at one of its awaited steps: before the step is done, or after it with the answer
 * lost. Nothing that the process would have done later happens.
 */
function mortal(context: Context, diesAt: number, when: 'before' | 'after') {
  const life = { steps: 0, dead: false }
  const step = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (life.dead) throw new Error('dead')
      life.steps += 1
      const last = life.steps === diesAt
      if (last) life.dead = true
      if (last && when === 'before') throw new Error('died before')
      const result = await work(...args)
      if (last) throw new Error('died after')
      return result
    }
  }
  const stepping = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name)
        return typeof value === 'function' ? step(value.bind(object)) : value
      },
    })
  const { db, stripe } = context
  const mortalContext: Context = {
    ...context,
    stripe: new Proxy(stripe, {
      get: (object, name) =>
        name === 'paymentIntents' || name === 'refunds'
          ? stepping(Reflect.get(object, name))
          : Reflect.get(object, name),
    }),
    db: new Proxy(db, {
      get(object, name) {
        const value = Reflect.get(object, name)
        if (typeof value !== 'function') return value
        return name === 'runTransaction' ? step(value.bind(object)) : value.bind(object)
      },
    }),
  }
  return { context: mortalContext, life }
}

const moments = (['before', 'after'] as const).flatMap((when) => [1, 2, 3].map((at) => [when, at] as const))

test.each(moments)('a payment survives a process that dies %s step %i of starting it', async (when, at) => {
  const uid = await world.person({ tier: 'basic', status: 'active', transactionsLeft: 1, lastReset: START })
  const request = await priced(uid, requestOf(uid))
  const { context, life } = mortal(world.context, at, when)
  const dying = await createPaymentIntent(context, { uid }, request).catch(() => null)
  expect(life.dead).toBe(true)
  expect(dying?.ok ?? false).toBe(false)
  await world.checkInvariants()

  const again = await createPaymentIntent(world.context, { uid }, request)
  expect(again.ok).toBe(true)
  expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
  await world.pay(again.ok ? again.value.paymentIntentId : '')
  const { transactions, users } = await calmDown()
  expect(transactions.size).toBe(1)
  expect(users.get(uid)?.subscription.transactionsLeft).toBe(0)
})

test.each(moments)(
  'an amount is free again after a process that died %s step %i of starting',
  async (when, at) => {
    const uid = await world.person()
    const { context } = mortal(world.context, at, when)
    await createPaymentIntent(context, { uid }, requestOf(uid)).catch(() => null)
    const { ledgers, transactions } = await calmDown()
    expect(transactions.size).toBe(0)
    expect(ledgers.get(`${uid}_2026-11`)?.reservedCents ?? 0).toBe(0)
  },
)

test.each(moments.filter(([, at]) => at <= 2))(
  'a paid transfer survives a process that dies %s step %i of recording it',
  async (when, at) => {
    const uid = await world.person()
    const request = requestOf(uid)
    const started = await createPaymentIntent(world.context, { uid }, request)
    await world.pay(started.ok ? started.value.paymentIntentId : '')
    const { context, life } = mortal(world.context, at, when)
    await recordTransfer(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    expect(life.dead).toBe(true)
    await world.checkInvariants()
    expect((await calmDown()).transactions.size).toBe(1)
  },
)

test.each(moments)('a refund survives a process that dies %s step %i of paying it back', async (when, at) => {
  const uid = await world.person()
  const request = requestOf(uid)
  const started = await createPaymentIntent(world.context, { uid }, request)
  await world.pay(started.ok ? started.value.paymentIntentId : '')
  await world.context.db.doc(`users/${uid}`).delete()
  const { context, life } = mortal(world.context, at, when)
  await recordTransfer(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
  expect(life.dead).toBe(true)
  await calmDown()
  expect(world.sandbox.stripe.refunds()).toHaveLength(1)
})

test.each(moments)(
  'a canceled attempt survives a process that dies %s step %i of ending it',
  async (when, at) => {
    const uid = await world.person()
    const request = requestOf(uid)
    // Starting it died before its PaymentIntent was written down, so ending it has the most steps.
    const unlinked = mortal(world.context, 2, 'after')
    await createPaymentIntent(unlinked.context, { uid }, request).catch(() => null)
    const { context, life } = mortal(world.context, at, when)
    await cancelPaymentIntent(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    expect(life.dead).toBe(true)
    await world.checkInvariants()
    const { ledgers } = await calmDown()
    expect(ledgers.get(`${uid}_2026-11`)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
  },
)

const COMMIT = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'

test.each(['cutAfter', 'cutBefore'] as const)(
  'a database answer that is lost (%s) is made good',
  async (kind) => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: COMMIT, times: 1, what: { kind } })
    const first = await createPaymentIntent(world.context, { uid }, request)
    const second = await createPaymentIntent(world.context, { uid }, request)
    expect(second.ok).toBe(true)
    if (first.ok) expect(second).toEqual(first)
    await world.pay(second.ok ? second.value.paymentIntentId : '')
    world.sandbox.faults.add({ on: COMMIT, times: 1, what: { kind } })
    await recordTransfer(world.context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    const settled = await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
    expect(settled).toMatchObject({ value: { outcome: 'paid' } })
    expect((await calmDown()).transactions.size).toBe(1)
  },
)

test.each(['cutAfter', 'cutBefore'] as const)(
  'a provider answer that is lost (%s) is made good',
  async (kind) => {
    const uid = await world.person()
    const request = requestOf(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 2, what: { kind } })
    const started = await createPaymentIntent(world.context, { uid }, request)
    expect(started.ok).toBe(true)
    expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
    await calmDown()
  },
)

type Action =
  | { do: 'start'; attempt: number }
  | { do: 'pay'; attempt: number; card: string }
  | { do: 'record' | 'cancel' | 'webhook'; attempt: number }
  | { do: 'sweep' }
  | { do: 'wait'; ms: number }
  | { do: 'together'; first: Action; second: Action }

const attempt = fc.nat(5)
const single: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('start' as const), attempt }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      attempt,
      card: fc.constantFrom(
        'pm_card_visa',
        'pm_card_visa',
        'pm_card_visa_chargeDeclined',
        'pm_card_authenticationRequired',
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('record' as const, 'cancel' as const, 'webhook' as const),
      attempt,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'sweep' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(MINUTE, 31 * MINUTE, 25 * HOUR, 11 * DAY),
    }),
  },
)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('together' as const), first: single, second: single }),
  },
)

test('any order of anything keeps every promise about money', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(null, { tier: 'basic', left: 1 } as const, { tier: 'premium', left: 2 } as const),
      fc.array(fc.constantFrom(1000, 9999, 33_333, 50_000), { minLength: 6, maxLength: 6 }),
      fc.array(action, { minLength: 4, maxLength: 16 }),
      async (plan, amounts, actions) => {
        world.reset()
        const uid = await world.person(
          plan ? { tier: plan.tier, status: 'active', transactionsLeft: plan.left, lastReset: START } : {},
        )
        const requests = amounts.map((amount) => requestOf(uid, { amount }))
        const requestAt = (index: number) => requests[index] as PaymentRequest
        const intentOf = async (index: number) => {
          const { attempts } = await world.records()
          return [...attempts.values()].find(({ attemptId }) => attemptId === requestAt(index).attemptId)
            ?.paymentIntentId
        }
        const perform = async (action: Action): Promise<unknown> => {
          switch (action.do) {
            case 'start':
              return createPaymentIntent(world.context, { uid }, await priced(uid, requestAt(action.attempt)))
            case 'pay': {
              const id = await intentOf(action.attempt)
              return id && world.pay(id, action.card)
            }
            case 'record':
              return recordTransfer(
                world.context,
                { uid },
                { attemptId: requestAt(action.attempt).attemptId },
              )
            case 'cancel':
              return cancelPaymentIntent(
                world.context,
                { uid },
                { attemptId: requestAt(action.attempt).attemptId },
              )
            case 'webhook': {
              const id = await intentOf(action.attempt)
              const told = world.sandbox.stripe
                .events()
                .filter(({ data }) => id && (data.object as { id?: string }).id === id)
              return Promise.all(told.map((event) => world.deliver(event)))
            }
            case 'sweep':
              return sweep(world.context)
            case 'wait':
              return world.pass(action.ms)
            case 'together':
              return Promise.allSettled([perform(action.first), perform(action.second)])
          }
        }
        const checkAllowance = ({ attempts, users }: Awaited<ReturnType<World['records']>>) => {
          const { transactionsLeft, lastReset } = subscriptionOf(users.get(uid))
          if (!plan) return expect(transactionsLeft).toBeNull()
          const ofPeriod = (status: string) =>
            [...attempts.values()].filter((one) => one.status === status && one.slotPeriod === lastReset)
              .length
          const allowance = lastReset === START ? plan.left : PLANS[plan.tier].allowance
          expect((transactionsLeft ?? 0) + ofPeriod('recorded')).toBe(allowance)
          expect(ofPeriod('reserved')).toBeLessThanOrEqual(transactionsLeft ?? 0)
        }
        for (const action of actions) {
          await perform(action)
          checkAllowance(await world.checkInvariants())
        }
        await calmDown()
      },
    ),
    { numRuns: 25 },
  )
})
