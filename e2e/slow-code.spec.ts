import type { Page, Route } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { writeContact } from './steps/contacts.ts'
import { delayRequests } from './steps/faults.ts'
import { expectHome, openFromMenu, openFromRow, openProfile, openSecurity } from './steps/pages.ts'
import { createPerson, createPhonePerson } from './steps/person.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { waitForQueryResponse } from './steps/responses.ts'
import {
  chooseLanguageInOtherTab,
  openInTestLanguage,
  openPhoneTab,
  openSignedInHome,
  registerAndOpenHome,
  signInByPhone,
  signInPanel,
} from './steps/signIn.ts'
import { confirmForm, fillTransfer, payButton, payWithCard, receiptSheet } from './steps/transfer.ts'
import { getTestLanguage } from './texts.ts'
import { words } from './words.ts'

// The first visit, before the service worker is installed: each part of the app is loaded from the network.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const NOT_HERE = /Une partie de l’application n’a pas pu être chargée|Part of the app could not be loaded/
const REOPEN = /Rouvrir l’application|Reopen the app/
const OFFLINE = /^(Hors ligne|Offline)\./
const KEPT_CONTACTS = /voici les contacts gardés sur cet appareil|these are the contacts saved on this device/
const NEVER_PAID = /Rien n’a été payé|Nothing was paid/

for (const { how, lose } of [
  { how: 'fails to load at first', lose: 'abort' },
  { how: 'loads only after the timeout', lose: 'hold' },
] as const)
  test(`an open payment is found after a reload even if the database chunk ${how} @desk @all`, async ({
    page,
    server,
  }) => {
    const person = await registerAndOpenHome(page, server)
    // The card is charged, but the payment is not recorded yet.
    await page.route('**/.netlify/functions/record-transfer', (route) => route.abort())
    await fillTransfer(page, { amount: '100' })
    await confirmForm(page)
    await expect(payButton(page)).toBeEnabled()
    await payWithCard(page)
    await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()

    await page.goto('about:blank')
    await page.unrouteAll()
    const DATABASE = '**/assets/database-*.js'
    let release = () => {}
    if (lose === 'hold') release = await delayRequests(page, DATABASE)
    else await page.route(DATABASE, (route) => route.abort(), { times: 3 })
    const asked = page.waitForRequest(DATABASE)
    await page.clock.install()
    await page.goto('/')
    await asked
    await expect(page.getByLabel(words.amount)).toBeVisible()
    // Waits longer than the timeout for the device's storage.
    if (lose === 'hold') await page.clock.runFor(20_000)
    await expect(page.getByText(NEVER_PAID)).toBeHidden()
    await expect(receiptSheet(page)).toBeVisible()
    release()
    expect(await server.readTransactions(person.email)).toHaveLength(1)
    expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  })

test('pressing a button shows feedback immediately, and a message if the chunk that it needs takes too long @desk @all', async ({
  page,
  server,
}) => {
  const release = await delayRequests(page, '**/assets/{CheckoutSheets,ContactSheet,Pages}-*.js')
  await registerAndOpenHome(page, server)
  await page.clock.install()
  const opening = page.getByRole('status').getByText(/Ouverture…|Opening…/)
  await fillTransfer(page, { amount: '100' })
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  await pay.click()
  await expect(pay).toBeDisabled()
  await expect(opening).toBeVisible()
  await page.clock.runFor(25_000)
  await expect(page.getByText(NOT_HERE)).toBeVisible()
  await expect(page.getByRole('button', { name: REOPEN })).toBeInViewport()
  release()
  await expect(payButton(page)).toBeEnabled()
  await expect(opening).toBeHidden()
  await expect(page.getByText(NOT_HERE)).toBeHidden()
})

