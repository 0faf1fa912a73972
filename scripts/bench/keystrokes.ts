// Measures a key event in the amount field, from the event to the layout of the new quote.
import type { Browser, Page } from '@playwright/test'
import { registerAndOpenHome } from '../../e2e/steps/signIn.ts'
import { computePercentile, type Servers, SLOWDOWN, waitFor, withBrowser } from './measuring.ts'

const ROUNDS = 5
const STROKES = 20

export interface Keystroke {
  /** 95th percentile in milliseconds. */
  readonly p95: number
  /** CPU time of the main thread for one key, until the page is idle, in milliseconds. */
  readonly cpu: number
  /** For one key, until the page is idle. */
  readonly layouts: number
}

/** Types on each app in turn, and in the field of the bare stack, which comes last in the results. */
export function measureKeystrokes({ apps, bare }: Servers): Promise<Keystroke[]> {
  return withBrowser(async (browser) => {
    const typists = []
    for (const app of apps)
      typists.push(await openField(browser, app.origin, (page) => registerAndOpenHome(page, app)))
    typists.push(await openField(browser, bare, (page) => page.goto('/')))
    for (let round = 0; round < ROUNDS; round += 1) for (const { type } of typists) await type()
    return typists.map(({ summarize }) => summarize())
  })
}

async function openField(browser: Browser, baseURL: string, visit: (page: Page) => Promise<unknown>) {
  const page = await browser.newPage({
    baseURL,
    viewport: { width: 360, height: 740 },
    // Installing the service worker would take CPU time from the form.
    serviceWorkers: 'block',
  })
  await waitFor(`the field of ${baseURL}`, visit(page))
  const amount = page.locator('[name=amount]')
  await amount.fill('10')
  await page.evaluate(watchQuote)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readMetrics = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const readMetric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
    return { cpu: readMetric('TaskDuration') * 1000, layouts: readMetric('LayoutCount') }
  }
  const times: number[] = []
  let cpu = 0
  let layouts = 0
  return {
    async type() {
      await page.bringToFront()
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
      await amount.focus()
      const before = await readMetrics()
      for (let stroke = 0; stroke < STROKES; stroke += 1) {
        await page.keyboard.press(stroke % 2 === 0 ? String(1 + ((stroke / 2) % 9)) : 'Backspace')
        const measured = page.evaluate(() => window.measureQuote())
        times.push(await waitFor(`the quote of ${baseURL} after key ${stroke + 1}`, measured))
      }
      const after = await readMetrics()
      cpu += after.cpu - before.cpu
      layouts += after.layouts - before.layouts
      // A throttled page keeps a core busy while it waits.
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    },
    summarize(): Keystroke {
      return { p95: computePercentile(times, 0.95), cpu: cpu / times.length, layouts: layouts / times.length }
    },
  }
}

declare global {
  interface Window {
    /** In milliseconds; resolves once the page is idle again. */
    measureQuote(): Promise<number>
  }
}

/** Runs in the page. */
function watchQuote() {
  const quote = document.querySelector('[data-testid=quote]')
  if (!quote) throw new Error('The screen shows no quote')
  let startedAt = 0
  let quoteTime = Promise.withResolvers<number>()
  const restart = ({ timeStamp }: KeyboardEvent) => {
    startedAt = timeStamp
    quoteTime = Promise.withResolvers()
  }
  addEventListener('keydown', restart, true)
  new MutationObserver(() => {
    quote.getBoundingClientRect()
    quoteTime.resolve(performance.now() - startedAt)
  }).observe(quote, { subtree: true, childList: true, characterData: true })
  window.measureQuote = async () => {
    const time = await quoteTime.promise
    await new Promise((resolve) => requestIdleCallback(resolve))
    return time
  }
}
