import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that checks whether the component is still mounted, for late responses. */
export function useIsMounted(): () => boolean {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return useCallback(() => isHere.current, [])
}

/**
 * Runs the work once the component is unmounted. StrictMode immediately mounts it a second time, so the check
 * waits for that.
 */
export function useUnmount(work: () => void): void {
  const isHere = useIsMounted()
  useEffect(() => () => queueMicrotask(() => isHere() || work()), [isHere, work])
}
