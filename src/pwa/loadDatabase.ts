import { importWithRetry } from '../browser/importWithRetry.ts'

const importDatabase = () => import('../cache/database.ts')

/** The code for the rows of this device, for callers that can't go on without it. It is fetched again until it is there. */
export const loadDatabase = () => importWithRetry(importDatabase)
