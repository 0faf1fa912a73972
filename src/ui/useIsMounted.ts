import { useCallback, useEffect, useRef } from 'react'

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

/** StrictMode immediately mounts the component a second time. */
export function useUnmount(work: () => void): void {
  const isHere = useIsMounted()
  useEffect(() => () => queueMicrotask(() => isHere() || work()), [isHere, work])
}
