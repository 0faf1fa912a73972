import type { Locator, Page } from '@playwright/test'
import { CONTACTS, MARIAMA } from '../scenes/fixtures.ts'
import { buildPaidTransfer, DELIVERIES, HISTORY } from '../scenes/transactions.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { historyWords } from './steps/history.ts'
import { openScene } from './steps/scenes.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  perTransfer: 'Par transfert',
  cancel: 'Annuler le transfert',
  keep: 'Garder le transfert',
  confirm: 'Confirmez que le numéro de téléphone est correct',
})

const PHONE = { width: 390, height: 844 }

const PARTS = {
  amount: '[name=amount]',
  wallet: '[name=receivingMethod]',
  number: '[name=phone]',
  confirmation: '[name=phoneConfirmed]',
  'pay button': '[type=submit]',
}

/** The font of the machine may be much wider than that of a phone. */
const widenFont = (page: Page) =>
  page.evaluate(() => document.documentElement.style.setProperty('--font-text', 'var(--font-display)'))

async function expectInSight(page: Page, parts: Readonly<Record<string, string>>) {
  for (const [name, selector] of Object.entries(parts))
    await expect.soft(page.locator(`form ${selector}`).first(), name).toBeInViewport({ ratio: 1 })
  await expectConfirmationInSight(page)
}

/** In pixels, between the end of the confirmation and the dock; negative under the dock. */
const measureRoom = (page: Page) =>
  page.evaluate(() => {
    const [confirmation, dock] = ['label:has([name=phoneConfirmed])', '[data-pinned=dock]'].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect(),
    )
    return confirmation && dock ? Math.min(dock.top - confirmation.bottom, confirmation.top) : Number.NaN
  })

const expectConfirmationInSight = (page: Page) => expect.poll(() => measureRoom(page)).toBeGreaterThan(0)

const FORMS = [
  ['a returning sender', 'home-activity', { ...PARTS, people: '[aria-pressed]' }],
  ['a first transfer', 'home-recipient-named', PARTS],
] as const

for (const [who, scene, parts] of FORMS)
  for (const language of ['fr', 'en'] as const)
    test(`the form of ${who} fits on one phone screen (${language})`, async ({ page }) => {
      await page.setViewportSize(PHONE)
      await openScene(page, scene, { language })
      await widenFont(page)
      await expectInSight(page, parts)
    })

test('a rate that wraps keeps its distance from the amounts', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 844 })
  await openScene(page, 'home-filled', { language: 'fr' })
  const gap = await page.getByTestId('quote').evaluate(({ children: [amounts, line] }) => {
    const rate = line?.firstElementChild
    return amounts && rate
      ? rate.getBoundingClientRect().top - amounts.getBoundingClientRect().bottom
      : Number.NaN
  })
  expect(gap).toBeGreaterThanOrEqual(12)
})

test('a returning sender’s new number scrolls its confirmation into view', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'home-activity')
  // Before the form scrolls, because a wider font would move the confirmation again.
  await widenFont(page)
  await page.locator('form [name=phone]').fill('+224 621 00 00 00')
  await expect(page.locator('form [name=recipientName]')).toBeAttached()
  await expectInSight(page, { ...PARTS, people: '[aria-pressed]' })
})

const RETURNING_SENDER = {
  device: {},
  rows: {
    contacts: CONTACTS,
    transactions: [
      DELIVERIES.handedOver,
      buildPaidTransfer(24, { id: 'pi_1', recipientPhone: MARIAMA.phone }),
      ...HISTORY.slice(1),
    ],
  },
}
const NEW_NUMBER = '+224 621 00 00 00'

const tapPerson = (page: Page) => page.getByRole('button', { name: MARIAMA.name, exact: true }).click()
const typeAmount = async (page: Page) => {
  await page.getByLabel(words.amount).fill('120')
  await page.getByLabel(words.amount).blur()
}
const typeNumber = (page: Page) => page.getByLabel(words.phone).fill(NEW_NUMBER)

