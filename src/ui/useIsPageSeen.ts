import { useEffect, useState } from 'react'
import { pageCoverStore } from '../browser/appLock.ts'

/** False in the background and while the app lock covers the page. */
export function useIsPageSeen(): boolean {
  // The lock covers the page only after the first render.
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
