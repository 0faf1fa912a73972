import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { contactRow, contactWords, pressInSheet, sheet, writeContact } from './steps/contacts.ts'
import { readStoredData } from './steps/device.ts'
import { delayRequests, delayResponses } from './steps/faults.ts'
import { openFromMenu } from './steps/pages.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { confirmForm, fillTransfer, payWithCard } from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  backToList: 'Revenir à la liste',
  cancel: 'Annuler',
  editing: 'Modifier le contact',
  removing: 'Supprimer le contact',
})

const COMMIT = '**/documents:commit**'

/** Leaves the form before the response. */
async function leaveWhileAdding(page: Page) {
  const { receipt, answerNow } = await addFromReceipt(page, delayRequests)
  await pressInSheet(page, said.cancel)
  return { receipt, answerNow }
}

/** `hold` delays the request or the response. */
async function addFromReceipt(page: Page, hold: typeof delayRequests) {
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
  await payWithCard(page)
  const receipt = sheet(page, words.receipt)
  await pressInSheet(page, contactWords.addToContacts)
  await receipt.getByLabel(contactWords.name).fill('Mariama Bah')
  const answerNow = await hold(page, COMMIT)
  await pressInSheet(page, contactWords.save)
  return { receipt, answerNow }
}

test('the sheet that changes a contact stays open until the response arrives @desk @all', async ({
  page,
  server,
}) => {
  const { uid } = await registerAndOpenHome(page, server)
  await writeContact(server, uid, 'Mariama Bah', '+224620000000')
  const expectToStay = async (title: string) => {
    await expect(sheet(page).getByRole('button', { name: words.close })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(sheet(page, title)).toBeVisible()
  }
  const slowly = async (press: () => Promise<void>, expectMeanwhile: () => Promise<void>) => {
    const answerNow = await delayRequests(page, COMMIT)
    await press()
    await expectMeanwhile()
    answerNow()
    await expect(sheet(page)).toBeHidden()
    await page.unroute(COMMIT)
  }

  await page.getByRole('button', { name: contactWords.choose }).click()
  await pressInSheet(page, contactWords.add)
  await sheet(page).getByLabel(contactWords.name).fill('Awa Ba')
  await sheet(page).getByLabel(words.phoneNumber).fill('+224 664 11 22 33')
  await slowly(
    () => pressInSheet(page, contactWords.save),
    async () => {
      await expect(sheet(page).getByRole('button', { name: said.backToList })).toBeDisabled()
      await expectToStay(contactWords.addNew)
    },
  )
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')

  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.add }).click()
  await sheet(page).getByLabel(contactWords.name).fill('Ousmane')
  await sheet(page).getByLabel(words.phoneNumber).fill('+221 77 123 45 67')
  await slowly(
    () => pressInSheet(page, contactWords.save),
    () => expectToStay(contactWords.addNew),
  )

  const editMariama = contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit })
  await editMariama.click()
  await sheet(page).getByLabel(contactWords.name).fill('Mariama Sow')
  await slowly(
    () => pressInSheet(page, contactWords.saveName),
    () => expectToStay(said.editing),
  )

  await editMariama.click()
  await pressInSheet(page, contactWords.remove)
  await slowly(
    () => pressInSheet(page, contactWords.reallyRemove),
    () => expectToStay(said.removing),
  )
  const stored = await server.documents('contacts', 'userId', uid)
  expect(stored.map(({ name }) => name).sort()).toEqual(['Awa Ba', 'Ousmane'])

  await contactRow(page, 'Awa').getByRole('button', { name: contactWords.edit }).click()
  await pressInSheet(page, words.close)
  await expect(sheet(page)).toBeHidden()
})

test('a response after leaving the contact form keeps the focus @desk @all', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  const { receipt, answerNow } = await leaveWhileAdding(page)
  const done = receipt.getByRole('button', { name: words.done, exact: true })
  await done.focus()
  answerNow()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.getByRole('button', { name: contactWords.addToContacts })).toBeHidden()
  await expect(done).toBeFocused()
})

test.describe('a server that refuses', () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  test('a refused contact is reported after the user has left its form @desk @all', async ({
    page,
    server,
  }) => {
    await registerAndOpenHome(page, server)
    await page.route(COMMIT, (route) => route.fulfill({ status: 500, body: '{}' }))
    const { receipt, answerNow } = await leaveWhileAdding(page)
    await pressInSheet(page, words.done)
    await expect(receipt).toBeHidden()
    answerNow()
    await expect(page.getByText(contactWords.notAdded)).toBeVisible()
  })
})

test('the contact form stays open until its response @desk @all', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  const { receipt, answerNow } = await addFromReceipt(page, delayResponses)
  const reconnect = async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    return readStoredData(page)
  }
  await expect.poll(reconnect).toContain('"name":"Mariama Bah"')
  await expect(receipt.getByLabel(contactWords.name)).toHaveValue('Mariama Bah')
  answerNow()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.locator(':focus')).toHaveText(contactWords.isContact)
})
