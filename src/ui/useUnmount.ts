import { useEffect } from 'react'
import { useIsMounted } from './useIsMounted.ts'

/** StrictMode immediately mounts the component a second time. */
export function useUnmount(work: () => void): void {
  const isHere = useIsMounted()
  useEffect(() => () => queueMicrotask(() => isHere() || work()), [isHere, work])
}
