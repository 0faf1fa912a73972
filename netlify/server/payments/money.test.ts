import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TransferPaymentRequest } from '../../../domain/api/api.ts'
import { MINUTE } from '../../../domain/common/duration.ts'
import { money } from '../../../domain/money/money.ts'
import { getDestination } from '../../../domain/numbers/destinations.ts'
import { quoteTransfer } from '../../../domain/prices/quote.ts'
import { createCrashingContext } from '../../testing/crashingContext.ts'
import { omitCustomerSession } from '../../testing/payments.ts'
import { buildTransferRequest, createWorld, WORLD_START, type World } from '../../testing/world.ts'
import { cancelPaymentIntent } from '../endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { parseSubscription } from '../platform/records.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

async function addExpectedPrice(
  uid: string,
  request: TransferPaymentRequest,
): Promise<TransferPaymentRequest> {
  const subscription = parseSubscription((await world.context.db.doc(`users/${uid}`).get()).data())
  const { fee, converted } = quoteTransfer({
    gross: money(request.amount ?? 0, 'EUR'),
    destination: getDestination('GN'),
    coupon: request.couponCode,
    subscription,
    now: world.now(),
  })
  return { ...request, expected: { fee: fee.minor, converted: converted.minor } }
}

/** Advances the clock while only the due-work job runs. */
async function waitUntilIdle() {
  world.pass(31 * MINUTE)
  await runDueWork(world.context)
  await runDueWork(world.context)
  return world.checkInvariants({ quiet: true })
}

const CRASHES = (['before', 'after'] as const).flatMap((when) => [1, 2, 3].map((at) => [when, at] as const))

test.each(CRASHES)('a payment survives a crash %s step %i of its start', async (when, at) => {
  const uid = await world.person({
    tier: 'basic',
    status: 'active',
    transactionsLeft: 1,
    lastReset: WORLD_START,
  })
  const request = await addExpectedPrice(uid, buildTransferRequest(uid))
  const { context, life } = createCrashingContext(world.context, at, when)
  const dying = await createPaymentIntent(context, { uid }, request).catch(() => null)
  expect(life.hasCrashed).toBe(true)
  expect(dying?.ok ?? false).toBe(false)
  await world.checkInvariants()

  const again = await createPaymentIntent(world.context, { uid }, request)
  expect(again.ok).toBe(true)
  expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
  await world.pay(again.ok ? again.value.paymentIntentId : '')
  const { transactions, users } = await waitUntilIdle()
  expect(transactions.size).toBe(1)
  expect(users.get(uid)?.subscription.transactionsLeft).toBe(0)
})

test.each(CRASHES)('a crash %s step %i of a start releases the amount', async (when, at) => {
  const uid = await world.person()
  const { context } = createCrashingContext(world.context, at, when)
  await createPaymentIntent(context, { uid }, buildTransferRequest(uid)).catch(() => null)
  const { ledgers, transactions } = await waitUntilIdle()
  expect(transactions.size).toBe(0)
  expect(ledgers.get(`${uid}_2026-11`)?.reservedCents ?? 0).toBe(0)
})

test.each(CRASHES.filter(([, at]) => at <= 2))(
  'a paid transfer survives a crash %s step %i of its recording',
  async (when, at) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    const started = await createPaymentIntent(world.context, { uid }, request)
    await world.pay(started.ok ? started.value.paymentIntentId : '')
    const { context, life } = createCrashingContext(world.context, at, when)
    await recordTransfer(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    expect(life.hasCrashed).toBe(true)
    await world.checkInvariants()
    expect((await waitUntilIdle()).transactions.size).toBe(1)
  },
)

const REFUND_CRASHES = (['before', 'after'] as const).flatMap((when) =>
  [1, 2, 3, 4, 5, 6].map((at) => [when, at] as const),
)

test.each(REFUND_CRASHES)('a crash %s step %i of settling refunds an owed charge once', async (when, at) => {
  const uid = await world.person()
  const request = buildTransferRequest(uid)
  const started = await createPaymentIntent(world.context, { uid }, request)
  await world.pay(started.ok ? started.value.paymentIntentId : '')
  await world.context.db.doc(`users/${uid}`).delete()
  const { context, life } = createCrashingContext(world.context, at, when)
  await recordTransfer(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
  expect(life.hasCrashed).toBe(true)
  await waitUntilIdle()
  expect(world.sandbox.stripe.refunds()).toHaveLength(1)
})

test.each(CRASHES)('a crash %s step %i of canceling releases the amount', async (when, at) => {
  const uid = await world.person()
  const request = buildTransferRequest(uid)
  // The start crashes before the PaymentIntent is stored, so the cancellation has the most steps.
  const unlinked = createCrashingContext(world.context, 2, 'after')
  await createPaymentIntent(unlinked.context, { uid }, request).catch(() => null)
  const { context, life } = createCrashingContext(world.context, at, when)
  await cancelPaymentIntent(context, { uid }, { attemptId: request.attemptId }).catch(() => null)
  expect(life.hasCrashed).toBe(true)
  await world.checkInvariants()
  const { ledgers } = await waitUntilIdle()
  expect(ledgers.get(`${uid}_2026-11`)).toMatchObject({ recordedCents: 0, reservedCents: 0 })
})

const COMMIT = 'POST /v1/projects/demo-passerelle/databases/%28default%29/documents:commit'

test.each(['cutAfter', 'cutBefore'] as const)(
  'a payment recovers from a broken connection to the database (%s)',
  async (kind) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add({ on: COMMIT, times: 1, what: { kind } })
    const first = await createPaymentIntent(world.context, { uid }, request)
    const second = await createPaymentIntent(world.context, { uid }, request)
    expect(second.ok).toBe(true)
    if (first.ok && second.ok)
      expect(omitCustomerSession(second.value)).toEqual(omitCustomerSession(first.value))
    await world.pay(second.ok ? second.value.paymentIntentId : '')
    world.sandbox.faults.add({ on: COMMIT, times: 1, what: { kind } })
    await recordTransfer(world.context, { uid }, { attemptId: request.attemptId }).catch(() => null)
    const settled = await recordTransfer(world.context, { uid }, { attemptId: request.attemptId })
    expect(settled).toMatchObject({ value: { outcome: 'paid' } })
    expect((await waitUntilIdle()).transactions.size).toBe(1)
  },
)

test.each(['cutAfter', 'cutBefore'] as const)(
  'a payment recovers from a broken connection to Stripe (%s)',
  async (kind) => {
    const uid = await world.person()
    const request = buildTransferRequest(uid)
    world.sandbox.faults.add({ on: 'POST /v1/payment_intents', times: 2, what: { kind } })
    const started = await createPaymentIntent(world.context, { uid }, request)
    expect(started.ok).toBe(true)
    expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
    await waitUntilIdle()
  },
)
