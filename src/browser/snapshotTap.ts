/** Null if the tap can't be repeated in the app. */
export function markTappedControl(
  picture: HTMLElement,
  { clientX, clientY }: MouseEvent,
): HTMLElement | null {
  picture.inert = false
  const hit = document.elementFromPoint(clientX, clientY)
  picture.inert = true
  const tapped = hit?.closest<HTMLElement>('button, a, input, select, label') ?? null
  picture.querySelector('[data-tapped]')?.removeAttribute('data-tapped')
  // Taps on the list of recipients don't count, because only the app knows the current recipients.
  if (!tapped || tapped.closest('form fieldset')) return null
  tapped.dataset.tapped = ''
  return tapped
}

/**
 * Presses only a control with exactly the same text. Fields and the form's submit button only get the focus,
 * because the form may have changed.
 */
export function repeatTap(tapped: HTMLElement, app: ParentNode) {
  const same = [...app.querySelectorAll<HTMLElement>(tapped.localName)].filter(
    (element) => element.getClientRects().length > 0 && describeControl(element) === describeControl(tapped),
  )
  const [only] = same
  if (!only || same.length > 1) return
  const field = only instanceof HTMLLabelElement ? only.control : only
  if (field?.matches('select, input, [type=submit]')) field.focus()
  else only.click()
}

function describeControl(element: HTMLElement): string {
  const names = ['name', 'type', 'aria-label'].map((name) => element.getAttribute(name))
  return [...names, element.localName === 'select' || element.textContent].join('\n')
}
