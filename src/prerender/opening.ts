/*
 * The script inside the page: the build puts it, compiled, into index.html and its hash into the security policy.
 * It decides before the first paint what is shown, and fetches the app after it.
 */

import { hangSnapshot, homeSnapshot } from '../browser/homeSnapshot.ts'
import { deviceStore } from '../browser/storage.ts'
import { hasStoredAccount } from '../browser/storedAccount.ts'
import { storedLanguage } from '../browser/storedLanguage.ts'
import { tappedIn } from '../browser/tappedPicture.ts'
import { LATE_AFTER, TRY_AGAIN_AFTER } from '../browser/waits.ts'
import { paintedFirst } from './painted.ts'

/** Set by the build: the app's files, each after those that it imports, and what is worth fetching with them. */
declare const FILES: {
  app: string[]
  fr: string[]
  en: string[]
  signedIn: string[]
  signedInWords: { fr: string[]; en: string[] }
}
declare const TITLES: { fr: string; en: string }
declare const FONTS: { family: string; source: string; weight: string }[]

/** What happened on the page before the app took over. */
export interface Opening {
  /** What was tapped last, on the page or on the picture of the home screen; the app presses it again. */
  tapped: HTMLElement | null
  /** When the picture was tapped, in milliseconds since the page was opened. */
  tappedAt: number
  isTakenOver: boolean
  /** What the browser offered, before the app could hear it: to install the app. */
  installPrompt: Event | null
}

declare global {
  interface Window {
    opening?: Opening
  }
}

const page = document.documentElement
const language = storedLanguage()
const shown = `${language}-${paintedFirst()}`
const isOther = shown !== 'fr-signIn'
const opening: Opening = { tapped: null, tappedAt: 0, isTakenOver: false, installPrompt: null }
window.opening = opening

page.lang = language
const build = FILES.app.join()
page.dataset.build = build
const picture = homeSnapshot(language, build)
document.title = TITLES[language]
page.dataset.mantineColorScheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
// The sign-in card stands in the page already; anything else takes its place unseen.
if (isOther) page.dataset.opening = picture ? 'home' : ''

// A font would hold up the first paint of all: it is fetched after it, for the visits that follow.
const faces = FONTS.map(
  ({ family, source, weight }) => new FontFace(family, source, { weight, display: 'optional' }),
)
const fonts = FONTS.map(({ source }) => source).join()
const areFontsHere = deviceStore.get('fonts') === fonts
if (areFontsHere) for (const face of faces) document.fonts.add(face)

async function fetchFonts() {
  if (areFontsHere) return
  await Promise.all(faces.map((face) => face.load()))
  deviceStore.set('fonts', fonts)
}

if (picture)
  // The rest of the page is for other starts. The picture does not wait until the browser has read it.
  new MutationObserver((_, watching) => {
    const root = document.getElementById('root')
    if (!root?.nextSibling) return
    watching.disconnect()
    hangSnapshot(picture, root)
    delete page.dataset.opening
  }).observe(page, { subtree: true, childList: true })

addEventListener('DOMContentLoaded', () => {
  if (picture) return
  const root = document.getElementById('root')
  const other = document.getElementById(shown)
  if (isOther && other instanceof HTMLTemplateElement) root?.replaceChildren(other.content)
  delete page.dataset.opening
  const email = root?.querySelector<HTMLInputElement>('[name=email]')
  if (email) email.value = new URLSearchParams(location.search).get('email') ?? ''
})

addEventListener(
  'click',
  (event: MouseEvent) => {
    const hung = picture && document.querySelector<HTMLElement>('#root[inert]')
    if (hung) {
      opening.tapped = tappedIn(hung, event)
      opening.tappedAt = event.timeStamp
    } else if (!opening.isTakenOver && event.target instanceof Element)
      opening.tapped = event.target.closest('button')
  },
  true,
)
addEventListener('beforeinstallprompt', (event) => {
  // The app asks later, when it has shown what it is good for.
  event.preventDefault()
  opening.installPrompt = event
})
// Without the app the browser would send a form as part of an address, with the password in it.
addEventListener('submit', (event) => event.preventDefault(), true)

// When the files of the app are on the device, the app can be here before the whole page is.
const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve))

let isStarted = false
async function start() {
  if (isStarted) return
  isStarted = true
  setTimeout(sayLate, LATE_AFTER)
  // A link in the page itself would be fetched beside the first paint, for a card that comes after a transfer.
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/manifest.webmanifest'
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
  // The page has the styles of what is painted. The app shows more than that.
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[disabled]')].map(
    (sheet) =>
      new Promise((resolve) => {
        sheet.onload = sheet.onerror = resolve
        sheet.disabled = false
      }),
  )
  await Promise.all(sheets)
  for (const file of FILES.app) {
    await untilThere(file)
    // A slow processor takes a breath between two files, and answers what was tapped.
    await new Promise((resolve) => setTimeout(resolve))
  }
  fetchFonts().catch(() => undefined)
}

/** The network can go away before the app comes: it is asked for again, and whoever taps meanwhile opens the page anew. */
async function untilThere(file: string) {
  const there = new AbortController()
  for (;;)
    try {
      await import(/* @vite-ignore */ file)
      return there.abort()
    } catch {
      addEventListener('click', reload, { signal: there.signal })
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_AFTER))
    }
}

/** The network may neither bring the app nor fail: nobody looks for ever at a page that does not answer. */
function sayLate() {
  const late = document.getElementById(`${language}-late`)
  if (opening.isTakenOver || !(late instanceof HTMLTemplateElement)) return
  const words = document.createElement('div')
  words.id = 'late'
  words.append(late.content)
  words.querySelector('button')?.addEventListener('click', reload)
  document.body.append(words)
}

const reload = () => location.reload()

// A page in the background is not painted, and some browsers do not tell when they paint.
if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint'))
  addEventListener('DOMContentLoaded', start)
else {
  // The first paint can be a mere background, while the text waits for its font.
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) start()
  }).observe({ type: 'paint', buffered: true })
  addEventListener('load', () => setTimeout(start, 1000))
}
