import { expect } from 'vitest'
import type { Tier } from '../../domain/account/profileSchema.ts'
import { cancelSubscription } from '../server/endpoints/cancelSubscription.ts'
import { createSubscription } from '../server/endpoints/createSubscription.ts'
import { verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { parseCustomer } from '../server/platform/documents.ts'
import { customers, parseSubscription } from '../server/platform/records.ts'
import { world } from './emptyWorld.ts'
export const CHECKOUT_SESSIONS_PATH = '/v1/checkout/sessions'

export const requestCheckout = (uid: string, tier: Tier = 'premium') =>
  createSubscription(world.context, { uid }, { tier, userId: uid, locale: 'fr' }, world.origin)
export const expectCheckoutOpened = async (uid: string, tier?: Tier) => {
  const created = await requestCheckout(uid, tier)
  if (!created.ok) throw new Error(`refused: ${created.error.code}`)
  return created.value.url
}
export const verifyCheckout = (uid: string, sessionId: string) =>
  verifySubscription(world.context, { uid }, { session_id: sessionId })
export const requestCancellation = (uid: string, subscriptionId: string) =>
  cancelSubscription(world.context, { uid }, { subscriptionId })
export const readStoredSubscription = async (uid: string) =>
  parseSubscription((await world.context.db.doc(`users/${uid}`).get()).data())
export const listBilledSubscriptions = () => world.sandbox.stripe.subscriptions()
export const readCustomer = async (uid: string) =>
  parseCustomer(await customers(world.context.db).doc(uid).get())
export const listCheckoutSessions = async () =>
  (await world.context.stripe.checkout.sessions.list({ limit: 100 })).data

export async function payForCheckout(uid: string, tier?: Tier) {
  const back = await world.payCheckout(await expectCheckoutOpened(uid, tier))
  const { pathname, searchParams } = new URL(back ?? '')
  expect(pathname).toBe('/settings')
  return searchParams.get('session_id') ?? ''
}

export async function activatePlan(uid: string, tier?: Tier) {
  const sessionId = await payForCheckout(uid, tier)
  const verified = await verifyCheckout(uid, sessionId)
  if (!verified.ok || !verified.value.success) throw new Error('not active')
  return { sessionId, subscriptionId: verified.value.subscriptionId }
}

export async function setDefaultCard(subscriptionId: string, card: string) {
  const { stripe } = world.context
  const { customer } = await stripe.subscriptions.retrieve(subscriptionId)
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer as string })
  await stripe.subscriptions.update(subscriptionId, { default_payment_method: id })
}

export async function answerRenewal(page: string, answer: 'complete' | 'fail') {
  const sent = await fetch(page, { method: 'POST', redirect: 'manual' })
  const bank = new URL(sent.headers.get('location') ?? '')
  const answered = await fetch(`${bank.origin}${bank.pathname}/${bank.searchParams.get('source')}`, {
    method: 'POST',
    body: answer,
  })
  expect(answered.status).toBe(200)
}

export const buildPremiumSince = (startDate: number, stripeSubscriptionId: string) => ({
  tier: 'premium' as const,
  status: 'active' as const,
  transactionsLeft: 5,
  startDate,
  lastReset: startDate,
  stripeSubscriptionId,
  cancelAt: null,
})

type BilledSubscription = ReturnType<typeof listBilledSubscriptions>[number]

/** Sends no event. */
export function changeSubscriptionAtStripe(
  subscriptionId: string,
  change: (subscription: BilledSubscription) => void,
) {
  const dump = world.sandbox.stripe.dump()
  for (const [id, subscription] of dump.subscriptions) if (id === subscriptionId) change(subscription)
  world.sandbox.stripe.load(dump)
}
