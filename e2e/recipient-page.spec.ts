import type { Page } from '@playwright/test'
import { RECEIPT_TEXTS } from '../print/receiptTexts.ts'
import { findAxeViolations } from './axe.ts'
import { expect, sceneTest, test, WITH_PAYOUTS } from './fixtures.ts'
import { findLayoutProblems } from './layout.ts'
import { expectDeliveryStage } from './steps/deliveries.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { openScene } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { confirmForm, fillTransfer, payAndExpectReceipt } from './steps/transfer.ts'
import { defineTexts, getTestLanguage, setTestLanguage } from './texts.ts'
import { words } from './words.ts'

test.use({ settings: WITH_PAYOUTS, expectedErrors: [/status of 404/] })

const said = defineTexts({
  code: 'Code QR du suivi',
  check: { fr: RECEIPT_TEXTS.fr.trackingTitle, en: RECEIPT_TEXTS.en.trackingTitle },
  share: 'Partager le suivi',
  copied: 'Le lien de suivi est copié. Envoyez-le au bénéficiaire.',
  failed: 'Le lien n’a pas pu être copié. Le voici :',
  amount: () => formatAmountText(1_028_200, 'GNF'),
  // Texts of the recipient's page, which has no catalogs.
  arrived: { fr: 'L’argent est arrivé', en: 'The money has arrived' },
  nothing: { fr: 'Ce lien ne mène à aucun transfert', en: 'This link does not lead to a transfer' },
  proves: {
    fr: 'Seule l’adresse de ce site fait foi.',
    en: 'Only the address of this site is proof.',
  },
  again: { fr: 'Actualiser', en: 'Refresh' },
  other: { fr: 'English', en: 'Français' },
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the recipient’s page shows the status, is printed, and is accessible', async ({
  page,
  server,
  language,
  browser,
}) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await page.getByText('MTN Money').click()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  const [transfer] = await server.readTransactions(person.email)
  const address = `${server.origin}${transfer?.recipientLink}`
  const receipt = page.getByRole('dialog')
  await receipt.getByText(words.allDetails).click()
  await expect(receipt.getByText(said.check)).toBeVisible()
  await expect(receipt.getByRole('img', { name: said.code })).toBeVisible()

  const context = await browser.newContext({ javaScriptEnabled: false, locale: getTestLanguage() })
  const stranger = await context.newPage()
  const answer = await stranger.goto(address)
  expect((await answer?.body())?.length).toBeLessThan(15_000)
  await expectDeliveryStage(server, person, 'delivered')
  await stranger.getByRole('link', { name: said.again }).click()
  await expect(heading(stranger)).toHaveText(said.arrived)
  await expect(stranger.getByRole('main')).toContainText(said.amount)
  await expect(stranger.getByRole('main')).toContainText('+224*******00')
  await expect(stranger.getByRole('main')).toContainText(said.proves)
  await expect(stranger.getByRole('main')).toContainText(new URL(server.origin).host)
  await stranger.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(heading(stranger)).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(stranger.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(stranger.getByRole('link')).toHaveCount(0)
  await stranger.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await stranger.getByRole('link', { name: said.other }).click()
  setTestLanguage(language === 'fr' ? 'en' : 'fr')
  await expect(heading(stranger)).toHaveText(said.arrived)
  setTestLanguage(language)
  await stranger.goto(`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`)
  await expect(heading(stranger)).toHaveText(said.nothing)
  await context.close()

  for (const spoken of ['fr', 'en'] as const) {
    setTestLanguage(spoken)
    for (const [path, title] of [
      [address, said.arrived],
      [`${server.origin}/t/x`, said.nothing],
    ] as const) {
      // A visitor gets the browser's language; here the URL sets it.
      await page.goto(`${path}?lang=${spoken}`)
      await expect(heading(page)).toHaveText(title)
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 640 })
        expect(await findLayoutProblems(page, { breaks: 'nowhere' }), `${spoken}, ${width} px`).toEqual([])
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await findAxeViolations(page, colorScheme), `${spoken}, ${colorScheme}`).toEqual([])
      }
    }
  }
})

sceneTest('the page’s link is shared, or copied without sharing', async ({ page }) => {
  const address = 'https://passerelle.example/t/pi_3Nkindia0010'
  const receipt = page.getByRole('dialog')
  await openScene(page, 'receipt-handed-over')
  /** Returns what was shared or copied. */
  const press = async (refusal: string, canCopy = true) => {
    await page.evaluate(
      ([refusal, canCopy]) => {
        const passed: string[] = []
        const share = async ({ url = '' }: ShareData) => {
          if (refusal) throw new DOMException('', refusal)
          passed.push(url)
        }
        const writeText = async (text: string) => {
          if (!canCopy) throw new Error()
          passed.push(text)
        }
        Object.assign(window, { passed })
        Object.assign(navigator, { share })
        Object.assign(navigator.clipboard, { writeText })
      },
      [refusal, canCopy] as const,
    )
    await receipt.getByRole('button', { name: said.share }).click()
    return page.evaluate(() => Reflect.get(window, 'passed') as string[])
  }
  expect(await press('')).toEqual([address])
  expect(await press('AbortError')).toEqual([])
  await expect(receipt.getByText(said.copied)).toBeHidden()
  expect(await press('DataError')).toEqual([address])
  await expect(receipt.getByText(said.copied)).toBeVisible()
  expect(await press('DataError', false)).toEqual([])
  await expect(receipt.getByText(said.failed)).toBeVisible()
  await expect(receipt.getByText(address)).toBeVisible()
})
