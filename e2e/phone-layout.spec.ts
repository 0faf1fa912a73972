import { expect, sceneTest as test } from './fixtures.ts'
import { openScene } from './steps/scenes.ts'
import { defineTexts } from './texts.ts'

const said = defineTexts({ cancel: 'Annuler le transfert', keep: 'Garder le transfert' })

/** A common phone, in CSS pixels. */
const PHONE = { width: 390, height: 844 }

const PARTS = {
  amount: '[name=amount]',
  wallet: '[name=receivingMethod]',
  number: '[name=phone]',
  confirmation: '[name=phoneConfirmed]',
  'pay button': '[type=submit]',
}

const FORMS = [
  ['a returning sender', 'home-activity', { ...PARTS, people: '[aria-pressed]' }],
  ['a first transfer', 'home-recipient-named', { ...PARTS, name: '[name=recipientName]' }],
] as const

for (const [who, scene, parts] of FORMS)
  for (const language of ['fr', 'en'] as const)
    test(`the form of ${who} fits on one phone screen (${language})`, async ({ page }) => {
      await page.setViewportSize(PHONE)
      await openScene(page, scene, language)
      // The font of the machine may be much wider than that of a phone.
      await page.evaluate(() =>
        document.documentElement.style.setProperty('--font-text', 'var(--font-display)'),
      )
      for (const [name, selector] of Object.entries(parts))
        await expect.soft(page.locator(`form ${selector}`).first(), name).toBeInViewport({ ratio: 1 })
      const box = await page.locator('[data-pair]').boundingBox()
      const dock = await page.locator('[data-pinned=dock]').boundingBox()
      if (!box || !dock) throw new Error('The form is not on the screen')
      expect(box.y + box.height, 'the end of the confirmation').toBeLessThan(dock.y)
    })

test('a receipt keeps its shape when the question below it gets shorter', async ({ page, language }) => {
  await page.setViewportSize(PHONE)
  await openScene(page, 'receipt-cancelable', language)
  const ticket = page.getByRole('dialog').locator('section').first()
  const measure = async () => (await ticket.boundingBox())?.height
  const before = await measure()
  await page.getByRole('button', { name: said.cancel, exact: true }).click()
  await page.getByRole('button', { name: said.keep }).click()
  await expect(page.getByRole('button', { name: said.cancel, exact: true })).toBeVisible()
  expect(await measure()).toBe(before)
})
