import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { runAfterPress } from '../browser/press.ts'
import type { UserDatabase } from '../cache/database.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'

/**
 * Undefined until the first result. An earlier query's result stays until the new one arrives. The caller
 * must pass the same function for the same query at each render.
 */
export function useLiveQuery<T>(
  uid: string,
  query: (database: UserDatabase, uid: string) => Promise<T>,
): T | undefined {
  const [result, setResult] = useState<T>()
  useEffect(() => {
    let stop = () => {}
    let isGone = false
    // The database's chunk is large, and a transfer can begin without it.
    loadDatabase()
      .then(({ watchRows }) => {
        // The user can't press an outdated row after a synchronous flush.
        const show = (rows: T) => runAfterPress(() => flushSync(() => setResult(rows)))
        if (!isGone) stop = watchRows(uid, query, show)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
      stop()
    }
  }, [uid, query])
  return result
}
