/*
 * A slow phone shows it before the app's code has run. When the app replaces the snapshot, it repeats a tap
 * on it.
 */
import { deviceStore, type HomeSnapshot } from '../browser/storage.ts'
import { getStoredAccount } from '../services/storedAccount.ts'

// Each frame would take time from the app's start.
const STILL = '*,::before,::after{animation:none!important}'

/** The security policy forbids the `style` attribute in markup. */
const STYLE = 'data-style'

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

/** @throws before any change in Safari before 16.4, which constructs no style sheets. */
export function mountSnapshot({ html, styles }: HomeSnapshot, root: HTMLElement) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles + STILL)
  document.adoptedStyleSheets = [sheet]
  root.innerHTML = html
  root.inert = true
  for (const element of root.querySelectorAll<HTMLElement>(`[${STYLE}]`))
    element.style.cssText = element.getAttribute(STYLE) ?? ''
}

export function saveHomeSnapshot(uid: string) {
  const { lang: language, dataset } = document.documentElement
  const root = document.getElementById('root')
  const { build } = dataset
  if (!root || !build || history.state?.page || root.querySelector('[role=dialog]')) return
  // The next start would show the translator's elements without the translator.
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

/** Reading throws if the sheet failed to load. */
function readRules(sheet: CSSStyleSheet): string[] {
  try {
    return [...sheet.cssRules].map(({ cssText }) => cssText)
  } catch {
    return []
  }
}
