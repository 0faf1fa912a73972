/** What lies under a tap on the picture of the home screen, which is inert. It is marked at once, for the app will take a moment. */
export function tappedIn(picture: HTMLElement, { clientX, clientY }: MouseEvent): HTMLElement | null {
  picture.inert = false
  const hit = document.elementFromPoint(clientX, clientY)
  picture.inert = true
  const tapped = hit?.closest<HTMLElement>('button, a, input, select, label') ?? null
  picture.querySelector('[data-tapped]')?.removeAttribute('data-tapped')
  if (tapped) tapped.dataset.tapped = ''
  return tapped
}

/**
 * Carries out on the app what was tapped on its picture. Only what says exactly the same is pressed: a row that has got another text since,
 * or a price that is another one, is left to the person.
 */
export function tapAgain(tapped: HTMLElement, app: ParentNode) {
  const same = [...app.querySelectorAll<HTMLElement>(tapped.localName)].filter(
    (element) => wordsOf(element) === wordsOf(tapped),
  )
  const [only] = same
  if (!only || same.length > 1) return
  if (only.matches('select, input:not([type=radio], [type=checkbox])')) only.focus()
  else only.click()
}

function wordsOf(element: HTMLElement): string {
  const names = ['name', 'type', 'aria-label'].map((name) => element.getAttribute(name))
  const value = element.matches('[type=radio]') && element.getAttribute('value')
  return [...names, value, element.localName === 'select' || element.textContent].join('\n')
}
