import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../domain/api.ts'
import { destinationByCode } from '../domain/destinations.ts'
import { MINUTE } from '../domain/duration.ts'
import { money } from '../domain/money.ts'
import { quoteTransfer } from '../domain/quote.ts'
import { cancelPaymentIntent } from './server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { subscriptionOf } from './server/platform/records.ts'
import { crashAt } from './testing/crashAt.ts'
import { withoutSession } from './testing/payments.ts'
import { REGRESSIONS } from './testing/regressions.ts'
import {
  type Action,
  beginSchedule,
  recordOf,
  type Schedule,
  scheduleOf,
  schedules,
} from './testing/schedules.ts'
import { createWorld, requestOf, START, type World } from './testing/world.ts'

let world: World
let other: World
beforeAll(async () => {
  world = await createWorld()
  other = await createWorld({ projectId: 'passerelle-staging', beside: world })
})
beforeEach(() => world.reset())
afterAll(async () => {
  await other.close()
  await world.close()
})

/** The price that a screen would show now. */
async function priced(uid: string, request: TransferPaymentRequest): Promise<TransferPaymentRequest> {
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
async function untilIdle() {
  world.pass(31 * MINUTE)
  await sweep(world.context)
  await sweep(world.context)
  return world.checkInvariants({ quiet: true })
}

const moments = (['before', 'after'] as const).flatMap((when) => [1, 2, 3].map((at) => [when, at] as const))

test.each(moments)('a payment survives a process that dies %s step %i of starting it', async (when, at) => {
  const uid = await world.person({ tier: 'basic', status: 'active', transactionsLeft: 1, lastReset: START })
  const request = await priced(uid, requestOf(uid))
  const { context, life } = crashAt(world.context, at, when)
  const dying = await createPaymentIntent(context, { uid }, request).catch(() => null)
  expect(life.dead).toBe(true)
  expect(dying?.ok ?? false).toBe(false)
  await world.checkInvariants()

  const again = await createPaymentIntent(world.context, { uid }, request)
  expect(again.ok).toBe(true)
  expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
  await world.pay(again.ok ? again.value.paymentIntentId : '')
  const { transactions, users } = await untilIdle()
  expect(transactions.size).toBe(1)
  expect(users.get(uid)?.subscription.transactionsLeft).toBe(0)
})

test.each(moments)(
  'an amount is free again after a process that died %s step %i of starting',
  async (when, at) => {
    const uid = await world.person()
    const { context } = crashAt(world.context, at, when)
    await createPaymentIntent(context, { uid }, requestOf(uid)).catch(() => null)
    const { ledgers, transactions } = await untilIdle()
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
    const { context, life } = crashAt(world.context, at, when)
    await recordTransfer(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    expect(life.dead).toBe(true)
    await world.checkInvariants()
    expect((await untilIdle()).transactions.size).toBe(1)
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
    const { context, life } = crashAt(world.context, at, when)
    await recordTransfer(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    expect(life.dead).toBe(true)
    await untilIdle()
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  },
)

test.each(moments)(
  'a canceled attempt survives a process that dies %s step %i of ending it',
  async (when, at) => {
    const uid = await world.person()
    const request = requestOf(uid)
    // Starting it died before its PaymentIntent was written down, so ending it has the most steps.
    const unlinked = crashAt(world.context, 2, 'after')
    await createPaymentIntent(unlinked.context, { uid }, request).catch(() => null)
    const { context, life } = crashAt(world.context, at, when)
    await cancelPaymentIntent(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    expect(life.dead).toBe(true)
    await world.checkInvariants()
    const { ledgers } = await untilIdle()
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
    if (first.ok && second.ok) expect(withoutSession(second.value)).toEqual(withoutSession(first.value))
    await world.pay(second.ok ? second.value.paymentIntentId : '')
    world.sandbox.faults.add({ on: COMMIT, times: 1, what: { kind } })
    await recordTransfer(world.context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    const settled = await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
    expect(settled).toMatchObject({ value: { outcome: 'paid' } })
    expect((await untilIdle()).transactions.size).toBe(1)
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
    await untilIdle()
  },
)

/** Throws what does not hold, with all that happened before. */
async function follow([setting, todo]: Schedule, at = { world, other }) {
  const schedule = await beginSchedule(at.world, at.other, setting)
  try {
    for (const action of todo) await schedule.act(action)
    await schedule.untilIdle()
    return schedule.history
  } catch (error) {
    throw new Error(`${schedule.history.join('\n')}\n${error instanceof Error ? error.message : error}`)
  }
}

const { MONEY_RUNS = '320', MONEY_SEED, MONEY_PATH } = process.env
const seed = MONEY_SEED ? Number(MONEY_SEED) : randomInt(2 ** 31)

test.each(Object.entries(REGRESSIONS))('%s', async (_, recorded) => {
  await follow(scheduleOf(recorded))
})

/** More than the longest takes on a processor that others use too. */
const LONGEST = 2 * MINUTE

test('any schedule of actions and faults keeps every promise about money @spec-money', {
  timeout: 0,
}, async () => {
  let count = 0
  const standstill = Promise.withResolvers<never>()
  let watch: NodeJS.Timeout | undefined
  const property = fc.asyncProperty(schedules, async (schedule) => {
    count += 1
    clearTimeout(watch)
    watch = setTimeout(
      () => standstill.reject(new Error(`Stands still: ${JSON.stringify(schedule)}`)),
      LONGEST,
    )
    await follow(schedule)
  })
  const before = process.cpuUsage()
  const checked = fc.check(property, {
    numRuns: Number(MONEY_RUNS),
    seed,
    ...(MONEY_PATH && { path: MONEY_PATH }),
  })
  const result = await Promise.race([checked, standstill.promise]).finally(() => clearTimeout(watch))
  const { user, system } = process.cpuUsage(before)
  const ms = Math.round((user + system) / count / 1000)
  process.stdout.write(`${count} schedules from seed ${seed}, ${ms} ms of processor time each\n`)
  if (!result.failed) return
  const [caught] = result.counterexample ?? []
  const again = `npm run test:money -- --seed ${seed} --path ${result.counterexamplePath}`
  throw new Error(
    `Caught after ${result.numRuns} schedules, made shorter ${result.numShrinks} times; again with\n  ${again}\n${JSON.stringify(caught && recordOf(caught))}\n${result.errorInstance instanceof Error ? result.errorInstance.message : ''}`,
  )
})

/** Nothing of it happens at the same time as something else, so that the order of all requests is certain. */
const isOneByOne = (action: Action): boolean =>
  action.do !== 'together' &&
  action.do !== 'meanwhile' &&
  !('copies' in action && action.copies > 1) &&
  !('call' in action && 'copies' in action.call && action.call.copies > 1)

test('over real connections each schedule goes as it does in memory, request by request', {
  timeout: 0,
}, async () => {
  const connected = await createWorld({ sockets: true })
  const beside = await createWorld({ sockets: true, projectId: 'passerelle-staging', beside: connected })
  const bySockets = { world: connected, other: beside }
  const numRuns = Math.ceil(Number(MONEY_RUNS) / 16)
  for (const schedule of fc.sample(schedules, { seed, numRuns })) await follow(schedule, bySockets)
  const oneByOne = schedules.map(([setting, todo]): Schedule => [setting, todo.filter(isOneByOne)])
  for (const schedule of fc.sample(oneByOne, { seed, numRuns })) {
    const history = await follow(schedule, bySockets)
    const inMemory = await follow(schedule)
    expect(inMemory.map(inAnyOrder), JSON.stringify(schedule)).toEqual(history.map(inAnyOrder))
    expect(requestsOf(world), JSON.stringify(schedule)).toEqual(requestsOf(connected))
  }
  await beside.close()
  await connected.close()
})

/** What a sweep finds it finds in the order of names, which are new each time. */
const inAnyOrder = (line: string) => line.split(/[{,}]/).sort().join()

/** Without these names, and without the keys that are kept for some minutes. */
const requestsOf = ({ requests }: World) =>
  requests
    .filter((request) => !request.endsWith('/sandbox/auth/jwks'))
    .map((request) => request.replace(/\/([a-z]+_[\w-]{10,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})/gi, '/…'))
    .sort()
