import { useEffect, useState } from 'react'
import { serverNow, watchServerTime } from '../browser/serverTime.ts'

/** The longest that a browser's timer can wait, in milliseconds: almost 25 days. */
const LONGEST_WAIT = 2 ** 31 - 1

/**
 * Now by the server's clock, in UTC ms, for what changes with time while a screen is open. The clock is read again at the instant that
 * `nextAt` names, when the app comes back into sight (the timers of a device that slept are late), and when the server tells
 * another time. `nextAt`: when the time changes what is shown, in UTC ms; null when it changes nothing.
 */
export function useServerNow(nextAt: (now: number) => number | null): number {
  const [now, setNow] = useState(serverNow)
  const at = nextAt(now)
  // After a wait that was cut short the next one has to begin: `now` changes then, and `at` does not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const look = () => setNow(serverNow())
    const timer = at === null ? undefined : setTimeout(look, Math.min(at - serverNow(), LONGEST_WAIT))
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
