import type { Firestore, Query } from 'firebase-admin/firestore'
import type { Context } from '../platform/context.ts'
import { files } from '../platform/records.ts'

/** Oldest first. The documents of deleted accounts have another status (`closeIdentityReviews`). */
export const queryPendingIdentities = (db: Firestore): Query =>
  files(db).where('status', '==', 'pending').orderBy('createdAt')

export const queryIdentities = (db: Firestore, uid: string): Query =>
  files(db).where('userId', '==', uid).where('category', '==', 'identity')

/** Repeating is safe. @throws Firestore's error */
export async function closeIdentityReviews({ db }: Pick<Context, 'db'>, uid: string): Promise<void> {
  const { docs } = await files(db).where('userId', '==', uid).where('status', '==', 'pending').get()
  for (const { ref } of docs) await ref.update({ status: 'kept' })
}
