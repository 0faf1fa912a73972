import type { Locator, Page } from '@playwright/test'
import { SCENE_TIME } from '../scenes/scene.ts'
import { buildPaidTransfer, HISTORY } from '../scenes/transactions.ts'
import { expect, sceneTest, test } from './fixtures.ts'
import { expectNoDatabase } from './steps/device.ts'
import {
  HISTORY_NOW,
  historyRows,
  historyWords,
  openHistory,
  openHomeWithTransfers,
} from './steps/history.ts'
import { expectHeadingFocused, expectHome, openWallet, pressKey } from './steps/pages.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { signOut } from './steps/signIn.ts'
import { activityRows, closeReceipt, receiptSheet } from './steps/transfer.ts'
import { words } from './words.ts'

const MONTHS = {
  fr: ['novembre 2026', 'octobre 2026', 'septembre 2026'],
  en: ['November 2026', 'October 2026', 'September 2026'],
}

const count = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Matches any kind of space. */
const buildAmountPattern = (text: string) => new RegExp(text.replace('+', '\\+').replace(/ /g, '\\s'))

async function scrollAndReadPosition(page: Page, distance: number) {
  await page.evaluate((pixels) => scrollBy(0, pixels), distance)
  return historyRows(page).last().getAttribute('aria-posinset')
}

async function isInViewport(element: Locator) {
  if (!(await element.isVisible())) return false
  const { top, bottom } = await element.evaluate((one) => one.getBoundingClientRect())
  return top >= 0 && bottom <= (element.page().viewportSize()?.height ?? 0)
}

// Scenes have a clock of their own, and no base URL.
test.beforeEach(async ({ page, baseURL }) => {
  if (baseURL) await page.clock.setFixedTime(HISTORY_NOW)
})

const FETCH = 'transactions.fetchHistory'

/** `every`: in days. */
const buildTransfers = (count: number, every = 1) =>
  Array.from({ length: count }, (_, index) =>
    buildPaidTransfer(index * every * 24, {
      id: `pi_${index}`,
      recipientPhone: `+22462${String(index).padStart(7, '0')}`,
      status: index === 3 ? 'pending' : 'completed',
    }),
  )

type Transfers = ReturnType<typeof buildTransfers>

/** `rest`: older transfers that the response leaves out. */
function buildPart(transactions: Transfers, before: Transfers = [], rest: Transfers = []) {
  const place = ({ id, createdAt }: Transfers[number]) => ({ seconds: createdAt / 1000, nanoseconds: 0, id })
  const [after = null, newest = null, oldest = null] = [
    before.at(-1),
    transactions[0],
    transactions.at(-1),
  ].map((row) => row && place(row))
  const stretch = { after, newest, oldest: rest.length > 0 ? oldest : null }
  return { value: { transactions, unreadIds: [], stretch } }
}

sceneTest('the history lists transfers by month; a row opens a receipt @desk', async ({ page, language }) => {
  await openScene(page, 'home-activity', { rows: { transactions: buildTransfers(30, 2) } })
  await openHistory(page)
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  for (const name of MONTHS[language]) {
    const heading = page.getByRole('heading', { level: 2, name })
    await expect
      .poll(async () => (await isInViewport(heading)) || page.mouse.wheel(0, 300), { intervals: [100] })
      .toBe(true)
  }
  const last = historyRows(page).last()
  await expect.poll(() => scrollAndReadPosition(page, 2000)).toBe('30')
  await expect(last).toHaveAttribute('aria-setsize', '30')
  await expect(page.getByText(historyWords.inAll(30))).toBeAttached()

  const opener = last.getByRole('button')
  await opener.click()
  await expect(receiptSheet(page)).toContainText('pi_29')
  await closeReceipt(page)
  await expect(opener).toBeFocused()
  await page.goBack()
  await expectHome(page)
})

sceneTest('a wide window shows the newest receipt beside the history @desk', async ({ page }) => {
  await openScene(page, 'history')
  const rows = historyRows(page).getByRole('button')
  const receipt = receiptSheet(page)
  await expect(receipt).toContainText(HISTORY[0].id)
  await expectHeadingFocused(page)
  await rows.nth(1).click()
  await expect(receipt).toBeFocused()
  await expect(receipt).toContainText(HISTORY[1].id)
  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
  await expect(rows.nth(1)).toBeFocused()
  await rows.nth(1).click()
  await expect(receipt).toBeVisible()
  await openWallet(page)
  await expect(receipt).toBeHidden()
})

