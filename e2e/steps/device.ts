import type { Page } from '@playwright/test'

/** What Chromium does where the app can be installed. */
export const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const offered = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(offered, { prompt: async () => ({ outcome: 'accepted' }) })
    dispatchEvent(offered)
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
