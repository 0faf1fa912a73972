import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSubscription } from './server/endpoints/createSubscription.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { subscriptionOf } from './server/platform/records.ts'
import { createWorld, HOUR, type World } from './testing/world.ts'

// Whoever runs the product may have Stripe leave a plan `unpaid` after the last retry, instead of ending it.

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.reset()
  world.sandbox.stripe.afterRetries('unpaid')
})
afterAll(() => world.close())

const DAY = 24 * HOUR
const plansOf = () => world.sandbox.stripe.subscriptions().map(({ status }) => status)
const stored = async (uid: string) =>
  subscriptionOf((await world.context.db.doc(`users/${uid}`).get()).data())

async function subscribe(uid: string) {
  const wanted = { tier: 'basic', userId: uid, locale: 'fr' } as const
  const created = await createSubscription(world.context, { uid }, wanted, world.origin)
  if (!created.ok) throw new Error(`refused: ${created.error.code}`)
  await world.payCheckout(created.value.url)
  await sweep(world.context)
}

/** A plan whose renewal was refused for the last time. */
async function unpaidPlan() {
  const uid = await world.person()
  await subscribe(uid)
  const { stripe } = world.context
  const [{ id = '', customer = '' } = {}] = world.sandbox.stripe.subscriptions()
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await stripe.subscriptions.update(id, { default_payment_method: card.id })
  for (let days = 0; days < 50; days += 5) {
    world.pass(5 * DAY)
    await sweep(world.context)
  }
  expect(plansOf()).toEqual(['unpaid'])
  return { uid, id }
}

test('a plan that stays unpaid has ended, and says why', async () => {
  const { uid } = await unpaidPlan()
  expect(await stored(uid)).toMatchObject({ status: 'canceled', renewalFailed: true })
})

test('whoever takes a plan again has one: the unpaid one ends at the provider', async () => {
  const { uid, id } = await unpaidPlan()
  const wanted = { tier: 'basic', userId: uid, locale: 'fr' } as const
  await createSubscription(world.context, { uid }, wanted, world.origin)
  await sweep(world.context)
  // Who only looks at the checkout has what they had.
  expect(plansOf()).toEqual(['unpaid'])
  expect(await stored(uid)).toMatchObject({ renewalFailed: true })
  await subscribe(uid)
  world.pass(DAY)
  await sweep(world.context)
  expect(plansOf()).toEqual(['canceled', 'active'])
  const [owed] = (await world.context.stripe.invoices.list({ subscription: id, limit: 1 })).data
  expect(owed?.status).toBe('void')
  expect(await stored(uid)).toMatchObject({ tier: 'basic', status: 'active' })
})
