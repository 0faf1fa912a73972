import { type RefObject, useEffect, useRef, useState } from 'react'

/** How far a finger must pull the page down, in CSS pixels. */
const PULL_NEEDED = 96

/**
 * Calls back when a finger has pulled the page around `place` down from its top. Returns how far it is: 0 at
 * the start, 1 if letting go is enough. A sheet is not part of the page, so pulling it has no effect.
 */
export function usePull(place: RefObject<HTMLElement | null>, onPulled: () => void): number {
  const [shown, setShown] = useState(0)
  const latest = useRef(onPulled)
  useEffect(() => {
    latest.current = onPulled
  })
  useEffect(() => {
    const page = place.current?.closest('main')
    if (!page) return
    let start: Touch | undefined
    let pulled = 0
    const stop = () => {
      start = undefined
      setShown(0)
    }
    const stopped = new AbortController()
    const on = (name: `touch${'start' | 'move' | 'end' | 'cancel'}`, handle: (event: TouchEvent) => void) =>
      page.addEventListener(name, handle, { signal: stopped.signal, passive: true })
    on('touchstart', ({ touches: [touch, second] }) => {
      const isZoomed = visualViewport !== null && visualViewport.scale > 1
      start = second || scrollY > 0 || isZoomed ? undefined : touch
      pulled = 0
    })
    on('touchmove', ({ touches: [touch] }) => {
      if (!start || !touch) return
      const down = touch.clientY - start.clientY
      const isSideways = pulled === 0 && Math.abs(touch.clientX - start.clientX) > Math.abs(down)
      if (scrollY > 0 || isSideways) return stop()
      pulled = Math.min(Math.max(down / PULL_NEEDED, 0), 1)
      setShown(pulled)
    })
    on('touchend', () => {
      if (start && pulled === 1) latest.current()
      stop()
    })
    on('touchcancel', stop)
    return () => stopped.abort()
  }, [place])
  return shown
}
