import { SET_PUSH_SUBSCRIPTION } from '../../domain/api/notifications.ts'
import type { Language } from '../../domain/common/language.ts'
import { callFunction } from './functions.ts'

export interface PushSubscriptionData {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** @throws the function's `pushServiceUnknown`, `pushUnavailable` or `forbidden`. */
export async function savePushSubscription(
  { endpoint, ...keys }: PushSubscriptionData,
  language: Language,
): Promise<void> {
  await callFunction(SET_PUSH_SUBSCRIPTION, { endpoint, device: { ...keys, language } })
}

/** Calling again is safe. */
export async function deletePushSubscription(endpoint: string): Promise<void> {
  await callFunction(SET_PUSH_SUBSCRIPTION, { endpoint, device: null })
}
