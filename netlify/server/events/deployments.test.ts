import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR } from '../../../domain/common/duration.ts'
import { buildTransferRequest, createWorld, type World } from '../../testing/world.ts'
import { cancelSubscription } from '../endpoints/cancelSubscription.ts'
import { createPaymentIntent } from '../endpoints/createPaymentIntent.ts'
import { createSubscription } from '../endpoints/createSubscription.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { verifySubscription } from '../endpoints/verifySubscription.ts'

// Two deployments share one Stripe account, so each receives the other's events.
let production: World
let staging: World
beforeAll(async () => {
  production = await createWorld()
  staging = await createWorld({ projectId: 'passerelle-staging', peer: production })
})
beforeEach(() => {
  production.reset()
  staging.reset()
})
afterAll(async () => {
  await staging.close()
  await production.close()
})

async function startPayment(world: World, changes: Parameters<typeof buildTransferRequest>[1] = {}) {
  const uid = await world.person()
  const request = buildTransferRequest(uid, changes)
  const answer = await createPaymentIntent(world.context, { uid }, request)
  if (!answer.ok) throw new Error(answer.error.code)
  return { uid, request, id: answer.value.paymentIntentId }
}

async function deliverEvents(world: World) {
  for (const event of production.sandbox.stripe.events())
    expect(await world.deliver(event)).toMatchObject({ status: 200 })
}

test("a deployment ignores another one's payments, even if it receives their events", async () => {
  const { uid, request, id } = await startPayment(production)
  await production.pay(id)
  const { id: canceled } = await startPayment(production)
  await production.context.stripe.paymentIntents.cancel(canceled)

  const before = staging.sandbox.firestore.documents()
  await deliverEvents(staging)
  expect(await recordTransfer(staging.context, { uid }, { paymentIntentId: id })).toMatchObject({
    error: { code: 'paymentNotFound' },
  })
  production.pass(HOUR)
  await runDueWork(staging.context)
  expect(staging.sandbox.firestore.documents()).toMatchObject(before)
  expect(production.sandbox.stripe.refunds()).toEqual([])

  await deliverEvents(production)
  expect(await recordTransfer(production.context, { uid }, { attemptId: request.attemptId })).toMatchObject({
    value: { outcome: 'paid' },
  })
  expect((await production.checkInvariants({ quiet: true })).transactions.size).toBe(1)
})

test('a deployment ignores another’s plans, even for the same user ID', async () => {
  const uid = await production.person()
  const profile = (await production.context.db.doc(`users/${uid}`).get()).data()
  await staging.context.db.doc(`users/${uid}`).set(profile ?? {})
  const asked = { tier: 'premium', userId: uid, locale: 'fr' } as const
  const opened = await createSubscription(production.context, { uid }, asked, production.origin)
  const back = await production.payCheckout(opened.ok ? opened.value.url : '')
  const sessionId = new URL(back ?? '').searchParams.get('session_id') ?? ''
  const [subscription] = production.sandbox.stripe.subscriptions()

  await deliverEvents(staging)
  expect(await verifySubscription(staging.context, { uid }, { session_id: sessionId })).toMatchObject({
    error: { code: 'checkoutNotFound' },
  })
  expect(
    await cancelSubscription(staging.context, { uid }, { subscriptionId: subscription?.id ?? '' }),
  ).toMatchObject({ error: { code: 'planNotFound' } })
  expect(staging.sandbox.firestore.documents()[`users/${uid}`]?.subscription).toMatchObject({ tier: null })

  // A user with a plan in one deployment can have one in the other, with a separate customer.
  const other = await createSubscription(staging.context, { uid }, asked, production.origin)
  expect(await production.payCheckout(other.ok ? other.value.url : '')).toMatch(/session_id/)
  await deliverEvents(production)
  await deliverEvents(staging)
  await staging.context.db.doc(`users/${uid}`).delete()
  production.pass(25 * HOUR)
  await runDueWork(staging.context)
  await runDueWork(production.context)
  const plans = production.sandbox.stripe.subscriptions()
  expect(plans.map(({ metadata, status }) => [metadata.deployment, status])).toEqual([
    ['demo-passerelle', 'active'],
    ['passerelle-staging', 'canceled'],
  ])
  expect(production.sandbox.firestore.documents()[`users/${uid}`]?.subscription).toMatchObject({
    tier: 'premium',
    stripeSubscriptionId: subscription?.id,
  })
})
