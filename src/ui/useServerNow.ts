import { useEffect, useState } from 'react'
import { serverNow, watchServerTime } from '../browser/serverTime.ts'

/** A browser's timer can't wait longer, in milliseconds: almost 25 days. */
const LONGEST_WAIT = 2 ** 31 - 1

/**
 * Now by the server's clock, in UTC ms, for what ages while a screen stands: looked at again at the instant that `nextAt` names, when
 * the app comes back into sight, since a device that slept comes back late and its timers with it, and when the server told
 * another time. `nextAt`: when the time changes what is shown, in UTC ms; null when nothing does.
 */
export function useServerNow(nextAt: (now: number) => number | null): number {
  const [now, setNow] = useState(serverNow)
  const at = nextAt(now)
  // A wait that is cut short has to go on: `now` changes then, and `at` does not.
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
