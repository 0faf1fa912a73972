/*
 * The build compiles this script into index.html and puts its hash into the security policy. It chooses the
 * first screen before the first paint.
 */

import type { ErrorReport } from '../../domain/api/api.ts'
import { getStoredScheme, showScheme } from '../browser/colorScheme.ts'
import { LATE_CODE_DELAY, LOAD_RETRY_DELAY, MAX_EXPECTED_LOAD_FAILURES } from '../browser/loadDelays.ts'
import { markTappedControl } from '../browser/snapshotTap.ts'
import { deviceStore, type HomeSnapshot } from '../browser/storage.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { mountSnapshot, readHomeSnapshot } from '../cache/homeSnapshot.ts'
import { sendErrorReport } from '../services/sendErrorReport.ts'
import { hasStoredAccount } from '../services/storedAccount.ts'
import { predictFirstScreen } from './firstScreens.ts'

declare const BUILT: {
  app: string[]
  fr: string[]
  en: string[]
  signedIn: string[]
  /** Style sheets for a signed-in user. */
  sheets: string[]
}
/** The file of `src/services/errorBeacon.ts`. */
declare const BEACON: string
declare const TITLES: { fr: string; en: string }
declare const ELEMENTS: Record<string, number>
declare const FONTS: { family: string; source: string; weight: string }[]

export interface EarlyActions {
  /** The app presses this element again. */
  tapped: HTMLElement | null
  /** Milliseconds since the navigation. */
  tappedAt: number
  isTakenOver: boolean
  /** An extension or a translator has changed a page with another number of elements. */
  elements: number | undefined
  /** If React could not hydrate the page, the new fields get the typed values and the focus. */
  handOver(root: HTMLElement): void
  installPrompt: Event | null
  /** Sends an error to the operator, without anything personal. */
  reportError(kind: ErrorReport['kind'], error: unknown, stack?: string | null): void
}

declare global {
  interface Window {
    opening?: EarlyActions
  }
}

// The build inserts a value wherever its name occurs, so use each name once.
const FILES = BUILT
const FONT_FILES = FONTS
const page = document.documentElement
const language = getStoredLanguage()
const shown = `${language}-${predictFirstScreen()}`
const isOther = shown !== 'fr-signIn'
let painted: Iterable<HTMLInputElement> = []
let focused: EventTarget | null = null
const opening: EarlyActions = {
  tapped: null,
  tappedAt: 0,
  isTakenOver: false,
  elements: ELEMENTS[shown],
  handOver(root) {
    opening.isTakenOver = true
    // The page stays hidden if the first screen could not be chosen.
    delete page.dataset.opening
    document.getElementById('late')?.remove()
    for (const old of painted) {
      const field = root.querySelector<HTMLInputElement>(`input[name="${old.name}"]`)
      if (!field || field === old) continue
      field.value = old.value
      if (old === focused) field.focus({ preventScroll: true })
    }
  },
  installPrompt: null,
  reportError(kind, error, stack) {
    import(/* @vite-ignore */ BEACON)
      .then(
        ({ sendError }) => sendError(kind, error, stack),
        // If this version was removed from the server, the beacon's chunk is gone too.
        (): unknown => kind === 'start' && sendErrorReport({ kind, name: 'LoadError', place: '' }),
      )
      .catch(() => {})
  },
}
window.opening = opening

/** Some browsers lack or refuse a feature that the step uses. */
function tryTo(step: () => void) {
  try {
    step()
  } catch (error) {
    opening.reportError('start', error)
  }
}

page.lang = language
const build = FILES.app.join()
page.dataset.build = build
let picture = readHomeSnapshot(language, build)
document.title = TITLES[language]
tryTo(() => showScheme(getStoredScheme()))
// Another screen replaces the sign-in card before the first paint.
if (isOther) page.dataset.opening = picture ? 'home' : ''

// A font would delay the first paint, so it loads later, for the next screens and visits.
let faces: FontFace[] = []
const fonts = FONT_FILES.map(({ source }) => source).join()
const areFontsHere = deviceStore.get('fonts') === fonts
tryTo(() => {
  faces = FONT_FILES.map(
    ({ family, source, weight }) => new FontFace(family, source, { weight, display: 'fallback' }),
  )
  if (areFontsHere) showFonts()
})

function showFonts() {
  for (const face of faces) document.fonts.add(face)
}

async function fetchFonts() {
  const root = document.getElementById('root')
  if (areFontsHere || !root) return
  await Promise.all(faces.map((face) => face.load()))
  deviceStore.set('fonts', fonts)
  // The text of the present screen must not move.
  const screen = root.firstElementChild
  new MutationObserver(() => {
    if (root.firstElementChild !== screen) showFonts()
  }).observe(root, { childList: true })
}

