// Measures a long history that is on the device, on a slow phone.
import type { CDPSession, Page } from '@playwright/test'
import { HOUR } from '../../domain/common/duration.ts'
import { SENT_TRANSFER } from '../../domain/transfers/transaction.samples.ts'
import type { Server } from '../../e2e/server.ts'
import { registerAndOpenHome } from '../../e2e/steps/signIn.ts'
import { SLOWDOWN, waitFor, withBrowser } from './measuring.ts'

export const HISTORY_LENGTH = 10_000
/** Steps of 120 CSS pixels. */
const SCROLLS = 60

export interface HistoryFigures {
  /** Milliseconds from the navigation to the first row. */
  readonly firstRow: number
  /** Milliseconds between two frames while scrolling, 95th percentile. */
  readonly frame: number
  /** JavaScript in megabytes after a collection, with the first rows and at the oldest one. */
  readonly memory: number
  readonly memoryAtEnd: number
}

/** Returns one result for each app. */
export function measureHistories(apps: readonly Server[]): Promise<HistoryFigures[]> {
  return withBrowser(async (browser) => {
    const figures: HistoryFigures[] = []
    for (const app of apps) {
      const page = await browser.newPage({
        baseURL: app.origin,
        viewport: { width: 360, height: 740 },
        serviceWorkers: 'block',
      })
      const measured = measureHistory(page, app)
      figures.push(await waitFor(`the history of ${app.origin}`, measured))
      await page.close()
    }
    return figures
  })
}

async function measureHistory(page: Page, app: Server): Promise<HistoryFigures> {
  await page.addInitScript(watchFirstRow)
  const { uid } = await registerAndOpenHome(page, app)
  await page.waitForLoadState('networkidle')
  await page.evaluate(writeRows, { uid, count: HISTORY_LENGTH, every: 7 * HOUR, sample: SENT_TRANSFER })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.goto('/?view=history')
  const firstRow = await page.evaluate(() => window.firstRow)
  const memory = await measureMemory(session)
  const frame = await page.evaluate(scroll, SCROLLS)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await scrollToEnd(page)
  return { firstRow, frame, memory, memoryAtEnd: await measureMemory(session) }
}

declare global {
  interface Window {
    /** Milliseconds from the navigation. */
    firstRow: Promise<number>
  }
}

/** Runs in the page. */
function watchFirstRow() {
  const { promise, resolve } = Promise.withResolvers<number>()
  window.firstRow = promise
  new MutationObserver((_, watching) => {
    if (!document.querySelector('main ol > li')) return
    watching.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  }).observe(document, { subtree: true, childList: true })
}

/** Runs in the page. Writes where the app stores its rows. `every`: in milliseconds. */
async function writeRows({
  uid,
  count,
  every,
  sample,
}: {
  uid: string
  count: number
  every: number
  sample: typeof SENT_TRANSFER
}) {
  const opening = indexedDB.open(`passerelle-${uid}`)
  await new Promise((resolve, reject) => {
    opening.onsuccess = resolve
    opening.onerror = reject
  })
  const change = opening.result.transaction(['transactions', 'sync'], 'readwrite')
  const now = Date.now()
  const nameRow = (row: number) => `pi_3Bench${String(row).padStart(6, '0')}`
  for (let row = 0; row < count; row += 1) {
    const at = now - row * every
    const recipientPhone = `+22462${String(row % 1000).padStart(7, '0')}`
    const times = { createdAt: at, settledAt: at, estimatedArrival: at }
    change
      .objectStore('transactions')
      .put({ ...sample, ...times, id: nameRow(row), senderId: uid, recipientPhone })
  }
  const newest = { seconds: Math.floor(now / 1000), nanoseconds: 0, id: nameRow(0) }
  change.objectStore('sync').put({ id: 'history', asOf: now, newest, gaps: [] })
  await new Promise((resolve) => {
    change.oncomplete = resolve
  })
  opening.result.close()
}

/** Runs in the page. */
async function scroll(steps: number): Promise<number> {
  const awaitFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  let last = await awaitFrame()
  for (let step = 0; step < steps; step += 1) {
    scrollBy(0, 120)
    const now = await awaitFrame()
    times.push(now - last)
    last = now
  }
  return times.sort((one, other) => one - other)[Math.ceil(steps * 0.95) - 1] ?? Number.NaN
}

async function scrollToEnd(page: Page) {
  for (let last = 0; last < HISTORY_LENGTH; )
    last = await page.evaluate(async () => {
      scrollTo(0, document.documentElement.scrollHeight)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return Number([...document.querySelectorAll('main ol > li')].at(-1)?.getAttribute('aria-posinset'))
    })
}

async function measureMemory(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1_000_000
}
