import type { Route } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome, openPhone, panel, speak } from './steps/waysIn.ts'

// The first visit, before the service worker is there: each part of the app comes over the network.
test.use({ expectedErrors: [BROKEN_CALLS] })

const NOT_HERE = /Une partie de l’application n’est pas arrivée|Part of the app hasn’t arrived/
const REOPEN = /Rouvrir l’application|Reopen the app/
const NEVER_PAID = /Rien n’a été payé|Nothing was paid/

for (const { how, lose } of [
  { how: 'fails for a while', lose: 'abort' },
  { how: 'takes longer than anybody waits', lose: 'hold' },
] as const)
  test(`a payment that is open on this device is found after a reload, even when the code for it ${how}`, async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = await arriveHome(page, server, language)
    // Charged, and nobody knows yet.
    await page.route('**/.netlify/functions/record-transfer', (route) => route.abort())
    await fillTransfer(page, words, { amount: '100' })
    await confirmForm(page, words)
    await expect(payButton(page, words)).toBeEnabled()
    await typeCard(page, words, CARDS.good)
    await payButton(page, words).click()
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
    await expect(page.getByRole('dialog', { name: words.receipt })).toBeVisible()
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
    expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  })

test('what was pressed is heard at once, however long its code takes', async ({
  page,
  server,
  language,
  words,
}) => {
  const release = await holdBack(page, '**/assets/{CheckoutSheets,ContactSheet,Pages}-*.js')
  await arriveHome(page, server, language)
  await page.clock.install()
  const opening = page.getByRole('status').getByText(/Ouverture…|Opening…/)
  await fillTransfer(page, words, { amount: '100' })
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  await pay.click()
  await expect(pay).toBeDisabled()
  await expect(opening).toBeVisible()
  await page.clock.runFor(25_000)
  await expect(page.getByText(NOT_HERE)).toBeVisible()
  await expect(page.getByRole('button', { name: REOPEN })).toBeInViewport()
  release()
  await expect(payButton(page, words)).toBeEnabled()
  await expect(opening).toBeHidden()
  await expect(page.getByText(NOT_HERE)).toBeHidden()
})

for (const isKnown of [false, true])
  test(`an app that neither comes nor fails is told of on the page, and ${isKnown ? 'opened anew' : 'takes over when it comes'}`, async ({
    page,
    server,
    language,
    words,
  }) => {
    if (isKnown) await arriveHome(page, server, language)
    else await speak(page, language)
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
    language,
    words,
  }) => {
    const release = await holdBack(page, '**/assets/WalletHolder-*.js')
    const asked = page.waitForRequest('**/assets/WalletHolder-*.js')
    await arriveHome(page, server, language)
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

for (const [window, size] of [
  ['a phone', { width: 360, height: 740 }],
  ['a desk', { width: 1280, height: 800 }],
] as const)
  test(`the way in stays where it is on ${window} when the price beside it comes, and where another side is chosen`, async ({
    page,
    language,
    words,
  }) => {
    await page.setViewportSize(size)
    await speak(page, language)
    const card = page.getByRole('main').getByRole('heading')
    const top = () => card.evaluate((heading) => Math.round(heading.getBoundingClientRect().top + scrollY))
    const first = await top()
    await openPhone(page, words, 'signUp')
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

test('what was typed before the app came is sent when it has come', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  await server.register(person)
  await speak(page, language)
  const release = await holdBack(page, '**/assets/index-*.js')
  await page.goto('/')
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  release()
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await panel(page).getByRole('button', { name: words.signIn }).click()
  await expectHome(page, words)
})

test('an app that the network cut off comes by itself when the network is back', async ({
  page,
  language,
  words,
}) => {
  await speak(page, language)
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
