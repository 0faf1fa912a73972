import { useEffect, useRef } from 'react'
import { focusHeading } from './focusHeading.ts'

/**
 * For a button that is busy while its call is under way: it can't keep the focus, so it gets it back afterwards, unless the person has
 * moved it by then. Of a button that is closed or gone then, the heading above it gets the focus. The function that is answered notes what
 * has the focus at the press.
 */
export function useFocusBack(isBusy: boolean): () => void {
  const pressed = useRef<Element>(null)
  const place = useRef<Element>(null)
  useEffect(() => {
    if (isBusy) return
    const button = pressed.current
    pressed.current = null
    // A field keeps the focus. Who has left it since then wants no keyboard to rise.
    if (!(button instanceof HTMLButtonElement) || document.activeElement !== document.body) return
    button.focus({ preventScroll: true })
    if (document.activeElement !== button) focusHeading(place.current)
  }, [isBusy])
  return () => {
    pressed.current = document.activeElement
    place.current = document.activeElement?.closest('[role=dialog], main') ?? null
  }
}
