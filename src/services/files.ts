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
import { type DocumentType, STORAGE_RETRY_LIMITS } from '../../domain/account/identity.ts'
import { STORAGE_ERROR_CODES, type StorageErrorCode } from '../../domain/errors/storageErrorCode.ts'
import { ServiceError } from '../browser/failure.ts'
import { checkNetwork } from '../browser/network.ts'
import { firebaseApp } from './firebase.ts'
import { settings } from './settings.ts'
import { withToken } from './token.ts'

// The SDK retries after 5xx, 408, 429 and a broken connection. Specification, sections 7 and 9.
const storage = getStorage(firebaseApp)
storage.maxOperationRetryTime = STORAGE_RETRY_LIMITS.operation
storage.maxUploadRetryTime = STORAGE_RETRY_LIMITS.upload
if (import.meta.env.VITE_FIREBASE_STORAGE_EMULATOR_HOST && settings.storageHost) {
  const [host = '', port] = settings.storageHost.split(':')
  connectStorageEmulator(storage, host, Number(port ?? 80))
}

const getDocumentRef = (uid: string, name: string) => ref(storage, `identity/${uid}/${name}`)

/**
 * `onProgress` gets the share that has arrived, from 0 to 1. Calling again with the same name is safe.
 * @throws a failure of kind `storage`.
 */
export async function uploadDocument(
  uid: string,
  name: string,
  { content, type }: { readonly content: Blob; readonly type: DocumentType },
  { onProgress, signal }: { readonly onProgress: (share: number) => void; readonly signal: AbortSignal },
): Promise<void> {
  await withToken(() => upload())

  async function upload() {
    const task = uploadBytesResumable(getDocumentRef(uid, name), content, { contentType: type })
    const stopTelling = task.on('state_changed', ({ bytesTransferred, totalBytes }) =>
      onProgress(bytesTransferred / totalBytes),
    )
    const cancel = () => task.cancel()
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    try {
      await task
    } catch (error) {
      const failed = toStorageError(error)
      // If an earlier response was lost, the rules forbid overwriting the document.
      if (signal.aborted || !(await isDocumentStored(uid, name, content.size))) throw failed
    } finally {
      stopTelling()
      signal.removeEventListener('abort', cancel)
    }
  }
}

async function isDocumentStored(uid: string, name: string, size: number): Promise<boolean> {
  if (!(await checkNetwork())) return false
  try {
    return (await getMetadata(getDocumentRef(uid, name))).size === size
  } catch {
    return false
  }
}

/**
 * The URL contains a token, so it belongs only in the document's record. @throws a failure of kind `storage`.
 */
export const fetchDocumentAddress = (uid: string, name: string): Promise<string> =>
  withStorageErrors(() => getDownloadURL(getDocumentRef(uid, name)))

/** Calling again is safe. @throws a failure of kind `storage`. */
export async function removeDocument(uid: string, name: string): Promise<void> {
  try {
    await withStorageErrors(() => deleteObject(getDocumentRef(uid, name)))
  } catch (error) {
    const isGone =
      error instanceof ServiceError &&
      error.failure.kind === 'storage' &&
      error.failure.code === 'object-not-found'
    if (!isGone) throw error
  }
}

async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withToken(work)
  } catch (error) {
    throw error instanceof ServiceError ? error : toStorageError(error)
  }
}

const isKnown = (code: string): code is StorageErrorCode =>
  (STORAGE_ERROR_CODES as readonly string[]).includes(code)

function toStorageError(error: unknown): ServiceError {
  const code = error instanceof FirebaseError ? error.code.replace(/^storage\//, '') : ''
  return new ServiceError({ kind: 'storage', code: isKnown(code) ? code : 'other' }, { cause: error })
}
