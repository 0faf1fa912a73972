import { beforeEach, expect, test } from 'vitest'
import { DAY } from '../domain/duration.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { billed, changeCard, opened, stored, subscribe } from './testing/plans.ts'

// Whoever runs the product may have Stripe leave a plan `unpaid` after the last retry, instead of ending it.

testInEmptyWorld()
beforeEach(() => world.sandbox.stripe.afterRetries('unpaid'))

const plansOf = () => billed().map(({ status }) => status)

async function subscribed(uid: string) {
  await subscribe(uid, 'basic')
  await sweep(world.context)
}

/** A plan whose renewal was refused for the last time. */
async function unpaidPlan() {
  const uid = await world.person()
  await subscribed(uid)
  const id = billed()[0]?.id ?? ''
  await changeCard(id, 'pm_card_chargeCustomerFail')
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
  await opened(uid, 'basic')
  await sweep(world.context)
  // Who only looks at the checkout has what they had.
  expect(plansOf()).toEqual(['unpaid'])
  expect(await stored(uid)).toMatchObject({ renewalFailed: true })
  await subscribed(uid)
  world.pass(DAY)
  await sweep(world.context)
  expect(plansOf()).toEqual(['canceled', 'active'])
  const [owed] = (await world.context.stripe.invoices.list({ subscription: id, limit: 1 })).data
  expect(owed?.status).toBe('void')
  expect(await stored(uid)).toMatchObject({ tier: 'basic', status: 'active' })
})
