import { expect } from 'vitest'
import type { Tier } from '../../domain/schemas/profile.ts'
import { cancelSubscription } from '../server/endpoints/cancelSubscription.ts'
import { createSubscription } from '../server/endpoints/createSubscription.ts'
import { verifySubscription } from '../server/endpoints/verifySubscription.ts'
import { parseCustomer } from '../server/platform/documents.ts'
import { customers, subscriptionOf } from '../server/platform/records.ts'
import { world } from './emptyWorld.ts'
export const CHECKOUTS = '/v1/checkout/sessions'

export const create = (uid: string, tier: Tier = 'premium') =>
  createSubscription(world.context, { uid }, { tier, userId: uid, locale: 'fr' }, world.origin)
export const opened = async (uid: string, tier?: Tier) => {
  const created = await create(uid, tier)
  if (!created.ok) throw new Error(`refused: ${created.error.code}`)
  return created.value.url
}
export const verify = (uid: string, sessionId: string) =>
  verifySubscription(world.context, { uid }, { session_id: sessionId })
export const cancel = (uid: string, subscriptionId: string) =>
  cancelSubscription(world.context, { uid }, { subscriptionId })
export const stored = async (uid: string) =>
  subscriptionOf((await world.context.db.doc(`users/${uid}`).get()).data())
export const billed = () => world.sandbox.stripe.subscriptions()
export const payer = async (uid: string) => parseCustomer(await customers(world.context.db).doc(uid).get())
export const sessions = async () => (await world.context.stripe.checkout.sessions.list({ limit: 100 })).data

/** Pays for a plan as a person does; answers the session that the browser comes back with. */
export async function subscribe(uid: string, tier?: Tier) {
  const back = await world.payCheckout(await opened(uid, tier))
  const { pathname, searchParams } = new URL(back ?? '')
  expect(pathname).toBe('/settings')
  return searchParams.get('session_id') ?? ''
}

export async function active(uid: string, tier?: Tier) {
  const sessionId = await subscribe(uid, tier)
  const verified = await verify(uid, sessionId)
  if (!verified.ok || !verified.value.success) throw new Error('not active')
  return { sessionId, subscriptionId: verified.value.subscriptionId }
}

/** From now on the person's card is refused, or taken again. */
export async function changeCard(subscriptionId: string, card: string) {
  const { stripe } = world.context
  const { customer } = await stripe.subscriptions.retrieve(subscriptionId)
  const { id } = await stripe.paymentMethods.attach(card, { customer: customer as string })
  await stripe.subscriptions.update(subscriptionId, { default_payment_method: id })
}

export const premiumSince = (startDate: number, stripeSubscriptionId: string) => ({
  tier: 'premium' as const,
  status: 'active' as const,
  transactionsLeft: 5,
  startDate,
  lastReset: startDate,
  stripeSubscriptionId,
  cancelAt: null,
})
