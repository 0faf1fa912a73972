import { createHash } from 'node:crypto'
import type { PushSubscriptionRequest } from '../../../../domain/api.ts'
import { isPushEndpoint } from '../../../../domain/push.ts'
import { err, ok, type Result } from '../../../../domain/result.ts'
import type { Session } from '../../platform/caller.ts'
import { type PushSubscriptionRecord, parsePushSubscription } from '../../platform/documents.ts'
import { subscriptionsOf } from '../../platform/pushSubscriptions.ts'
import { pushSubscriptions } from '../../platform/records.ts'
import { type Refusal, refusal } from '../../platform/refusals.ts'
import type { PayoutContext } from '../payoutContext.ts'

/** On how many devices one person is told. One more takes the place of the oldest. */
export const MOST_DEVICES = 5

/**
 * Keeps a device as one on which the caller is told. A browser that somebody else was told on, on a phone that was passed on say, is the
 * caller's from now on, if the caller knows its keys too: nobody takes a device by its address alone.
 *
 * @throws Firestore's error; calling again is safe.
 */
export async function keepSubscription(
  { db, push, now }: Pick<PayoutContext, 'db' | 'push' | 'now'>,
  { uid, issuedAt }: Pick<Session, 'uid' | 'issuedAt'>,
  endpoint: string,
  device: NonNullable<PushSubscriptionRequest['device']>,
): Promise<Result<object, Refusal<'forbidden' | 'pushUnavailable' | 'pushServiceUnknown'>>> {
  if (push === null) return err(refusal('pushUnavailable'))
  if (!isPushEndpoint(endpoint, push.service)) return err(refusal('pushServiceUnknown'))
  const ref = pushSubscriptions(db).doc(nameOf(endpoint))
  return db.runTransaction(async (tx) => {
    const [stored, own] = await Promise.all([tx.get(ref), tx.get(subscriptionsOf({ db }, uid))])
    const before = parsePushSubscription(stored)
    const isSameDevice = before?.p256dh === device.p256dh && before.auth === device.auth
    if (before && before.uid !== uid && !isSameDevice) return err(refusal('forbidden'))
    const others = own.docs.filter(({ id }) => id !== ref.id)
    const newestFirst = others.sort((one, other) => other.get('createdAt') - one.get('createdAt'))
    for (const { ref: oldest } of newestFirst.slice(MOST_DEVICES - 1)) tx.delete(oldest)
    const record: PushSubscriptionRecord = { uid, endpoint, ...device, issuedAt, createdAt: now() }
    tx.set(ref, record)
    return ok({})
  })
}

/** Ends that the caller is told on a device. One that is not theirs, or not there any more, stays as it is. */
export async function endSubscription(
  { db }: Pick<PayoutContext, 'db'>,
  uid: string,
  endpoint: string,
): Promise<void> {
  const ref = pushSubscriptions(db).doc(nameOf(endpoint))
  await db.runTransaction(async (tx) => {
    if (parsePushSubscription(await tx.get(ref))?.uid === uid) tx.delete(ref)
  })
}

/** An endpoint is longer than the name of a document may be, and holds slashes. */
const nameOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('hex')
