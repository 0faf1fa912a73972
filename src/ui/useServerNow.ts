import { useEffect, useState } from 'react'
import { serverNow, watchServerTime } from '../browser/serverTime.ts'

/** In milliseconds: almost 25 days. */
const MAX_WAIT = 2 ** 31 - 1

/**
 * `nextAt`: when the content changes next, in UTC ms; null for never. Timers are late on a device that slept.
 */
export function useServerNow(nextAt: (now: number) => number | null): number {
  const [now, setNow] = useState(serverNow)
  const at = nextAt(now)
  // A wait that ends early must be followed by another one, so the effect also depends on `now`, which has
  // changed, while `at` has not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const look = () => setNow(serverNow())
    const timer = at === null ? undefined : setTimeout(look, Math.min(at - serverNow(), MAX_WAIT))
    const stopWatching = watchServerTime(look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      stopWatching()
      document.removeEventListener('visibilitychange', look)
    }
  }, [at, now])
  return now
}
