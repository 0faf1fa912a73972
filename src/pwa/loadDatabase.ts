import { importWithRetry } from '../browser/importWithRetry.ts'

const importDatabase = () => import('../cache/database.ts')

/** Loads the database's chunk, retrying until it has loaded, for callers that can't continue without it. */
export const loadDatabase = () => importWithRetry(importDatabase)
