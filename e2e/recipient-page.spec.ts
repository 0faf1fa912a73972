import type { Browser, Page } from '@playwright/test'
import { createQrCode } from '../print/qrCode.ts'
import { RECEIPT_TEXTS } from '../print/receiptTexts.ts'
import { findAxeViolations } from './axe.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { findLayoutProblems } from './layout.ts'
import { waitUntilInstalled } from './steps/deployment.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, confirmForm, fillTransfer, payAndExpectReceipt } from './steps/transfer.ts'
import { defineTexts, getTestLanguage, setTestLanguage } from './texts.ts'
import { words } from './words.ts'

test.use({ settings: { DELIVERY_PROVIDERS: 'mtn,byHand' } })

const said = defineTexts({
  code: 'Code QR du suivi',
  genuine: 'Reçu authentique',
  check: { fr: RECEIPT_TEXTS.fr.trackingTitle, en: RECEIPT_TEXTS.en.trackingTitle },
  share: 'Partager le suivi',
  copied: 'Le lien de suivi est copié. Envoyez-le au bénéficiaire.',
  failed: 'Le lien n’a pas pu être copié. Le voici :',
  amount: () => formatAmountText(1_028_200, 'GNF'),
  // Texts of the recipient's page, which has no catalogs.
  arrived: { fr: 'L’argent est arrivé', en: 'The money has arrived' },
  onItsWay: { fr: 'L’argent est en route', en: 'The money is on its way' },
  nothing: { fr: 'Ce lien ne mène à aucun transfert', en: 'This link does not lead to a transfer' },
  proves: {
    fr: 'Seule l’adresse de ce site fait foi.',
    en: 'Only the address of this site is proof.',
  },
  again: { fr: 'Actualiser', en: 'Refresh' },
  other: { fr: 'English', en: 'Français' },
})

/** Returns the URL of the recipient's page. */
async function sendTo(page: Page, server: Server, wallet = 'MTN Money'): Promise<string> {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await page.getByText(wallet).click()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  const [transfer] = await server.readTransactions(person.email)
  return `${server.origin}${transfer?.recipientLink}`
}

async function withoutScript<T>(browser: Browser, look: (page: Page) => Promise<T>) {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: getTestLanguage() })
  const done = await look(await context.newPage())
  await context.close()
  return done
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the recipient’s page shows and prints the status', async ({ page, server, language, browser }) => {
  const address = await sendTo(page, server)
  const receipt = page.getByRole('dialog')
  await receipt.getByText(words.allDetails).click()
  await expect(receipt.getByText(said.check)).toBeVisible()
  await expect(receipt.getByRole('img', { name: said.code })).toBeVisible()

  await withoutScript(browser, async (stranger) => {
    const answer = await stranger.goto(address)
    expect((await answer?.body())?.length).toBeLessThan(15_000)
    const [id] = /\bpi_\w+/.exec((await answer?.text()) ?? '') ?? []
    const reload = async () => {
      // MTN calls back once, and the server asks at most once a second.
      const hint = { method: 'POST', headers: { 'content-type': 'application/json' } }
      await fetch(`${server.origin}/.netlify/functions/delivery-callback`, {
        ...hint,
        body: JSON.stringify({ externalId: id }),
      })
      await stranger.getByRole('link', { name: said.again }).click()
      return heading(stranger).textContent()
    }
    await expect.poll(reload).toBe(said.arrived)
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
  })
})

test('the page’s link is shared, or copied without sharing @all', async ({ page, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
    const share = async ({ url }: ShareData) => {
      const reason = sessionStorage.getItem('refusal')
      if (reason) throw new DOMException('', reason)
      shared.push(url ?? '')
    }
    Object.defineProperty(Navigator.prototype, 'share', { configurable: true, value: share })
  })
  // The link changes with the state, which an operator changes only by hand here.
  const address = await sendTo(page, server, 'Orange Money')
  const receipt = page.getByRole('dialog')
  const press = (name: string) => receipt.getByRole('button', { name }).click()
  const refuse = (reason: string) => page.evaluate((name) => sessionStorage.setItem('refusal', name), reason)
  await press(said.share)
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shared: string[] }).shared))
    .toEqual([address])
  await refuse('AbortError')
  await press(said.share)
  await expect(receipt.getByText(said.copied)).toBeHidden()
  await refuse('DataError')
  await press(said.share)
  await expect(receipt.getByText(said.copied)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.evaluate(() =>
    Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error()) }),
  )
  await press(said.share)
  await expect(receipt.getByText(said.failed)).toBeVisible()
  await expect(receipt.getByText(address)).toBeVisible()
})

test.describe("the recipient's page at all widths", () => {
  test.use({ expectedErrors: [/status of 404/] })

  test('the page is accessible at all widths, schemes and languages', async ({ page, server }) => {
    const address = await sendTo(page, server, 'Orange Money')
    for (const spoken of ['fr', 'en'] as const) {
      setTestLanguage(spoken)
      for (const [path, title] of [
        [address, said.onItsWay],
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
})

test.describe('an installed app', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALL_ERRORS] })

  test('an installed app shows the QR code and its facts offline @all', async ({ page, server, context }) => {
    const address = await sendTo(page, server, 'Orange Money')
    await waitUntilInstalled(page)
    await page.reload()
    await context.setOffline(true)
    await page.reload()
    // Waits for the notice about the network, which moves the rows.
    await expect(page.getByRole('button', { name: words.retry })).toBeVisible()
    await activityRows(page).first().click()
    await page.getByText(words.allDetails).click()
    const drawn = page.getByRole('img', { name: said.code }).locator('path')
    await expect(drawn).toHaveAttribute('d', createQrCode(address).path)
    await page.goto(address)
    await expect(page.getByText(said.genuine)).toBeVisible()
    await context.setOffline(false)
    await page.goto(address)
    await expect(page.getByRole('main')).toContainText('+224*******00')
  })
})
