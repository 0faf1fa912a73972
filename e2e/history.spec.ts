import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { writeContact } from './steps/contacts.ts'
import { expectNoDatabase } from './steps/device.ts'
import { holdBack } from './steps/faults.ts'
import { historyWords, NOW, openHistory, registerWith, rowsOf, transferOf } from './steps/history.ts'
import { expectHeadingFocused, expectHome, pressKey } from './steps/pages.ts'
import { confirmForm, fillTransfer, payWithCard, receiptSheet } from './steps/transfer.ts'
import { enter, signIn, signOut } from './steps/waysIn.ts'
import { words } from './words.ts'

const MONTHS = {
  fr: ['novembre 2026', 'octobre 2026', 'septembre 2026'],
  en: ['November 2026', 'October 2026', 'September 2026'],
}

const count = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Amounts as they are on screen, whatever kind of space is between the digits. */
const loosely = (text: string) => new RegExp(text.replace('+', '\\+').replace(/ /g, '\\s'))

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(NOW)
})

test('the whole history by month, each row with its receipt', async ({ page, server, language }) => {
  const person = await registerWith(server, 30, 2)
  await enter(page, server, person)
  await openHistory(page)
  await expect(page.getByText(historyWords.upToDate)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const seen: string[] = []
  for (const month of MONTHS[language]) {
    const heading = page.getByRole('heading', { level: 2, name: month })
    await expect(async () => {
      await page.mouse.wheel(0, 300)
      await expect(heading).toBeInViewport({ timeout: 100 })
    }).toPass()
    seen.push(month)
  }
  expect(seen).toEqual([...MONTHS[language]])
  const last = rowsOf(page).last()
  await expect(async () => {
    await page.mouse.wheel(0, 2000)
    await expect(last).toHaveAttribute('aria-posinset', '30', { timeout: 100 })
  }).toPass()
  await expect(last).toHaveAttribute('aria-setsize', '30')
  await expect(page.getByText(historyWords.inAll(30))).toBeAttached()

  const opener = last.getByRole('button')
  await opener.click()
  const receipt = receiptSheet(page)
  await expect(receipt).toContainText(transferOf(person.uid, 58).id)
  await receipt.getByRole('button', { name: words.done }).click()
  await expect(opener).toBeFocused()

  await page.goBack()
  await expectHome(page)
})

test('the keyboard goes through the rows, and takes those with it that were not in the page', async ({
  page,
  server,
}) => {
  await enter(page, server, await registerWith(server, 60))
  await openHistory(page)
  await rowsOf(page).first().getByRole('button').focus()
  // Faster than the window scrolls, as on a slow phone: twenty rows between two pictures.
  await page.evaluate(async () => {
    for (let place = 2; place <= 20; place += 1) {
      const buttons: Element[] = [...document.querySelectorAll('main ol > li button')]
      const next = buttons[document.activeElement ? buttons.indexOf(document.activeElement) + 1 : 0]
      if (next instanceof HTMLElement) next.focus()
      await Promise.resolve()
    }
  })
  // Older ones are on their way from the server.
  await expect(page.locator('main li[aria-posinset="21"]')).toBeAttached()
  for (let place = 21; place <= 40; place += 1) await page.keyboard.press('Tab')
  const focused = page.locator('li:has(:focus)')
  await expect(focused).toHaveAttribute('aria-posinset', '40')
  await expect(focused).toBeInViewport()
  await page.evaluate(() => scrollTo(0, 0))
  await expect(rowsOf(page).first()).toHaveAttribute('aria-posinset', '1')
  await expect(focused).toHaveAttribute('aria-posinset', '40')
})

test('search by number, amount and name; filter by status', async ({ page, server }) => {
  const person = await registerWith(server, 80)
  await writeContact(server, person.uid, 'Fatoumata Camará', '+224620000042')
  await enter(page, server, person)
  await page.goto('/?view=history')
  await expect(page.getByRole('heading', { level: 1, name: historyWords.history })).toBeVisible()
  await expect(page).toHaveURL('/')

  const field = page.getByLabel(historyWords.search)
  // All of the history is searched, though only the newest rows were fetched before.
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
    await expect(rowsOf(page)).toHaveCount(1)
    await expect(rowsOf(page)).toContainText('Fatoumata Camará')
    await expect(rowsOf(page)).toHaveAttribute('aria-setsize', '1')
  }
  await field.fill('000 000')
  await expect(count(page, historyWords.found(10))).toBeVisible()
  await page.getByLabel(historyWords.status).selectOption(historyWords.pending)
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(rowsOf(page)).toContainText(loosely('+224 620 00 00 03'))

  await field.fill('Nobody')
  await expect(count(page, historyWords.found(0))).toBeVisible()
  await expect(page.getByText(historyWords.noMatch)).toBeVisible()
  await page.getByRole('button', { name: historyWords.clear }).click()
  await expect(count(page, historyWords.inAll(80))).toBeVisible()
  await expectHeadingFocused(page)
})