function showSnapshot(snapshot: HomeSnapshot, root: HTMLElement) {
  try {
    mountSnapshot(snapshot, root)
    delete page.dataset.opening
  } catch {
    picture = null
  }
}

const snapshot = picture
if (snapshot)
  // The snapshot doesn't need the rest of the page to be parsed.
  new MutationObserver((_, watching) => {
    const root = document.getElementById('root')
    if (!root?.nextSibling) return
    watching.disconnect()
    showSnapshot(snapshot, root)
  }).observe(page, { subtree: true, childList: true })

addEventListener('DOMContentLoaded', () => {
  if (picture) return
  const root = document.getElementById('root')
  const other = document.getElementById(shown)
  if (isOther && other instanceof HTMLTemplateElement) root?.replaceChildren(other.content)
  delete page.dataset.opening
  painted = root?.querySelectorAll('input') ?? []
  const email = root?.querySelector<HTMLInputElement>('[name=email]')
  if (email) email.value = new URLSearchParams(location.search).get('email') ?? ''
})

addEventListener(
  'click',
  (event: MouseEvent) => {
    const hung = picture && document.querySelector<HTMLElement>('#root[inert]')
    if (hung) {
      opening.tapped = markTappedControl(hung, event)
      opening.tappedAt = event.timeStamp
    } else if (!opening.isTakenOver && event.target instanceof Element)
      opening.tapped = event.target.closest('button')
  },
  true,
)
// React's default callbacks report its uncaught and recoverable errors to the window.
addEventListener('error', ({ error }) => error && opening.reportError('uncaught', error))
addEventListener('unhandledrejection', ({ reason }) => opening.reportError('promise', reason))
addEventListener('focusin', ({ target }) => {
  focused = target
})
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  opening.installPrompt = event
})
// Before the app handles the form, the browser would put the password into the URL.
addEventListener('submit', (event) => event.preventDefault(), true)

// With cached files, the app may load before the page is parsed.
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))

let isStarted = false
async function start() {
  if (isStarted) return
  isStarted = true
  setTimeout(showLateNotice, LATE_CODE_DELAY)
  // A link in the HTML would compete with the first paint.
  addLink('manifest', `/manifest.${language}.webmanifest`)
  const isSignedIn = hasStoredAccount()
  for (const file of [...FILES.app, ...FILES[language], ...(isSignedIn ? FILES.signedIn : [])])
    addLink('modulepreload', file)
  await parsed
  const sheets = [
    ...document.querySelectorAll<HTMLLinkElement>('link[disabled]'),
    // Each later sheet would style and lay out the snapshot again.
    ...(isSignedIn ? FILES.sheets.map((file) => addLink('stylesheet', file)) : []),
  ]
  await Promise.all(sheets.map(loadSheet))
  for (const file of FILES.app) {
    await importUntilLoaded(file)
    // A slow processor can respond to taps between two files.
    await new Promise((resolve) => setTimeout(resolve))
  }
  fetchFonts().catch(() => undefined)
}

function addLink(rel: string, href: string) {
  const link = document.createElement('link')
  link.rel = rel
  link.href = href
  document.head.append(link)
  return link
}

const loadSheet = (sheet: HTMLLinkElement) =>
  new Promise<void>((resolve) => {
    sheet.onload = () => resolve()
    sheet.onerror = () => {
      // The bundler's loader treats every link as loaded.
      sheet.remove()
      resolve()
    }
    sheet.disabled = false
  })

/** A tap in the meantime reloads the page. */
async function importUntilLoaded(file: string) {
  const there = new AbortController()
  for (let tries = 1; ; tries += 1)
    try {
      await import(/* @vite-ignore */ file)
      return there.abort()
    } catch (error) {
      if (tries === MAX_EXPECTED_LOAD_FAILURES) opening.reportError('start', error)
      addEventListener('click', reload, { signal: there.signal })
      await new Promise((resolve) => setTimeout(resolve, LOAD_RETRY_DELAY))
    }
}

function showLateNotice() {
  const late = document.getElementById(`${language}-late`)
  if (opening.isTakenOver || !(late instanceof HTMLTemplateElement)) return
  const words = document.createElement('div')
  words.id = 'late'
  words.append(late.content)
  words.querySelector('button')?.addEventListener('click', reload)
  document.body.append(words)
}

const reload = () => location.reload()

// Some browsers don't report paints, and a background page has none.
if (document.hidden) addEventListener('DOMContentLoaded', start)
addEventListener('load', () => setTimeout(start, 1000))
tryTo(() => {
  if (!PerformanceObserver.supportedEntryTypes.includes('paint'))
    return addEventListener('DOMContentLoaded', start)
  // The first paint may be the background only, while the text waits for its font.
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) start()
  }).observe({ type: 'paint', buffered: true })
})
