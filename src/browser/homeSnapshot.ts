/*
 * The home screen as its user last saw it. A slow phone shows it before any of the app's code has run; a tap on it is carried out
 * as soon as the app, drawn unseen behind it, takes its place. It is kept and deleted with the user's other data.
 */
import { deviceStore, type HomeSnapshot } from './storage.ts'
import { storedAccount } from './storedAccount.ts'

/** The attribute that holds an element's own styles, because the security policy forbids the one of HTML in markup. */
const STYLE = 'data-style'

/** The picture of what this start will show; null when it will show something else. */
export function homeSnapshot(language: string, build: string): HomeSnapshot | null {
  const account = storedAccount()
  if (
    !account ||
    deviceStore.get('leaving') === account.uid ||
    location.pathname + location.search !== '/' ||
    history.state?.page
  )
    return null
  const picture = deviceStore.get('home')
  const isOfThisStart =
    picture?.uid === account.uid && picture.language === language && picture.build === build
  return isOfThisStart ? picture : null
}

/** Puts the picture where the app will be. */
export function hangSnapshot({ html, styles }: HomeSnapshot, root: HTMLElement) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets = [sheet]
  root.innerHTML = html
  root.inert = true
  for (const element of root.querySelectorAll<HTMLElement>(`[${STYLE}]`))
    element.style.cssText = element.getAttribute(STYLE) ?? ''
}

/** Keeps the home screen as it is now. While a page or a dialog lies over it, nothing is kept. */
export function takeSnapshot(uid: string) {
  const { lang: language, dataset } = document.documentElement
  const root = document.getElementById('root')
  const { build } = dataset
  if (!root || !build || history.state?.page || root.querySelector('[role=dialog]')) return
  const copy = root.cloneNode(true) as HTMLElement
  const inputs = root.querySelectorAll('input')
  copy.querySelectorAll('input').forEach((input, index) => {
    const { type, value, checked } = inputs[index] ?? input
    // Whoever looks for a field by its label must find the one of the app, not this one.
    input.removeAttribute('id')
    if (type === 'radio') input.toggleAttribute('checked', checked)
    else if (type !== 'checkbox') input.setAttribute('value', value)
  })
  const selects = root.querySelectorAll('select')
  copy.querySelectorAll('select').forEach((select, index) => {
    select.options[selects[index]?.selectedIndex ?? 0]?.setAttribute('selected', '')
  })
  // Messages and one-time offers belong to this moment. The next start must not show them.
  for (const message of copy.querySelectorAll('[role=status], [role=alert]')) message.replaceChildren()
  for (const passing of copy.querySelectorAll('[data-passing]')) passing.remove()
  for (const element of copy.querySelectorAll('[style]')) {
    element.setAttribute(STYLE, element.getAttribute('style') ?? '')
    element.removeAttribute('style')
  }
  const styles = [...document.styleSheets]
    .filter(({ href, disabled }) => href && !disabled)
    .flatMap(rulesOf)
    .join('')
  // A full device must not keep an older one.
  deviceStore.set('home', null)
  deviceStore.set('home', { uid, language, build, styles, html: copy.innerHTML })
}

/** The rules of a sheet. A sheet that the network cut off throws when it is read: nothing on the screen needs it. */
function rulesOf(sheet: CSSStyleSheet): string[] {
  try {
    return [...sheet.cssRules].map(({ cssText }) => cssText)
  } catch {
    return []
  }
}
