import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether this part of the form is wholly in view, above the bars at the bottom of the window, whose height
 * is the window's scroll padding.
 */
export function useIsInView(form: RefObject<HTMLElement | null>, selector: string): boolean {
  const [isInView, setInView] = useState(true)
  useEffect(() => {
    const part = form.current?.querySelector(selector)
    if (!part) return
    const { scrollPaddingBottom } = getComputedStyle(document.documentElement)
    const bars = Number.parseFloat(scrollPaddingBottom) || 0
    const watch = new IntersectionObserver(
      (entries) => setInView(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: `0px 0px -${bars}px`, threshold: 1 },
    )
    watch.observe(part)
    return () => watch.disconnect()
  }, [form, selector])
  return isInView
}
