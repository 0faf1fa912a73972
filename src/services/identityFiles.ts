import {
  collection,
  doc,
  getDoc,
  getDocs,
  query,
  serverTimestamp,
  setDoc,
  where,
} from 'firebase/firestore/lite'
import {
  buildSubmissionName,
  type DocumentRecord,
  type IdentityDetails,
  type IdentityFile,
  MAX_DAILY_SUBMISSIONS,
} from '../../domain/account/identity.ts'
import {
  buildIdentityFileSchema,
  submissionSchema,
  submittedIdentitySchema,
} from '../../domain/account/identitySchema.ts'
import { toFailure } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { firestore, instantSchema, parseDocuments, parseStored, withFirestoreErrors } from './firestore.ts'

const CATEGORY = 'identity'

/** Without details and URLs. Specification, section 7. @throws a failure of the operation `fetchFiles`. */
export async function fetchIdentityFiles(uid: string): Promise<readonly IdentityFile[]> {
  const ownFiles = query(
    collection(firestore, 'files'),
    where('userId', '==', uid),
    where('category', '==', CATEGORY),
  )
  const { docs } = await withFirestoreErrors('fetchFiles', () => getDocs(ownFiles))
  return parseDocuments(buildIdentityFileSchema(instantSchema), docs)
}

/** @throws a failure of the operation `fetchFiles`. */
export async function fetchSubmittedFile(id: string): Promise<IdentityDetails & DocumentRecord> {
  const found = await withFirestoreErrors('fetchFiles', () => getDoc(doc(firestore, 'files', id)))
  return parseStored('fetchFiles', submittedIdentitySchema, found.data())
}

/** Null without a submission. @throws a failure of the operation `submitIdentity`. */
export async function fetchLastSubmission(
  uid: string,
): Promise<{ readonly name: string; readonly count: number } | null> {
  const found = await withFirestoreErrors('submitIdentity', () => getDoc(doc(firestore, 'submissions', uid)))
  const data = found.data()
  return data ? parseStored('submitIdentity', submissionSchema, data) : null
}

/** Null if the user has reached the day's maximum. @throws a failure of the operation `submitIdentity`. */
export async function openSubmission(
  uid: string,
  last: { readonly count: number } | null,
): Promise<string | null> {
  const name = buildSubmissionName(serverNow(), crypto.randomUUID())
  const place = doc(firestore, 'submissions', uid)
  const isAnew = last === null || last.count >= MAX_DAILY_SUBMISSIONS
  try {
    await withFirestoreErrors('submitIdentity', () =>
      isAnew
        ? setDoc(place, { name, count: 1, since: serverTimestamp() })
        : setDoc(place, { name, count: last.count + 1 }, { merge: true }),
    )
    return name
  } catch (error) {
    const failure = toFailure(error)
    // The server decides whether a day has passed, not this device's clock.
    const isTooMany = last !== null && isAnew && failure.kind === 'data' && failure.cause === 'denied'
    if (isTooMany) return null
    throw error
  }
}

export async function isFileRecorded(name: string): Promise<boolean> {
  try {
    const found = await withFirestoreErrors('fetchFiles', () => getDoc(doc(firestore, 'files', name)))
    return found.exists()
  } catch (error) {
    const failure = toFailure(error)
    // The rules respond with the same refusal for a file that does not exist.
    if (failure.kind === 'data' && failure.cause === 'denied') return false
    throw error
  }
}

/**
 * Calling again is safe.
 *
 * @throws a failure of the operation `submitIdentity`.
 */
export async function recordFile(
  uid: string,
  name: string,
  { fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth }: IdentityDetails,
  { fileName, fileType, fileSize, downloadUrl }: DocumentRecord,
): Promise<void> {
  const file = {
    userId: uid,
    category: CATEGORY,
    status: 'pending',
    createdAt: serverTimestamp(),
    ...{ fileName, fileType, fileSize, downloadUrl },
    ...{ fullName, idType, idNumber, issuedBy, expirationDate, dateOfBirth },
  }
  try {
    await withFirestoreErrors('submitIdentity', () => setDoc(doc(firestore, 'files', name), file))
  } catch (error) {
    // If an earlier response was lost, the rules forbid overwriting the file.
    if (!(await isFileRecorded(name).catch(() => false))) throw error
  }
}
