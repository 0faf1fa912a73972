import { importWithRetry } from '../browser/importWithRetry.ts'

const importDatabase = () => import('../cache/database.ts')

export const loadDatabase = () => importWithRetry(importDatabase)