test('a menu whose button is pressed before its chunk has loaded opens once it has @desk @all', async ({
  page,
  server,
}) => {
  const release = await delayRequests(page, '**/assets/ProfileMenu-*.js')
  await registerAndOpenHome(page, server)
  const menu = page.getByRole('button', { name: words.menu })
  await menu.click()
  await expect(page.getByRole('status').getByText(/Ouverture…|Opening…/)).toBeVisible()
  release()
  await expect(page.getByRole('menuitem', { name: words.profile, exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(menu).toBeFocused()
})

for (const isKnown of [false, true])
  test(`an app that hangs while loading is reported on the page, and ${isKnown ? 'can be reopened' : 'takes over once it loads'} @desk @all`, async ({
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

for (const when of ['before', 'after'] as const)
  test(`the name of the wallet’s holder does not shift the layout during a press if its chunk loads ${when} the press begins @desk @all`, async ({
    page,
    server,
  }) => {
    const release = await delayRequests(page, '**/assets/WalletHolder-*.js')
    const asked = page.waitForRequest('**/assets/WalletHolder-*.js')
    await registerAndOpenHome(page, server)
    await page.getByLabel(words.amount).fill('100')
    await page.getByLabel(words.phone).fill('+224 660 00 04 80')
    const holder = page.locator('#recipient [role=status]')
    const tick = page.getByLabel(words.confirmPhone)
    const code = (await asked).url()
    // Waits until the chunk has loaded, and then for this many frames.
    const untilHere = async (frames: number) =>
      page.evaluate(
        async ([url, frames]) => {
          await import(url)
          for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame)
        },
        [code, frames] as const,
      )
    const top = async () => (await tick.boundingBox())?.y
    await tick.scrollIntoViewIfNeeded()
    await expect(page.locator('#recipient')).not.toBeEmpty()
    await page.getByRole('radio', { name: 'Orange Money' }).check()
    await page.getByRole('radio', { name: 'MTN Money' }).check()
    if (when === 'before') {
      release()
      await untilHere(0)
    }
    await tick.hover()
    await page.mouse.down()
    const first = await top()
    release()
    await untilHere(30)
    expect(await top()).toBe(first)
    await page.mouse.up()
    await expect(tick).toBeChecked()
    await expect(holder).toBeAttached()
  })

for (const { what, come, isOffline } of [
  {
    what: 'a missing network',
    isOffline: false,
    come: (page: Page) => page.context().setOffline(true),
  },
  {
    what: 'an outdated list',
    isOffline: true,
    // Simulates a return to the app.
    come: (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  },
])
  test(`the notice about ${what} does not shift the layout during a tap on a contact’s button @desk @all`, async ({
    page,
    server,
  }) => {
    const person = createPerson()
    const uid = await server.register(person)
    const phone = '+224620000001'
    await writeContact(server, uid, 'Mariama Bah', phone)
    await openSignedInHome(page, server, person)
    // Waits for the response to the home screen's own query.
    await expect(page.getByRole('button', { name: 'Mariama Bah', exact: true })).toBeVisible()
    const asked = waitForQueryResponse(page, 'contacts')
    await openFromMenu(page, words.contacts)
    await asked
    const send = page.getByRole('listitem').getByRole('button', { name: /^(Envoyer|Send)$/ })
    await expect(send).toBeVisible()
    const top = async () => (await send.boundingBox())?.y
    const notice = page.getByText(isOffline ? KEPT_CONTACTS : OFFLINE)
    if (isOffline) {
      await page.context().setOffline(true)
      await expect(page.getByText(OFFLINE)).toBeVisible()
    }
    await expect(notice).toBeHidden()
    await send.hover()
    await page.mouse.down()
    const first = await top()
    await come(page)
    await waitUntilDrawn(page)
    expect(await top()).toBe(first)
    await page.mouse.up()
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 01')
    // The notice of the list is gone with its page; the offline bar is on every screen.
    if (!isOffline) await expect(notice).toBeVisible()
  })

for (const how of ['late', 'lost'] as const)
  test(`the row of the phone opens nothing until the sign-in methods are known if the code that reads them is ${how} @desk @all`, async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    await server.registerPhone(person)
    await openInTestLanguage(page)
    await signInByPhone(page, server, person)
    await openProfile(page)
    const own = page.getByRole('main').getByRole('button', { name: new RegExp(`^${words.yourPhone}`) })
    await expect(own).toBeEnabled()

    const CHANGES = '**/assets/accountChanges-*.js'
    let release = () => {}
    if (how === 'late') release = await delayRequests(page, CHANGES)
    else await page.route(CHANGES, (route) => route.abort())
    await page.clock.install()
    await page.reload()
    await expect(own).toBeDisabled()
    if (how === 'late') await page.clock.runFor(26_000)
    await expect(page.getByText(NOT_HERE)).toBeVisible()
    if (how === 'lost') await page.unroute(CHANGES)
    release()
    await expect(own).toBeEnabled()
    await expect(page.getByText(NOT_HERE)).toBeHidden()
    await openFromRow(page, words.security)
    await expect(page.getByRole('button', { name: words.deleteAccount })).toBeVisible()
  })

test('the security page shows its rows only once the sign-in methods are known @desk @all', async ({
  page,
  server,
}) => {
  const release = await delayRequests(page, '**/assets/accountChanges-*.js')
  const asked = page.waitForRequest('**/assets/SecurityPage-*.js')
  await registerAndOpenHome(page, server)
  await openSecurity(page)
  await page.evaluate((url) => import(url), (await asked).url())
  await waitUntilDrawn(page)
  const offered = [words.signOutEverywhere, words.deleteAccount, words.yourPassword].map((name) =>
    page.getByRole('main').getByRole('button', { name: new RegExp(`^${name}`) }),
  )
  for (const button of offered) await expect(button).toHaveCount(0)
  release()
  for (const button of offered) await expect(button).toBeVisible()
})

for (const [window, size] of [
  ['a phone', { width: 360, height: 740 }],
  ['a desktop', { width: 1280, height: 800 }],
] as const)
  test(`the sign-in card does not move on ${window} when the price loads or another tab is chosen @desk @all`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await openInTestLanguage(page)
    // The heading's font, which the next visit has, may break the lines elsewhere.
    await page.waitForFunction(() => localStorage.getItem('passerelle.fonts'))
    await page.reload()
    const card = page.getByRole('main').getByRole('heading')
    const top = () => card.evaluate((heading) => Math.round(heading.getBoundingClientRect().top + scrollY))
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

test('the amount keeps the focus if the current language is chosen again before the quote module has loaded @desk @all', async ({
  page,
}) => {
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

test('values typed before the app has loaded can be submitted once it has loaded @desk @all', async ({
  page,
  server,
}) => {
  const person = createPerson()
  await server.register(person)
  await openInTestLanguage(page)
  const release = await delayRequests(page, '**/assets/index-*.js')
  await page.goto('/')
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  release()
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await signInPanel(page).getByRole('button', { name: words.signIn }).click()
  await expectHome(page)
})

test('the page retries an app that fails to load, without a reload @desk @all', async ({ page }) => {
  await openInTestLanguage(page)
  let tries = 0
  await page.route('**/assets/index-*.js', (route) => {
    tries += 1
    // Aborts the preload and the first two attempts.
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