sceneTest('the Tab key moves through all rows, even those not rendered yet @desk', async ({ page }) => {
  await openScene(page, 'history', { rows: { transactions: buildTransfers(1000) } })
  expect(await historyRows(page).count()).toBeLessThan(40)
  await historyRows(page).first().getByRole('button').focus()
  // On a slow phone, the focus moves before the page can scroll.
  await page.evaluate(async () => {
    for (let place = 2; place <= 20; place += 1) {
      const buttons: Element[] = [...document.querySelectorAll('main ol > li button')]
      const next = buttons[document.activeElement ? buttons.indexOf(document.activeElement) + 1 : 0]
      if (next instanceof HTMLElement) next.focus()
      await Promise.resolve()
    }
  })
  await expect(page.locator('main li[aria-posinset="21"]')).toBeAttached()
  for (let place = 21; place <= 40; place += 1) await page.keyboard.press('Tab')
  const focused = page.locator('li:has(:focus)')
  await expect(focused).toHaveAttribute('aria-posinset', '40')
  await expect(focused).toBeInViewport()
  await page.evaluate(() => scrollTo(0, 0))
  await expect(historyRows(page).first()).toHaveAttribute('aria-posinset', '1')
  await expect(focused).toHaveAttribute('aria-posinset', '40')
})

sceneTest('the history is searched by number and name, and filtered by status @desk', async ({ page }) => {
  const [phone, name] = ['+224620000042', 'Fatoumata Camará']
  const contacts = [{ id: 'u1_1', userId: 'u1', name, phone, createdAt: SCENE_TIME }]
  await openScene(page, 'history', { rows: { contacts, transactions: buildTransfers(80) } })
  const field = page.getByLabel(historyWords.search)
  // The page begins with fewer rows.
  for (const text of ['620 00 00 42', 'camara fatou']) {
    await field.fill(text)
    await expect(count(page, historyWords.found(1))).toBeVisible()
    await expect(historyRows(page)).toHaveCount(1)
    await expect(historyRows(page)).toContainText(name)
    await expect(historyRows(page)).toHaveAttribute('aria-setsize', '1')
  }
  await field.fill('000 000')
  await expect(count(page, historyWords.found(10))).toBeVisible()
  await page.getByLabel(historyWords.status, { exact: true }).selectOption(historyWords.pending)
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(historyRows(page)).toContainText(buildAmountPattern('+224 620 00 00 03'))

  await field.fill('Nobody')
  await expect(count(page, historyWords.found(0))).toBeVisible()
  await expect(page.getByText(historyWords.noMatch)).toBeVisible()
  await page.getByRole('button', { name: historyWords.clear }).click()
  await expect(count(page, historyWords.inAll(80))).toBeVisible()
  await expectHeadingFocused(page)
})

sceneTest('a pending transfer has a yellow background in the history @spec-status', async ({ page }) => {
  await openScene(page, 'history')
  const state = historyRows(page).getByText(historyWords.pending)
  await expect(state).toHaveCSS('background-color', 'rgb(244, 185, 66)')
})

sceneTest('the history says why it is not refreshed @spec-history-errors @desk', async ({ page }) => {
  const retry = page.getByRole('button', { name: words.retry })
  await openScene(page, 'history-failed')
  for (const [name, cause] of [
    ['failed', 'other'],
    ['preparing', 'missingIndex'],
    ['signedOut', 'denied'],
  ] as const) {
    await setResponse(page, FETCH, { failure: { kind: 'data', operation: 'fetchHistory', cause } })
    await pressKey(retry)
    await expect(page.getByRole('main').getByText(historyWords[name])).toBeVisible()
    await expect(historyRows(page)).toHaveCount(HISTORY.length)
  }
  await setResponse(page, FETCH, buildPart([...HISTORY]))
  await pressKey(retry)
  await expect(retry).toBeHidden()
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
})

sceneTest('older transfers that fail to load can be loaded by a retry @desk', async ({ page }) => {
  const rows = buildTransfers(60)
  const [newer, older] = [rows.slice(0, 40), rows.slice(40)]
  const failed = { failure: { kind: 'data', operation: 'fetchHistory', cause: 'other' } } as const
  const retry = page.getByRole('button', { name: words.retry })
  await openScene(page, 'history', { rows: {}, responses: { [FETCH]: buildPart(newer, [], older) } })
  await expect(historyRows(page).first()).toHaveAttribute('aria-setsize', '-1')
  await setResponse(page, FETCH, failed)
  await expect
    .poll(async () => (await retry.isVisible()) || page.evaluate(() => scrollBy(0, 6000)))
    .toBe(true)
  await setResponse(page, FETCH, 'held')
  await pressKey(retry)
  await expect(page.getByRole('button', { name: words.retrying })).toBeFocused()
  await setResponse(page, FETCH, failed)
  await expect(retry).toBeFocused()
  await expect(page.getByText(historyWords.failed)).toBeVisible()
  await setResponse(page, FETCH, buildPart(older, newer))
  await pressKey(retry)
  await expect(page.getByText(historyWords.failed)).toBeHidden()
  await expect.poll(() => scrollAndReadPosition(page, 6000)).toBe('60')
})

