import type { Locator, Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { writeContact } from './steps/contacts.ts'
import { expectNoDatabase } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import {
  buildStoredTransfer,
  HISTORY_NOW,
  historyRows,
  historyWords,
  openHistory,
  openRefreshedHistory,
  registerWithTransfers,
} from './steps/history.ts'
import { expectHeadingFocused, expectHome, openWallet, pressKey } from './steps/pages.ts'
import { openScene } from './steps/scenes.ts'
import { openSignedInHome, signIn, signOut } from './steps/signIn.ts'
import {
  activityRows,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payWithCard,
  receiptSheet,
} from './steps/transfer.ts'
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

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(HISTORY_NOW)
})

test('the history lists transfers by month, and rows open receipts @desk', async ({
  page,
  server,
  language,
}) => {
  const person = await registerWithTransfers(server, 30, 2)
  await openSignedInHome(page, server, person)
  await openHistory(page)
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const seen: string[] = []
  for (const month of MONTHS[language]) {
    const heading = page.getByRole('heading', { level: 2, name: month })
    await expect
      .poll(async () => (await isInViewport(heading)) || page.mouse.wheel(0, 300), { intervals: [100] })
      .toBe(true)
    seen.push(month)
  }
  expect(seen).toEqual([...MONTHS[language]])
  const last = historyRows(page).last()
  await expect.poll(() => scrollAndReadPosition(page, 2000)).toBe('30')
  await expect(last).toHaveAttribute('aria-setsize', '30')
  await expect(page.getByText(historyWords.inAll(30))).toBeAttached()

  const opener = last.getByRole('button')
  await opener.click()
  const receipt = receiptSheet(page)
  await expect(receipt).toContainText(buildStoredTransfer(person.uid, 58).id)
  await closeReceipt(page)
  await expect(opener).toBeFocused()

  await page.goBack()
  await expectHome(page)
})

test('a wide window shows the chosen row’s receipt beside the history @desk @all', async ({
  page,
  server,
}) => {
  const person = await registerWithTransfers(server, 30, 2)
  await openSignedInHome(page, server, person)
  await openHistory(page)
  const rows = historyRows(page).getByRole('button')
  const receipt = receiptSheet(page)
  await rows.nth(0).click()
  await expect(receipt).toBeFocused()
  const first = await receipt.textContent()
  await rows.nth(1).click()
  await expect(receipt).not.toContainText(first ?? '')
  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
  await expect(rows.nth(1)).toBeFocused()
  await rows.nth(1).click()
  await expect(receipt).toBeVisible()
  await openWallet(page)
  await expect(receipt).toBeHidden()
})

