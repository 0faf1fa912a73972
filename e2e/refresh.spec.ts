import type { Locator, Page } from '@playwright/test'
import { HOUR } from '../domain/common/duration.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import {
  buildStoredTransfer,
  HISTORY_NOW,
  historyRows,
  historyWords,
  openHistory,
  openHomeWithTransfers,
  openRefreshedHistory,
} from './steps/history.ts'
import { openFromMenu, openWallet, pressKey } from './steps/pages.ts'
import { openScene, setOffline } from './steps/scenes.ts'
import { activityRows, closeReceipt, receiptSheet } from './steps/transfer.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const QUERY = '**/documents:runQuery**'

const refreshButton = (page: Page) => page.getByRole('button', { name: historyWords.refresh })

async function writeNewTransfer(server: Server, uid: string) {
  const row = buildStoredTransfer(uid, 42, { createdAt: new Date(HISTORY_NOW + HOUR) })
  await server.write(`transactions/${row.id}`, row)
}

function countRefreshes(page: Page): () => number {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes(':runQuery') && request.postData()?.includes('"transactions"')) asked += 1
  })
  return () => asked
}

/** Returns a function that lifts the finger. */
async function drag(page: Page, { across = 0, down = 0 }, y = 250) {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [{ x: 100, y }])
  for (let step = 1; step <= 5; step += 1)
    await touch('touchMove', [{ x: 100 + (across * step) / 5, y: y + (down * step) / 5 }])
  return () => touch('touchEnd', [])
}

async function swipe(page: Page, way: { across?: number; down?: number }) {
  const lift = await drag(page, way)
  await lift()
}

test('the button, however often pressed, refreshes once and announces it @both', async ({ page, server }) => {
  const person = await openHomeWithTransfers(page, server, 2)
  await openRefreshedHistory(page)
  await writeNewTransfer(server, person.uid)
  const countAsked = countRefreshes(page)
  const release = await delayRequests(page, QUERY)
  await pressKey(refreshButton(page))
  await expect(page.getByRole('status').filter({ hasText: historyWords.refreshing })).toBeVisible()
  await refreshButton(page).press('Enter')
  release()
  await expect(page.getByRole('status').getByText(historyWords.refreshed)).toHaveCount(1)
  await expect(historyRows(page)).toHaveCount(3)
  await expect(refreshButton(page)).toBeFocused()
  expect(countAsked()).toBe(1)
})

sceneTest('a failed refresh says what to do, with and without network @desk', async ({ page }) => {
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
  // The page's own refresh has ended, so the press does not join it.
  await openScene(page, 'history-failed')
  await refreshButton(page).click()
  await expect(alert(historyWords.refreshFailed)).toBeVisible()
  await setOffline(page, true)
  await expect(page.getByText(historyWords.offline)).toBeVisible()
  await refreshButton(page).click()
  await expect(alert(historyWords.refreshNeedsNetwork)).toBeVisible()
})

sceneTest('refresh and history’s link share a line at 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 740 })
  await openScene(page, 'home-activity')
  const activity = page.getByRole('region', { name: words.activity })
  const heading = activity.getByRole('heading')
  // Polled, because what appears above the list moves it between two measurements.
  for (const part of [refreshButton(page), activity.getByRole('link', { name: historyWords.all })])
    await expect
      .poll(async () => Math.abs((await findMiddle(part)) - (await findMiddle(heading))))
      .toBeLessThan(10)
})

sceneTest('the refresh of an empty activity is level with its heading', async ({ page }) => {
  await openScene(page, 'home-empty')
  const heading = page.getByRole('region', { name: words.activity }).getByRole('heading').first()
  const middles = await Promise.all([findMiddle(refreshButton(page)), findMiddle(heading)])
  expect(Math.abs(middles[0] - middles[1])).toBeLessThan(2)
})

async function findMiddle(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  return box ? box.y + box.height / 2 : Number.NaN
}

test('only pulling a page down from its top refreshes it', async ({ page, server }) => {
  const person = await openHomeWithTransfers(page, server, 15)
  await openRefreshedHistory(page)
  const countAsked = countRefreshes(page)

  await swipe(page, { down: 60 })
  await swipe(page, { down: -200 })
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  await swipe(page, { down: 150 })
  await page.evaluate(() => scrollTo(0, 0))
  await swipe(page, { across: 200, down: 150 })
  await historyRows(page).first().getByRole('button').click()
  await expect(receiptSheet(page)).toBeVisible()
  await swipe(page, { down: 150 })
  await expect(receiptSheet(page)).toBeVisible()
  await closeReceipt(page)
  expect(countAsked()).toBe(0)

  await swipe(page, { down: 150 })
  await expect(page.getByText(historyWords.refreshed)).toBeVisible()
  expect(countAsked()).toBe(1)
  await expect(page.getByText(historyWords.refreshed)).toBeHidden()

  await page.goBack()
  await writeNewTransfer(server, person.uid)
  await expect(refreshButton(page)).toBeAttached()
  await page.evaluate(() => scrollTo(0, 0))
  await swipe(page, { down: 150 })
  await expect(activityRows(page).first()).toContainText(/\+224\s620\s00\s00\s42/)
  await expect(page.getByText(historyWords.refreshed)).toBeVisible()
})

test('wallet and receipt are refreshed by button or pull, online', async ({ page, context, server }) => {
  await openHomeWithTransfers(page, server, 1)
  const expectRefreshes = async ([button, done]: readonly [string, string], asked: string, y: number) => {
    const lift = await drag(page, { down: 150 }, y)
    const answer = page.waitForResponse(
      (response) => response.request().postData()?.includes(asked) === true && response.ok(),
    )
    await lift()
    await answer
    await expect(page.getByText(done)).toBeVisible()
    await expect(page.getByText(done)).toBeHidden()
    await context.setOffline(true)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('alert').filter({ hasText: historyWords.refreshNeedsNetwork })).toBeVisible()
    await context.setOffline(false)
  }
  await openWallet(page)
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  await expectRefreshes([historyWords.refreshWallet, historyWords.walletRefreshed], '/ledgers/', 250)
  await page.goBack()
  await activityRows(page).first().click()
  const sheet = await receiptSheet(page).boundingBox()
  await expectRefreshes(
    [historyWords.refreshReceipt, historyWords.receiptRefreshed],
    '/transactions/',
    (sheet?.y ?? 0) + 90,
  )
})

sceneTest('the app’s own pull replaces the browser’s, respecting reduced motion', async ({ page }) => {
  const ownPull = page.locator('main [class*="_pull_"]')
  await openScene(page, 'home-activity')
  await openHistory(page)
  await expect(page.locator('html')).toHaveCSS('overscroll-behavior-y', 'none')
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion })
    const lift = await drag(page, { down: 60 })
    if (reducedMotion === 'reduce') await expect(ownPull).toHaveCSS('transform', 'none')
    else await expect(ownPull).not.toHaveCSS('transform', 'none')
    await lift()
    await expect(ownPull).toBeHidden()
  }
  await openFromMenu(page, words.settings)
  await expect(page.locator('html')).toHaveCSS('overscroll-behavior-y', 'auto')
})
