import type { Locator, Page, Route } from '@playwright/test'
import { buildReserveAnswer } from '../machines/testing/transferSituations.ts'
import { LATE_CODE_DELAY, LOAD_RETRY_DELAY } from '../src/browser/loadDelays.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { contactRow, contactWords } from './steps/contacts.ts'
import { comeBack } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import { expectHome } from './steps/pages.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, releaseCode, setOffline, setResponse } from './steps/scenes.ts'
import {
  chooseLanguageInOtherTab,
  openInTestLanguage,
  openPhoneTab,
  registerAndOpenHome,
  registerAndOpenSignIn,
  signIn,
  signInPanel,
} from './steps/signIn.ts'
import { payButton } from './steps/transfer.ts'
import { getTestLanguage, getText } from './texts.ts'
import { words } from './words.ts'

// The first visit, before the service worker is installed: each part of the app is loaded from the network.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const NOT_HERE = /Une partie de l’application n’a pas pu être chargée|Part of the app could not be loaded/
const REOPEN = /Rouvrir l’application|Reopen the app/
const OFFLINE = /^(Hors ligne|Offline)\./

for (const isKnown of [false, true])
  test(`a hanging app is reported and ${isKnown ? 'can be reopened' : 'takes over once it loads'} @desk @all`, async ({
    page,
    server,
  }) => {
    if (isKnown) await registerAndOpenHome(page, server)
    else await openInTestLanguage(page)
    const APP = '**/assets/index-*.js'
    const held: Route[] = []
    let isGone = true
    await page.route(APP, (route) => (isGone ? held.push(route) : route.fallback()))
    const asked = page.waitForRequest(APP)
    await page.clock.install()
    await page.goto('/')
    await asked
    await expect(page.getByText(NOT_HERE)).toBeHidden()
    await page.clock.runFor(26_000)
    await expect(page.getByRole('alert').getByText(NOT_HERE)).toBeVisible()
    isGone = false
    if (isKnown) {
      await page.getByRole('button', { name: REOPEN }).click()
      await expect(page.getByLabel(words.amount)).toBeVisible()
    } else {
      for (const route of held) await route.fallback()
      await page.waitForFunction(() => window.opening?.isTakenOver)
      await page.getByRole('button', { name: words.createInstead }).click()
      await expect(page.getByLabel(words.name)).toBeVisible()
    }
    await expect(page.getByText(NOT_HERE)).toBeHidden()
  })

const LATE_AT_ONCE = { [LATE_CODE_DELAY]: 0 }
const isOpening = (page: Page) => page.getByRole('status').getByText(/Ouverture…|Opening…/)

sceneTest('a pressed button responds at once, or says that it loads @desk', async ({ page }) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  const responses = { 'functions.create-payment-intent': { value: buildReserveAnswer().value } }
  const heldCode = 'TransferSheets'
  await openScene(page, 'home-filled', { heldCode, responses })
  await pay.click()
  await expect(pay).toBeDisabled()
  await expect(isOpening(page)).toBeVisible()
  await expect(page.getByText(NOT_HERE)).toBeHidden()

  await openScene(page, 'home-filled', { heldCode, responses, delays: LATE_AT_ONCE })
  await pay.click()
  await expect(page.getByText(NOT_HERE)).toBeVisible()
  await expect(page.getByRole('button', { name: REOPEN })).toBeInViewport()
  await releaseCode(page)
  await expect(payButton(page)).toBeEnabled()
  await expect(isOpening(page)).toBeHidden()
  await expect(page.getByText(NOT_HERE)).toBeHidden()
})

