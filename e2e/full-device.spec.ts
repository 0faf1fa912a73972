import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { deleteDatabases, hangDatabases } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import { openHomeWithTransfers } from './steps/history.ts'
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

const said = defineTexts({
  full: 'La mémoire de cet appareil est pleine. Tout fonctionne avec le réseau, mais vos derniers transferts ne seront pas disponibles hors ligne.',
  loading: 'Chargement de vos transferts…',
  neverPaid: 'Rien n’a été payé. Le montant à recevoir est calculé au tarif actuel.',
})

// The device stored the form, and stores nothing more. Only the server then knows whether it was paid.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const failWrites = (page: Page, error: string) =>
  page.evaluate((name) => {
    const fail = () => {
      throw new DOMException('', name)
    }
    Object.assign(IDBObjectStore.prototype, { put: fail, add: fail, delete: fail, clear: fail })
  }, error)

const faults: Record<string, (page: Page) => Promise<unknown>> = {
  'is full': (page) => failWrites(page, 'QuotaExceededError'),
  'is closed': (page) => failWrites(page, 'InvalidStateError'),
  hangs: hangDatabases,
}
for (const [name, begin] of Object.entries(faults))
  test(`a form paid while the database ${name} leads to its receipt`, async ({ page, server }) => {
    const person = await registerAndOpenHome(page, server)
    await fillTransfer(page, { amount: '50' })
    await expectSavedDraft(page, '50')
    const end = await begin(page)
    await confirmForm(page)
    await payAndExpectReceipt(page)
    await page.goto('about:blank')
    if (typeof end === 'function') await end()

    await page.goto('/')
    await expect(receiptSheet(page)).toBeVisible()
    await closeReceipt(page)
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    await expectSavedDraft(page, undefined)
    await page.reload()
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    await expect(receiptSheet(page)).toBeHidden()
    expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
    expect(await server.readTransactions(person.email)).toHaveLength(1)
  })

const ERASERS: Record<string, (page: Page) => Promise<unknown>> = {
  'another tab deletes': deleteDatabases,
  'the user clears': async (page) =>
    (await page.context().newCDPSession(page)).send('Storage.clearDataForOrigin', {
      origin: new URL(page.url()).origin,
      storageTypes: 'indexeddb',
    }),
}
for (const [name, erase] of Object.entries(ERASERS))
  test(`a payment leads to its receipt although ${name} the database`, async ({ page, server }) => {
    const person = await registerAndOpenHome(page, server)
    await fillTransfer(page, { amount: '50' })
    await expectSavedDraft(page, '50')
    await confirmForm(page)
    await expect(payButton(page)).toBeVisible()
    await erase(page)
    await page.route('**/record-transfer', (route) => route.abort())
    await payWithCard(page)
    await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
    await page.goto('about:blank')
    await page.unrouteAll()

    await page.goto('/')
    await expect(receiptSheet(page)).toBeVisible()
    await closeReceipt(page)
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    await expect(page.getByText(said.neverPaid)).toBeHidden()
    await expectSavedDraft(page, undefined)
    expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
    expect(await server.readTransactions(person.email)).toHaveLength(1)
  })

test('a restored form is not called unpaid until the server answers', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '50' })
  await expectSavedDraft(page, '50')
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
  await failWrites(page, 'QuotaExceededError')
  await page.getByLabel(words.amount).fill('50')
  await expect(page.getByText(said.full)).toBeVisible()
  await expect(activityRows(page)).toHaveCount(0)
  await expect(page.getByText(said.loading)).toBeAttached()
  await expect(page.getByText(words.noTransfers)).toBeHidden()
  answerNow()
  await expect(activityRows(page)).toHaveCount(6)
})
