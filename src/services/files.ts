import { FirebaseError } from 'firebase/app'
import {
  connectStorageEmulator,
  deleteObject,
  getDownloadURL,
  getMetadata,
  getStorage,
  ref,
  uploadBytesResumable,
} from 'firebase/storage'
import { type DocumentType, STORAGE_RETRY_LIMITS } from '../../domain/identity.ts'
import { STORAGE_CODES, type StorageCode } from '../../domain/storageCode.ts'
import { ServiceError } from '../browser/failure.ts'
import { firebaseApp } from './firebase.ts'
import { settings } from './settings.ts'
import { withToken } from './token.ts'

// The SDK itself tries again after 5xx, 408, 429 and a connection that breaks. Specification, sections 7 and 9.
const storage = getStorage(firebaseApp)
storage.maxOperationRetryTime = STORAGE_RETRY_LIMITS.operation
storage.maxUploadRetryTime = STORAGE_RETRY_LIMITS.upload
if (import.meta.env.VITE_FIREBASE_STORAGE_EMULATOR_HOST && settings.storageHost) {
  const [host = '', port] = settings.storageHost.split(':')
  connectStorageEmulator(storage, host, Number(port ?? 80))
}

const placeOf = (uid: string, name: string) => ref(storage, `identity/${uid}/${name}`)

/**
 * Uploads a document straight to the storage; `onProgress` is told the share that has arrived, from 0 to 1. Aborting the
 * signal cancels. Asked again with the same name, it finds what is there. Fails with `storage`.
 */
export async function uploadDocument(
  uid: string,
  name: string,
  { content, type }: { readonly content: Blob; readonly type: DocumentType },
  { onProgress, signal }: { readonly onProgress: (share: number) => void; readonly signal: AbortSignal },
): Promise<void> {
  await withToken(() => upload())

  async function upload() {
    const task = uploadBytesResumable(placeOf(uid, name), content, { contentType: type })
    const stopTelling = task.on('state_changed', ({ bytesTransferred, totalBytes }) =>
      onProgress(bytesTransferred / totalBytes),
    )
    const cancel = () => task.cancel()
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    try {
      await task
    } catch (error) {
      const failed = storageError(error)
      // When the last answer was lost, the document is there, and the next try is refused because nothing may be written over.
      if (signal.aborted || !(await isThere(uid, name, content.size))) throw failed
    } finally {
      stopTelling()
      signal.removeEventListener('abort', cancel)
    }
  }
}

async function isThere(uid: string, name: string, size: number): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    return (await getMetadata(placeOf(uid, name))).size === size
  } catch {
    return false
  }
}

/** The address of a stored document, with its token: for its record, and for nothing else. Fails with `storage`. */
export const documentAddress = (uid: string, name: string): Promise<string> =>
  asking(() => getDownloadURL(placeOf(uid, name)))

/** Deletes a document that is not recorded. A document that is not there is no failure. Fails with `storage`. */
export async function removeDocument(uid: string, name: string): Promise<void> {
  try {
    await asking(() => deleteObject(placeOf(uid, name)))
  } catch (error) {
    const isGone =
      error instanceof ServiceError &&
      error.failure.kind === 'storage' &&
      error.failure.code === 'object-not-found'
    if (!isGone) throw error
  }
}

async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withToken(work)
  } catch (error) {
    throw error instanceof ServiceError ? error : storageError(error)
  }
}

const isKnown = (code: string): code is StorageCode => (STORAGE_CODES as readonly string[]).includes(code)

function storageError(error: unknown): ServiceError {
  const code = error instanceof FirebaseError ? error.code.replace(/^storage\//, '') : ''
  return new ServiceError({ kind: 'storage', code: isKnown(code) ? code : 'other' }, { cause: error })
}
