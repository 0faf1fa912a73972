import { expect, type Page } from '@playwright/test'

/** What Chromium does where the app can be installed. */
export const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const offered = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(offered, { prompt: async () => ({ outcome: 'accepted' }) })
    dispatchEvent(offered)
  })

/** Somebody leaves the app for another one, and comes back. */
export const leaveAndReturn = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'visibilityState')
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** Runs in the page. */
export function beSafariOnIos() {
  Object.defineProperty(navigator, 'standalone', { value: false })
  Object.defineProperty(navigator, 'userAgent', {
    value:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  })
}

/** Runs in the page: the browser holds a service worker that waits. offline.spec.ts has real ones. */
export function holdNewVersion() {
  const waiting = Object.assign(new EventTarget(), {
    scriptURL: `${location.origin}/sw.js`,
    postMessage() {},
  })
  const registration = Object.assign(new EventTarget(), { waiting })
  const workers = Object.assign(new EventTarget(), { controller: null, register: async () => registration })
  Object.defineProperty(navigator, 'serviceWorker', { value: Object.freeze(workers) })
}

/** The display font is fetched after the first paint, for the visits that follow: this one brings it. */
export async function firstVisit(page: Page): Promise<void> {
  await page.goto('/')
  // As src/prerender/opening.ts notes it.
  await page.waitForFunction(() => localStorage.getItem('passerelle.fonts') !== null)
}

/** The names of what the device keeps: of anybody, or of the person with this id. */
export const databases = (page: Page, of = 'passerelle') =>
  page.evaluate(
    async (part) => (await indexedDB.databases()).flatMap(({ name }) => (name?.includes(part) ? name : [])),
    of,
  )

/** The sign-in screen waits a few seconds for a device that is slow to delete, and no longer. */
export const expectNoDatabase = (page: Page, of?: string) =>
  expect.poll(() => databases(page, of)).toEqual([])
