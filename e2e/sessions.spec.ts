import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { expectNoDatabase } from './steps/device.ts'
import { changePasswordElsewhere, corruptToken, delayRequests } from './steps/faults.ts'
import { expectHome, openOtherTab, openSecurity } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openInTestLanguage, registerAndOpenHome, signIn, signOut, signUp } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payAndExpectReceipt,
  payButton,
  receiptSheet,
  sendMoney,
  typeCard,
} from './steps/transfer.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

async function expectOnePaid(server: Server, person: Person) {
  expect(await server.listPaymentIntents(person.email)).toMatchObject([
    { amount: 10_000, status: 'succeeded' },
  ])
  expect(await server.readTransactions(person.email)).toHaveLength(1)
}

test('opening the link and the app in another tab verifies a user @desk', async ({
  page,
  context,
  server,
}) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await signUp(page, person)
  await server.openMail(person.email)
  await page.close()
  const app = await openOtherTab(context)
  await expect(app.getByText(words.noTransfers)).toBeVisible()
})

test('a rejected token is renewed silently, charging once @desk', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  const renewals: string[] = []
  page.on('request', (request) => request.url().includes('/v1/token') && renewals.push(request.url()))
  await corruptToken(page)
  await fillTransfer(page, { amount: '100' })
  await page.getByText('MTN Money').click()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await expectOnePaid(server, person)
  expect(renewals).toHaveLength(1)
})

async function arriveAtCard(page: Page, server: Server) {
  const person = await registerAndOpenHome(page, server)
  await fillToCard(page)
  return person
}

async function fillToCard(page: Page) {
  await fillTransfer(page, { amount: '100' })
  await page.getByText('MTN Money').click()
  await confirmForm(page)
  await typeCard(page, CARD_NUMBERS.good)
}

const ended = (page: Page) =>
  page.getByRole('main').getByRole('alert').filter({ hasText: words.sessionEnded })

test('a session ended during payment warns, later shows the receipt @desk', async ({ page, server }) => {
  const person = await arriveAtCard(page, server)
  const renewed = await changePasswordElsewhere(page, server, person)
  // The ID token has expired too.
  await corruptToken(page)
  await payButton(page).click()
  await expect(ended(page)).toContainText(words.maybePaid)
  await expect(ended(page)).toBeInViewport()
  await expectNoDatabase(page)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(person.email)
  await page.reload()
  await expect(ended(page)).toContainText(words.maybePaid)
  await signIn(page, renewed)
  await expect(receiptSheet(page)).toContainText(/100,00|100\.00/)
  await closeReceipt(page)
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expectOnePaid(server, renewed)
  await page.reload()
  await expectHome(page)
  await expect(receiptSheet(page)).toBeHidden()
})

test('an ended session’s reservation is released after a reload @desk', async ({ page, server }) => {
  const person = await arriveAtCard(page, server)
  const renewed = await changePasswordElsewhere(page, server, person)
  // The SDK notices at the next start that the session has ended.
  await page.reload()
  await expect(ended(page)).toContainText(words.notPaidYet)
  await page.reload()
  await signIn(page, renewed)
  await expect(page.getByText(words.leftUnpaid)).toBeVisible()
  expect(await server.listPaymentIntents(person.email)).toMatchObject([{ status: 'canceled' }])
  await signOut(page)
  await expect(ended(page)).toBeHidden()
})

test('another tab’s sign-out during a payment warns of a charge @desk', async ({ page, context, server }) => {
  const person = await registerAndOpenHome(page, server)
  const other = await openOtherTab(context)
  await fillToCard(page)
  await page.route('**/record-transfer', (route) => route.abort())
  await payButton(page).click()
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  await signOut(other)
  await expect(ended(page)).toContainText(words.maybePaid)

  await page.unroute('**/record-transfer')
  await signIn(page, person)
  await expect(receiptSheet(page)).toContainText(/100,00|100\.00/)
  await expectOnePaid(server, person)

  // The next form is not taken for the one that was charged.
  await closeReceipt(page)
  await sendMoney(page, { amount: '60' })
  expect(await server.readTransactions(person.email)).toHaveLength(2)
})

test('an account deleted in one tab is missing in no other @desk @all', async ({ page, context, server }) => {
  const { uid } = await registerAndOpenHome(page, server)
  await openSecurity(page)
  await page.getByRole('button', { name: words.deleteAccount }).click()
  await page.getByLabel(words.understood).check()
  const release = await delayRequests(page, '**/delete-account')
  const asked = page.waitForRequest('**/delete-account')
  await page.getByRole('button', { name: words.deleteForGood }).click()
  await asked
  await server.remove(`users/${uid}`)

  const other = await context.newPage()
  const read = other.waitForResponse(/documents:batchGet/)
  await other.goto('/')
  await (await read).finished()
  await waitUntilDrawn(other)
  await expectHome(other)
  release()
  for (const tab of [page, other]) {
    await expect(tab.getByRole('tab', { name: words.emailTab })).toBeVisible()
    await expect(tab.getByText(words.profileMissing)).toBeHidden()
    await expect(tab.getByLabel(words.email)).toHaveValue('')
  }
})
