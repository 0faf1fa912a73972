import { expect, test } from 'vitest'
import { DAY, HOUR } from '../../../domain/common/duration.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  activatePlan,
  answerRenewal,
  listBilledSubscriptions,
  readStoredSubscription,
  setDefaultCard,
} from '../../testing/plans.ts'
import { runDueWork } from '../endpoints/dueWork.ts'

resetWorldForEachTest()

const RENEWAL = Date.UTC(2026, 11, 20, 12)

async function createUnconfirmedRenewal(card = 'pm_card_authenticationRequired') {
  const uid = await world.person()
  const { subscriptionId } = await activatePlan(uid)
  await setDefaultCard(subscriptionId, card)
  world.setTime(RENEWAL + HOUR)
  expect(await refresh(uid)).toEqual({ status: 200, body: {} })
  const { latest_invoice: invoice } = await world.context.stripe.subscriptions.retrieve(subscriptionId)
  const { hosted_invoice_url: page } = await world.context.stripe.invoices.retrieve(String(invoice))
  return { uid, subscriptionId, invoice: String(invoice), page: page ?? '' }
}

const refresh = async (uid: string) => world.invoke('refresh-plan', {}, { token: await world.token(uid) })

const verify = async (uid: string, session_id: string) =>
  (
    await world.invoke(
      'verify-subscription',
      { session_id },
      { token: await world.token(uid), method: 'GET' },
    )
  ).body

async function saveCard(uid: string, subscriptionId: string, number: string) {
  const token = await world.token(uid)
  const { body } = await world.invoke('change-card', { subscriptionId }, { token })
  const back = await world.payCheckout(String(body.url), number)
  return new URL(back ?? '').searchParams.get('session_id') ?? ''
}

test('an unconfirmed renewal keeps the plan, with page and next attempt', async () => {
  const { uid, page } = await createUnconfirmedRenewal()
  expect(await readStoredSubscription(uid)).toMatchObject({
    status: 'active',
    renewalFailed: true,
    confirmation: { url: page, keptUntil: RENEWAL + 3 * DAY },
  })
  expect(world.sandbox.stripe.charges()).toHaveLength(1)
})

test('a declined renewal names no page', async () => {
  const { uid } = await createUnconfirmedRenewal('pm_card_chargeCustomerFail')
  const stored = await readStoredSubscription(uid)
  expect(stored).toMatchObject({ renewalFailed: true })
  expect(stored).not.toHaveProperty('confirmation')
})

test('a user’s request stores a confirmed renewal before any event', async () => {
  const { uid, page } = await createUnconfirmedRenewal()
  await answerRenewal(page, 'complete')
  expect(await refresh(uid)).toMatchObject({ status: 200 })
  const stored = await readStoredSubscription(uid)
  expect(stored).toMatchObject({ status: 'active' })
  expect(stored).not.toHaveProperty('renewalFailed')
  expect(stored).not.toHaveProperty('confirmation')
  expect(world.sandbox.stripe.charges().map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
})

test('a confirmed renewal’s event updates the plan without the user', async () => {
  const { uid, page } = await createUnconfirmedRenewal()
  await answerRenewal(page, 'complete')
  world.sandbox.stripe.runDueBilling()
  const paid = world.sandbox.stripe.events().findLast(({ type }) => type === 'invoice.paid')
  await world.deliver(paid ?? {})
  expect(await readStoredSubscription(uid)).not.toHaveProperty('confirmation')
})

test('a failed authentication leaves a declined renewal', async () => {
  const { uid, page } = await createUnconfirmedRenewal()
  await answerRenewal(page, 'fail')
  await refresh(uid)
  const stored = await readStoredSubscription(uid)
  expect(stored).toMatchObject({ status: 'active', renewalFailed: true })
  expect(stored).not.toHaveProperty('confirmation')
})

test('refreshing a plan neither shows nor changes others’ plans', async () => {
  const { uid } = await createUnconfirmedRenewal()
  const other = await world.person()
  const before = [await readStoredSubscription(uid), await readStoredSubscription(other)]
  expect(await refresh(other)).toEqual({ status: 200, body: {} })
  expect([await readStoredSubscription(uid), await readStoredSubscription(other)]).toEqual(before)
})

test('an unconfirmed card is not reported as declined', async () => {
  const { uid, subscriptionId, page } = await createUnconfirmedRenewal('pm_card_chargeCustomerFail')
  const sessionId = await saveCard(uid, subscriptionId, '4000002760003184')
  const unconfirmed = { success: false, tier: 'premium', subscriptionId, status: 'unconfirmed' }
  expect(await verify(uid, sessionId)).toEqual(unconfirmed)
  expect(await verify(uid, sessionId)).toEqual(unconfirmed)
  expect(await readStoredSubscription(uid)).toMatchObject({ confirmation: { url: page } })
  await answerRenewal(page, 'complete')
  expect(await verify(uid, sessionId)).toEqual({ success: true, tier: 'premium', subscriptionId })
  expect(world.sandbox.stripe.charges().filter(({ paid }) => paid)).toHaveLength(2)
})

test('a never confirmed renewal can’t be paid after the plan’s end', async () => {
  const { uid, invoice } = await createUnconfirmedRenewal()
  world.setTime(RENEWAL + 16 * DAY)
  await runDueWork(world.context)
  expect(listBilledSubscriptions()).toMatchObject([{ status: 'canceled' }])
  const stored = await readStoredSubscription(uid)
  expect(stored).toMatchObject({ status: 'canceled', renewalFailed: true })
  expect(stored).not.toHaveProperty('confirmation')
  expect((await world.context.stripe.invoices.retrieve(invoice)).status).toBe('void')
})
