// Measures the time from a key event in the amount field to the layout of the new quote.
import { chromium } from '@playwright/test'
import type { Server } from '../../e2e/server.ts'
import { registerAndOpenHome } from '../../e2e/steps/signIn.ts'
import { waitFor } from './waitFor.ts'

const STROKES = 100

/** Returns the 95th percentile in milliseconds. `slowdown`: CPU throttling factor. */
export async function measureKeystrokes({
  executablePath,
  product,
  slowdown,
}: {
  executablePath: string
  product: Server
  slowdown: number
}): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({
      baseURL: product.origin,
      viewport: { width: 360, height: 740 },
      // Installing the service worker would take CPU time from the form.
      serviceWorkers: 'block',
    })
    await waitFor('the home screen', registerAndOpenHome(page, product))
    const amount = page.locator('[name=amount]')
    await amount.fill('10')
    await page.evaluate(watchQuote)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await amount.focus()
    const times: number[] = []
    for (let stroke = 0; stroke < STROKES; stroke += 1) {
      await page.keyboard.press(stroke % 2 === 0 ? String(1 + ((stroke / 2) % 9)) : 'Backspace')
      const measured = page.evaluate(() => window.measureQuote())
      times.push(await waitFor(`the quote after key ${stroke + 1}`, measured))
    }
    return times.sort((one, other) => one - other)[Math.ceil(STROKES * 0.95) - 1] ?? Number.NaN
  } finally {
    await browser.close()
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
  let shown = Promise.withResolvers<number>()
  const restart = ({ timeStamp }: KeyboardEvent) => {
    startedAt = timeStamp
    shown = Promise.withResolvers()
  }
  addEventListener('keydown', restart, true)
  new MutationObserver(() => {
    quote.getBoundingClientRect()
    shown.resolve(performance.now() - startedAt)
  }).observe(quote, { subtree: true, childList: true, characterData: true })
  window.measureQuote = async () => {
    const time = await shown.promise
    await new Promise((resolve) => requestIdleCallback(resolve))
    return time
  }
}
