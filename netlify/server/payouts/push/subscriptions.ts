import { createHash } from 'node:crypto'
import type { PushSubscriptionRequest } from '../../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../../domain/common/result.ts'
import { isPushEndpoint } from '../../../../domain/transfers/push.ts'
import { queryPushSubscriptions } from '../../accounts/pushSubscriptions.ts'
import type { CallerSession } from '../../platform/caller.ts'
import { type PushSubscriptionRecord, parsePushSubscription } from '../../platform/documents.ts'
import { pushSubscriptions } from '../../platform/records.ts'
import { buildRefusal, type Refusal } from '../../platform/refusals.ts'
import type { PayoutContext } from '../payoutContext.ts'

/** One more device replaces the oldest. */
export const MAX_PUSH_DEVICES = 5

/**
 * A browser registered by another user, such as on a phone that was passed on, moves to the caller only if
 * the caller knows its keys: the URL alone is not enough. @throws Firestore's error; calling again is safe.
 */
export async function registerPushDevice(
  { db, push, now }: Pick<PayoutContext, 'db' | 'push' | 'now'>,
  { uid, issuedAt }: Pick<CallerSession, 'uid' | 'issuedAt'>,
  endpoint: string,
  device: NonNullable<PushSubscriptionRequest['device']>,
): Promise<Result<object, Refusal<'forbidden' | 'pushUnavailable' | 'pushServiceUnknown'>>> {
  if (push === null) return err(buildRefusal('pushUnavailable'))
  if (!isPushEndpoint(endpoint, push.service)) return err(buildRefusal('pushServiceUnknown'))
  const ref = pushSubscriptions(db).doc(buildSubscriptionId(endpoint))
  return db.runTransaction(async (tx) => {
    const [stored, own] = await Promise.all([tx.get(ref), tx.get(queryPushSubscriptions({ db }, uid))])
    const before = parsePushSubscription(stored)
    const isSameDevice = before?.p256dh === device.p256dh && before.auth === device.auth
    if (before && before.uid !== uid && !isSameDevice) return err(buildRefusal('forbidden'))
    const others = own.docs.filter(({ id }) => id !== ref.id)
    const newestFirst = others.sort((one, other) => other.get('createdAt') - one.get('createdAt'))
    for (const { ref: oldest } of newestFirst.slice(MAX_PUSH_DEVICES - 1)) tx.delete(oldest)
    const record: PushSubscriptionRecord = { uid, endpoint, ...device, issuedAt, createdAt: now() }
    tx.set(ref, record)
    return ok({})
  })
}

/** A device of another user stays registered. */
export async function unregisterPushDevice(
  { db }: Pick<PayoutContext, 'db'>,
  uid: string,
  endpoint: string,
): Promise<void> {
  const ref = pushSubscriptions(db).doc(buildSubscriptionId(endpoint))
  await db.runTransaction(async (tx) => {
    if (parsePushSubscription(await tx.get(ref))?.uid === uid) tx.delete(ref)
  })
}

/** An endpoint contains slashes and may be too long for a document ID. */
const buildSubscriptionId = (endpoint: string) => createHash('sha256').update(endpoint).digest('hex')
