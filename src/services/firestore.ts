import { FirebaseError } from 'firebase/app'
import {
  connectFirestoreEmulator,
  type DocumentData,
  type DocumentSnapshot,
  getFirestore,
  Timestamp,
} from 'firebase/firestore/lite'
import type { Operation } from '../../domain/failure.ts'
import { parseOrNull, type Schema } from '../../domain/schema.ts'
import { instantWith } from '../../domain/schemas/instant.ts'
import { isNoAnswer, ServiceError } from '../browser/failure.ts'
import { withTimeout } from '../browser/withTimeout.ts'
import { auth } from './authClient.ts'
import { firebaseApp } from './firebase.ts'
import { settings } from './settings.ts'
import { withToken } from './token.ts'

export const firestore = getFirestore(firebaseApp)
if (import.meta.env.VITE_FIRESTORE_EMULATOR_HOST && settings.firestoreHost) {
  const [host = '', port] = settings.firestoreHost.split(':')
  connectFirestoreEmulator(firestore, host, Number(port ?? 80))
}

/** How long the database may take to answer, in milliseconds: longer than any answer takes on 2G. */
const ANSWERS_WITHIN = 30_000

/** A stored instant as UTC milliseconds. */
export const instant = instantWith((value) => (value instanceof Timestamp ? value.toMillis() : null))

/** A document whose shape decides something, or a failure of the named operation. */
export function reading<T>(operation: Operation, read: Schema<T>, stored: unknown): T {
  const fits = parseOrNull(read, stored)
  if (fits === null) throw new ServiceError({ kind: 'data', operation, cause: 'other' })
  return fits
}

/** The rows of the documents that are what they have to be. The others can't be shown, and are left out. */
export const rowsIn = <T>(read: Schema<T>, documents: readonly DocumentSnapshot<DocumentData>[]): T[] =>
  documents.flatMap((document) => parseOrNull(read, { ...document.data(), id: document.id }) ?? [])

/**
 * Does the work for the person who is signed in. It tries once more when an old token may be the reason of a refusal. What the SDK
 * throws becomes a failure of the named operation. After a sign-out nothing is asked: the rules let nobody in without a token.
 */
export async function asking<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
  await auth.authStateReady()
  if (!auth.currentUser) throw new ServiceError({ kind: 'data', operation, cause: 'denied' })
  try {
    return await withTimeout(withToken(work), ANSWERS_WITHIN)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(dataFailure(operation, error), { cause: error })
  }
}

function dataFailure(operation: Operation, error: unknown) {
  const code = error instanceof FirebaseError ? error.code : ''
  // The lite SDK has no code for an absent network: it passes on the words of the browser's TypeError.
  const isCut = code === 'unknown' && /fetch|network|load failed/i.test((error as Error).message)
  if (isCut || code === 'unavailable' || code === 'deadline-exceeded' || isNoAnswer(error))
    return { kind: 'network' } as const
  const needsIndex = error instanceof Error && /requires an index/i.test(error.message)
  const cause = needsIndex ? 'missingIndex' : code === 'permission-denied' ? 'denied' : 'other'
  return { kind: 'data', operation, cause } as const
}
