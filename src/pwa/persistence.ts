import { deviceStore } from '../browser/storage.ts'

/** `mayGo`: it may delete the data. `notAsked`: it may, and persistent storage has not been requested yet. */
export type Persistence = 'kept' | 'mayGo' | 'notAsked'

// Some browsers lack this API, and all lack it without https.
const getStorageManager = (): Partial<StorageManager> | undefined => navigator.storage

/**
 * Call it right after a success: Firefox asks the user, who then understands why; Chromium and Safari decide
 * by themselves.
 */
export async function requestPersistence(): Promise<void> {
  const storage = getStorageManager()
  if (!storage?.persist || deviceStore.get('keep')) return
  // A prompt that the user leaves open must not be repeated.
  deviceStore.set('keep', true)
  // A browser that stores nothing refuses; `StorageBar` reports that.
  await storage.persist().catch(() => false)
}

/** The answer can change, for example when the app is installed. */
export async function readPersistence(): Promise<Persistence> {
  const storage = getStorageManager()
  if (await storage?.persisted?.().catch(() => false)) return 'kept'
  return storage?.persist && !deviceStore.get('keep') ? 'notAsked' : 'mayGo'
}
