import { type RefObject, useLayoutEffect } from 'react'

/** Moves the focus to the heading of `place`, or of the page in sight. */
export function focusHeading(place?: Element | null): void {
  const within = place ?? document.querySelector('main:not([hidden])') ?? document
  const heading = within.querySelector('h1') ?? within.querySelector('h2')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/** Moves the focus there when `part` has it and is about to go: otherwise the focus would be lost. */
export function useHeadingAfter(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement)) focusHeading(element.closest('section, main'))
    }
  }, [part])
}