test('the Tab key reaches all rows, even those not rendered yet @desk', async ({ page, server }) => {
  await openSignedInHome(page, server, await registerWithTransfers(server, 60))
  await openHistory(page)
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

test('the search finds numbers, amounts and names, and filters by status @desk', async ({ page, server }) => {
  const person = await registerWithTransfers(server, 80)
  await writeContact(server, person.uid, 'Fatoumata Camará', '+224620000042')
  await openSignedInHome(page, server, person)
  await page.goto('/?view=history')
  await expect(page.getByRole('heading', { level: 1, name: historyWords.history })).toBeVisible()
  await expect(page).toHaveURL('/')

  const field = page.getByLabel(historyWords.search)
  // Only the newest rows were loaded before.
  for (const text of [
    '+224 620 00 00 42',
    '620000042',
    '62,00',
    '€62.00',
    '620100',
    '620 100',
    'camara fatou',
  ]) {
    await field.fill(text)
    await expect(count(page, historyWords.found(1))).toBeVisible()
    await expect(historyRows(page)).toHaveCount(1)
    await expect(historyRows(page)).toContainText('Fatoumata Camará')
    await expect(historyRows(page)).toHaveAttribute('aria-setsize', '1')
  }
  await field.fill('000 000')
  await expect(count(page, historyWords.found(10))).toBeVisible()
  await page.getByLabel(historyWords.status).selectOption(historyWords.pending)
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

test('a thousand transfers render fewer than sixty rows at once @desk @all', async ({ page, server }) => {
  test.slow()
  const person = await registerWithTransfers(server, 1000)
  await openSignedInHome(page, server, person)
  await openHistory(page)
  await expect(historyRows(page).first()).toHaveAttribute('aria-setsize', '-1')
  let most = 0
  const scroll = async () => {
    most = Math.max(most, await historyRows(page).count())
    return scrollAndReadPosition(page, 6000)
  }
  await expect.poll(scroll, { intervals: [50], timeout: 60_000 }).toBe('1000')
  expect(most).toBeLessThan(60)
  await expect(historyRows(page).last()).toHaveAttribute('aria-setsize', '1000')
})

test('a search loads the history that the device lacks @desk', async ({ page, server }) => {
  const person = await registerWithTransfers(server, 600)
  await openSignedInHome(page, server, person)
  await openHistory(page)
  await page.getByLabel(historyWords.search).fill('0000 599')
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(historyRows(page)).toContainText(buildAmountPattern('+224 620 00 05 99'))
})

test('an empty history says that nothing has been sent yet @desk @all', async ({ page, server }) => {
  const person = await registerWithTransfers(server, 0)
  await openSignedInHome(page, server, person)
  const { activity, history } = historyWords
  const bar = page.getByRole('button', { name: activity })
  if (await bar.isVisible()) await bar.click()
  else await page.goto('/?view=history')
  await expect(page.getByRole('heading', { level: 1, name: history })).toBeVisible()
  await expect(page.getByRole('main').getByText(words.noTransfers)).toBeVisible()
})

test.describe("the history explains why it can't be refreshed @spec-history-errors", () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  const refusals = [
    ['failed', 500, 'INTERNAL', 'Internal error'],
    ['preparing', 400, 'FAILED_PRECONDITION', 'The query requires an index. You can create it here: …'],
    ['signedOut', 403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.'],
  ] as const
  for (const [name, code, status, message] of refusals)
    test(`the history reports the error ${status} until a retry succeeds @desk`, async ({ page, server }) => {
      await openSignedInHome(page, server, await registerWithTransfers(server, 2))
      await expect(activityRows(page)).toHaveCount(2)
      await page.route('**/documents:runQuery**', (route) =>
        route.fulfill({ status: code, json: [{ error: { code, status, message } }] }),
      )
      await openHistory(page)
      const notice = page.getByRole('main').getByText(historyWords[name])
      await expect(notice).toBeVisible()
      await expect(historyRows(page)).toHaveCount(2)
      await page.unroute('**/documents:runQuery**')
      await page.getByRole('button', { name: words.retry }).click()
      await expect(notice).toBeHidden()
      await expect(page.getByText(historyWords.upToDate)).toBeVisible()
    })

  test('older transfers that fail to load are reported, with a retry @desk @all', async ({
    page,
    server,
  }) => {
    await openSignedInHome(page, server, await registerWithTransfers(server, 90))
    const QUERY = '**/documents:runQuery**'
    await openRefreshedHistory(page)
    await page.route(QUERY, (route) => route.fulfill({ status: 500, json: [{ error: {} }] }))
    const retry = page.getByRole('button', { name: words.retry })
    await expect
      .poll(async () => (await retry.isVisible()) || page.evaluate(() => scrollBy(0, 6000)))
      .toBe(true)
    // The button is enabled again only after a response.
    const answered = page.waitForResponse((response) => response.status() === 500)
    await pressKey(retry)
    await answered
    await expect(retry).toBeFocused()
    await expect(page.getByText(historyWords.failed)).toBeVisible()
    await page.unroute(QUERY)
    await pressKey(retry)
    await expect(page.getByText(historyWords.failed)).toBeHidden()
    await expect.poll(() => scrollAndReadPosition(page, 6000)).toBe('90')
  })

  test('a search says that nothing matches only once every transfer was read @desk', async ({
    page,
    server,
  }) => {
    await openSignedInHome(page, server, await registerWithTransfers(server, 90))
    const QUERY = '**/documents:runQuery**'
    await openRefreshedHistory(page)
    await page.route(QUERY, (route) => route.fulfill({ status: 500, json: [{ error: {} }] }))
    await page.getByLabel(historyWords.search).fill('Nobody')
    await expect(page.getByText(historyWords.failed)).toBeVisible()
    await expect(count(page, historyWords.foundSoFar(0))).toBeVisible()
    await expect(page.getByText(historyWords.noMatch)).toBeHidden()
    await page.unroute(QUERY)
    await page.getByRole('button', { name: words.retry }).click()
    await expect(count(page, historyWords.found(0))).toBeVisible()
    await expect(page.getByText(historyWords.noMatch)).toBeVisible()
  })

  test('the search works on the device’s part offline, later completely @desk @all', async ({
    page,
    server,
    context,
  }) => {
    await openSignedInHome(page, server, await registerWithTransfers(server, 90))
    await openHistory(page)
    await expect(page.getByText(historyWords.upToDate)).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText(historyWords.offline)).toBeVisible()
    await page.getByLabel(historyWords.search).fill('+224')
    await expect(page.getByText(historyWords.onlyHere)).toBeVisible()
    await context.setOffline(false)
    await expect(count(page, historyWords.found(90))).toBeVisible()
    await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  })
})

test('the history shows received transfers, and filters unknown ones @spec-received-transfer @desk', async ({
  page,
  server,
}) => {
  const person = await registerWithTransfers(server, 1)
  const received = buildStoredTransfer(person.uid, 2, { type: 'received' })
  const held = buildStoredTransfer(person.uid, 3, { status: 'held' })
  for (const row of [received, held]) await server.write(`transactions/${row.id}`, row)
  await openSignedInHome(page, server, person)
  await openHistory(page)
  await expect(historyRows(page)).toHaveCount(3)
  await expect(historyRows(page).nth(0)).not.toContainText(historyWords.received)
  await expect(historyRows(page).nth(1)).toContainText(historyWords.received)
  await expect(historyRows(page).nth(1)).toContainText(/\+\s(GNF\s)?196[\s,]100/)
  await historyRows(page).nth(1).getByRole('button').click()
  const receipt = page.getByRole('dialog')
  await expect(receipt).toContainText(received.id)
  await expect(receipt).toContainText(historyWords.amountReceived)
  await expect(receipt.getByRole('button')).toHaveCount(4)
  await closeReceipt(page)

  await page.getByLabel(historyWords.status).selectOption(historyWords.unknown)
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(historyRows(page)).toContainText(buildAmountPattern('+224 620 00 00 03'))
})

test('a country that only newer versions know counts as not shown @desk', async ({ page, server }) => {
  const person = await registerWithTransfers(server, 30)
  const foreign = { code: 'ML', name: 'Mali', currency: 'XOF', flag: '🇲🇱' }
  const row = buildStoredTransfer(person.uid, 40, { destination: foreign })
  await server.write(`transactions/${row.id}`, row)
  await openSignedInHome(page, server, person)
  await openHistory(page)
  await page.getByLabel(historyWords.search).fill('Nobody')
  await expect(count(page, historyWords.found(0))).toBeVisible()
  await page.getByLabel(historyWords.search).fill('')
  await expect(count(page, historyWords.inAll(31))).toBeVisible()
  await expect(page.getByRole('main').getByText(historyWords.unread(1))).toBeVisible()
})

test('home says that its only transfer can’t be shown @desk @all', async ({ page, server }) => {
  const person = await registerWithTransfers(server, 0)
  const row = buildStoredTransfer(person.uid, 1, { destination: { code: 'ML' } })
  await server.write(`transactions/${row.id}`, row)
  await openSignedInHome(page, server, person)
  await expect(page.getByText(historyWords.unread(1))).toBeVisible()
  await expect(page.getByText(words.noTransfers)).toBeHidden()
})

test.describe('a device that stores nothing', () => {
  const faults = {
    'refuses to open': () => {
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = function (name, version) {
        if (name.startsWith('passerelle-')) throw new DOMException('', 'UnknownError')
        return open.call(this, name, version)
      }
    },
    'never answers': () => {
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = function (name, version) {
        if (!name.startsWith('passerelle-')) return open.call(this, name, version)
        return Object.create(IDBOpenDBRequest.prototype, {
          onsuccess: { writable: true, value: null },
          onerror: { writable: true, value: null },
          onblocked: { writable: true, value: null },
          onupgradeneeded: { writable: true, value: null },
        })
      }
    },
    'is full': () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('', 'QuotaExceededError')
      }
      IDBObjectStore.prototype.add = IDBObjectStore.prototype.put
    },
  }
  for (const [name, fault] of Object.entries(faults))
    test(`the whole history is shown with a warning if storage ${name} @desk`, async ({ page, server }) => {
      const person = await registerWithTransfers(server, 60)
      await page.addInitScript(fault)
      await openSignedInHome(page, server, person)
      await expect(
        page.getByText(name === 'is full' ? historyWords.isFull : historyWords.keepsNothing),
      ).toBeVisible()
      await openHistory(page)
      await expect(historyRows(page).first()).toBeVisible()
      await page.getByLabel(historyWords.search).fill('0000 059')
      await expect(count(page, historyWords.found(1))).toBeVisible()
      await historyRows(page).getByRole('button').click()
      await expect(receiptSheet(page)).toBeVisible()
    })
})

test('signing out in one tab clears every tab and the device @desk', async ({ page, server, context }) => {
  const person = await registerWithTransfers(server, 3)
  await openSignedInHome(page, server, person)
  const other = await context.newPage()
  await other.goto('/?view=history')
  await expect(historyRows(other)).toHaveCount(3)
  await page.bringToFront()
  await signOut(page)
  await expect(other.getByRole('tab', { name: words.emailTab })).toBeVisible()
  for (const tab of [page, other]) await expectNoDatabase(tab, person.uid)
})

test('signing out cancels a request whose chunk is still loading @desk @all', async ({ page, server }) => {
  const person = await registerWithTransfers(server, 1)
  // The chunk that requests the user's identity status arrives after the sign-out.
  const release = await delayRequests(page, '**/assets/identityFiles-*.js')
  await openSignedInHome(page, server, person)
  await signOut(page)
  const late = page.waitForResponse('**/assets/identityFiles-*.js')
  release()
  await late
  // A refusal by the database would be a console error.
  await signIn(page, person)
  await expectHome(page)
})

test('the next user sees nothing of the previous, and tabs agree @desk', async ({
  page,
  server,
  context,
}) => {
  const first = await registerWithTransfers(server, 3)
  await openSignedInHome(page, server, first)
  const activity = (tab: Page) => tab.getByRole('region', { name: words.activity }).getByRole('listitem')
  await expect(activity(page)).toHaveCount(3)
  await signOut(page)

  await openSignedInHome(page, server, await registerWithTransfers(server, 0))
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(first.uid)
  const other = await context.newPage()
  await other.goto('/?view=history')
  await expect(other.locator('main:visible').getByText(words.noTransfers)).toBeVisible()
  await expect(historyRows(other)).toHaveCount(0)

  await page.bringToFront()
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
  await payWithCard(page)
  await expect(receiptSheet(page)).toBeVisible()
  await expect(historyRows(other)).toHaveCount(1)
})
