import type { Tier } from '../../domain/account/profileSchema.ts'
import {
  CANCEL_SUBSCRIPTION,
  CHANGE_CARD,
  CREATE_SUBSCRIPTION,
  REFRESH_PLAN,
  VERIFY_SUBSCRIPTION,
} from '../../domain/api/plans.ts'
import type { Language } from '../../domain/common/language.ts'
import { callFunction, queryFunction } from './functions.ts'

/**
 * Creates a checkout and returns its URL, in the app's language; null if the server sent none. Specification,
 * section 7.
 */
export async function createPlanCheckout(uid: string, tier: Tier, locale: Language): Promise<string | null> {
  const { url } = await callFunction(CREATE_SUBSCRIPTION, { tier, userId: uid, locale })
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null
}

/** Returns the URL of Stripe's page that saves another card for a plan, in the app's language. */
export async function createCardChangeCheckout(subscriptionId: string, locale: Language): Promise<string> {
  return (await callFunction(CHANGE_CARD, { subscriptionId, locale })).url
}

/** Fetches the status of a checkout or of a change of the card. Specification, section 7. */
export const fetchCheckoutStatus = (sessionId: string) =>
  queryFunction(VERIFY_SUBSCRIPTION, { session_id: sessionId })

/** Asks the server to update the stored plan from Stripe. */
export async function syncPlan(): Promise<void> {
  await callFunction(REFRESH_PLAN, {})
}

/**
 * Cancels a plan at the end of its paid period; returns that instant, in UTC ms. Specification, section 7.
 */
export async function cancelSubscription(subscriptionId: string): Promise<number> {
  return (await callFunction(CANCEL_SUBSCRIPTION, { subscriptionId })).cancelAt
}
