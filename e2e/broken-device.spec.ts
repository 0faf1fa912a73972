import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { hangDatabases } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import { historyWords, openHomeWithTransfers } from './steps/history.ts'
import type { Person } from './steps/person.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import {
  activityRows,
  closeReceipt,
  confirmForm,
  expectSavedDraft,
  fillTransfer,
  payAndExpectReceipt,
  payButton,
  payWithCard,
  receiptSheet,
} from './steps/transfer.ts'
import { defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

// The device stored the form; then its database fails, is lost or does not answer. Its silence is never a
// statement about money: only the server knows whether the form was paid.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  loading: 'Chargement de vos transferts…',
  neverPaid: 'Rien n’a été payé. Le montant à recevoir est calculé au tarif actuel.',
  lookingUp:
    'Cet appareil ne sait pas s’il en reste un en cours. Ne payez pas une seconde fois : nous demandons au serveur, et le formulaire attend sa réponse.',
  check: 'Vérifier ce paiement',
})

async function fillSavedForm(page: Page, server: Server) {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '50' })
  await expectSavedDraft(page, '50')
  return person
}

/** The user closes the app before it has learned the result. */
async function payAndLeave(page: Page) {
  await page.route('**/record-transfer', (route) => route.abort())
  await payWithCard(page)
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  await page.goto('about:blank')
  await page.unrouteAll()
}

async function expectPaidOnce(page: Page, server: Server, person: Person) {
  await expect(receiptSheet(page)).toBeVisible()
  await closeReceipt(page)
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expect(page.getByText(said.neverPaid)).toBeHidden()
  await expectSavedDraft(page, undefined)
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
}

const failWrites = (page: Page) =>
  page.evaluate(() => {
    const fail = () => {
      throw new DOMException('', 'QuotaExceededError')
    }
    Object.assign(IDBObjectStore.prototype, { put: fail, add: fail, delete: fail, clear: fail })
  })

const faults: Record<string, (page: Page) => Promise<unknown>> = {
  'is full': failWrites,
  hangs: hangDatabases,
}
for (const [name, begin] of Object.entries(faults))
  test(`a form paid while the database ${name} leads to its receipt`, async ({ page, server }) => {
    const person = await fillSavedForm(page, server)
    const end = await begin(page)
    await confirmForm(page)
    await payAndExpectReceipt(page)
    await page.goto('about:blank')
    if (typeof end === 'function') await end()

    await page.goto('/')
    await expectPaidOnce(page, server, person)
    await page.reload()
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    await expect(receiptSheet(page)).toBeHidden()
  })

test('a payment leads to its receipt although the user clears the database', async ({ page, server }) => {
  const person = await fillSavedForm(page, server)
  await confirmForm(page)
  await expect(payButton(page)).toBeVisible()
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes: 'indexeddb' })
  await payAndLeave(page)
  await page.goto('/')
  await expectPaidOnce(page, server, person)
})

test('a charged payment leads to its receipt although the database hangs', async ({ page, server }) => {
  const person = await fillSavedForm(page, server)
  await confirmForm(page)
  await payAndLeave(page)
  const answer = await hangDatabases(page)
  await page.goto('/')
  await expect(receiptSheet(page)).toBeVisible()
  await answer()
  await expectPaidOnce(page, server, person)
})

test('a device that can’t tell asks the server and pays nothing', async ({ page, server }) => {
  const person = await fillSavedForm(page, server)
  await confirmForm(page)
  await payAndLeave(page)
  // A page of the same origin that does not run the app.
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.removeItem('passerelle.openPayments'))
  const LATEST = '**/.netlify/functions/latest-attempt'
  await page.route(LATEST, (route) => route.abort())
  await hangDatabases(page)
  await page.goto('/')
  await expect(page.getByText(said.lookingUp)).toBeVisible()
  await fillTransfer(page, { amount: '60', phone: '+224 620 00 00 01' })
  await expect(page.getByText(said.lookingUp)).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeHidden()
  await expect(page.getByText(said.neverPaid)).toBeHidden()
  await page.unroute(LATEST)
  await page.getByRole('button', { name: said.check }).click()
  await expect(receiptSheet(page)).toBeVisible()
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
})

test('a slow database takes over again with the form, without its notice', async ({ page, server }) => {
  await fillSavedForm(page, server)
  await page.goto('about:blank')
  const answer = await hangDatabases(page)
  await page.goto('/')
  const notice = page.getByText(historyWords.keepsNothing)
  await expect(notice).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await answer()
  await expect(page.getByLabel(words.amount)).toHaveValue('50')
  await expect(notice).toBeHidden()

  const answerAgain = await hangDatabases(page)
  await page.getByLabel(words.amount).fill('60')
  await expect(notice).toBeVisible()
  await answerAgain()
  await expect(notice).toBeHidden()
  await expectSavedDraft(page, '60')
})

test('a restored form is not called unpaid until the server answers', async ({ page, server }) => {
  await fillSavedForm(page, server)
  let isLost = true
  await page.route('**/.netlify/functions/latest-attempt', (route) =>
    isLost ? route.abort() : route.fallback(),
  )
  await page.reload()
  const neverPaid = page.getByText(said.neverPaid)
  await expect(page.getByText(getText('Nous vérifions vos derniers paiements'))).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('50')
  await expect(neverPaid).toBeHidden()
  // A request that begins while a route is removed would never get an answer.
  isLost = false
  await expect(neverPaid).toBeVisible()
})

test('a full device calls no list empty before the server answers', async ({ page, server }) => {
  await openHomeWithTransfers(page, server, 6)
  await expect(activityRows(page)).toHaveCount(6)
  const answerNow = await delayRequests(page, '**/documents:runQuery**')
  await failWrites(page)
  await page.getByLabel(words.amount).fill('50')
  await expect(page.getByText(historyWords.isFull)).toBeVisible()
  await expect(activityRows(page)).toHaveCount(0)
  await expect(page.getByText(said.loading)).toBeAttached()
  await expect(page.getByText(words.noTransfers)).toBeHidden()
  answerNow()
  await expect(activityRows(page)).toHaveCount(6)
})
