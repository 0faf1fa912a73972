import type { Page } from '@playwright/test'
import { expect, sceneTest as test } from './fixtures.ts'
import { openScene } from './steps/scenes.ts'
import { defineTexts } from './texts.ts'

const said = defineTexts({
  cancel: 'Annuler le transfert',
  keep: 'Garder le transfert',
  confirm: 'Confirmez que le numéro de téléphone est correct',
  download: 'Télécharger le reçu (PDF)',
  refresh: 'Actualiser l’historique',
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
  const box = await page.locator('[data-pair]').boundingBox()
  const dock = await page.locator('[data-pinned=dock]').boundingBox()
  if (!box || !dock) throw new Error('The form is not on the screen')
  expect(box.y + box.height, 'the end of the confirmation').toBeLessThan(dock.y)
}

const FORMS = [
  ['a returning sender', 'home-activity', { ...PARTS, people: '[aria-pressed]' }],
  ['a first transfer', 'home-recipient-named', { ...PARTS, name: '[name=recipientName]' }],
] as const

for (const [who, scene, parts] of FORMS)
  for (const language of ['fr', 'en'] as const)
    test(`the form of ${who} fits on one phone screen (${language})`, async ({ page }) => {
      await page.setViewportSize(PHONE)
      await openScene(page, scene, { language })
      await widenFont(page)
      await expectInSight(page, parts)
    })

test('a returning sender’s new number scrolls its confirmation into view', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'home-activity')
  // Before the form scrolls, because a wider font would move the confirmation again.
  await widenFont(page)
  await page.locator('form [name=phone]').fill('+224 621 00 00 00')
  await expect(page.locator('form [name=recipientName]')).toBeVisible()
  await expectInSight(page, { ...PARTS, people: '[aria-pressed]', name: '[name=recipientName]' })
})

test('the line about the confirmation never covers its box', async ({ page }) => {
  await page.setViewportSize({ ...PHONE, height: 640 })
  await openScene(page, 'home-filled')
  await page.locator('[name=phoneConfirmed]').uncheck()
  await page.evaluate(() => window.scrollTo(0, 0))
  const line = page.getByRole('button', { name: said.confirm })
  await expect(line).toBeVisible()
  /** `distance`: pixels between the box and the pay button below it. */
  const scrollTo = (distance: number) =>
    page.locator('[name=phoneConfirmed]').evaluate((box, gap) => {
      const button = document.querySelector('form [type=submit]')
      if (button) scrollBy(0, box.getBoundingClientRect().bottom - button.getBoundingClientRect().top + gap)
    }, distance)
  await scrollTo(12)
  await expect(line).toBeHidden()
  await scrollTo(-12)
  await expect(line).toBeVisible()
})

test('a toast covers no field of the form', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'home-history-failed')
  await page.getByRole('button', { name: said.refresh }).click()
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
    const download = await receipt.getByRole('button', { name: said.download }).boundingBox()
    return ticket && download && download.y - ticket.y - ticket.height
  }
  await expect.poll(measureGap).toBeLessThan(32)
  await page.close()
})
