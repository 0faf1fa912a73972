import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR } from '../domain/duration.ts'
import { cancelSubscription } from './server/endpoints/cancelSubscription.ts'
import { createPaymentIntent } from './server/endpoints/createPaymentIntent.ts'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { recordTransfer } from './server/endpoints/recordTransfer.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { verifySubscription } from './server/endpoints/verifySubscription.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

// Two deployments with one account at the provider: each hears of what the other does.
let production: World
let staging: World
beforeAll(async () => {
  production = await createWorld()
  staging = await createWorld({ projectId: 'passerelle-staging', beside: production })
})
beforeEach(() => {
  production.reset()
  staging.reset()
})
afterAll(async () => {
  await staging.close()
  await production.close()
})

async function started(world: World, changes: Parameters<typeof requestOf>[1] = {}) {
  const uid = await world.person()
  const request = requestOf(uid, changes)
  const answer = await createPaymentIntent(world.context, { uid }, request)
  if (!answer.ok) throw new Error(answer.error.code)
  return { uid, request, id: answer.value.paymentIntentId }
}

/** Everything that the provider has told so far, to one of the two. */
async function tell(world: World) {
  for (const event of production.sandbox.stripe.events())
    expect(await world.deliver(event)).toMatchObject({ status: 200 })
}

test("another deployment's payments are left alone, whoever tells of them", async () => {
  const { uid, request, id } = await started(production)
  await production.pay(id)
  const { id: canceled } = await started(production)
  await production.context.stripe.paymentIntents.cancel(canceled)

  const before = staging.sandbox.firestore.documents()
  await tell(staging)
  expect(await recordTransfer(staging.context, { uid }, { paymentIntentId: id })).toMatchObject({
    error: { code: 'paymentNotFound' },
  })
  production.pass(HOUR)
  await sweep(staging.context)
  expect(staging.sandbox.firestore.documents()).toMatchObject(before)
  expect(production.sandbox.stripe.refunds()).toEqual([])

  await tell(production)
  expect(await recordTransfer(production.context, { uid }, { attemptId: request.attemptId })).toMatchObject({
    value: { outcome: 'paid' },
  })
  expect((await production.checkInvariants({ quiet: true })).transactions.size).toBe(1)
})

test("another deployment's plans are left alone, even those of the same user id", async () => {
  const uid = await production.person()
  const profile = (await production.context.db.doc(`users/${uid}`).get()).data()
  await staging.context.db.doc(`users/${uid}`).set(profile ?? {})
  const asked = { tier: 'premium', userId: uid, locale: 'fr' } as const
  const opened = await createSubscription(production.context, { uid }, asked, production.origin)
  const back = await production.payCheckout(opened.ok ? opened.value.url : '')
  const sessionId = new URL(back ?? '').searchParams.get('session_id') ?? ''
  const [subscription] = production.sandbox.stripe.subscriptions()

  await tell(staging)
  expect(await verifySubscription(staging.context, { uid }, { session_id: sessionId })).toMatchObject({
    error: { code: 'checkoutNotFound' },
  })
  expect(
    await cancelSubscription(staging.context, { uid }, { subscriptionId: subscription?.id ?? '' }),
  ).toMatchObject({ error: { code: 'planNotFound' } })
  expect(staging.sandbox.firestore.documents()[`users/${uid}`]?.subscription).toMatchObject({ tier: null })

  // Who has a plan there can have one here, with a customer of its own, and neither ends the other.
  const other = await createSubscription(staging.context, { uid }, asked, production.origin)
  expect(await production.payCheckout(other.ok ? other.value.url : '')).toMatch(/session_id/)
  await tell(production)
  await tell(staging)
  await staging.context.db.doc(`users/${uid}`).delete()
  production.pass(25 * HOUR)
  await sweep(staging.context)
  await sweep(production.context)
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
