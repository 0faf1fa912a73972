import { FirebaseError } from 'firebase/app'
import {
  connectFirestoreEmulator,
  type DocumentData,
  type DocumentSnapshot,
  getFirestore,
  Timestamp,
} from 'firebase/firestore/lite'
import * as v from 'valibot'
import type { DataOperation } from '../../domain/errors/failure.ts'
import { isNetworkError, ServiceError } from '../browser/failure.ts'
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

/** In milliseconds: longer than the database takes on 2G. */
const ANSWERS_WITHIN = 30_000

/** UTC milliseconds. */
export const instantSchema = v.pipe(
  v.instance(Timestamp),
  v.transform((at) => at.toMillis()),
)

/** @throws a failure of the operation if the document is invalid. */
export function parseStored<T>(
  operation: DataOperation,
  schema: v.GenericSchema<unknown, T>,
  stored: unknown,
): T {
  const parsed = v.safeParse(schema, stored)
  if (!parsed.success) throw new ServiceError({ kind: 'data', operation, cause: 'other' })
  return parsed.output
}

/** Skips invalid documents, which can't be shown. */
export const parseDocuments = <T>(
  schema: v.GenericSchema<unknown, T>,
  documents: readonly DocumentSnapshot<DocumentData>[],
): T[] => documents.flatMap((document) => parseDocument(schema, document) ?? [])

/** Null if the document is invalid, e.g. because only a newer version of the app knows its values. */
export function parseDocument<T>(
  schema: v.GenericSchema<unknown, T>,
  document: DocumentSnapshot<DocumentData>,
): T | null {
  const parsed = v.safeParse(schema, { ...document.data(), id: document.id })
  return parsed.success ? parsed.output : null
}

export const listUnread = (
  documents: readonly { readonly id: string }[],
  parsed: readonly { readonly id: string }[],
): string[] => {
  const known = new Set(parsed.map(({ id }) => id))
  return documents.flatMap(({ id }) => (known.has(id) ? [] : id))
}

/**
 * Retries once if an old token may have caused a refusal. After a sign-out it makes no request, because the
 * rules refuse every request without a token.
 */
export async function withFirestoreErrors<T>(operation: DataOperation, work: () => Promise<T>): Promise<T> {
  await auth.authStateReady()
  if (!auth.currentUser) throw new ServiceError({ kind: 'data', operation, cause: 'denied' })
  try {
    return await withTimeout(withToken(work), ANSWERS_WITHIN)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(toDataFailure(operation, error), { cause: error })
  }
}

function toDataFailure(operation: DataOperation, error: unknown) {
  const code = error instanceof FirebaseError ? error.code : ''
  // The lite SDK has no code for a missing network.
  const isCut = code === 'unknown' && /fetch|network|load failed/i.test((error as Error).message)
  if (isCut || code === 'unavailable' || code === 'deadline-exceeded' || isNetworkError(error))
    return { kind: 'network' } as const
  const needsIndex = error instanceof Error && /requires an index/i.test(error.message)
  const cause = needsIndex ? 'missingIndex' : code === 'permission-denied' ? 'denied' : 'other'
  return { kind: 'data', operation, cause } as const
}
