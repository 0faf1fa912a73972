import { createStore } from '../browser/createStore.ts'

/** `held`: another window holds the database. */
export type StorageProblem = 'full' | 'held' | 'broken'

/** Null while the device stores rows. */
export const storageProblemStore = createStore<StorageProblem | null>(null)
