// The history of a short and of a long past, from the rows on the device, on a cheap phone; side by side in one run.
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { SENT } from '../../domain/transaction.samples.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { type Server, startServer } from '../../e2e/server.ts'
import { expectHome } from '../../e2e/steps/pages.ts'
import { somebody } from '../../e2e/steps/people.ts'
import { signIn, speak } from '../../e2e/steps/waysIn.ts'
import { WORDS } from '../../e2e/words.ts'

const ROUNDS = 5
/** A fling of a thumb, again and again. */
const SCROLLS = 60

export interface HistoryFigures {
  readonly transactions: number
  /** Milliseconds from the navigation to the first row on the screen. */
  readonly firstRow: number
  /** The most rows that were in the page at once, from the newest to the oldest. */
  readonly rowsInPage: number
  /** Milliseconds between two pictures while scrolling, at the 95th percentile. */
  readonly frame: number
  /** Megabytes of JavaScript, after a collection: with the first rows, and at the oldest one. */
  readonly memory: number
  readonly memoryAtEnd: number
}

/** Measures a history of each length; `slowdown`: how many times the processor is slowed. */
export async function histories({
  executablePath,
  slowdown,
  lengths,
}: {
  executablePath: string
  slowdown: number
  lengths: readonly number[]
}): Promise<HistoryFigures[]> {
  const { server, stop } = await startServer()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const people: { page: Page; session: CDPSession; transactions: number; firstRows: number[] }[] = []
    for (const transactions of lengths) {
      const page = await arrive(browser, server, transactions)
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      people.push({ page, session, transactions, firstRows: [] })
    }
    // In turn, so that what slows this machine down slows all of them. The first round is for the browser's own caches.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const { page, session, firstRows } of people) {
        await page.bringToFront()
        await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
        await page.goto('/?view=history')
        const time = await page.evaluate(() => window.firstRow)
        await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
        if (round > 0) firstRows.push(time)
      }
    const figures: HistoryFigures[] = []
    for (const { page, session, transactions, firstRows } of people) {
      await page.bringToFront()
      const memory = await heap(session)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      const frame = await page.evaluate(fling, SCROLLS)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      const rowsInPage = await scrollToEnd(page, transactions)
      figures.push({
        transactions,
        firstRow: middle(firstRows),
        rowsInPage,
        frame,
        memory,
        memoryAtEnd: await heap(session),
      })
    }
    return figures
  } finally {
    await browser.close()
    stop()
  }
}

declare global {
  interface Window {
    /** Milliseconds from the navigation to the picture with the first row of the history. */
    firstRow: Promise<number>
  }
}

/** Somebody on the home screen, with so many transfers on the device. */
async function arrive(browser: Browser, server: Server, transactions: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.origin,
    viewport: { width: 360, height: 740 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.addInitScript(watchFirstRow)
  const person = somebody()
  const uid = await server.register(person)
  await speak(page, 'fr')
  await signIn(page, WORDS.fr, person)
  await expectHome(page, WORDS.fr)
  await page.waitForLoadState('networkidle')
  await page.evaluate(fill, { uid, transactions, sample: SENT })
  return page
}

/** Runs in the page. */
function watchFirstRow() {
  const { promise, resolve } = Promise.withResolvers<number>()
  window.firstRow = promise
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('main ol > li')) return
    observer.disconnect()
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  }).observe(document, { subtree: true, childList: true })
}

/** Runs in the page: writes transfers where the app keeps them, a few for each day, and that they are all there are. */
async function fill({
  uid,
  transactions,
  sample,
}: {
  uid: string
  transactions: number
  sample: Transaction
}) {
  const opening = indexedDB.open(`passerelle-${uid}`)
  await new Promise((resolve, reject) => {
    opening.addEventListener('success', resolve)
    opening.addEventListener('error', reject)
  })
  const change = opening.result.transaction(['transactions', 'sync'], 'readwrite')
  const now = Date.now()
  const idOf = (number: number) => `pi_3Bench${String(number).padStart(6, '0')}`
  for (let number = 0; number < transactions; number += 1) {
    const createdAt = now - number * 7 * 3_600_000
    const amount = 20 + (number % 400)
    change.objectStore('transactions').put({
      ...sample,
      id: idOf(number),
      senderId: uid,
      senderName: 'Aïssatou Diallo',
      recipientPhone: `+22462${String(number % 1000).padStart(7, '0')}`,
      amount,
      fees: 3,
      convertedAmount: amount * sample.exchangeRate,
      createdAt,
      settledAt: createdAt,
      estimatedArrival: createdAt + 3_600_000,
    })
  }
  const newest = { seconds: Math.floor(now / 1000), nanoseconds: 0, id: idOf(0) }
  change.objectStore('sync').put({ id: 'history', asOf: now, newest, gaps: [] })
  await new Promise((resolve) => change.addEventListener('complete', resolve))
  opening.result.close()
}

/** Runs in the page. */
async function fling(scrolls: number): Promise<number> {
  const picture = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  let last = await picture()
  for (let scroll = 0; scroll < scrolls; scroll += 1) {
    scrollBy(0, 120)
    const now = await picture()
    times.push(now - last)
    last = now
  }
  times.sort((one, other) => one - other)
  return times[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN
}

async function scrollToEnd(page: Page, transactions: number): Promise<number> {
  let most = 0
  for (;;) {
    const { rows, last } = await page.evaluate(async () => {
      scrollBy(0, 20_000)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const all = document.querySelectorAll('main ol > li')
      return { rows: all.length, last: Number([...all].at(-1)?.getAttribute('aria-posinset')) }
    })
    most = Math.max(most, rows)
    if (last === transactions) return most
  }
}

async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1_000_000
}

const middle = (times: number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
