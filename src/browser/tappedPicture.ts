/** What lies under a tap on the picture of the home screen, which is inert. It is marked at once, for the app will take a moment. */
export function tappedIn(picture: HTMLElement, { clientX, clientY }: MouseEvent): HTMLElement | null {
  picture.inert = false
  const hit = document.elementFromPoint(clientX, clientY)
  picture.inert = true
  const tapped = hit?.closest<HTMLElement>('button, a, input, select, label') ?? null
  picture.querySelector('[data-tapped]')?.removeAttribute('data-tapped')
  // Who receives is known only to the app.
  if (!tapped || tapped.closest('form fieldset')) return null
  tapped.dataset.tapped = ''
  return tapped
}

/**
 * Carries out on the app what was tapped on its picture. Only what says exactly the same is pressed: a row that has got another text since
 * is left to the person. Of the form nothing is filled in, confirmed or sent: it may have become another one, so what was tapped there
 * gets the focus.
 */
export function tapAgain(tapped: HTMLElement, app: ParentNode) {
  const same = [...app.querySelectorAll<HTMLElement>(tapped.localName)].filter(
    (element) => element.getClientRects().length > 0 && wordsOf(element) === wordsOf(tapped),
  )
  const [only] = same
  if (!only || same.length > 1) return
  const field = only instanceof HTMLLabelElement ? only.control : only
  if (field?.matches('select, input, [type=submit]')) field.focus()
  else only.click()
}

function wordsOf(element: HTMLElement): string {
  const names = ['name', 'type', 'aria-label'].map((name) => element.getAttribute(name))
  return [...names, element.localName === 'select' || element.textContent].join('\n')
}
