import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import { expectHeadingFocused } from './steps/pages.ts'
import type { Person } from './steps/person.ts'
import { openPlans, subscribeTo } from './steps/plans.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import {
  activityRows,
  CARD_NUMBERS,
  cardFrame,
  closeReceipt,
  confirmForm,
  expectSavedDraft,
  fillTransfer,
  payAndExpectReceipt,
  payButton,
  receiptSheet,
  sendMoney,
  typeCard,
} from './steps/transfer.ts'
import { defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const AMOUNT = '42,50'

const said = defineTexts({
  loginPage:
    'Ce réseau demande une connexion : la réponse de la banque ne peut pas nous parvenir. Ouvrez sa page de connexion, puis revenez ici. Ne payez pas une seconde fois : votre carte ne sera débitée qu’une fois.',
  loginPageBar: 'Ce réseau demande une connexion. Ouvrez sa page, puis revenez ici.',
})

async function expectCharges(server: Server, { email }: Person, charges: number) {
  const paid = (await server.listPaymentIntents(email)).filter(({ status }) => status === 'succeeded')
  expect(paid.map(({ amount }) => amount)).toEqual(Array(charges).fill(4250))
  expect(await server.readTransactions(email)).toHaveLength(charges)
}

async function arriveAtCard(page: Page, server: Server): Promise<Person> {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await confirmForm(page)
  await typeCard(page, CARD_NUMBERS.good)
  return person
}

test('confirming offline charges nothing; the form survives a reload', async ({ page, context, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeEnabled()
  await context.setOffline(true)
  await expect(page.getByText(words.offlineBar)).toBeVisible()
  await confirmForm(page)
  await expect(page.getByText(words.offline).first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText(words.offlineBar)).toBeHidden()
  await expectCharges(server, person, 0)

  await expectSavedDraft(page, AMOUNT)
  await page.reload()
  await expect(page.getByText(words.draftKept)).toBeVisible()
  await expect(
    page.getByText(getText('Rien n’a été payé. Le montant à recevoir est calculé au tarif actuel.')),
  ).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue(AMOUNT)
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expectCharges(server, person, 0)
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await expectCharges(server, person, 1)

  await page.reload()
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expect(page.getByText(words.draftKept)).toBeHidden()
})

for (const cut of ['cutBefore', 'cutAfter'] as const)
  test(`a lost ${cut === 'cutBefore' ? 'request' : 'response'} leads to one charge @spec-prepare-offline`, async ({
    page,
    server,
  }) => {
    const person = await registerAndOpenHome(page, server)
    await fillTransfer(page, { amount: AMOUNT })
    const preparing = '**/.netlify/functions/create-payment-intent'
    await page.route(preparing, async (route) => {
      if (cut === 'cutAfter') await route.fetch()
      await route.abort()
    })
    await confirmForm(page)
    await expect(page.getByText(words.initFailed).first()).toBeVisible()
    await expect(page.getByLabel(words.amount)).toHaveValue(AMOUNT)
    await page.unroute(preparing)
    await page.getByRole('main').getByRole('button', { name: words.retry }).click()
    await payAndExpectReceipt(page)
    expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
    await expectCharges(server, person, 1)
  })

test('the card form submits nothing offline, and keeps the card', async ({ page, context, server }) => {
  const person = await arriveAtCard(page, server)
  await context.setOffline(true)
  await payButton(page).click()
  await expect(page.getByRole('dialog').getByText(words.offline)).toBeVisible()
  await expectCharges(server, person, 0)
  await context.setOffline(false)
  await expect(cardFrame(page).getByLabel(words.cardNumber)).not.toHaveValue('')
  await expectCharges(server, person, 0)
  await payButton(page).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  await expectCharges(server, person, 1)
})

test('a lost response to the card leads to one charge’s receipt', async ({ page, server }) => {
  const person = await arriveAtCard(page, server)
  const [{ id = '' } = {}] = await server.listPaymentIntents(person.email)
  await server.addFault({
    on: `POST /v1/payment_intents/${id}/confirm`,
    times: 1,
    what: { kind: 'cutAfter' },
  })
  await payButton(page).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  await expectCharges(server, person, 1)
})

test('a payment being checked is found once the network returns', async ({ page, context, server }) => {
  const person = await arriveAtCard(page, server)
  const asking = '**/.netlify/functions/record-transfer'
  await page.route(asking, (route) => route.abort())
  await payButton(page).click()
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  await context.setOffline(true)
  await page.unroute(asking)
  await context.setOffline(false)
  await expect(page.getByText(words.paid)).toBeVisible()
  await expectCharges(server, person, 1)
})

test('home’s snapshot shows until the app loads, whose form can be cleared', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await expectSavedDraft(page, AMOUNT)

  const release = await delayRequests(page, '**/assets/*.js')
  await page.reload({ waitUntil: 'commit' })
  const amount = page.locator('#root[inert] input').first()
  await expect(amount).toBeVisible()
  await expect(amount).toHaveValue(AMOUNT)
  // Each frame would delay the app.
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  release()
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
  await expect(page.getByText(words.draftKept)).toBeVisible()
  await page.getByRole('button', { name: words.clearDraft }).click()
  await expectHeadingFocused(page)
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expectSavedDraft(page, undefined)
  await page.reload()
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await page.getByLabel(words.amount).fill('100')
  await expect(page.getByLabel(words.arrives)).toHaveValue(/^1.028.200$/)
})

test('a tap on the snapshot is repeated once the app loads @all', async ({ page, server }) => {
  const CHOOSE = getText('Choisir un contact')
  await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: AMOUNT })
  await expectSavedDraft(page, AMOUNT)

  // The browser would restore the scroll position after the button was measured.
  await page.evaluate(() => {
    history.scrollRestoration = 'manual'
  })
  const release = await delayRequests(page, '**/assets/*.js')
  await page.reload({ waitUntil: 'commit' })
  const picture = page.locator('#root[inert]')
  const seen = picture.getByLabel(CHOOSE)
  await seen.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const at = await seen.boundingBox()
  if (!at) throw new Error('The button is not in the picture')
  await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2)
  await expect(picture.locator('[data-tapped]')).toHaveAttribute('aria-label', CHOOSE)
  release()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
})

