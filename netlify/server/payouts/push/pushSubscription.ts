import { ECDH } from 'node:crypto'
import type { PushSubscriptionRequest } from '../../../../domain/api.ts'
import { err, ok, type Result } from '../../../../domain/result.ts'
import type { Session } from '../../platform/caller.ts'
import { type RefusalBy, refusal } from '../../platform/refusals.ts'
import type { PayoutContext } from '../payoutContext.ts'
import { endSubscription, keepSubscription } from './subscriptions.ts'

/**
 * Has the caller told on this device, with the app closed, when a transfer has arrived or was paid back; or ends that.
 * Specification, section 2: the settings' row for notifications.
 *
 * @throws Firestore's error; calling again is safe.
 */
export async function pushSubscription(
  context: PayoutContext,
  session: Session,
  { endpoint, device }: PushSubscriptionRequest,
): Promise<Result<object, RefusalBy<'push-subscription'>>> {
  if (device !== null && !isOnCurve(device.p256dh))
    return err(refusal('invalidRequest', { message: 'device.p256dh is not a point of P-256' }))
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
