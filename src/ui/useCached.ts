import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { afterPress } from '../browser/press.ts'
import type { UserDatabase } from '../cache/database.ts'
import { loadDatabase } from '../pwa/loadDatabase.ts'

/**
 * What the query finds among the rows on this device, and again after each change of them; undefined until the first
 * answer. Another query goes on showing what the one before found until it has an answer of its own; so it must not
 * change from one render to the next by itself.
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
        // At once, or a press could begin before the screen has changed.
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
