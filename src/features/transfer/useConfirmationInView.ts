import { type RefObject, useEffect, useState } from 'react'

/** Whether the dock leaves the confirmation in view. */
export function useConfirmationInView(
  form: RefObject<HTMLElement | null>,
  dock: RefObject<HTMLElement | null>,
): boolean {
  const [isInView, setInView] = useState(true)
  useEffect(() => {
    const box = form.current?.querySelector('[name=phoneConfirmed]')
    const bar = dock.current
    if (!box || !bar) return
    let watch: IntersectionObserver | undefined
    const look = () => {
      watch?.disconnect()
      // On a wide screen and in a short window, the dock is not pinned.
      const isPinned = getComputedStyle(bar).position === 'fixed'
      const dockHeight = isPinned ? innerHeight - bar.getBoundingClientRect().top : 0
      watch = new IntersectionObserver(
        (entries) => setInView(entries.some(({ isIntersecting }) => isIntersecting)),
        { rootMargin: `0px 0px -${dockHeight}px`, threshold: 1 },
      )
      watch.observe(box)
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(bar)
    addEventListener('resize', look)
    return () => {
      watch?.disconnect()
      sizes.disconnect()
      removeEventListener('resize', look)
    }
  }, [form, dock])
  return isInView
}
