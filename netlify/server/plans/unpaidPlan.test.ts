import { beforeEach, expect, test } from 'vitest'
import { DAY } from '../../../domain/common/duration.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  expectCheckoutOpened,
  listBilledSubscriptions,
  payForCheckout,
  readStoredSubscription,
  setDefaultCard,
} from '../../testing/plans.ts'
import { runDueWork } from '../endpoints/dueWork.ts'

// An operator can configure Stripe to leave a plan `unpaid` after the last retry instead of ending it.

resetWorldForEachTest()
beforeEach(() => world.sandbox.stripe.afterRetries('unpaid'))

const listPlanStatuses = () => listBilledSubscriptions().map(({ status }) => status)

async function startPlan(uid: string) {
  await payForCheckout(uid, 'basic')
  await runDueWork(world.context)
}

async function createUnpaidPlan() {
  const uid = await world.person()
  await startPlan(uid)
  const id = listBilledSubscriptions()[0]?.id ?? ''
  await setDefaultCard(id, 'pm_card_chargeCustomerFail')
  for (let days = 0; days < 50; days += 5) {
    world.pass(5 * DAY)
    await runDueWork(world.context)
  }
  expect(listPlanStatuses()).toEqual(['unpaid'])
  return { uid, id }
}

test('a plan left unpaid at Stripe is stored as canceled', async () => {
  const { uid } = await createUnpaidPlan()
  expect(await readStoredSubscription(uid)).toMatchObject({ status: 'canceled', renewalFailed: true })
})

test('a new plan ends the unpaid one and voids its invoice', async () => {
  const { uid, id } = await createUnpaidPlan()
  await expectCheckoutOpened(uid, 'basic')
  await runDueWork(world.context)
  expect(listPlanStatuses()).toEqual(['unpaid'])
  expect(await readStoredSubscription(uid)).toMatchObject({ renewalFailed: true })
  await startPlan(uid)
  world.pass(DAY)
  await runDueWork(world.context)
  expect(listPlanStatuses()).toEqual(['canceled', 'active'])
  const [owed] = (await world.context.stripe.invoices.list({ subscription: id, limit: 1 })).data
  expect(owed?.status).toBe('void')
  expect(await readStoredSubscription(uid)).toMatchObject({ tier: 'basic', status: 'active' })
})