sceneTest('a menu that is pressed before its code has loaded opens later @desk', async ({ page }) => {
  await openScene(page, 'home-empty', { heldCode: 'ProfileMenu' })
  const menu = page.getByRole('button', { name: words.menu })
  await menu.click()
  await expect(isOpening(page)).toBeVisible()
  await releaseCode(page)
  await expect(page.getByRole('menuitem', { name: words.profile, exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(menu).toBeFocused()
})

async function expectStillDuring(page: Page, element: Locator, work: () => Promise<unknown>) {
  const top = async () => (await element.boundingBox())?.y
  await element.hover()
  await page.mouse.down()
  const first = await top()
  await work()
  await waitUntilDrawn(page)
  expect(await top()).toBe(first)
  await page.mouse.up()
}

const nameHolder = (page: Page) =>
  setResponse(page, 'holders.fetchWalletHolder', { value: { kind: 'named', name: 'Mariama B.' } })

for (const [late, prepare, come] of [
  ['code', nameHolder, releaseCode],
  ['name', releaseCode, nameHolder],
] as const)
  sceneTest(`a wallet’s holder is named without a shift after a late ${late} @desk`, async ({ page }) => {
    const responses = { 'holders.fetchWalletHolder': 'held' } as const
    await openScene(page, 'home-filled', { heldCode: 'WalletHolder', responses, delays: { 500: 0 } })
    await page.getByLabel(words.phone).fill('+224 660 00 04 80')
    const tick = page.getByLabel(words.confirmPhone)
    await expect(page.locator('#recipient')).not.toBeEmpty()
    await page.getByRole('radio', { name: 'MTN Money' }).check()
    await prepare(page)
    await waitUntilDrawn(page)
    await tick.scrollIntoViewIfNeeded()
    await expectStillDuring(page, tick, () => come(page))
    await expect(tick).toBeChecked()
    await expect(page.getByText('Mariama B.')).toBeVisible()
  })

sceneTest('no notice about the network shifts a contact’s button during a tap @desk', async ({ page }) => {
  const send = contactRow(page, 'Mariama').getByRole('button', { name: /^(Envoyer|Send)$/ })
  await openScene(page, 'contacts')
  await expectStillDuring(page, send, () => setOffline(page, true))
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  await expect(page.getByText(OFFLINE)).toBeVisible()

  // On a return, the app shows that the list is not up to date.
  const notice = page.getByText(getText('Pas de réseau : voici les contacts gardés sur cet appareil.'))
  const edit = contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit })
  await openScene(page, 'contacts')
  await setOffline(page, true)
  await expect(page.getByText(OFFLINE)).toBeVisible()
  await expect(notice).toBeHidden()
  await expectStillDuring(page, edit, () => comeBack(page))
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(notice).toBeVisible()
})

sceneTest('the account can’t be changed until its sign-in methods are known @desk', async ({ page }) => {
  const heldCode = 'accountChanges'
  const inMain = (name: string) =>
    page.getByRole('main').getByRole('button', { name: new RegExp(`^${name}`) })
  for (const lack of [
    { heldCode, delays: LATE_AT_ONCE },
    { missingCode: heldCode, delays: { [LOAD_RETRY_DELAY]: 20 } },
  ]) {
    await openScene(page, 'profile-by-phone', lack)
    await expect(inMain(words.yourPhone)).toBeDisabled()
    await expect(page.getByText(NOT_HERE)).toBeVisible()
    await releaseCode(page)
    await expect(inMain(words.yourPhone)).toBeEnabled()
    await expect(page.getByText(NOT_HERE)).toBeHidden()
  }

  await openScene(page, 'security', { heldCode })
  const offered = [words.signOutEverywhere, words.deleteAccount, words.yourPassword].map(inMain)
  for (const button of offered) await expect(button).toHaveCount(0)
  await releaseCode(page)
  for (const button of offered) await expect(button).toBeVisible()
})

test('the sign-in card stays in place @both @all', async ({ page }) => {
  await openInTestLanguage(page)
  // The heading's font, which the next visit has, may break the lines elsewhere.
  await page.waitForFunction(() => localStorage.getItem('passerelle.fonts'))
  await page.reload()
  const card = page.getByRole('main').getByRole('heading')
  const top = () =>
    card.evaluate(async (heading) => {
      await document.fonts.ready
      return Math.round(heading.getBoundingClientRect().top + scrollY)
    })
  const first = await top()
  await openPhoneTab(page, 'signUp')
  expect(await top()).toBe(first)
  await signInPanel(page).getByLabel(words.name).fill('Awa')

  // After switching back to that tab and reloading, the page is not prerendered.
  const release = await delayRequests(page, '**/assets/PriceCalculator-*.js')
  await page.reload()
  await expect(signInPanel(page).getByLabel(words.name)).toHaveValue('Awa')
  const price = page.getByRole('combobox', { name: /Devise|Currency/ })
  await expect(price).toHaveCount(0)
  expect(await top()).toBe(first)
  release()
  await expect(price).toBeVisible()
  expect(await top()).toBe(first)
})

test('the display font comes with the next screen @all', async ({ page, server }) => {
  const person = await registerAndOpenSignIn(page, server)
  await page.waitForFunction(() => localStorage.getItem('passerelle.fonts'))
  const countFonts = () => page.evaluate(() => document.fonts.size)
  // The offer of a new version also joins the page.
  await page.evaluate(() => document.getElementById('root')?.append(''))
  expect(await countFonts()).toBe(0)
  await signIn(page, person)
  await expectHome(page)
  expect(await countFonts()).toBe(1)
})

test('choosing the current language keeps the amount’s focus @desk @all', async ({ page }) => {
  await openInTestLanguage(page)
  const release = await delayRequests(page, '**/assets/PriceCalculator-*.js')
  await page.goto('/')
  await page.waitForFunction(() => window.opening?.isTakenOver)
  const amount = page.getByLabel(words.amount)
  await amount.fill('250')
  await chooseLanguageInOtherTab(page, getTestLanguage())
  release()
  await expect(page.getByLabel(words.arrives)).toHaveValue(/^2.570.500$/)
  await expect(amount).toBeFocused()
})

test('the page retries an app that fails to load, without a reload @desk @all', async ({ page }) => {
  await openInTestLanguage(page)
  let tries = 0
  await page.route('**/assets/index-*.js', (route) => {
    tries += 1
    return tries <= 3 ? route.abort() : route.fallback()
  })
  await page.goto('/')
  await page.evaluate(() => document.body.setAttribute('data-same', ''))
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await page.getByRole('button', { name: words.createInstead }).click()
  await expect(page.getByLabel(words.name)).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-same')
  expect(tries).toBe(4)
})
