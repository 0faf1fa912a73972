import type { Page, Route } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { nextAnswer } from './steps/answers.ts'
import { writeContact } from './steps/contacts.ts'
import { untilDrawn } from './steps/drawn.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome, openFromMenu, openProfile, openRow, openSecurity } from './steps/pages.ts'
import { somebody, somebodyWithPhone } from './steps/people.ts'
import { confirmForm, fillTransfer, payButton, payWithCard, receiptSheet } from './steps/transfer.ts'
import { arriveHome, enter, openPhone, panel, signInByPhone, speak } from './steps/waysIn.ts'
import { words } from './words.ts'

// The first visit, before the service worker is there: each part of the app comes over the network.
test.use({ expectedErrors: [BROKEN_CALLS] })

const NOT_HERE = /Une partie de l’application n’est pas arrivée|Part of the app hasn’t arrived/
const REOPEN = /Rouvrir l’application|Reopen the app/
const OFFLINE = /^(Hors ligne|Offline)\./
const KEPT_CONTACTS = /voici les contacts gardés sur cet appareil|these are the contacts kept on this device/
const NEVER_PAID = /Rien n’a été payé|Nothing was paid/

for (const { how, lose } of [
  { how: 'fails for a while', lose: 'abort' },
  { how: 'takes longer than anybody waits', lose: 'hold' },
] as const)
  test(`a payment that is open on this device is found after a reload, even when the code for it ${how}`, async ({
    page,
    server,
  }) => {
    const person = await arriveHome(page, server)
    // Charged, and nobody knows yet.
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
    if (lose === 'hold') release = await holdBack(page, DATABASE)
    else await page.route(DATABASE, (route) => route.abort(), { times: 3 })
    const asked = page.waitForRequest(DATABASE)
    await page.clock.install()
    await page.goto('/')
    await asked
    await expect(page.getByLabel(words.amount)).toBeVisible()
    // Longer than a device is waited for.
    if (lose === 'hold') await page.clock.runFor(20_000)
    await expect(page.getByText(NEVER_PAID)).toBeHidden()
    await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeDisabled()
    release()
    await expect(receiptSheet(page)).toBeVisible()
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
    expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  })