test('a thousand transfers are scrolled through, with few of them in the page', async ({ page, server }) => {
  test.slow()
  const person = await registerWith(server, 1000)
  await enter(page, server, person)
  await openHistory(page)
  await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', '-1')
  let most = 0
  await expect(async () => {
    await page.evaluate(() => scrollBy(0, 6000))
    most = Math.max(most, await rowsOf(page).count())
    await expect(rowsOf(page).last()).toHaveAttribute('aria-posinset', '1000', { timeout: 50 })
  }).toPass({ timeout: 60_000, intervals: [50] })
  expect(most).toBeLessThan(60)
  await expect(rowsOf(page).last()).toHaveAttribute('aria-setsize', '1000')
})

test('a search on a device that has seen little of the history asks for all of it', async ({
  page,
  server,
}) => {
  const person = await registerWith(server, 600)
  await enter(page, server, person)
  await openHistory(page)
  await page.getByLabel(historyWords.search).fill('0000 599')
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(rowsOf(page)).toContainText(loosely('+224 620 00 05 99'))
})

test('nothing sent yet', async ({ page, server }) => {
  const person = await registerWith(server, 0)
  await enter(page, server, person)
  const { activity, history } = historyWords
  const bar = page.getByRole('button', { name: activity })
  if (await bar.isVisible()) await bar.click()
  else await page.goto('/?view=history')
  await expect(page.getByRole('heading', { level: 1, name: history })).toBeVisible()
  await expect(page.getByRole('main').getByText(words.noTransfers)).toBeVisible()
})

