import type { Firestore, Query } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { DAY, HOUR } from '../../../domain/common/duration.ts'
import type { Context } from './context.ts'
import { instantSchema } from './documents.ts'
import { consumeRateLimits, type RateLimit } from './rateLimits.ts'
import { files } from './records.ts'

/** How long an identity document may wait for a decision before an operator is alerted, in milliseconds. */
export const MAX_REVIEW_WAIT = DAY

/** The most documents that are counted. */
const MAX_COUNTED = 1000

const ALERTS: RateLimit = { name: 'identity-reviews-late', most: 1, windowMs: DAY }

/**
 * Queries the identity documents that wait for a decision, oldest first by the server's clock. The documents of
 * deleted accounts have another status (`closeIdentityReviews`).
 */
export const queryPendingIdentities = (db: Firestore): Query =>
  files(db).where('status', '==', 'pending').orderBy('createdAt')

/** Returns how many documents wait for a decision, at most 1,000, and for how long the oldest has, in milliseconds. */
export async function measureIdentityQueue({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<{ readonly documents: number; readonly waitMs: number }> {
  const { docs, size } = await queryPendingIdentities(db).limit(MAX_COUNTED).get()
  const [oldest] = docs
  return { documents: size, waitMs: oldest ? now() - v.parse(instantSchema, oldest.get('createdAt')) : 0 }
}

/** Whether a document has waited too long for a decision. */
export async function isIdentityReviewLate({ db, now }: Pick<Context, 'db' | 'now'>): Promise<boolean> {
  const late = queryPendingIdentities(db).where('createdAt', '<=', new Date(now() - MAX_REVIEW_WAIT))
  return !(await late.limit(1).get()).empty
}

/** Alerts an operator, at most once a day, about documents that wait too long. @throws Firestore's error */
export async function alertLateIdentityReviews(context: Context): Promise<void> {
  const allowed = await consumeRateLimits(context, [{ limit: ALERTS, of: 'all' }])
  if (!allowed.ok) return
  const { documents, waitMs } = await measureIdentityQueue(context)
  context.log({ level: 'error', event: 'identityReviewsLate', documents, hours: Math.floor(waitMs / HOUR) })
}

/** Takes a deleted user's documents out of the review. Repeating is safe. @throws Firestore's error */
export async function closeIdentityReviews({ db }: Pick<Context, 'db'>, uid: string): Promise<void> {
  const { docs } = await files(db).where('userId', '==', uid).where('status', '==', 'pending').get()
  for (const { ref } of docs) await ref.update({ status: 'kept' })
}
