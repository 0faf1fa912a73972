import { type RefObject, useEffect, useRef, useState } from 'react'

/** In CSS pixels. */
const PULL_NEEDED = 96

const PULLED_PARTS = 'main, [role="dialog"]'

/** Returns how far the pull is: 0 at the start, 1 if letting go is enough. */
export function usePull(place: RefObject<HTMLElement | null>, onPulled: () => void): number {
  const [share, setShare] = useState(0)
  const latest = useRef(onPulled)
  useEffect(() => {
    latest.current = onPulled
  })
  useEffect(() => {
    const pulledPart = place.current?.closest<HTMLElement>(PULLED_PARTS)
    if (!pulledPart) return
    // A page scrolls with the window, a sheet by itself.
    const isScrolled = () => pulledPart.scrollTop > 0 || (pulledPart.matches('main') && scrollY > 0)
    let start: Touch | undefined
    let pulled = 0
    const stop = () => {
      start = undefined
      setShare(0)
    }
    const stopped = new AbortController()
    const on = (name: `touch${'start' | 'move' | 'end' | 'cancel'}`, handle: (event: TouchEvent) => void) =>
      pulledPart.addEventListener(name, handle, { signal: stopped.signal, passive: true })
    on('touchstart', ({ target, touches: [touch, second] }) => {
      const isZoomed = visualViewport !== null && visualViewport.scale > 1
      // A receipt beside its list is inside the page.
      const isOther = target instanceof Element && target.closest(PULLED_PARTS) !== pulledPart
      start = second || isOther || isScrolled() || isZoomed ? undefined : touch
      pulled = 0
    })
    on('touchmove', ({ touches: [touch] }) => {
      if (!start || !touch) return
      const down = touch.clientY - start.clientY
      const isSideways = pulled === 0 && Math.abs(touch.clientX - start.clientX) > Math.abs(down)
      if (isScrolled() || isSideways) return stop()
      pulled = Math.min(Math.max(down / PULL_NEEDED, 0), 1)
      setShare(pulled)
    })
    on('touchend', () => {
      if (start && pulled === 1) latest.current()
      stop()
    })
    on('touchcancel', stop)
    return () => stopped.abort()
  }, [place])
  return share
}
