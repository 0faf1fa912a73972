import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPress } from '../browser/press.ts'
import type { UserDatabase } from '../cache/database.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'

/**
 * What the query finds among the rows on this device, and again after each change of them; undefined until the first
 * answer. After a change of the query it shows what the earlier one found until the new one has an answer. The caller must give the
 * same function for the same query at each render.
 */
export function useCached<T>(
  uid: string,
  query: (database: UserDatabase, uid: string) => Promise<T>,
): T | undefined {
  const [found, setFound] = useState<T>()
  useEffect(() => {
    let stop = () => {}
    let isGone = false
    // The database is large, and nobody waits for it to begin a transfer.
    loadDatabase()
      .then(({ watchRows }) => {
        // The screen changes at once: otherwise somebody could press what it no longer shows.
        const show = (rows: T) => afterPress(() => flushSync(() => setFound(rows)))
        if (!isGone) stop = watchRows(uid, query, show)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
      stop()
    }
  }, [uid, query])
  return found
}
