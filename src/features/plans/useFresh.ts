import { useEffect, useState } from 'react'
import { failureOf } from '../../services/failure.ts'

export type Freshened = 'asking' | 'fresh' | 'unreachable' | 'failed'

/**
 * Asks the server now, when the person or the network comes back, and when `mark` changes; tells what came of it. With
 * `undefined` for a mark it waits for one.
 */
export function useFresh(work: () => Promise<unknown>, mark: unknown = null): Freshened {
  const [state, setState] = useState<Freshened>('asking')
  useEffect(() => {
    if (mark === undefined) return
    let isCurrent = true
    const ask = () => {
      if (document.visibilityState === 'hidden') return
      if (!navigator.onLine) return setState('unreachable')
      work().then(
        () => isCurrent && setState('fresh'),
        (error) => isCurrent && setState(failureOf(error).kind === 'network' ? 'unreachable' : 'failed'),
      )
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    addEventListener('online', ask)
    return () => {
      isCurrent = false
      document.removeEventListener('visibilitychange', ask)
      removeEventListener('online', ask)
    }
  }, [work, mark])
  return state
}
