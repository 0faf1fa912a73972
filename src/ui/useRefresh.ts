import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ServiceError } from '../browser/failure.ts'
import { afterPress } from '../browser/press.ts'

/**
 * Keeps what is on this device like the server's while a screen shows it: does the work now, when `mark` changes,
 * whenever the person or the network comes back, and when it is asked to. It tells what the last refresh failed with,
 * whether there was one, and whether one is under way. The caller must give the same function for the same work at each render.
 */
export function useRefresh(
  work: () => Promise<unknown>,
  mark: unknown = null,
): { error: unknown; isFetched: boolean; isAsking: boolean; ask: () => void } {
  const [error, setError] = useState<unknown>(null)
  const [isFetched, setFetched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const turn = useRef(0)
  const ask = useCallback(async () => {
    turn.current += 1
    const own = turn.current
    setAsking(true)
    const failed = await attempt(work)
    // What is said of it pushes away what stands below.
    afterPress(() => {
      // Only the answer to the last question counts.
      if (own !== turn.current) return
      flushSync(() => {
        setError(failed)
        setFetched(true)
        setAsking(false)
      })
    })
  }, [work])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another mark asks anew
  useEffect(() => {
    const askInSight = () => document.visibilityState !== 'hidden' && ask()
    askInSight()
    document.addEventListener('visibilitychange', askInSight)
    addEventListener('online', askInSight)
    return () => {
      // The answer to an earlier question says nothing of the next one.
      turn.current += 1
      document.removeEventListener('visibilitychange', askInSight)
      removeEventListener('online', askInSight)
    }
  }, [ask, mark])
  return { error, isFetched, isAsking, ask }
}

/** What the work failed with; null when it did not. */
async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  if (!navigator.onLine) return new ServiceError({ kind: 'network' })
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}
