import { createStore } from '../browser/createStore.ts'

/**
 * Why the device stores no rows: its disk is full, another window holds the database, or the storage fails.
 */
export type StorageProblem = 'full' | 'held' | 'broken'

/** The current storage problem, for a screen to show; null while the device stores rows. */
export const storageProblemStore = createStore<StorageProblem | null>(null)