const ORDERS = {
  'a person': [tapPerson],
  'a person, then an amount': [tapPerson, typeAmount],
  'an amount, then a new number': [typeAmount, typeNumber],
  'a new number, then an amount': [typeNumber, typeAmount],
  'an amount, a new number, then a wallet': [
    typeAmount,
    typeNumber,
    (page: Page) => page.getByText('MTN Money').click(),
  ],
}

for (const [order, steps] of Object.entries(ORDERS))
  test(`${order}: the next press confirms, the one after pays`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openScene(page, 'home-empty', RETURNING_SENDER)
    await expect(page.getByRole('button', { name: MARIAMA.name, exact: true })).toBeVisible()
    for (const step of steps) await step(page)
    await expect(page.locator('[data-next]')).toBeAttached()
    await expectConfirmationInSight(page)
    // Unlike `check`, a press at a place does not scroll.
    const box = await page.locator('[data-next]').boundingBox()
    if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    const pay = page.getByRole('main').getByRole('button', { name: words.pay })
    await expect(pay).toBeEnabled()
    await expect(pay).toBeInViewport({ ratio: 1 })
  })

test('the pay button names the confirmation while the dock covers it', async ({ page }) => {
  await page.setViewportSize({ ...PHONE, height: 640 })
  await openScene(page, 'home-filled')
  await page.locator('[name=phoneConfirmed]').uncheck()
  const hint = page.getByRole('button', { name: said.confirm })
  // Polled, because the form scrolls to the confirmation once it is the next step.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, 0))
      return hint.isVisible()
    })
    .toBe(true)
  /** `distance`: pixels between the box and the dock below it. */
  const scrollTo = (distance: number) =>
    page.locator('[name=phoneConfirmed]').evaluate((box, gap) => {
      const dock = document.querySelector('[data-pinned=dock]')
      if (dock) scrollBy(0, box.getBoundingClientRect().bottom - dock.getBoundingClientRect().top + gap)
    }, distance)
  await scrollTo(12)
  await expect(hint).toBeHidden()
  await scrollTo(-12)
  await hint.click()
  await expect(page.locator('[name=phoneConfirmed]')).toBeFocused()
  await expectConfirmationInSight(page)
})

test('a toast covers no field of the form', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'home-history-failed')
  await page.getByRole('button', { name: historyWords.refresh }).click()
  const covered = await page.locator('p[data-kind]').evaluate((toast) => {
    scrollTo(0, 0)
    const { top, bottom } = toast.getBoundingClientRect()
    return [...document.querySelectorAll<HTMLInputElement>('form :is(input, select, button)')]
      .filter((field) => {
        const box = field.getBoundingClientRect()
        return box.top < bottom && box.bottom > top
      })
      .map((field) => field.name || field.textContent)
  })
  expect(covered).toEqual([])
})

test('a receipt keeps its shape when the question below it gets shorter', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'receipt-cancelable')
  const ticket = page.getByRole('dialog').locator('section').first()
  const measure = async () => (await ticket.boundingBox())?.height
  const before = await measure()
  await page.getByRole('button', { name: said.cancel, exact: true }).click()
  await page.getByRole('button', { name: said.keep }).click()
  await expect(page.getByRole('button', { name: said.cancel, exact: true })).toBeVisible()
  expect(await measure()).toBe(before)
})

test('a receipt removes the space of an offer that has ended', async ({ browser }) => {
  // A page of its own, because the clock would stay on the page that the scenes share.
  const page = await browser.newPage({ viewport: PHONE, reducedMotion: 'reduce' })
  await page.clock.install()
  await openScene(page, 'receipt-cancelable')
  const receipt = page.getByRole('dialog')
  await page.clock.fastForward('01:00')
  await expect(receipt.getByRole('button', { name: said.cancel, exact: true })).toBeHidden()
  const measureGap = async () => {
    const ticket = await receipt.locator('section').first().boundingBox()
    const download = await receipt.getByRole('button', { name: words.download }).boundingBox()
    return ticket && download && download.y - ticket.y - ticket.height
  }
  await expect.poll(measureGap).toBeLessThan(32)
  await page.close()
})

