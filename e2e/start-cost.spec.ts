import { serveStatic } from '@hono/node-server/serve-static'
import type { Browser, Page } from '@playwright/test'
import { Hono } from 'hono'
import { serve } from 'service-emulators/serve'
import { BARE_STACK, ensureBareStackBuilt } from '../build/bareStack.ts'
import { expect, test } from './fixtures.ts'
import { words } from './words.ts'

const ROUNDS = 3
const KEYS = 5

/** CPU time excludes waits, and the least of several rounds excludes most of what other programs cause. */
test('the start’s CPU time is at most 2.2 times the bare stack’s', async ({ browser, server }) => {
  ensureBareStackBuilt()
  const bareServer = await serve(new Hono().use(serveStatic({ root: BARE_STACK })).fetch)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await measureStart(browser, server.origin, () => window.opening?.isTakenOver === true))
    theirs.push(await measureStart(browser, bareServer.origin, () => document.querySelector('h1') !== null))
  }
  await bareServer.close()
  const ratio = Math.min(...ours) / Math.min(...theirs)
  expect(ratio, `CPU times in ms: ${ours} against ${theirs}`).toBeLessThanOrEqual(2.2)
})

test('a keystroke lays out the amounts and the toll, twice at most', async ({ browser, page }) => {
  await page.goto('/')
  await page.waitForFunction(() => window.opening?.isTakenOver)
  const amount = page.getByLabel(words.amount)
  await amount.fill('20')
  await expect(page.locator('[name=arrives]')).toHaveValue(/^205.640$/)
  const keys: Layout[][] = []
  for (let key = 0; key < KEYS; key += 1) {
    await drawFrame(page)
    await browser.startTracing(page, { categories: ['devtools.timeline'] })
    await amount.press(key % 2 === 0 ? '5' : 'Backspace')
    await drawFrame(page)
    keys.push(listLayouts(await browser.stopTracing()))
  }
  // Work that waits for a pause in typing can join one of them.
  const cheap = keys.filter(
    (layouts) => layouts.length > 0 && layouts.length <= 2 && layouts.every(isPartial),
  )
  expect(cheap, JSON.stringify(keys)).not.toEqual([])
})

interface Layout {
  readonly name: string
  readonly args: { readonly beginData?: { readonly partialLayout: boolean } }
}

/** Whether it began below the document. */
const isPartial = ({ args }: Layout) => args.beginData?.partialLayout === true

function listLayouts(trace: Buffer): Layout[] {
  const { traceEvents }: { traceEvents: Layout[] } = JSON.parse(trace.toString())
  return traceEvents.filter(({ name, args }) => name === 'Layout' && args.beginData)
}

/** Returns milliseconds of CPU time on the main thread. */
async function measureStart(browser: Browser, origin: string, isUsable: () => boolean): Promise<number> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  const readMetric = await watchMetrics(page)
  await page.goto(origin)
  await page.waitForFunction(isUsable)
  await drawFrame(page)
  const seconds = await readMetric('TaskDuration')
  await context.close()
  return Math.round(seconds * 1000)
}

async function watchMetrics(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async (wanted: string): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  }
}

const drawFrame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
