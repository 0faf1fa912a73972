// Measures the cold start of the installed app on a slow phone without a network, compared with the bare
// stack behind a service worker.
import type { Browser, BrowserContext } from '@playwright/test'
import { openHomeWithActivity } from '../../e2e/journeys.ts'
import { computeMedians, type Servers, SLOWDOWN, waitFor, withBrowser } from './measuring.ts'

/** Milliseconds since the navigation. */
export interface ColdStart {
  readonly shell: number
  readonly content: number
  /** When the content can respond to a tap. */
  readonly answering: number
}

/** Starts each app in turn, and the bare stack, which comes last in the results. */
export function measureColdStarts({ apps, bare }: Servers, rounds: number): Promise<ColdStart[]> {
  return withBrowser(async (browser) => {
    const phones = []
    for (const app of apps) {
      const phone = await openPhoneBrowser(browser, app.origin, '[aria-labelledby=activity] li')
      await phone.prepare(async (page) => {
        await openHomeWithActivity(page, app)
      })
      phones.push({ open: phone.open, starts: [] as ColdStart[] })
    }
    const phone = await openPhoneBrowser(browser, bare, 'main h1')
    await phone.prepare(async (page) => {
      await page.goto('/')
      await page.evaluate(() => navigator.serviceWorker.register('/sw.js'))
    })
    phones.push({ open: phone.open, starts: [] as ColdStart[] })
    // The first round warms up the browser's code cache.
    for (let round = 0; round <= rounds; round += 1)
      for (const { open, starts } of phones) {
        const start = await open()
        if (round > 0) starts.push(start)
      }
    return phones.map(({ starts }) => computeMedians(starts))
  })
}

async function openPhoneBrowser(browser: Browser, baseURL: string, content: string) {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 360, height: 740 },
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
  })
  await context.addInitScript(watchPaint, content)
  return {
    async prepare(visit: (page: Awaited<ReturnType<BrowserContext['newPage']>>) => Promise<void>) {
      const page = await context.newPage()
      await waitFor(`the first visit of ${baseURL}`, visit(page))
      const installed = page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
      await waitFor(`the service worker of ${baseURL}`, installed)
      await page.close()
      await context.setOffline(true)
    },
    async open(): Promise<ColdStart> {
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      // The start of the service worker counts too.
      await session.send('ServiceWorker.enable')
      await session.send('ServiceWorker.stopAllWorkers')
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
      await page.goto('/')
      const measured = page.evaluate(() => window.coldStart)
      const times = await waitFor(`${content} of ${baseURL}`, measured)
      await page.close()
      return times
    },
  }
}

declare global {
  interface Window {
    coldStart: Promise<ColdStart>
  }
}

/** Runs in the page. */
function watchPaint(content: string) {
  const painted = new Promise<number>((resolve) =>
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') resolve(startTime)
    }).observe({ type: 'paint', buffered: true }),
  )
  const shows = (selector: string) =>
    new Promise<number>((resolve) => {
      const look = () => {
        if (!document.querySelector(selector)?.getClientRects().length) return
        watching.disconnect()
        // Resolves after the frame that paints the content.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      }
      const watching = new MutationObserver(look)
      watching.observe(document, { subtree: true, childList: true, attributes: true })
    })
  const times = Promise.all([painted, shows(content), shows(`#root:not([inert]) ${content}`)])
  window.coldStart = times.then(([shell, time, answering]) => ({ shell, content: time, answering }))
}