for (const size of [PHONE, { width: 1280, height: 800 }])
  test(`a cancelable receipt shows what matters at ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size)
    await openScene(page, 'receipt-cancelable')
    const actions = page
      .getByRole('dialog')
      .getByRole('button')
      .filter({ has: page.locator('span > svg') })
    await expect(actions).toHaveCount(4)
    for (const action of await actions.all()) await expect(action).toBeInViewport({ ratio: 1 })
    for (const part of ['[data-color]', '[data-item=exchangeRate]'])
      await expect(page.getByRole('dialog').locator(part)).toBeInViewport({ ratio: 1 })
  })

test('a phone shows the offer to cancel in one line', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'receipt-cancelable', { language: 'fr' })
  const left = await page.getByRole('timer').boundingBox()
  const button = await page.getByRole('button', { name: said.cancel, exact: true }).boundingBox()
  expect(left?.y).toBeGreaterThan(button?.y ?? Number.NaN)
})

/** Under each top in pixels: how many of the elements begin there. */
const countRows = (elements: Locator) =>
  elements.evaluateAll((all) => {
    const tops = all.map((element) => Math.round(element.getBoundingClientRect().top))
    return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length)
  })

for (const [width, rows] of [
  [320, [3, 2]],
  [390, [5]],
] as const)
  test(`no kind of invoice is alone in its row (${width} px)`, async ({ page }) => {
    await page.setViewportSize({ ...PHONE, width })
    await openScene(page, 'invoices-errors', { language: 'fr' })
    expect(await countRows(page.locator('label:has([name=type])'))).toEqual(rows)
  })

test('the support address breaks only after its @', async ({ page }) => {
  await page.setViewportSize({ ...PHONE, width: 320 })
  await openScene(page, 'contact')
  const lines = await page.locator('[href^="mailto:"] strong').evaluate((title) => {
    const range = document.createRange()
    range.selectNode(title.lastChild ?? title)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('a date in the wallet that wraps begins below its label', async ({ page }) => {
  await page.setViewportSize({ ...PHONE, width: 320 })
  await openScene(page, 'wallet', { language: 'fr' })
  const fact = page.getByRole('main').locator('dl').first().locator('div').last()
  const [label, date] = await Promise.all(['dt', 'dd'].map((part) => fact.locator(part).boundingBox()))
  expect(date?.x).toBe(label?.x)
})

test('the label of a stepper takes one line above its value', async ({ page }) => {
  await page.setViewportSize({ ...PHONE, width: 360 })
  await openScene(page, 'wallet', { language: 'fr' })
  const lines = await page.getByText(said.perTransfer, { exact: true }).evaluate((label) => {
    const range = document.createRange()
    range.selectNodeContents(label)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('a time in the history that wraps begins below its state', async ({ page }) => {
  await page.setViewportSize({ ...PHONE, width: 320 })
  await openScene(page, 'history-deliveries', { language: 'fr' })
  const late = page.locator('[data-color=yellow]').first()
  const time = await late.locator('xpath=following-sibling::span').boundingBox()
  expect(time?.x).toBe((await late.boundingBox())?.x)
})

test('a tapped menu has no mark and leaves no focus ring', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'home-empty')
  const button = page.getByRole('button', { name: words.menu })
  const items = page.getByRole('menuitem')
  const readGround = (item: Locator) => item.evaluate((row) => getComputedStyle(row).backgroundColor)
  for (const item of [words.close, words.contactUs]) {
    await button.tap()
    await expect(items.first()).toBeFocused()
    expect(await readGround(items.first())).toBe(await readGround(items.nth(1)))
    await page.getByRole('menuitem', { name: item }).tap()
    await expect(items).toHaveCount(0)
    if (item === words.contactUs)
      await page.getByRole('dialog').getByRole('button', { name: words.close, exact: true }).tap()
    await expect(button).toBeFocused()
    expect(await button.evaluate((opener) => opener.matches(':focus-visible'))).toBe(false)
  }
})
