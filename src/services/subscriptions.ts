import {
  CANCEL_SUBSCRIPTION,
  CHANGE_CARD,
  CREATE_SUBSCRIPTION,
  VERIFY_SUBSCRIPTION,
} from '../../domain/api/plans.ts'
import type { Language } from '../../domain/language.ts'
import type { Tier } from '../../domain/schemas/profile.ts'
import { askFunction, callFunction } from './functions.ts'

/** The address of the provider's checkout, in the language of the app. Null when none came. Specification, section 7. */
export async function createSubscription(uid: string, tier: Tier, locale: Language): Promise<string | null> {
  const { url } = await callFunction(CREATE_SUBSCRIPTION, { tier, userId: uid, locale })
  return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null
}

/** The address of the provider's page that saves another card for a plan, in the language of the app. */
export async function changeCard(subscriptionId: string, locale: Language): Promise<string> {
  return (await callFunction(CHANGE_CARD, { subscriptionId, locale })).url
}

/** Where a checkout stands, or the change of a card. Specification, section 7. */
export const verifySubscription = (sessionId: string) =>
  askFunction(VERIFY_SUBSCRIPTION, { session_id: sessionId })

/** Ends a plan with what is paid; answers when that is, in UTC ms. Specification, section 7. */
export async function cancelSubscription(subscriptionId: string): Promise<number> {
  return (await callFunction(CANCEL_SUBSCRIPTION, { subscriptionId })).cancelAt
}
