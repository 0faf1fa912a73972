import { useEffect, useState } from 'react'

/**
 * Keeps what is on this device like the server's while a screen shows it: does the work now, and whenever the person or
 * the network comes back. Tells what the last time failed with, and whether there was a first time. The work must not
 * change from one render to the next by itself.
 */
export function useFresh(work: () => Promise<unknown>): { error: unknown; isFetched: boolean } {
  const [error, setError] = useState<unknown>(null)
  const [isFetched, setFetched] = useState(false)
  useEffect(() => {
    let isCurrent = true
    const sync = () => {
      if (document.visibilityState === 'hidden') return
      work()
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
  }, [work])
  return { error, isFetched }
}
