import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { contactRow, contactWords, pressInSheet, sheet, writeContact } from './steps/contacts.ts'
import { holdBack, holdBackAnswer } from './steps/faults.ts'
import { openFromMenu } from './steps/pages.ts'
import { confirmForm, fillTransfer, payWithCard } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

const said = texts({
  backToList: 'Revenir à la liste',
  cancel: 'Annuler',
  editing: 'Modifier le contact',
  removing: 'Supprimer le contact',
})

const COMMIT = '**/documents:commit**'

/** A transfer is paid, and whoever received it is being added to the contacts when the form is left. */
async function leaveWhileAdding(page: Page) {
  const { receipt, answerNow } = await addFromReceipt(page, holdBack)
  await pressInSheet(page, said.cancel)
  return { receipt, answerNow }
}

/** The answer to what is sent is held back in this way. */
async function addFromReceipt(page: Page, hold: typeof holdBack) {
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

test('a change of the contacts that is under way is waited for, so that its answer meets the sheet that asked', async ({
  page,
  server,
}) => {
  const { uid } = await arriveHome(page, server)
  await writeContact(server, uid, 'Mariama Bah', '+224620000000')
  const expectToStay = async (title: string) => {
    await expect(sheet(page).getByRole('button', { name: words.close })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(sheet(page, title)).toBeVisible()
  }
  const slowly = async (press: () => Promise<void>, expectMeanwhile: () => Promise<void>) => {
    const answerNow = await holdBack(page, COMMIT)
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

  // What was waited for is over: the next sheet is closed as ever.
  await contactRow(page, 'Awa').getByRole('button', { name: contactWords.edit }).click()
  await pressInSheet(page, words.close)
  await expect(sheet(page)).toBeHidden()
})

test('an answer that comes after its form was left moves nobody', async ({ page, server }) => {
  await arriveHome(page, server)
  const { receipt, answerNow } = await leaveWhileAdding(page)
  const done = receipt.getByRole('button', { name: words.done, exact: true })
  await done.focus()
  answerNow()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.getByRole('definition').filter({ hasText: 'Mariama Bah' })).toBeVisible()
  await expect(done).toBeFocused()
})

test.describe('a server that refuses', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('a failure that comes after its form was left is told all the same', async ({ page, server }) => {
    await arriveHome(page, server)
    await page.route(COMMIT, (route) => route.fulfill({ status: 500, body: '{}' }))
    const { receipt, answerNow } = await leaveWhileAdding(page)
    await pressInSheet(page, words.done)
    await expect(receipt).toBeHidden()
    answerNow()
    await expect(page.getByText(contactWords.notAdded)).toBeVisible()
  })
})

test('a contact that another way brings first, while it is being added from a receipt, leaves the form to its answer', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  const { receipt, answerNow } = await addFromReceipt(page, holdBackAnswer)
  // The list is fetched anew when the network comes back, and has the contact by then.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const name = receipt.getByRole('definition').filter({ hasText: 'Mariama Bah' })
    await expect(name).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(receipt.getByLabel(contactWords.name)).toHaveValue('Mariama Bah')
  answerNow()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.locator(':focus')).toHaveText(contactWords.isContact)
})
