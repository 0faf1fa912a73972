import { type RefObject, useLayoutEffect } from 'react'

export function focusHeading(place?: Element | null): void {
  const heading = findHeading(place) ?? findHeading(document.querySelector('main:not([hidden])') ?? document)
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/** The body is the active element when nothing has the focus. */
export const canTakeFocusBack = (element: unknown): element is HTMLElement =>
  element instanceof HTMLElement && element !== document.body && element.isConnected

/** If the opener is unmounted, as a menu item is, the heading gets the focus. */
export function returnFocus(opener: Element | null): void {
  if (canTakeFocusBack(opener)) opener.focus()
  else focusHeading()
}

const findHeading = (place?: ParentNode | null) => place?.querySelector('h1') ?? place?.querySelector('h2')

export function useFocusHeadingAfter(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement))
        focusHeading(element.parentElement?.closest('section, main'))
    }
  }, [part])
}
