import { describe, expect, test } from 'vitest'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import { DAY } from '../../../domain/common/duration.ts'
import { countSlotsLeft } from '../../../domain/prices/plans.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import {
  activatePlan,
  changeSubscriptionAtStripe,
  payForCheckout,
  readCustomer,
  readStoredSubscription,
  requestCheckout,
  setDefaultCard,
  verifyCheckout,
} from '../../testing/plans.ts'
import { openCardForm } from '../../testing/savedCards.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { customers } from '../platform/records.ts'

resetWorldForEachTest()

async function checkTomorrow() {
  world.pass(DAY)
  expect(await runDueWork(world.context)).toMatchObject({ planChecked: 1 })
}

describe('a subscription that is moved to another price', () => {
  const changePrice = (subscriptionId: string, tier: Tier, lookupKey: string | null) =>
    changeSubscriptionAtStripe(subscriptionId, ({ items }) => {
      const [item] = items.data
      const cents = tier === 'basic' ? 200 : 500
      item.price = { ...item.price, id: `price_${tier}`, lookup_key: lookupKey, unit_amount: cents }
    })

  test.each(['passerelle_premium', null])(
    'another price changes the plan’s tier (lookup key %s)',
    async (lookupKey) => {
      const uid = await world.person()
      const { subscriptionId, sessionId } = await activatePlan(uid, 'basic')
      await world.context.db.doc(`users/${uid}`).update({ 'subscription.transactionsLeft': 1 })
      changePrice(subscriptionId, 'premium', lookupKey)
      await checkTomorrow()
      // One of the basic plan's two transfers was used, so one of the premium plan's five counts as used.
      const plan = { tier: 'premium', transactionsLeft: 4, stripeSubscriptionId: subscriptionId }
      expect(await readStoredSubscription(uid)).toMatchObject(plan)
      expect(await verifyCheckout(uid, sessionId)).toMatchObject({
        value: { success: true, tier: 'premium' },
      })
      expect(await readStoredSubscription(uid)).toMatchObject(plan)
    },
  )

  test('a smaller plan never leaves a negative number of transfers', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid, 'premium')
    await world.context.db.doc(`users/${uid}`).update({ 'subscription.transactionsLeft': 1 })
    changePrice(subscriptionId, 'basic', 'passerelle_basic')
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject({ tier: 'basic', transactionsLeft: 0 })
  })

  test('an unknown price keeps the tier and alerts an operator', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid, 'basic')
    changeSubscriptionAtStripe(subscriptionId, ({ items }) => {
      const [item] = items.data
      item.price = { ...item.price, id: 'price_other', lookup_key: null, unit_amount: 900 }
    })
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject({
      tier: 'basic',
      status: 'active',
      transactionsLeft: 2,
    })
    expect(world.logged).toContainEqual({
      level: 'error',
      event: 'planPriceUnknown',
      subscriptionId,
      prices: ['price_other'],
    })
  })
})

describe('a customer that is deleted', () => {
  const deleteCustomer = async (uid: string) =>
    world.context.stripe.customers.del((await readCustomer(uid))?.customerId ?? '')

  test('a deleted customer keeps the paid month, and may begin again', async () => {
    const uid = await world.person()
    await activatePlan(uid)
    world.pass(DAY)
    await deleteCustomer(uid)
    const cancelAt = Date.UTC(2026, 11, 20, 12)
    const kept = { tier: 'premium', status: 'canceled', transactionsLeft: 5, cancelAt }
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject(kept)
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject(kept)
    await activatePlan(uid, 'basic')
    expect(await readStoredSubscription(uid)).toMatchObject({
      tier: 'basic',
      status: 'active',
      cancelAt: null,
    })
  })

  test('a deleted customer without a paid month loses the plan', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    await setDefaultCard(subscriptionId, 'pm_card_chargeCustomerFail')
    world.setTime(Date.UTC(2026, 11, 20, 14))
    await runDueWork(world.context)
    expect(await readStoredSubscription(uid)).toMatchObject({ status: 'active', renewalFailed: true })
    await deleteCustomer(uid)
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject({ status: 'canceled', cancelAt: world.now() })
  })

  test('the next payment replaces a deleted customer', async () => {
    const uid = await world.person()
    await activatePlan(uid)
    const former = (await readCustomer(uid))?.customerId
    await deleteCustomer(uid)
    const request = buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } })
    const begun = await expectTransferPaymentStarted(request)
    expect(begun.customerSession).not.toBeNull()
    expect((await openCardForm(world, begun))?.cards).toEqual([])
    expect((await readCustomer(uid))?.customerId).not.toBe(former)
    // The new customer has no plan, so the paid month still ends.
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject({
      status: 'canceled',
      cancelAt: Date.UTC(2026, 11, 20, 12),
    })
  })

  test('a customer that Stripe does not know is kept', async () => {
    const uid = await world.person()
    await activatePlan(uid)
    await customers(world.context.db).doc(uid).update({ customerId: 'cus_ofAnotherAccount' })
    const begun = await expectTransferPaymentStarted(
      buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } }),
    )
    expect(begun.customerSession).toBeNull()
    expect((await readCustomer(uid))?.customerId).toBe('cus_ofAnotherAccount')
  })
})

