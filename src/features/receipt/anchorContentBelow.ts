import { runAfterPress } from '../../browser/press.ts'

/**
 * Keeps visible content below a growing part in place, because the user may be about to press it. Browsers
 * anchor only scrolled sheets, and Safari none, so the part sets `overflow-anchor: none`.
 */
export function anchorContentBelow(part: HTMLElement | null) {
  const sheet = part?.closest('[role=dialog]')
  if (!part || !sheet) return
  let last: DOMRectReadOnly | null = null
  const watch = new ResizeObserver(([entry]) => {
    if (!entry) return
    const { contentRect } = entry
    // A rotation changes the whole layout.
    const grown = last?.width === contentRect.width ? contentRect.height - last.height : 0
    last = contentRect
    part.style.minBlockSize = `${contentRect.height}px`
    // If nothing below was visible, keep the scroll position.
    const bottom = part.getBoundingClientRect().bottom - grown
    if (bottom < sheet.getBoundingClientRect().bottom) sheet.scrollTop += grown
  })
  watch.observe(part)
  const release = () => {
    part.style.minBlockSize = ''
  }
  addEventListener('resize', release)
  return () => {
    watch.disconnect()
    removeEventListener('resize', release)
  }
}

/** The part shrinks once the content is removed and no pointer is down. */
export function releaseReservedHeight(content: HTMLElement | null) {
  const part = content?.closest<HTMLElement>('[data-anchor]')
  return () =>
    runAfterPress(() => {
      if (part) part.style.minBlockSize = ''
    })
}
