// From a key to the new quote, beside the same on a page of the bare stack with one field, and on one without any library.
import { serveStatic } from '@hono/node-server/serve-static'
import { type Browser, chromium, type Page } from '@playwright/test'
import { Hono } from 'hono'
import { serve } from 'service-emulators/serve'
import type { Server } from '../../e2e/server.ts'
import { arriveHome } from '../../e2e/steps/waysIn.ts'

const ROUNDS = 5
const STROKES = 20

/** Milliseconds from a key event to the changed text, laid out. */
export interface Keystroke {
  readonly median: number
  /** 95th percentile. */
  readonly p95: number
}

/**
 * Types on the three pages in turn, in the same run. `slowdown`: how many times the processor is slowed; `bareField`: the
 * folder of the two pages that are compared with. What the page without a library takes is the browser's own part.
 */
export async function keystrokes({
  executablePath,
  product,
  bareField,
  slowdown,
}: {
  executablePath: string
  product: Server
  bareField: string
  slowdown: number
}): Promise<{ product: Keystroke; stack: Keystroke; plain: Keystroke }> {
  const bare = await serve(new Hono().use(serveStatic({ root: bareField, precompressed: true })).fetch)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const typists = [
      await typist(browser, product.origin, slowdown, (page) => arriveHome(page, product)),
      await typist(browser, bare.origin, slowdown, (page) => page.goto('/')),
      await typist(browser, bare.origin, slowdown, (page) => page.goto('/plain.html')),
    ]
    const times: number[][] = typists.map(() => [])
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [which, type] of typists.entries()) times[which]?.push(...(await type()))
    const [ours, stack, plain] = times.map(figures)
    if (!ours || !stack || !plain) throw new Error('Nobody typed')
    return { product: ours, stack, plain }
  } finally {
    await browser.close()
    await bare.close()
  }
}

/** A phone on the page that `visit` opens; types a round of keys and answers how long each took, in milliseconds. */
async function typist(
  browser: Browser,
  baseURL: string,
  slowdown: number,
  visit: (page: Page) => Promise<unknown>,
) {
  const page = await browser.newPage({
    baseURL,
    viewport: { width: 360, height: 740 },
    // Keeping the app on the device takes a turn of the processor that is not the form's.
    serviceWorkers: 'block',
  })
  await visit(page)
  const amount = page.locator('[name=amount]')
  await amount.fill('10')
  await page.evaluate(watchQuote)
  const session = await page.context().newCDPSession(page)
  const slowDown = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate })
  return async () => {
    await page.bringToFront()
    await slowDown(slowdown)
    await amount.focus()
    const times: number[] = []
    for (let stroke = 0; stroke < STROKES; stroke += 1) {
      await page.keyboard.press(stroke % 2 === 0 ? String(1 + ((stroke / 2) % 9)) : 'Backspace')
      times.push(await page.evaluate(() => window.quoteShown()))
    }
    // A page that is slowed keeps a processor busy, also while it waits.
    await slowDown(1)
    return times
  }
}

declare global {
  interface Window {
    /** Milliseconds from the last key event to its quote; told once the page is at rest again. */
    quoteShown(): Promise<number>
  }
}

/** Runs in the page. */
function watchQuote() {
  const quote = document.querySelector('[data-testid=quote]')
  if (!quote) throw new Error('There is no quote on the screen')
  let begun = 0
  let shown = Promise.withResolvers<number>()
  const onKey = ({ timeStamp }: KeyboardEvent) => {
    begun = timeStamp
    shown = Promise.withResolvers()
  }
  addEventListener('keydown', onKey, true)
  new MutationObserver(() => {
    quote.getBoundingClientRect()
    shown.resolve(performance.now() - begun)
  }).observe(quote, { subtree: true, childList: true, characterData: true })
  window.quoteShown = async () => {
    const time = await shown.promise
    // A hand that types lets the picture settle between two keys.
    await new Promise((resolve) => requestIdleCallback(resolve))
    return time
  }
}

function figures(times: readonly number[]): Keystroke {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95) }
}
