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

/** Null if the server sent no URL. Specification, section 7. */
export async function createPlanCheckout(uid: string, tier: Tier, locale: Language): Promise<string | null> {
  const { url } = await callFunction(CREATE_SUBSCRIPTION, { tier, userId: uid, locale })
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null
}

export async function createCardChangeCheckout(subscriptionId: string, locale: Language): Promise<string> {
  return (await callFunction(CHANGE_CARD, { subscriptionId, locale })).url
}

/** Specification, section 7. */
export const fetchCheckoutStatus = (sessionId: string) =>
  queryFunction(VERIFY_SUBSCRIPTION, { session_id: sessionId })

export async function requestPlanRefresh(): Promise<void> {
  await callFunction(REFRESH_PLAN, {})
}

/** Returns the end of the paid period, in UTC ms. Specification, section 7. */
export async function cancelSubscription(subscriptionId: string): Promise<number> {
  return (await callFunction(CANCEL_SUBSCRIPTION, { subscriptionId })).cancelAt
}
