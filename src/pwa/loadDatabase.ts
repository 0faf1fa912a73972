import { importWithRetry } from '../browser/importWithRetry.ts'

const importDatabase = () => import('../cache/database.ts')

/** The code for the rows of this device, for whom nothing else will do: asked for until it is there. */
export const loadDatabase = () => importWithRetry(importDatabase)
