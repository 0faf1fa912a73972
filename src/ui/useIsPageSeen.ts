import { useEffect, useState } from 'react'
import { pageCoverStore } from '../browser/appLock.ts'

/** Whether the user can see the page: it is in the foreground, and the app lock does not cover it. */
export function useIsPageSeen(): boolean {
  // The lock covers the page only after the first render, so that render must not count.
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const look = () => setSeen(document.visibilityState !== 'hidden' && !pageCoverStore.get())
    look()
    const stopWatching = pageCoverStore.subscribe(look)
    document.addEventListener('visibilitychange', look)
    return () => {
      stopWatching()
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return isSeen
}
