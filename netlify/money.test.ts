import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { destinationByCode } from '../src/domain/destinations.ts'
import { money } from '../src/domain/money.ts'
import { quoteTransfer } from '../src/domain/quote.ts'
import { createPaymentIntent, type PaymentRequest } from './server/createPaymentIntent.ts'
import { cancelPaymentIntent, recordTransfer } from './server/payments.ts'
import { subscriptionOf } from './server/records.ts'
import { sweep } from './server/sweep.ts'
import { hurry } from './testing/hurry.ts'
import { mortal } from './testing/mortal.ts'
import { actions, beginSchedule, settings } from './testing/schedules.ts'
import { createWorld, MINUTE, requestOf, START, type World } from './testWorld.ts'

let world: World
let other: World
beforeAll(async () => {
  world = await createWorld()
  other = await createWorld({ projectId: 'passerelle-staging', beside: world })
})
beforeEach(async () => {
  world.reset()
  // As in a deployment that runs: it was compared with the provider a moment ago.
  await sweep(world.context)
})
afterAll(async () => {
  await other.close()
  await world.close()
})

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

const momentsOfRefund = (['before', 'after'] as const).flatMap((when) =>
  [1, 2, 3, 4, 5, 6].map((at) => [when, at] as const),
)

test.each(momentsOfRefund)(
  'a refund survives a process that dies %s step %i of paying it back',
  async (when, at) => {
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
  },
)

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

test('any schedule of actions and faults keeps every promise about money', { timeout: 0 }, async () => {
  hurry(world.context)
  const { MONEY_RUNS = '320', MONEY_SEED, MONEY_PATH } = process.env
  const seed = MONEY_SEED ? Number(MONEY_SEED) : randomInt(2 ** 31)
  let schedules = 0
  const property = fc.asyncProperty(
    settings,
    fc.array(actions, { minLength: 1, maxLength: 20, size: 'max' }),
    async (setting, todo) => {
      schedules += 1
      const schedule = await beginSchedule(world, other, setting)
      try {
        for (const action of todo) await schedule.act(action)
        await schedule.calmDown()
      } catch (error) {
        throw new Error(`${schedule.history.join('\n')}\n${error instanceof Error ? error.message : error}`)
      }
    },
  )
  const result = await fc.check(property, {
    numRuns: Number(MONEY_RUNS),
    seed,
    ...(MONEY_PATH && { path: MONEY_PATH }),
  })
  process.stdout.write(`${schedules} schedules from seed ${seed}\n`)
  if (!result.failed) return
  const again = `npm run test:money -- --seed ${seed} --path ${result.counterexamplePath}`
  throw new Error(
    `Caught after ${result.numRuns} schedules, made shorter ${result.numShrinks} times; again with\n  ${again}\n${JSON.stringify(result.counterexample?.[0])}\n${result.errorInstance instanceof Error ? result.errorInstance.message : ''}`,
  )
})
