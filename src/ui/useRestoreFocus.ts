import { useEffect, useRef } from 'react'
import { focusHeading } from './focusHeading.ts'

/**
 * Restores the focus to a button that was busy during its call and lost it, unless the user has moved the
 * focus. If the button is disabled or unmounted by then, the heading above it gets the focus. Call the
 * returned function at the press.
 */
export function useRestoreFocus(isBusy: boolean): () => void {
  const pressed = useRef<Element>(null)
  const place = useRef<Element>(null)
  useEffect(() => {
    if (isBusy) return
    const button = pressed.current
    pressed.current = null
    // Don't refocus a field: a user who left it doesn't want the keyboard to open.
    if (!(button instanceof HTMLButtonElement) || document.activeElement !== document.body) return
    button.focus({ preventScroll: true })
    if (document.activeElement !== button) focusHeading(place.current)
  }, [isBusy])
  return () => {
    pressed.current = document.activeElement
    place.current = document.activeElement?.closest('[role=dialog], main') ?? null
  }
}
