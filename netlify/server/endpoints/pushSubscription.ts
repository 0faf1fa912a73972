import { ECDH } from 'node:crypto'
import { z } from 'zod'
import type { PushSubscriptionRequest } from '../../../domain/api.ts'
import { LONGEST_ENDPOINT, PUBLIC_KEY } from '../../../domain/push.ts'
import { ok, type Result } from '../../../domain/result.ts'
import type { Session } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { endSubscription, keepSubscription } from '../platform/pushSubscriptions.ts'
import type { RefusalBy } from '../platform/refusals.ts'

/** What a browser says of its subscription. Nothing of it is to be trusted: the caller makes the request. */
export const subscribing = z.strictObject({
  endpoint: z.string().min(1).max(LONGEST_ENDPOINT),
  device: z
    .strictObject({
      p256dh: z.string().regex(PUBLIC_KEY).refine(isOnCurve, 'is no point of P-256'),
      auth: z.string().regex(/^[\w-]{22}$/),
      language: z.enum(['fr', 'en']),
    })
    .nullable(),
})

/**
 * Has the caller told on this device, with the app closed, when a transfer has arrived or was paid back; or ends that.
 * Specification, section 2: the settings' row for notifications.
 *
 * @throws Firestore's error; calling again is safe.
 */
export async function pushSubscription(
  context: Context,
  session: Session,
  { endpoint, device }: PushSubscriptionRequest,
): Promise<Result<object, RefusalBy<'push-subscription'>>> {
  if (device !== null) return keepSubscription(context, session, endpoint, device)
  await endSubscription(context, session.uid, endpoint)
  return ok({})
}

/** Nothing can be encrypted for a key that is none, and it would be tried with each message. */
function isOnCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}
