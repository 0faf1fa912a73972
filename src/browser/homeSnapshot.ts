/*
 * A snapshot of the home screen as its user last saw it. A slow phone shows it before the app's code has run.
 * When the app replaces the snapshot, it repeats a tap on it. The snapshot is stored and deleted with the
 * user's other data.
 */
import { deviceStore, type HomeSnapshot } from './storage.ts'
import { getStoredAccount } from './storedAccount.ts'

/**
 * Attribute that holds an element's inline styles, because the security policy forbids the HTML `style`
 * attribute in markup.
 */
const STYLE = 'data-style'

/** Reads the snapshot if this start will show the home screen, else null. */
export function readHomeSnapshot(language: string, build: string): HomeSnapshot | null {
  const account = getStoredAccount()
  if (
    !account ||
    deviceStore.get('lock') ||
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

/**
 * Shows the snapshot in the root element, until the app replaces it.
 *
 * @throws before any change in a browser that can't style it: Safari before 16.4 constructs no style sheets.
 */
export function mountSnapshot({ html, styles }: HomeSnapshot, root: HTMLElement) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets = [sheet]
  root.innerHTML = html
  root.inert = true
  for (const element of root.querySelectorAll<HTMLElement>(`[${STYLE}]`))
    element.style.cssText = element.getAttribute(STYLE) ?? ''
}

/**
 * Saves a snapshot of the home screen, unless a page or a dialog covers it or the browser has translated it.
 */
export function saveHomeSnapshot(uid: string) {
  const { lang: language, dataset } = document.documentElement
  const root = document.getElementById('root')
  const { build } = dataset
  if (!root || !build || history.state?.page || root.querySelector('[role=dialog]')) return
  // Delete the older snapshot, whose texts may be outdated. Don't save a translated page: the next
  // start would show the translator's elements without the translator.
  deviceStore.set('home', null)
  if (document.querySelector('html[class*=translated-], font')) return
  const copy = root.cloneNode(true) as HTMLElement
  const inputs = root.querySelectorAll('input')
  copy.querySelectorAll('input').forEach((input, index) => {
    const { type, value, checked } = inputs[index] ?? input
    // A label must lead to the app's field, not to its copy here.
    input.removeAttribute('id')
    if (type === 'radio') input.toggleAttribute('checked', checked)
    else if (type !== 'checkbox') input.setAttribute('value', value)
  })
  const selects = root.querySelectorAll('select')
  copy.querySelectorAll('select').forEach((select, index) => {
    select.options[selects[index]?.selectedIndex ?? 0]?.setAttribute('selected', '')
  })
  // The next start must not show the messages and one-time offers of this moment.
  for (const message of copy.querySelectorAll('[role=status], [role=alert]')) message.replaceChildren()
  for (const passing of copy.querySelectorAll('[data-passing]')) passing.remove()
  for (const element of copy.querySelectorAll('[style]')) {
    element.setAttribute(STYLE, element.getAttribute('style') ?? '')
    element.removeAttribute('style')
  }
  const styles = [...document.styleSheets]
    .filter(({ href, disabled }) => href && !disabled)
    .flatMap(readRules)
    .join('')
  deviceStore.set('home', { uid, language, build, styles, html: copy.innerHTML })
}

/** Reads the rules of a style sheet; none if the sheet failed to load, because reading it throws. */
function readRules(sheet: CSSStyleSheet): string[] {
  try {
    return [...sheet.cssRules].map(({ cssText }) => cssText)
  } catch {
    return []
  }
}
