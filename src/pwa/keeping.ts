import { deviceStore } from '../browser/storage.ts'

/**
 * What the browser said about the rows on this device when its disk is full: that they stay; that they may go; nothing, as it
 * was not asked yet, or has no answer to give.
 */
export type Keeping = 'kept' | 'mayGo' | 'notAsked'

// Not every browser has this API, and none has it on a page that came without https.
const storageOf = (): Partial<StorageManager> | undefined => navigator.storage

/**
 * Asks the browser, once, not to delete what this device keeps. To be called right after something was done that is worth
 * keeping: Firefox asks the person, who knows then what it is about; Chromium and Safari decide by themselves.
 */
export async function askToKeep(): Promise<void> {
  const storage = storageOf()
  if (!storage?.persist || deviceStore.get('keep')) return
  // This is noted before the answer comes, so that a question that the person left open is not asked again.
  deviceStore.set('keep', true)
  // The browser refuses where it keeps nothing at all. Another part of the app says so.
  await storage.persist().catch(() => false)
}

/** Asks the browser each time: it may have changed its mind, as when the app was installed. */
export async function howKept(): Promise<Keeping> {
  const storage = storageOf()
  if (await storage?.persisted?.().catch(() => false)) return 'kept'
  return storage?.persist && !deviceStore.get('keep') ? 'notAsked' : 'mayGo'
}
