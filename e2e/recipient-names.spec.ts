import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { writeContact } from './steps/contacts.ts'
import { openSignedInHome, registerAndOpenHome } from './steps/signIn.ts'
import {
  activityRows,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payAndExpectReceipt,
  receiptSheet,
} from './steps/transfer.ts'
import { defineTexts } from './texts.ts'

const said = defineTexts({
  name: 'Nom du bénéficiaire (facultatif)',
  details: 'Tous les détails',
  people: 'À qui ?',
})

const PHONE = '+224620000000'

const nameField = (page: Page) => page.getByLabel(said.name)

async function openReceipt(page: Page) {
  await activityRows(page).first().click()
  await receiptSheet(page).getByText(said.details).click()
}

test('a first transfer’s name becomes a contact, and receipts keep names @spec-transfer-names @english', async ({
  page,
  server,
  browser,
}) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100', phone: '+224 620 00 00 00' })
  await nameField(page).fill(' Mariama  Bah')
  await confirmForm(page)
  await expect(page.getByRole('dialog')).toContainText('Mariama Bah')
  await payAndExpectReceipt(page)
  await expect(receiptSheet(page)).toContainText('Mariama Bah')
  await expect
    .poll(() => server.documents('contacts', 'userId', person.uid))
    .toMatchObject([{ name: 'Mariama Bah', phone: PHONE }])
  await closeReceipt(page)
  await expect(
    page.getByRole('group', { name: said.people }).getByRole('button', { name: 'Mariama Bah' }),
  ).toBeVisible()
  await expect(activityRows(page).first()).toContainText('Mariama Bah')

  await writeContact(server, person.uid, 'Tante Mariama', PHONE)
  const [profile] = await server.documents('users', 'email', person.email)
  await server.write(`users/${person.uid}`, { ...profile, name: 'Aïssatou Barry', createdAt: new Date() })
  const other = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await openSignedInHome(other, server, person)
  await page.reload()
  for (const device of [page, other]) {
    await expect(activityRows(device).first()).toContainText('Tante Mariama')
    await openReceipt(device)
    await expect(receiptSheet(device)).toContainText('Mariama Bah')
    await expect(receiptSheet(device)).not.toContainText('Tante')
    await expect(receiptSheet(device).locator('[data-item="sender"]')).toContainText(person.name)
    await closeReceipt(device)
  }

  await fillTransfer(page, { amount: '20', phone: '+224 620 00 00 00' })
  await expect(page.getByRole('main')).toContainText('Tante Mariama')
  await expect(nameField(page)).toBeHidden()
})
