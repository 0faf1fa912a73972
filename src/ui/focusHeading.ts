import { type RefObject, useLayoutEffect } from 'react'

/** Moves the focus to the heading of `place`; to that of the page in sight where it has none. */
export function focusHeading(place?: Element | null): void {
  const heading = headingIn(place) ?? headingIn(document.querySelector('main:not([hidden])') ?? document)
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

const headingIn = (place?: ParentNode | null) => place?.querySelector('h1') ?? place?.querySelector('h2')

/** Moves the focus there when `part` has it and is about to go: otherwise the focus would be lost. */
export function useHeadingAfter(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement))
        focusHeading(element.parentElement?.closest('section, main'))
    }
  }, [part])
}