test('the snapshot is stored although another screen’s file fails @all', async ({ page, server }) => {
  await page.route('**/assets/SupportSheet-*.css', (route) => route.abort('internetdisconnected'))
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/SupportSheet-'))
  await registerAndOpenHome(page, server)
  await lost
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('passerelle.home')))
    .toContain('data-testid')
})

test('a payment behind a network’s login page succeeds later @spec-login-page', async ({ page, server }) => {
  const person = await arriveAtCard(page, server)
  const OURS = /\/\.netlify\/functions\/|\/robots\.txt/
  await page.route(OURS, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Wi-Fi' }))
  await payButton(page).click()
  await expect(page.getByRole('dialog').getByText(said.loginPage)).toBeVisible()
  await expect(page.getByText(said.loginPageBar)).toBeVisible()
  await page.unroute(OURS)
  await expect(receiptSheet(page)).toBeVisible()
  await expect(page.getByText(said.loginPageBar)).toBeHidden()
  await expectCharges(server, person, 1)
})

test('a browser that wrongly reports no network can still pay', async ({ page, context, server }) => {
  // Some browsers report no network while it works, and fire no event when it returns.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
    addEventListener('online', (event) => event.stopImmediatePropagation(), true)
  })
  const person = await registerAndOpenHome(page, server)
  await sendMoney(page, { amount: '42,50' })
  await closeReceipt(page)
  await expect(activityRows(page)).toHaveCount(1)
  await expect(page.getByText(words.offlineBar)).toBeHidden()

  await fillTransfer(page, { amount: '60' })
  await context.setOffline(true)
  await expect(page.getByText(words.offlineBar)).toBeVisible()
  await confirmForm(page)
  await expect(page.getByText(words.offline).first()).toBeVisible()
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  await context.setOffline(false)
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await expect(page.getByText(words.offlineBar)).toBeHidden()
  await closeReceipt(page)
  await openPlans(page)
  await subscribeTo(page, 'premium')
  await expect(page.locator('[name=number]')).toBeVisible()
})
