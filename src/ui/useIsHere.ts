import { useCallback, useEffect, useRef } from 'react'

/** Answers whether the component is still in the page, for what comes late. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return useCallback(() => isHere.current, [])
}
