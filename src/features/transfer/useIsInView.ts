import { type RefObject, useEffect, useState } from 'react'

/**
 * `cover`: the content of the pinned bar, without the line that it shows only while the part is out of view.
 */
export function useIsInView(
  form: RefObject<HTMLElement | null>,
  selector: string,
  cover: RefObject<HTMLElement | null>,
): boolean {
  const [isInView, setInView] = useState(true)
  useEffect(() => {
    const part = form.current?.querySelector(selector)
    const over = cover.current
    const bar = over?.closest('[data-pinned]')
    if (!part || !over || !bar) return
    let watch: IntersectionObserver | undefined
    const look = () => {
      watch?.disconnect()
      // On a wide screen and in a short window, the bar is not pinned.
      const isPinned = getComputedStyle(bar).position === 'fixed'
      const covered = isPinned ? innerHeight - over.getBoundingClientRect().top : 0
      watch = new IntersectionObserver(
        (entries) => setInView(entries.some(({ isIntersecting }) => isIntersecting)),
        { rootMargin: `0px 0px -${covered}px`, threshold: 1 },
      )
      watch.observe(part)
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(over)
    addEventListener('resize', look)
    return () => {
      watch?.disconnect()
      sizes.disconnect()
      removeEventListener('resize', look)
    }
  }, [form, selector, cover])
  return isInView
}
