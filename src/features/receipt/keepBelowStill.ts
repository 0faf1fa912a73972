/**
 * The `ref` of a part of a sheet: keeps what stands below it where it is in sight when the part grows or shrinks by itself. Somebody may be
 * about to press it. Browsers do so only in a sheet that was scrolled, and Safari never: `overflow-anchor: none` keeps the others from doing
 * it twice.
 */
export function keepBelowStill(part: HTMLElement | null) {
  const sheet = part?.closest('[role=dialog]')
  if (!part || !sheet) return
  let last: DOMRectReadOnly | null = null
  const watch = new ResizeObserver(([entry]) => {
    if (!entry) return
    const { contentRect } = entry
    // A phone that is turned lays everything out anew.
    const grown = last?.width === contentRect.width ? contentRect.height - last.height : 0
    last = contentRect
    // Where nothing below was in sight, what is read stays where it is.
    const bottom = part.getBoundingClientRect().bottom - grown
    if (bottom < sheet.getBoundingClientRect().bottom) sheet.scrollTop += grown
  })
  watch.observe(part)
  return () => watch.disconnect()
}
