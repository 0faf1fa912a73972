import { deviceStore } from '../browser/storage.ts'

/**
 * Whether the browser keeps this device's data when the disk is full. `mayGo`: it may delete the data.
 * `notAsked`: it may, and persistent storage has not been requested yet.
 */
export type Persistence = 'kept' | 'mayGo' | 'notAsked'

// Some browsers lack this API, and all lack it on a page without https.
const getStorageManager = (): Partial<StorageManager> | undefined => navigator.storage

/**
 * Requests persistent storage, once. Call it right after a success: Firefox asks the user, who then
 * understands why; Chromium and Safari decide by themselves.
 */
export async function requestPersistence(): Promise<void> {
  const storage = getStorageManager()
  if (!storage?.persist || deviceStore.get('keep')) return
  // Noted before the answer, so that a prompt that the user leaves open is not repeated.
  deviceStore.set('keep', true)
  // A browser that stores nothing refuses; `StorageBar` reports that.
  await storage.persist().catch(() => false)
}

/**
 * Returns whether the storage is persistent at present. That can change, for example when the app is
 * installed.
 */
export async function readPersistence(): Promise<Persistence> {
  const storage = getStorageManager()
  if (await storage?.persisted?.().catch(() => false)) return 'kept'
  return storage?.persist && !deviceStore.get('keep') ? 'notAsked' : 'mayGo'
}