test('what was pressed is heard at once, however long its code takes', async ({ page, server }) => {
  const release = await holdBack(page, '**/assets/{CheckoutSheets,ContactSheet,Pages}-*.js')
  await arriveHome(page, server)
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

for (const isKnown of [false, true])
  test(`an app that neither comes nor fails is told of on the page, and ${isKnown ? 'opened anew' : 'takes over when it comes'}`, async ({
    page,
    server,
  }) => {
    if (isKnown) await arriveHome(page, server)
    else await speak(page)
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
  test(`what comes late moves nothing under the finger, when it came ${when} the finger`, async ({
    page,
    server,
  }) => {
    const release = await holdBack(page, '**/assets/WalletHolder-*.js')
    const asked = page.waitForRequest('**/assets/WalletHolder-*.js')
    await arriveHome(page, server)
    await page.getByLabel(words.amount).fill('100')
    await page.getByLabel(words.phone).fill('+224 660 00 04 80')
    const holder = page.locator('#recipient [role=status]')
    const tick = page.getByLabel(words.confirmPhone)
    const code = (await asked).url()
    // So many frames are more than it takes to draw what has come.
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
    what: 'that the network is gone',
    isOffline: false,
    come: (page: Page) => page.context().setOffline(true),
  },
  {
    what: 'that a list may not be up to date',
    isOffline: true,
    // As for somebody who comes back to the app.
    come: (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  },
])
  test(`${what} is said once nothing is pressed: a tap on a contact finds that contact`, async ({
    page,
    server,
  }) => {
    const person = somebody()
    const uid = await server.register(person)
    const phone = '+224620000001'
    await writeContact(server, uid, 'Mariama Bah', phone)
    await enter(page, server, person)
    // The home screen's own question has its answer.
    await expect(page.getByRole('button', { name: 'Mariama Bah', exact: true })).toBeVisible()
    const asked = nextAnswer(page, 'contacts')
    await openFromMenu(page, words.contacts)
    await asked
    const send = page.getByRole('listitem').getByRole('button', { name: /^(Envoyer|Send)$/ })
    await expect(send).toBeVisible()
    const top = async () => (await send.boundingBox())?.y
    const told = page.getByText(isOffline ? KEPT_CONTACTS : OFFLINE)
    if (isOffline) {
      await page.context().setOffline(true)
      await expect(page.getByText(OFFLINE)).toBeVisible()
    }
    await expect(told).toBeHidden()
    await send.hover()
    await page.mouse.down()
    const first = await top()
    await come(page)
    await untilDrawn(page)
    expect(await top()).toBe(first)
    await page.mouse.up()
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 01')
    // The list is left behind; the bar stands over each screen.
    if (!isOffline) await expect(told).toBeVisible()
  })

for (const how of ['late', 'lost'] as const)
  test(`who signs in with a number is asked for no other one while it is not known how they sign in, when the code for that is ${how}`, async ({
    page,
    server,
  }) => {
    const person = somebodyWithPhone()
    await server.registerPhone(person)
    await speak(page)
    await signInByPhone(page, server, person)
    await openProfile(page)
    const own = page.getByRole('region', { name: words.yourPhone, exact: true })
    await expect(own.getByText(words.signsInWith)).toBeVisible()

    const CHANGES = '**/assets/accountChanges-*.js'
    let release = () => {}
    if (how === 'late') release = await holdBack(page, CHANGES)
    else await page.route(CHANGES, (route) => route.abort())
    await page.clock.install()
    await page.reload()
    await expect(page.getByLabel(words.name)).toHaveValue(person.name)
    await expect(own).toHaveCount(0)
    if (how === 'late') await page.clock.runFor(26_000)
    await expect(page.getByText(NOT_HERE)).toBeVisible()
    if (how === 'lost') await page.unroute(CHANGES)
    release()
    await expect(own.getByText(words.signsInWith)).toBeVisible()
    await expect(page.getByText(NOT_HERE)).toBeHidden()
    await openRow(page, words.security)
    await expect(page.getByRole('button', { name: words.deleteAccount })).toBeVisible()
  })

test('security offers nothing before it is known how somebody signs in: nothing is pushed away then', async ({
  page,
  server,
}) => {
  const release = await holdBack(page, '**/assets/accountChanges-*.js')
  const asked = page.waitForRequest('**/assets/SecurityPage-*.js')
  await arriveHome(page, server)
  await openSecurity(page)
  await page.evaluate((url) => import(url), (await asked).url())
  await untilDrawn(page)
  const offered = [words.signOutEverywhere, words.deleteAccount, words.changePassword].map((name) =>
    page.getByRole('main').getByRole('button', { name, exact: true }),
  )
  for (const button of offered) await expect(button).toHaveCount(0)
  release()
  for (const button of offered) await expect(button).toBeVisible()
})

for (const [window, size] of [
  ['a phone', { width: 360, height: 740 }],
  ['a desk', { width: 1280, height: 800 }],
] as const)
  test(`the way in stays where it is on ${window} when the price beside it comes, and where another side is chosen`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await speak(page)
    const card = page.getByRole('main').getByRole('heading')
    const top = () => card.evaluate((heading) => Math.round(heading.getBoundingClientRect().top + scrollY))
    const first = await top()
    await openPhone(page, 'signUp')
    expect(await top()).toBe(first)
    await panel(page).getByLabel(words.name).fill('Awa')

    // Who comes back to that side has a page that was not painted before the app came.
    const release = await holdBack(page, '**/assets/Calculator-*.js')
    await page.reload()
    await expect(panel(page).getByLabel(words.name)).toHaveValue('Awa')
    const price = page.getByRole('combobox', { name: /Devise|Currency/ })
    await expect(price).toHaveCount(0)
    expect(await top()).toBe(first)
    release()
    await expect(price).toBeVisible()
    expect(await top()).toBe(first)
  })

test('what was typed before the app came is sent when it has come', async ({ page, server }) => {
  const person = somebody()
  await server.register(person)
  await speak(page)
  const release = await holdBack(page, '**/assets/index-*.js')
  await page.goto('/')
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  release()
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await panel(page).getByRole('button', { name: words.signIn }).click()
  await expectHome(page)
})

test('an app that the network cut off comes by itself when the network is back', async ({ page }) => {
  await speak(page)
  let tries = 0
  await page.route('**/assets/index-*.js', (route) => {
    tries += 1
    // What is fetched ahead, and the first two tries.
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