describe('a subscription that is paused', () => {
  const paidUntil = Date.UTC(2026, 11, 20, 12)
  const runDailyChecks = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      world.pass(DAY)
      await runDueWork(world.context)
    }
  }

  test.each(['keep_as_draft', 'mark_uncollectible', 'void'] as const)(
    'a plan with paused collection (%s) offers nothing in unpaid months',
    async (behavior) => {
      const uid = await world.person()
      const { subscriptionId } = await activatePlan(uid)
      changeSubscriptionAtStripe(subscriptionId, (subscription) => {
        subscription.pause_collection = { behavior, resumes_at: null }
      })
      await checkTomorrow()
      expect(await readStoredSubscription(uid)).toMatchObject({ status: 'canceled', cancelAt: paidUntil })
      await runDailyChecks(60)
      expect(await readStoredSubscription(uid)).toMatchObject({
        status: 'canceled',
        cancelAt: expect.any(Number),
      })
      expect(countSlotsLeft(await readStoredSubscription(uid), world.now())).toBeNull()
      expect(await requestCheckout(uid)).toMatchObject({ error: { code: 'planActive' } })

      // The unpaid months stay without a plan; the next one is charged.
      changeSubscriptionAtStripe(subscriptionId, (subscription) => {
        subscription.pause_collection = null
      })
      await checkTomorrow()
      expect(countSlotsLeft(await readStoredSubscription(uid), world.now())).toBeNull()
      await runDailyChecks(31)
      expect(await readStoredSubscription(uid)).toMatchObject({ status: 'active', cancelAt: null })
    },
  )

  test('a paused plan keeps its month, and refuses a second', async () => {
    const uid = await world.person()
    const { subscriptionId } = await activatePlan(uid)
    changeSubscriptionAtStripe(subscriptionId, (subscription) => {
      subscription.status = 'paused'
    })
    await checkTomorrow()
    expect(await readStoredSubscription(uid)).toMatchObject({
      status: 'canceled',
      cancelAt: paidUntil,
      transactionsLeft: 5,
    })
    await runDailyChecks(40)
    expect(countSlotsLeft(await readStoredSubscription(uid), world.now())).toBeNull()
    expect(await requestCheckout(uid)).toMatchObject({ error: { code: 'planActive' } })
  })
})

test('a completed checkout with nothing to pay starts its plan', async () => {
  const uid = await world.person()
  const sessionId = await payForCheckout(uid)
  const dump = world.sandbox.stripe.dump()
  for (const [, session] of dump.sessions) session.payment_status = 'no_payment_required'
  world.sandbox.stripe.load(dump)
  expect(await verifyCheckout(uid, sessionId)).toMatchObject({ value: { success: true, tier: 'premium' } })
})

test('an unknown status keeps the month and alerts an operator', async () => {
  const uid = await world.person()
  const { subscriptionId } = await activatePlan(uid)
  changeSubscriptionAtStripe(subscriptionId, (subscription) =>
    Object.assign(subscription, { status: 'suspended' }),
  )
  await checkTomorrow()
  expect(await readStoredSubscription(uid)).toMatchObject({
    status: 'canceled',
    cancelAt: Date.UTC(2026, 11, 20, 12),
  })
  expect(await requestCheckout(uid)).toMatchObject({ error: { code: 'planActive' } })
  expect(world.logged).toContainEqual({
    level: 'error',
    event: 'planStatusUnknown',
    subscriptionId,
    status: 'suspended',
  })
})
