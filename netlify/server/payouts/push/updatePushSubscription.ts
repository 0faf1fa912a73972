import { ECDH } from 'node:crypto'
import type { PushSubscriptionRequest } from '../../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../../domain/common/result.ts'
import type { CallerSession } from '../../platform/caller.ts'
import { buildRefusal, type FunctionRefusal } from '../../platform/refusals.ts'
import type { PayoutContext } from '../payoutContext.ts'
import { registerPushDevice, unregisterPushDevice } from './subscriptions.ts'

/** Specification, section 2. @throws Firestore's error; calling again is safe. */
export async function updatePushSubscription(
  context: PayoutContext,
  session: CallerSession,
  { endpoint, device }: PushSubscriptionRequest,
): Promise<Result<object, FunctionRefusal<'push-subscription'>>> {
  if (device !== null && !isOnCurve(device.p256dh))
    return err(buildRefusal('invalidRequest', { message: 'device.p256dh must be a point of P-256' }))
  if (device !== null) return registerPushDevice(context, session, endpoint, device)
  await unregisterPushDevice(context, session.uid, endpoint)
  return ok({})
}

/** With an invalid key no message can be encrypted. */
function isOnCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}
