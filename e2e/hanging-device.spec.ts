import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { hangDatabases } from './steps/device.ts'
import { historyWords } from './steps/history.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import {
  closeReceipt,
  confirmForm,
  expectSavedDraft,
  fillTransfer,
  payWithCard,
  receiptSheet,
} from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

// A device whose database does not answer. Its silence is never a statement about money.
test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
  lookingUp:
    'Cet appareil ne sait pas s’il en reste un en cours. Ne payez pas une seconde fois : nous demandons au serveur, et le formulaire attend sa réponse.',
  neverPaid: 'Rien n’a été payé. Le montant à recevoir est calculé au tarif actuel.',
})

async function payAndLeave(page: Page, server: Server) {
  const person = await registerAndOpenHome(page, server)
  await page.route('**/.netlify/functions/record-transfer', (route) => route.abort())
  await fillTransfer(page, { amount: '50' })
  await expectSavedDraft(page, '50')
  await confirmForm(page)
  await payWithCard(page)
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  return person
}

const mainButton = (page: Page) => page.getByRole('main').getByRole('button', { name: words.pay })

test('a charged payment leads to its receipt although the database hangs', async ({ page, server }) => {
  const person = await payAndLeave(page, server)
  await page.goto('about:blank')
  await page.unrouteAll()
  const answer = await hangDatabases(page)
  await page.goto('/')
  await expect(receiptSheet(page)).toBeVisible()
  await answer()
  await closeReceipt(page)
  await expect(page.getByLabel(words.amount)).toHaveValue('')
  await expect(page.getByText(said.neverPaid)).toBeHidden()
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
})

test('a device that can’t tell asks the server and pays nothing', async ({ page, server }) => {
  const person = await payAndLeave(page, server)
  await page.evaluate(() => localStorage.removeItem('passerelle.openPayments'))
  await page.goto('about:blank')
  await page.unrouteAll()
  const LATEST = '**/.netlify/functions/latest-attempt'
  await page.route(LATEST, (route) => route.abort())
  await hangDatabases(page)
  await page.goto('/')
  await expect(page.getByText(said.lookingUp)).toBeVisible()
  await fillTransfer(page, { amount: '60', phone: '+224 620 00 00 01' })
  await expect(page.getByText(said.lookingUp)).toBeVisible()
  await expect(mainButton(page)).toBeDisabled()
  await expect(page.getByText(said.neverPaid)).toBeHidden()
  await page.unroute(LATEST)
  await expect(receiptSheet(page)).toBeVisible()
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  expect(await server.readTransactions(person.email)).toHaveLength(1)
})

test('a slow database takes over again with the form, without its notice', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '50' })
  await expectSavedDraft(page, '50')
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
