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
  type DocumentRecord,
  type IdentityDetails,
  type IdentityFile,
  MAX_SUBMISSIONS,
  submissionName,
} from '../../domain/identity.ts'
import {
  identityFileSchema,
  submissionSchema,
  submittedIdentitySchema,
} from '../../domain/schemas/identity.ts'
import { failureOf } from '../browser/failure.ts'
import { serverNow } from '../browser/serverTime.ts'
import { asking, firestore, instant, reading, rowsIn } from './firestore.ts'

const CATEGORY = 'identity'

/** The person's identity files, without details and addresses. Fails with `fetchFiles`. Specification, section 7. */
export async function fetchIdentityFiles(uid: string): Promise<readonly IdentityFile[]> {
  const mine = query(
    collection(firestore, 'files'),
    where('userId', '==', uid),
    where('category', '==', CATEGORY),
  )
  const { docs } = await asking('fetchFiles', () => getDocs(mine))
  return rowsIn(identityFileSchema(instant), docs)
}

/** Details and document of a file that was handed in, to hand one of them in again. Fails with `fetchFiles`. */
export async function fetchSubmitted(id: string): Promise<IdentityDetails & DocumentRecord> {
  const found = await asking('fetchFiles', () => getDoc(doc(firestore, 'files', id)))
  return reading('fetchFiles', submittedIdentitySchema, found.data())
}

/** The name of the submission that was opened last, if any. Fails with `submitIdentity`. */
export async function lastSubmission(
  uid: string,
): Promise<{ readonly name: string; readonly count: number } | null> {
  const found = await asking('submitIdentity', () => getDoc(doc(firestore, 'submissions', uid)))
  const data = found.data()
  return data ? reading('submitIdentity', submissionSchema, data) : null
}

/**
 * Opens a submission after the last one, which ends by it. Answers its name, or null when the person had as many as there
 * may be in a day. Fails with `submitIdentity`.
 */
export async function openSubmission(
  uid: string,
  last: { readonly count: number } | null,
): Promise<string | null> {
  const name = submissionName(serverNow(), crypto.randomUUID())
  const place = doc(firestore, 'submissions', uid)
  const isAnew = last === null || last.count >= MAX_SUBMISSIONS
  try {
    await asking('submitIdentity', () =>
      isAnew
        ? setDoc(place, { name, count: 1, since: serverTimestamp() })
        : setDoc(place, { name, count: last.count + 1 }, { merge: true }),
    )
    return name
  } catch (error) {
    const failure = failureOf(error)
    // The server decides whether a day has passed, not this device's clock.
    const isTooMany = last !== null && isAnew && failure.kind === 'data' && failure.cause === 'denied'
    if (isTooMany) return null
    throw error
  }
}

/** Whether the submission's file is recorded. */
export async function isRecorded(name: string): Promise<boolean> {
  try {
    const found = await asking('fetchFiles', () => getDoc(doc(firestore, 'files', name)))
    return found.exists()
  } catch (error) {
    const failure = failureOf(error)
    // The rules give the same refusal for a file that does not exist.
    if (failure.kind === 'data' && failure.cause === 'denied') return false
    throw error
  }
}

/** Records the submission's file. Calling again records it only once. Fails with `submitIdentity`. */
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
    await asking('submitIdentity', () => setDoc(doc(firestore, 'files', name), file))
  } catch (error) {
    // An earlier answer may have been lost. Then the file is there, and the rules let nobody write over it.
    if (!(await isRecorded(name).catch(() => false))) throw error
  }
}
