import type { Browser, Page } from '@playwright/test'
import axe from 'axe-core'
import { qrCode } from '../src/features/receipt/qrCode.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { layoutProblems } from './layout.ts'
import { amount } from './steps/moneyTexts.ts'
import { activityRows, confirmForm, fillTransfer, pay } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import { currentLanguage, speakIn, texts } from './texts.ts'

test.use({ settings: { DELIVERY_PROVIDERS: 'mtn,byHand' } })

const said = texts({
  code: 'Code QR du suivi',
  check: 'Vérifier ce reçu',
  share: 'Partager le suivi',
  copied: 'Le lien de suivi est copié. Envoyez-le au bénéficiaire.',
  failed: 'Le lien n’a pas pu être copié. Le voici :',
  amount: () => amount(1_028_200, 'GNF'),
  // The page for the recipient has no catalogs.
  arrived: { fr: 'L’argent est arrivé', en: 'The money has arrived' },
  onItsWay: { fr: 'L’argent est en route', en: 'The money is on its way' },
  nothing: { fr: 'Aucun transfert sous ce lien', en: 'No transfer under this link' },
  proves: {
    fr: 'Seule l’adresse de ce site prouve quelque chose.',
    en: 'Only the address of this site proves anything.',
  },
  again: { fr: 'Actualiser', en: 'Refresh' },
  other: { fr: 'English', en: 'Français' },
})

/** Sends 100 EUR to Guinea and leaves the receipt open. Answers the address of its page. */
async function sendTo(page: Page, server: Server, wallet = 'MTN Money'): Promise<string> {
  const person = await arriveHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await page.getByText(wallet).click()
  await confirmForm(page)
  await pay(page)
  const [transfer] = await server.transactionsOf(person.email)
  return `${server.origin}${transfer?.recipientLink}`
}

/** Somebody without an account, on another device, whose browser runs no script. */
async function withoutScript<T>(browser: Browser, look: (page: Page) => Promise<T>) {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: currentLanguage() })
  const done = await look(await context.newPage())
  await context.close()
  return done
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('a receipt answers for itself: its code leads whoever holds it to where the transfer stands', async ({
  page,
  server,
  language,
  browser,
}) => {
  const address = await sendTo(page, server)
  const receipt = page.getByRole('dialog')
  await expect(receipt.getByText(said.check)).toBeVisible()
  const drawn = receipt.getByRole('img', { name: said.code }).locator('path')
  await expect(drawn).toHaveAttribute('d', qrCode(address).path)
  expect(await violations(page)).toEqual([])

  await withoutScript(browser, async (stranger) => {
    const answer = await stranger.goto(address)
    expect((await answer?.body())?.length).toBeLessThan(15_000)
    const [, id] = /\/t\/(\w+)\./.exec(address) ?? []
    await expect(async () => {
      // MTN calls back once, and we ask once a second at most.
      const hint = { method: 'POST', headers: { 'content-type': 'application/json' } }
      await fetch(`${server.origin}/.netlify/functions/delivery-callback`, {
        ...hint,
        body: JSON.stringify({ externalId: id }),
      })
      await stranger.getByRole('link', { name: said.again }).click()
      await expect(heading(stranger)).toHaveText(said.arrived, { timeout: 1000 })
    }).toPass()
    await expect(stranger.getByRole('main')).toContainText(said.amount)
    await expect(stranger.getByRole('main')).toContainText('+224*******00')
    await expect(stranger.getByRole('main')).toContainText(said.proves)
    await expect(stranger.getByRole('main')).toContainText(new URL(server.origin).host)
    await stranger.getByRole('link', { name: said.other }).click()
    speakIn(language === 'fr' ? 'en' : 'fr')
    await expect(heading(stranger)).toHaveText(said.arrived)
    speakIn(language)
    await stranger.goto(`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`)
    await expect(heading(stranger)).toHaveText(said.nothing)
  })
})

test('the link is shared, or copied where nothing can be shared', async ({ page, server, context }) => {
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
  const address = await sendTo(page, server)
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
  // Where the browser has no such sheet, and then no clipboard either.
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.evaluate(() =>
    Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error()) }),
  )
  await press(said.share)
  await expect(receipt.getByText(said.failed)).toBeVisible()
  await expect(receipt.getByText(address)).toBeVisible()
})

test.describe('at every width', () => {
  // A page that shows no transfer is answered with 404.
  test.use({ expectedErrors: [/status of 404/] })

  test('the page is open to everybody: narrow, wide, light, dark, in both languages', async ({
    page,
    server,
  }) => {
    const address = await sendTo(page, server, 'Orange Money')
    for (const spoken of ['fr', 'en'] as const) {
      speakIn(spoken)
      for (const [path, title] of [
        [address, said.onItsWay],
        [`${server.origin}/t/x`, said.nothing],
      ] as const) {
        // What a stranger is told in is the browser's language; here the address says it.
        await page.goto(`${path}?lang=${spoken}`)
        await expect(heading(page)).toHaveText(title)
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 640 })
          expect(await layoutProblems(page, { breaks: 'nowhere' }), `${spoken}, ${width} px`).toEqual([])
        }
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await violations(page), `${spoken}, ${colorScheme}`).toEqual([])
        }
      }
    }
  })
})

test.describe('an app that is on the device', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [BROKEN_CALLS] })

  test('does not answer for the page, and has the code without a network', async ({
    page,
    server,
    context,
  }) => {
    const address = await sendTo(page, server)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await context.setOffline(true)
    await page.reload()
    await activityRows(page).first().click()
    const drawn = page.getByRole('img', { name: said.code }).locator('path')
    await expect(drawn).toHaveAttribute('d', qrCode(address).path)
    await expect(page.goto(address)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)
    await context.setOffline(false)
    await page.goto(address)
    await expect(page.getByRole('main')).toContainText('+224*******00')
  })
})

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const found = await page.evaluate(async (tags) => {
    // What lies under a sheet stands too near to it, by the checker, and can't be touched.
    const seen = document.querySelector('[role=dialog]') ?? document
    return (await window.axe.run(seen, { runOnly: { type: 'tag', values: tags } })).violations
  }, values)
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
}
