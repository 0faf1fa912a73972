import { useCallback, useEffect, useRef } from 'react'
import { focusHeading } from './focusHeading.ts'

/**
 * If the button is disabled or unmounted after the call, the heading above it gets the focus. Call the
 * returned function at the press.
 */
export function useRestoreFocus(isBusy: boolean): () => void {
  const pressed = useRef<Element>(null)
  const place = useRef<Element>(null)
  useEffect(() => {
    if (isBusy) return
    const button = pressed.current
    pressed.current = null
    // A user who left a field doesn't want the keyboard to open.
    if (!(button instanceof HTMLButtonElement) || document.activeElement !== document.body) return
    button.focus({ preventScroll: true })
    if (document.activeElement !== button) focusHeading(place.current)
  }, [isBusy])
  return useCallback(() => {
    pressed.current = document.activeElement
    place.current = document.activeElement?.closest('[role=dialog], main') ?? null
  }, [])
}