test.describe('what the history says when it can not be brought up to date @spec-history-errors', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  const refusals = [
    ['failed', 500, 'INTERNAL', 'Internal error'],
    ['preparing', 400, 'FAILED_PRECONDITION', 'The query requires an index. You can create it here: …'],
    ['signedOut', 403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.'],
  ] as const
  for (const [name, code, status, message] of refusals)
    test(name, async ({ page, server }) => {
      await enter(page, server, await registerWith(server, 2))
      await openHistory(page)
      await page.route('**/documents:runQuery**', (route) =>
        route.fulfill({ status: code, json: [{ error: { code, status, message } }] }),
      )
      const told = page.getByRole('main').getByText(historyWords[name])
      await expect(async () => {
        // As when the network comes back; a question that was under way before is answered well.
        await page.evaluate(() => dispatchEvent(new Event('online')))
        await expect(told).toBeVisible({ timeout: 3000 })
      }).toPass()
      await expect(rowsOf(page)).toHaveCount(2)
      await page.unroute('**/documents:runQuery**')
      await page.getByRole('button', { name: words.retry }).click()
      await expect(told).toBeHidden()
      await expect(page.getByText(historyWords.upToDate)).toBeVisible()
    })

  test('older ones', async ({ page, server }) => {
    await enter(page, server, await registerWith(server, 90))
    await openHistory(page)
    await expect(page.getByText(historyWords.upToDate)).toBeVisible()
    const QUERY = '**/documents:runQuery**'
    await page.route(QUERY, (route) => route.fulfill({ status: 500, json: [{ error: {} }] }))
    const retry = page.getByRole('button', { name: words.retry })
    await expect(async () => {
      await page.evaluate(() => scrollBy(0, 6000))
      await expect(retry).toBeVisible({ timeout: 500 })
    }).toPass()
    // Only an answer makes the button what it was.
    const answered = page.waitForResponse((response) => response.status() === 500)
    await pressKey(retry)
    await answered
    await expect(retry).toBeFocused()
    await expect(page.getByText(historyWords.failed)).toBeVisible()
    await page.unroute(QUERY)
    await pressKey(retry)
    await expect(page.getByText(historyWords.failed)).toBeHidden()
    await expect(async () => {
      await page.evaluate(() => scrollBy(0, 6000))
      await expect(rowsOf(page).last()).toHaveAttribute('aria-posinset', '90', { timeout: 500 })
    }).toPass()
  })

  test('without a network', async ({ page, server, context }) => {
    await enter(page, server, await registerWith(server, 90))
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

test('a transfer that another system wrote as received says so, and of no known status can be looked for @spec-received-transfer', async ({
  page,
  server,
}) => {
  const person = await registerWith(server, 1)
  const received = transferOf(person.uid, 2, { type: 'received' })
  const held = transferOf(person.uid, 3, { status: 'held' })
  for (const row of [received, held]) await server.write(`transactions/${row.id}`, row)
  await enter(page, server, person)
  await openHistory(page)
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(rowsOf(page).nth(0)).not.toContainText(historyWords.received)
  await expect(rowsOf(page).nth(1)).toContainText(historyWords.received)
  await expect(rowsOf(page).nth(1)).toContainText(/\+\s(GNF\s)?196[\s,]100/)
  await rowsOf(page).nth(1).getByRole('button').click()
  const receipt = page.getByRole('dialog')
  await expect(receipt).toContainText(received.id)
  await expect(receipt).toContainText(historyWords.amountReceived)
  // Nobody can send it once more, nor expect it at an hour.
  await expect(receipt.getByRole('button')).toHaveCount(5)
  await receipt.getByRole('button', { name: words.done }).click()

  await page.getByLabel(historyWords.status).selectOption(historyWords.unknown)
  await expect(count(page, historyWords.found(1))).toBeVisible()
  await expect(rowsOf(page)).toContainText(loosely('+224 620 00 00 03'))
})

test.describe('a device that keeps nothing', () => {
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
    test(name, async ({ page, server }) => {
      const person = await registerWith(server, 60)
      await page.addInitScript(fault)
      await enter(page, server, person)
      await expect(
        page.getByText(name === 'is full' ? historyWords.isFull : historyWords.keepsNothing),
      ).toBeVisible()
      await openHistory(page)
      await expect(rowsOf(page).first()).toBeVisible()
      await page.getByLabel(historyWords.search).fill('0000 059')
      await expect(count(page, historyWords.found(1))).toBeVisible()
      await rowsOf(page).getByRole('button').click()
      await expect(receiptSheet(page)).toBeVisible()
    })
})

test('who signs out in one tab leaves nothing on the device, in any tab', async ({
  page,
  server,
  context,
}) => {
  const person = await registerWith(server, 3)
  await enter(page, server, person)
  const other = await context.newPage()
  await other.goto('/?view=history')
  await expect(rowsOf(other)).toHaveCount(3)
  await page.bringToFront()
  await signOut(page)
  await expect(other.getByRole('tab', { name: words.emailTab })).toBeVisible()
  for (const tab of [page, other]) await expectNoDatabase(tab, person.uid)
})

test('who signs out is asked about no more, whatever was about to be', async ({ page, server }) => {
  const person = await registerWith(server, 1)
  // The menu begins to ask whether the person is identified; the code that does comes too late.
  const release = await holdBack(page, '**/assets/identityFiles-*.js')
  await enter(page, server, person)
  await signOut(page)
  const late = page.waitForResponse('**/assets/identityFiles-*.js')
  release()
  await late
  // A refusal by the database would be an error on the console.
  await signIn(page, person)
  await expectHome(page)
})

test('somebody else on the same device sees nothing of who was there before; two tabs agree', async ({
  page,
  server,
  context,
}) => {
  const first = await registerWith(server, 3)
  await enter(page, server, first)
  const activity = (tab: Page) => tab.getByRole('region', { name: words.activity }).getByRole('listitem')
  await expect(activity(page)).toHaveCount(3)
  await signOut(page)

  await enter(page, server, await registerWith(server, 0))
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(first.uid)
  const other = await context.newPage()
  await other.goto('/?view=history')
  await expect(other.locator('main:visible').getByText(words.noTransfers)).toBeVisible()
  await expect(rowsOf(other)).toHaveCount(0)

  await page.bringToFront()
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
  await payWithCard(page)
  await expect(receiptSheet(page)).toBeVisible()
  await expect(rowsOf(other)).toHaveCount(1)
})
