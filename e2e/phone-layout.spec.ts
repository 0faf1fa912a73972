import { expect, sceneTest as test } from './fixtures.ts'
import { openScene } from './steps/scenes.ts'
import { defineTexts } from './texts.ts'

const said = defineTexts({ cancel: 'Annuler le transfert', keep: 'Garder le transfert' })

/** A common phone, in CSS pixels. */
const PHONE = { width: 390, height: 844 }

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
