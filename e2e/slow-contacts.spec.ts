import type { Page } from '@playwright/test'
import type { Language } from '../domain/language.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { holdBack, holdBackAnswer } from './steps/faults.ts'
import { openFromMenu } from './steps/pages.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome } from './steps/waysIn.ts'
import type { Words } from './words.ts'

const SAID = {
  fr: {
    choose: 'Choisir un contact',
    add: 'Ajouter un contact',
    addNew: 'Nouveau contact',
    addToContacts: 'Ajouter aux contacts',
    backToList: 'Revenir à la liste',
    cancel: 'Annuler',
    name: 'Nom du contact',
    save: 'Ajouter le contact',
    added: 'Contact ajouté',
    notAdded: 'Le contact n’a pas pu être ajouté. Réessayez dans un moment.',
    isContact: 'Ce numéro est dans vos contacts.',
    edit: 'Modifier',
    editing: 'Modifier le contact',
    saveName: 'Enregistrer le nom',
    remove: 'Supprimer ce contact',
    removing: 'Supprimer le contact',
    reallyRemove: 'Supprimer',
  },
  en: {
    choose: 'Choose a contact',
    add: 'Add a contact',
    addNew: 'New contact',
    addToContacts: 'Add to contacts',
    backToList: 'Back to the list',
    cancel: 'Cancel',
    name: 'Contact’s name',
    save: 'Add the contact',
    added: 'Contact added',
    notAdded: 'The contact could not be added. Try again in a moment.',
    isContact: 'This number is in your contacts.',
    edit: 'Edit',
    editing: 'Edit the contact',
    saveName: 'Save name',
    remove: 'Delete this contact',
    removing: 'Delete contact',
    reallyRemove: 'Delete',
  },
} as const

const COMMIT = '**/documents:commit**'

const sheet = (page: Page, name?: string) => page.getByRole('dialog', name ? { name } : undefined)
const press = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true }).click()

/** A transfer is paid, and whoever received it is being added to the contacts when the form is left. */
async function leaveWhileAdding(page: Page, words: Words, said: (typeof SAID)[Language]) {
  const { receipt, answerNow } = await addFromReceipt(page, words, said, holdBack)
  await press(page, said.cancel)
  return { receipt, answerNow }
}

/** The answer to what is sent is held back in this way. */
async function addFromReceipt(
  page: Page,
  words: Words,
  said: (typeof SAID)[Language],
  hold: typeof holdBack,
) {
  await fillTransfer(page, words, { amount: '100' })
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  const receipt = sheet(page, words.receipt)
  await press(page, said.addToContacts)
  await receipt.getByLabel(said.name).fill('Mariama Bah')
  const answerNow = await hold(page, COMMIT)
  await press(page, said.save)
  return { receipt, answerNow }
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name })

test('a change of the contacts that is under way is waited for, so that its answer meets the sheet that asked', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const { uid } = await arriveHome(page, server, language)
  await server.write(`contacts/${uid}_224620000000`, {
    userId: uid,
    name: 'Mariama Bah',
    phone: '+224620000000',
    createdAt: new Date(),
  })
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

  await page.getByRole('button', { name: said.choose }).click()
  await press(page, said.add)
  await sheet(page).getByLabel(said.name).fill('Awa Ba')
  await sheet(page).getByLabel(words.phoneNumber).fill('+224 664 11 22 33')
  await slowly(
    () => press(page, said.save),
    async () => {
      await expect(sheet(page).getByRole('button', { name: said.backToList })).toBeDisabled()
      await expectToStay(said.addNew)
    },
  )
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')

  await openFromMenu(page, words, words.contacts)
  await page.getByRole('button', { name: said.add }).click()
  await sheet(page).getByLabel(said.name).fill('Ousmane')
  await sheet(page).getByLabel(words.phoneNumber).fill('+221 77 123 45 67')
  await slowly(
    () => press(page, said.save),
    () => expectToStay(said.addNew),
  )

  const editMariama = rowOf(page, 'Mariama').getByRole('button', { name: said.edit })
  await editMariama.click()
  await sheet(page).getByLabel(said.name).fill('Mariama Sow')
  await slowly(
    () => press(page, said.saveName),
    () => expectToStay(said.editing),
  )

  await editMariama.click()
  await press(page, said.remove)
  await slowly(
    () => press(page, said.reallyRemove),
    () => expectToStay(said.removing),
  )
  const stored = await server.documents('contacts', 'userId', uid)
  expect(stored.map(({ name }) => name).sort()).toEqual(['Awa Ba', 'Ousmane'])

  // What was waited for is over: the next sheet is closed as ever.
  await rowOf(page, 'Awa').getByRole('button', { name: said.edit }).click()
  await press(page, words.close)
  await expect(sheet(page)).toBeHidden()
})

test('an answer that comes after its form was left moves nobody', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  await arriveHome(page, server, language)
  const { receipt, answerNow } = await leaveWhileAdding(page, words, said)
  const done = receipt.getByRole('button', { name: words.done, exact: true })
  await done.focus()
  answerNow()
  await expect(page.getByText(said.added)).toBeVisible()
  await expect(receipt.getByRole('definition').filter({ hasText: 'Mariama Bah' })).toBeVisible()
  await expect(done).toBeFocused()
})

test.describe('a server that refuses', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('a failure that comes after its form was left is told all the same', async ({
    page,
    server,
    language,
    words,
  }) => {
    const said = SAID[language]
    await arriveHome(page, server, language)
    await page.route(COMMIT, (route) => route.fulfill({ status: 500, body: '{}' }))
    const { receipt, answerNow } = await leaveWhileAdding(page, words, said)
    await press(page, words.done)
    await expect(receipt).toBeHidden()
    answerNow()
    await expect(page.getByText(said.notAdded)).toBeVisible()
  })
})

test('a contact that another way brings first, while it is being added from a receipt, leaves the form to its answer', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  await arriveHome(page, server, language)
  const { receipt, answerNow } = await addFromReceipt(page, words, said, holdBackAnswer)
  // The list is fetched anew when the network comes back, and has the contact by then.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const name = receipt.getByRole('definition').filter({ hasText: 'Mariama Bah' })
    await expect(name).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(receipt.getByLabel(said.name)).toHaveValue('Mariama Bah')
  answerNow()
  await expect(page.getByText(said.added)).toBeVisible()
  await expect(receipt.locator(':focus')).toHaveText(said.isContact)
})