sceneTest('a search says that nothing matches only once every transfer was read @desk', async ({ page }) => {
  await openScene(page, 'history-search-unfinished')
  await expect(page.getByText(historyWords.failed).first()).toBeVisible()
  await expect(count(page, historyWords.foundSoFar(0))).toBeVisible()
  await expect(page.getByText(historyWords.noMatch)).toBeHidden()
  await setResponse(page, FETCH, buildPart([...HISTORY]))
  await page.getByRole('button', { name: words.retry }).first().click()
  await expect(count(page, historyWords.found(0))).toBeVisible()
  await expect(page.getByText(historyWords.noMatch)).toBeVisible()
  await expect(page.getByRole('main').getByText(historyWords.failed)).toBeHidden()
})

sceneTest('the history is searched on the device offline, then completely online @desk', async ({ page }) => {
  const rows = buildTransfers(60)
  const responses = { [FETCH]: buildPart(rows.slice(0, 40), [], rows.slice(40)) }
  await openScene(page, 'history', { rows: {}, responses })
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  await setOffline(page, true)
  await expect(page.getByText(historyWords.offline)).toBeVisible()
  await page.getByLabel(historyWords.search).fill('+224')
  await expect(page.getByText(historyWords.onlyHere)).toBeVisible()
  await setResponse(page, FETCH, buildPart(rows.slice(40), rows.slice(0, 40)))
  await setOffline(page, false)
  await expect(count(page, historyWords.found(60))).toBeVisible()
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
})

sceneTest('received and unknown transfers are shown @spec-received-transfer @desk', async ({ page }) => {
  const received = buildPaidTransfer(24, { id: 'pi_1', type: 'received', convertedAmount: 196_100 })
  const held = buildPaidTransfer(48, { id: 'pi_2', recipientPhone: '+224620000002', status: 'held' })
  await openScene(page, 'history', { rows: { transactions: [HISTORY[0], received, held] } })
  await expect(historyRows(page)).toHaveCount(3)
  await expect(historyRows(page).nth(0)).not.toContainText(historyWords.received)
  await expect(historyRows(page).nth(1)).toContainText(historyWords.received)
  await expect(historyRows(page).nth(1)).toContainText(/\+\s(GNF\s)?196[\s,]100/)
  await historyRows(page).nth(1).getByRole('button').click()
  const receipt = page.getByRole('dialog')
  await expect(receipt).toContainText('pi_1')
  await expect(receipt).toContainText(historyWords.amountReceived)
  await expect(receipt.getByRole('button')).toHaveCount(4)
  await closeReceipt(page)

  await page.getByLabel(historyWords.status, { exact: true }).selectOption(historyWords.unknown)
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(historyRows(page)).toContainText(buildAmountPattern('+224 620 00 00 02'))
})

sceneTest('transfers that only a newer version reads are counted as not shown @desk', async ({ page }) => {
  await openScene(page, 'history-unread')
  const field = page.getByLabel(historyWords.search)
  await field.fill('Nobody')
  await expect(count(page, historyWords.found(0))).toBeVisible()
  await field.fill('')
  await expect(count(page, historyWords.inAll(HISTORY.length + 1))).toBeVisible()
  await expect(page.getByRole('main').getByText(historyWords.unread(1))).toBeVisible()

  await openScene(page, 'home-only-unread')
  await expect(page.getByText(historyWords.unread(2))).toBeVisible()
  await expect(page.getByText(words.noTransfers)).toBeHidden()
})

sceneTest('a device that stores nothing shows the whole history with a warning @desk', async ({ page }) => {
  await openScene(page, 'device-keeps-nothing', {
    path: '/?view=history',
    rows: { transactions: buildTransfers(60) },
  })
  await expect(page.getByText(historyWords.keepsNothing)).toBeVisible()
  await page.getByLabel(historyWords.search).fill('0000 059')
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await historyRows(page).getByRole('button').click()
  await expect(receiptSheet(page)).toBeVisible()
})

test('signing out clears tabs and device for the next user @desk', async ({ page, server, context }) => {
  const person = await openHomeWithTransfers(page, server, 3)
  await expect(activityRows(page)).toHaveCount(3)
  const other = await context.newPage()
  await other.goto('/?view=history')
  await expect(historyRows(other)).toHaveCount(3)
  await page.bringToFront()
  await signOut(page)
  await expect(other.getByRole('tab', { name: words.emailTab })).toBeVisible()
  for (const tab of [page, other]) await expectNoDatabase(tab, person.uid)

  await openHomeWithTransfers(page, server, 0)
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.uid)
  await page.goto('/?view=history')
  await expect(page.locator('main:visible').getByText(words.noTransfers)).toBeVisible()
  await expect(historyRows(page)).toHaveCount(0)
})
