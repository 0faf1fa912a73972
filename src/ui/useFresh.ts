import { useEffect, useState } from 'react'
import { ServiceError } from '../services/failure.ts'

/**
 * Keeps what is on this device like the server's while a screen shows it: does the work now, when `mark` changes, and
 * whenever the person or the network comes back. With `undefined` for a mark it waits for one. Tells what the last time
 * failed with, and whether there was a first time. The work must not change from one render to the next by itself.
 */
export function useFresh(
  work: () => Promise<unknown>,
  mark: unknown = null,
): { error: unknown; isFetched: boolean } {
  const [error, setError] = useState<unknown>(null)
  const [isFetched, setFetched] = useState(false)
  useEffect(() => {
    if (mark === undefined) return
    let isCurrent = true
    const sync = () => {
      if (document.visibilityState === 'hidden') return
      const done = navigator.onLine ? work() : Promise.reject(new ServiceError({ kind: 'network' }))
      done
        .then(() => isCurrent && setError(null))
        .catch((failed: unknown) => isCurrent && setError(failed))
        .finally(() => isCurrent && setFetched(true))
    }
    sync()
    document.addEventListener('visibilitychange', sync)
    addEventListener('online', sync)
    return () => {
      isCurrent = false
      document.removeEventListener('visibilitychange', sync)
      removeEventListener('online', sync)
    }
  }, [work, mark])
  return { error, isFetched }
}
