import type { Locator, Page } from '@playwright/test'
import { buildPaidTransfer, HISTORY } from '../scenes/transactions.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { answerHistory, historyRows, historyWords, openHistory } from './steps/history.ts'
import { openFromMenu, pressKey } from './steps/pages.ts'
import { countCalls, openScene, setOffline, setResponse } from './steps/scenes.ts'
import { activityRows, closeReceipt, receiptSheet } from './steps/transfer.ts'
import { words } from './words.ts'

const FETCH = 'transactions.fetchHistory'
/** The next fetch of the history finds a new transfer. */
const FOUND = answerHistory([
  buildPaidTransfer(-1, { id: 'pi_1', recipientPhone: '+224620000042' }),
  ...HISTORY,
])

const refreshButton = (page: Page) => page.getByRole('button', { name: historyWords.refresh })

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

test('the button, however often pressed, refreshes once and announces it @both', async ({ page }) => {
  await openScene(page, 'history')
  const before = await countCalls(page, FETCH)
  await setResponse(page, FETCH, 'held')
  await pressKey(refreshButton(page))
  await expect(page.getByRole('status').filter({ hasText: historyWords.refreshing })).toBeVisible()
  await refreshButton(page).press('Enter')
  await setResponse(page, FETCH, FOUND)
  await expect(page.getByRole('status').getByText(historyWords.refreshed)).toHaveCount(1)
  await expect(historyRows(page)).toHaveCount(HISTORY.length + 1)
  await expect(refreshButton(page)).toBeFocused()
  expect(await countCalls(page, FETCH)).toBe(before + 1)
})

test('a failed refresh says what to do, with and without network @desk', async ({ page }) => {
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

test('refresh and history’s link share a line at 320 pixels', async ({ page }) => {
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

test('the refresh of an empty activity is level with its heading', async ({ page }) => {
  await openScene(page, 'home-empty')
  const heading = page.getByRole('region', { name: words.activity }).getByRole('heading').first()
  const middles = await Promise.all([findMiddle(refreshButton(page)), findMiddle(heading)])
  expect(Math.abs(middles[0] - middles[1])).toBeLessThan(2)
})

async function findMiddle(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  return box ? box.y + box.height / 2 : Number.NaN
}

test('only pulling a page down from its top refreshes it', async ({ page }) => {
  const transactions = Array.from({ length: 15 }, (_, hours) =>
    buildPaidTransfer(hours, { id: `pi_${hours}` }),
  )
  await openScene(page, 'history', { rows: { transactions } })
  const before = await countCalls(page, FETCH)
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
  expect(await countCalls(page, FETCH)).toBe(before)
  await swipe(page, { down: 150 })
  await expect(page.getByText(historyWords.refreshed)).toBeVisible()
  expect(await countCalls(page, FETCH)).toBe(before + 1)

  await openScene(page, 'home-activity')
  await setResponse(page, FETCH, FOUND)
  await swipe(page, { down: 150 })
  await expect(activityRows(page).first()).toContainText(/\+224\s620\s00\s00\s42/)
  await expect(page.getByText(historyWords.refreshed)).toBeVisible()
})

test('wallet and receipt are refreshed by button or pull, online', async ({ page }) => {
  const expectRefreshes = async (
    [button, done]: readonly [string, string],
    call: 'ledgers.fetchLedger' | 'transactions.fetchTransaction',
    y: number,
  ) => {
    const before = await countCalls(page, call)
    const lift = await drag(page, { down: 150 }, y)
    expect(await countCalls(page, call)).toBe(before)
    await lift()
    await expect(page.getByText(done)).toBeVisible()
    expect(await countCalls(page, call)).toBe(before + 1)
    await setOffline(page, true)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('alert').filter({ hasText: historyWords.refreshNeedsNetwork })).toBeVisible()
  }
  await openScene(page, 'wallet')
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  await expectRefreshes(
    [historyWords.refreshWallet, historyWords.walletRefreshed],
    'ledgers.fetchLedger',
    250,
  )
  await openScene(page, 'receipt')
  const sheet = await receiptSheet(page).boundingBox()
  await expectRefreshes(
    [historyWords.refreshReceipt, historyWords.receiptRefreshed],
    'transactions.fetchTransaction',
    (sheet?.y ?? 0) + 90,
  )
})

test('the app’s own pull replaces the browser’s, respecting reduced motion', async ({ page }) => {
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
