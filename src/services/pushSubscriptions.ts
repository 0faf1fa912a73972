import { PUSH_SUBSCRIPTION } from '../../domain/api/notifications.ts'
import type { Language } from '../../domain/language.ts'
import { callFunction } from './functions.ts'

/** What the browser's subscription is, as `PushSubscription.toJSON()` has it. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Has the signed-in person told on this device. Refused with `pushServiceUnknown`, `pushUnavailable` or `forbidden`. */
export async function keepPushSubscription(
  { endpoint, ...keys }: PushAddress,
  language: Language,
): Promise<void> {
  await callFunction(PUSH_SUBSCRIPTION, { endpoint, device: { ...keys, language } })
}

/** Ends that. Calling again is safe. */
export async function endPushSubscription(endpoint: string): Promise<void> {
  await callFunction(PUSH_SUBSCRIPTION, { endpoint, device: null })
}
