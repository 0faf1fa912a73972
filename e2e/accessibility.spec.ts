import type { Page } from '@playwright/test'
import { getLegalPagePath, LEGAL_PAGES } from '../domain/account/legal.ts'
import type { Language } from '../domain/common/language.ts'
import { checkScreen, checkScreenOnce, PHONE_VIEWPORT } from './checkScreen.ts'
import { expect, sceneTest, test } from './fixtures.ts'
import { openPayment } from './journeys.ts'
import { isProof } from './proof.ts'
import { findTranslatableElements } from './steps/extensions.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, releaseCode } from './steps/scenes.ts'
import { emulateStandalone, openInTestLanguage } from './steps/signIn.ts'
import { cardFrame } from './steps/transfer.ts'
import { setTestLanguage } from './texts.ts'
import { words } from './words.ts'

// scenes.spec.ts checks the screens of the app; these pages run without it.
const PAGES: readonly { name: string; open: (page: Page, language: Language) => Promise<void> }[] = [
  {
    name: 'google-popup-done',
    async open(page, language) {
      await openInTestLanguage(page)
      await page.goto('/google-sign-in.html')
      await expectHeading(page, language === 'fr' ? 'C’est fait' : 'Done')
    },
  },
  {
    name: 'google-request-over',
    async open(page) {
      await openInTestLanguage(page)
      await page.goto('/google-sign-in.html#state=own.1')
      await expectHeading(page, words.requestOver)
    },
  },
  {
    name: 'google-opening',
    async open(page) {
      await emulateStandalone(page)
      await page.route('**/sandbox/google/auth**', (route) => route.fulfill({ status: 204 }))
      await openInTestLanguage(page)
      await page.getByRole('button', { name: words.google }).click()
      await expectHeading(page, words.openingGoogle)
    },
  },
  ...LEGAL_PAGES.map((name) => ({
    name: `legal-${name}`,
    open: async (page: Page, language: Language) => void (await page.goto(getLegalPagePath(name, language))),
  })),
]

for (const { name, open } of PAGES)
  test(`the page ${name} is accessible @spec-screens`, async ({ page }) => {
    for (const language of isProof ? (['fr'] as const) : (['fr', 'en'] as const)) {
      setTestLanguage(language)
      await page.setViewportSize(PHONE_VIEWPORT)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await open(page, language)
      await (isProof ? checkScreenOnce(page, language) : checkScreen(page, language))
    }
    expect.soft(await findTranslatableElements(page), 'amounts and buttons for a translator').toEqual([])
  })

const expectHeading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible()

sceneTest('a tap checks the confirmation even if a message appears meanwhile', async ({ page }) => {
  const confirm = page.getByLabel(words.confirmPhone)
  await openScene(page, 'home-empty')
  await page.getByLabel(words.phone).fill('+33 6 12 34 56 78')
  await confirm.click()
  await expect(confirm).toBeChecked()

  await openScene(page, 'home-empty', { heldCode: 'recipientParts' })
  await page.getByLabel(words.phone).fill('+224 620 00 00 00')
  await confirm.hover()
  await page.mouse.down()
  await releaseCode(page)
  // Leaves time to look up the number and show the hint.
  await waitUntilDrawn(page)
  await page.mouse.up()
  await expect(confirm).toBeChecked()
  await expect(page.getByText('Premier envoi à ce numéro.')).toBeVisible()
})

test('the card form follows the device to dark, keeping its values', async ({ page, server }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await openPayment(page, server)
  const form = cardFrame(page).locator('html')
  const number = cardFrame(page).getByLabel(words.cardNumber)
  await number.fill('4242 42')
  await expect(form).toHaveCSS('color-scheme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(form).toHaveCSS('color-scheme', 'dark')
  await expect(number).toHaveValue('4242 42')
})
