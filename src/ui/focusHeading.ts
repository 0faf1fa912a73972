/** Gives the focus to the heading of a place, by itself of the page in sight, when what had it is gone. */
export function focusHeading(place?: Element | null): void {
  const within = place ?? document.querySelector('main:not([hidden])') ?? document
  const heading = within.querySelector('h1') ?? within.querySelector('h2')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
