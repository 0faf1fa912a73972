import { createStore } from '../browser/createStore.ts'

/** `held`: the database does not answer. When it does, this ends. */
export type StorageProblem = 'full' | 'held' | 'broken'

/** Null while the device stores rows. */
export const storageProblemStore = createStore<StorageProblem | null>(null)
