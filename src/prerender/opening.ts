/*
 * The inline script of the page. The build compiles it into index.html and puts its hash into the security
 * policy. It chooses the first screen before the first paint, and loads the app after it.
 */

import type { ErrorReport } from '../../domain/api/api.ts'
import { getStoredScheme, showScheme } from '../browser/colorScheme.ts'
import { mountSnapshot, readHomeSnapshot } from '../browser/homeSnapshot.ts'
import { LATE_CODE_DELAY, LOAD_RETRY_DELAY, MAX_EXPECTED_LOAD_FAILURES } from '../browser/loadDelays.ts'
import { markTappedControl } from '../browser/snapshotTap.ts'
import { deviceStore, type HomeSnapshot } from '../browser/storage.ts'
import { hasStoredAccount } from '../browser/storedAccount.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { tolerateTranslation } from '../browser/translatedPage.ts'
import { sendErrorReport } from '../services/sendErrorReport.ts'
import { predictFirstScreen } from './firstScreens.ts'

/** Set by the build: the app's files in the order of their imports, and files worth preloading. */
declare const BUILT: {
  app: string[]
  fr: string[]
  en: string[]
  signedIn: string[]
  signedInWords: { fr: string[]; en: string[] }
}
/** The file of the beacon (`src/services/errorBeacon.ts`). */
declare const BEACON: string
declare const TITLES: { fr: string; en: string }
/** The number of elements of each prerendered screen. */
declare const ELEMENTS: Record<string, number>
declare const FONTS: { family: string; source: string; weight: string }[]

/** The user's actions on the page before the app took over. */
export interface EarlyActions {
  /**
   * The last element that was tapped, on the page or the snapshot of the home screen. The app presses it
   * again.
   */
  tapped: HTMLElement | null
  /** When the snapshot was tapped, in milliseconds since the navigation. */
  tappedAt: number
  isTakenOver: boolean
  /**
   * The number of elements of the prerendered screen as built. A page with another number was changed by an
   * extension or a translator.
   */
  elements: number | undefined
  /**
   * Hands the page over to the app. If React could not hydrate the page, the new fields get the typed values
   * and the focus.
   */
  handOver(root: HTMLElement): void
  /** The browser's offer to install the app, if the browser made it before the app had loaded. */
  installPrompt: Event | null
  /** Sends an error to the operator, without anything personal. A report that can't be sent is lost. */
  reportError(kind: ErrorReport['kind'], error: unknown, stack?: string | null): void
}

declare global {
  interface Window {
    opening?: EarlyActions
  }
}

// The build inserts the value wherever the name occurs, so use the name once.
const FILES = BUILT
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
        // Send the report without the beacon: if this version was removed from the server, its chunk is gone
        // too.
        (): unknown => kind === 'start' && sendErrorReport({ kind, name: 'LoadError', place: '' }),
      )
      .catch(() => {})
  },
}
window.opening = opening

/** Runs a step that the start does not need. Some browsers lack or refuse a feature that the step uses. */
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
// The page contains the sign-in card; another screen replaces it before the first paint.
if (isOther) page.dataset.opening = picture ? 'home' : ''

// A font would delay the first paint, so it loads later, for the next visits.
let faces: FontFace[] = []
const fonts = FONTS.map(({ source }) => source).join()
const areFontsHere = deviceStore.get('fonts') === fonts
tryTo(() => {
  faces = FONTS.map(
    ({ family, source, weight }) => new FontFace(family, source, { weight, display: 'optional' }),
  )
  if (areFontsHere) for (const face of faces) document.fonts.add(face)
})

async function fetchFonts() {
  if (areFontsHere) return
  await Promise.all(faces.map((face) => face.load()))
  deviceStore.set('fonts', fonts)
}

/** Shows the snapshot. If the browser can't, the page continues without it. */
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
  // Show the snapshot before the browser has parsed the rest of the page, which the snapshot doesn't need.
  new MutationObserver((_, watching) => {
    const root = document.getElementById('root')
    if (!root?.nextSibling) return
    watching.disconnect()
    showSnapshot(snapshot, root)
  }).observe(page, { subtree: true, childList: true })

addEventListener('DOMContentLoaded', tolerateTranslation)
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
// React's default callbacks report its uncaught and recoverable errors to the window, so they arrive here and
// still appear on the console.
addEventListener('error', ({ error }) => error && opening.reportError('uncaught', error))
addEventListener('unhandledrejection', ({ reason }) => opening.reportError('promise', reason))
addEventListener('focusin', ({ target }) => {
  focused = target
})
addEventListener('beforeinstallprompt', (event) => {
  // The app offers its installation later.
  event.preventDefault()
  opening.installPrompt = event
})
// Before the app handles the form, the browser would put the password into the URL.
addEventListener('submit', (event) => event.preventDefault(), true)

// With cached files, the app may load before the whole page is parsed.
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))

let isStarted = false
async function start() {
  if (isStarted) return
  isStarted = true
  setTimeout(showLateNotice, LATE_CODE_DELAY)
  // A link in the HTML would compete with the first paint, and the install card is shown only after a
  // transfer.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = `/manifest.${language}.webmanifest`
  document.head.append(manifest)
  const files = [
    ...FILES.app,
    ...FILES[language],
    ...(hasStoredAccount() ? [...FILES.signedInWords[language], ...FILES.signedIn] : []),
  ]
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  await parsed
  // The page only has the styles of the prerendered screen.
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[disabled]')].map(
    (sheet) =>
      new Promise((resolve) => {
        sheet.onload = sheet.onerror = resolve
        sheet.disabled = false
      }),
  )
  await Promise.all(sheets)
  for (const file of FILES.app) {
    await importUntilLoaded(file)
    // Yield between two files, so that a slow processor can respond to taps.
    await new Promise((resolve) => setTimeout(resolve))
  }
  fetchFonts().catch(() => undefined)
}

/** Imports the file, with retries until it has loaded. A tap in the meantime reloads the page. */
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

/** Shows a notice when the network neither delivers the app nor fails. */
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

// A background page is not painted, and some browsers don't report paints.
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
