import type { Page, Route } from '@playwright/test'
import { MINUTE } from '../domain/common/duration.ts'
import type { DataOperation } from '../domain/errors/failure.ts'
import { buildReserveAnswer } from '../machines/testing/transferSituations.ts'
import { CONTACTS, MARIAMA } from '../scenes/fixtures.ts'
import { SCENE_TIME, type ServiceCall, type ServiceResponse } from '../scenes/scene.ts'
import { buildPaidTransfer, HISTORY } from '../scenes/transactions.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { contactRow, contactWords, pressInSheet, sheet, writeContact } from './steps/contacts.ts'
import { comeBack } from './steps/device.ts'
import { historyRows, openHistory } from './steps/history.ts'
import { NO_NETWORK } from './steps/moneyTexts.ts'
import { openFromMenu, pressKey } from './steps/pages.ts'
import { openScene, setResponse, setTime } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { activityRows, closeReceipt, confirmForm } from './steps/transfer.ts'
import { defineTexts, getText } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  list: 'Vos contacts',
  nameWanted: 'Saisissez le nom du contact',
  known: () => (name: string) => getText('Ce numéro est déjà dans vos contacts : {name}', { name }),
  notLoaded: 'Vos contacts n’ont pas pu être chargés.',
  notRenamed: 'Le nom n’a pas pu être changé. Réessayez dans un moment.',
  notDeleted: 'Le contact n’a pas pu être supprimé. Réessayez dans un moment.',
  signedOut: 'Connectez-vous pour gérer vos contacts.',
  needsNetwork:
    'Pas de réseau : rien n’a été enregistré, et rien n’est perdu. Réessayez dès que le réseau revient.',
  none: 'Ajoutez les numéros que vous utilisez souvent.',
  search: 'Rechercher un contact',
  renamed: 'Le nom du contact est changé.',
  keep: 'Garder ce contact',
  removed: 'Le contact est supprimé.',
  send: 'Envoyer',
  yours: () => (name: string) => getText('Pour <0>{name}</0>, votre contact', { name }),
  bookClosed: 'Le répertoire n’a pas pu s’ouvrir. Saisissez le contact ici.',
  firstTime: 'Premier envoi à ce numéro. Relisez chaque chiffre :',
  unreachable: 'Pas de transfert possible vers ce numéro',
  again: 'Envoyer à nouveau',
  forRecipient: () => getText('pour {who}', { who: 'Mariama Bah, Orange Money' }),
  before: () => (text: string) => getText('avant {text}', { text }),
  overdue:
    'L’heure prévue est passée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez notre assistance avec le numéro du transfert.',
  write: 'Écrire à notre assistance',
  backToList: 'Revenir à la liste',
  cancel: 'Annuler',
  editing: 'Modifier le contact',
  removing: 'Supprimer le contact',
})

const PHONE = '+224620000000'
const GROUPED = '+224 620 00 00 00'

const [FETCH, CREATE] = ['contacts.fetchContacts', 'contacts.createContact'] as const
const ADDED = {
  id: 'u1_224620000000',
  userId: 'u1',
  name: 'Mariama Bah',
  phone: PHONE,
  createdAt: SCENE_TIME,
}

const stored = async (server: Server, { uid }: { readonly uid: string }) =>
  (await server.documents('contacts', 'userId', uid)).map(({ name, phone }) => [name, phone])

test.describe('a network that fails', () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  test('a user changes contacts despite a lost response @spec-contacts @desk', async ({
    page,
    server,
    context,
  }) => {
    const person = await registerAndOpenHome(page, server)
    await openFromMenu(page, words.contacts)
    await expect(page.getByText(said.none)).toBeVisible()
    await page.getByRole('button', { name: contactWords.add }).click()
    await sheet(page).getByLabel(contactWords.name).fill('Mariama \u202eBah')
    await sheet(page).getByLabel(words.phoneNumber).fill(GROUPED)
    await context.setOffline(true)
    await pressInSheet(page, contactWords.save)
    await expect(sheet(page).getByText(said.needsNetwork)).toBeVisible()
    await context.setOffline(false)
    expect(await stored(server, person)).toEqual([])

    const loseResponse = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/documents:commit**', loseResponse, { times: 1 })
    await pressInSheet(page, contactWords.save)
    await expect(sheet(page).getByText(said.needsNetwork)).toBeVisible()
    await pressInSheet(page, contactWords.save)
    await expect(page.getByText(contactWords.added)).toBeVisible()
    await expect(sheet(page)).toBeHidden()
    expect(await stored(server, person)).toEqual([['Mariama Bah', PHONE]])

    const edit = contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit })
    await edit.click()
    await sheet(page).getByLabel(contactWords.name).fill('Mariama Sow')
    await pressInSheet(page, contactWords.saveName)
    await expect(page.getByText(said.renamed)).toBeVisible()
    await expect(contactRow(page, 'Mariama Sow')).toBeVisible()
    expect(await stored(server, person)).toEqual([['Mariama Sow', PHONE]])

    await edit.click()
    await pressInSheet(page, contactWords.remove)
    await pressInSheet(page, contactWords.reallyRemove)
    await expect(page.getByText(said.removed)).toBeVisible()
    await expect(contactRow(page, 'Mariama')).toBeHidden()
    expect(await stored(server, person)).toEqual([])

    // Another device adds a contact.
    await writeContact(server, person.uid, 'Binta', '+224664112233')
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(contactRow(page, 'Binta')).toBeVisible()
  })
})

sceneTest('contacts are searched, checked and chosen @spec-contacts @desk', async ({ page }) => {
  await openScene(page, 'contacts')
  await expect(contactRow(page, 'Ousmane')).toContainText(said.unreachable)
  await expect(contactRow(page, 'Ousmane').getByRole('button', { name: said.send })).toBeHidden()

  const add = page.getByRole('button', { name: contactWords.add })
  const name = sheet(page).getByLabel(contactWords.name)
  await add.click()
  await expect(name).toBeFocused()
  await sheet(page).getByLabel(words.phoneNumber).fill('620 00 00 00')
  await pressInSheet(page, contactWords.save)
  await expect(page.getByText(said.nameWanted)).toBeVisible()
  await expect(page.getByText(words.phoneInvalid)).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill('Mariama encore')
  await sheet(page).getByLabel(words.phoneNumber).fill('+224 664 11 22 33')
  await pressInSheet(page, contactWords.save)
  await expect(page.getByText(said.known('Mariama Bah'))).toBeVisible()
  await expect(name).toHaveValue('Mariama encore')
  await pressInSheet(page, words.close)
  await expect(add).toBeFocused()

  for (const [text, found] of [
    ['bah', 'Mariama Bah'],
    ['+221', 'Ousmane'],
  ] as const) {
    await page.getByLabel(said.search).fill(text)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
    await expect(contactRow(page, found)).toBeVisible()
  }
  await page.getByLabel(said.search).fill('')

  await contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit }).click()
  await name.fill(' ')
  await pressInSheet(page, contactWords.saveName)
  await expect(page.getByText(said.nameWanted)).toBeVisible()
  await pressInSheet(page, contactWords.remove)
  await expect(sheet(page)).toContainText('Mariama Bah')
  await pressInSheet(page, said.keep)
  await pressInSheet(page, words.close)

  await contactRow(page, 'Mariama').getByRole('button', { name: said.send }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByText(said.yours('Mariama Bah'))).toBeVisible()
})

const fail = (operation: DataOperation, cause: 'other' | 'denied' = 'other') =>
  ({ failure: { kind: 'data', operation, cause } }) as const

sceneTest('a failed call of the contacts keeps their form @spec-contact-errors @desk', async ({ page }) => {
  const retry = page.getByRole('button', { name: words.retry })
  await openScene(page, 'contacts-failed')
  await expect(page.getByText(said.notLoaded)).toBeVisible()
  await setResponse(page, FETCH, fail('fetchContacts', 'denied'))
  await pressKey(retry)
  await expect(page.getByText(said.signedOut)).toBeVisible()
  await expect(contactRow(page, 'Mariama')).toBeVisible()
  await setResponse(page, FETCH, 'held')
  await pressKey(retry)
  await expect(page.getByRole('button', { name: words.retrying })).toBeFocused()
  await setResponse(page, FETCH, { value: CONTACTS })
  await expect(page.getByText(said.signedOut)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: words.contacts })).toBeFocused()

  const name = sheet(page).getByLabel(contactWords.name)
  const save = sheet(page).getByRole('button', { name: contactWords.save })
  await page.getByRole('button', { name: contactWords.add }).click()
  await name.fill('Binta Diallo')
  await sheet(page).getByLabel(words.phoneNumber).fill(GROUPED)
  for (const [response, text] of [
    [fail('addContact'), contactWords.notAdded],
    [fail('addContact', 'denied'), said.signedOut],
    [NO_NETWORK, said.needsNetwork],
  ] as const) {
    await setResponse(page, CREATE, response)
    await pressKey(save)
    await expect(sheet(page).getByText(text)).toBeVisible()
    // The button lost the focus while it was disabled, and gets it back.
    await expect(save).toBeFocused()
  }
  await expect(name).toHaveValue('Binta Diallo')
  await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue(GROUPED)
  await pressInSheet(page, words.close)

  await setResponse(page, 'contacts.renameContact', fail('renameContact'))
  await setResponse(page, 'contacts.deleteContact', fail('deleteContact'))
  await contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit }).click()
  await name.fill('Mariama Sow')
  await pressInSheet(page, contactWords.saveName)
  await expect(sheet(page).getByText(said.notRenamed)).toBeVisible()
  await expect(name).toHaveValue('Mariama Sow')
  await pressInSheet(page, contactWords.remove)
  const remove = sheet(page).getByRole('button', { name: contactWords.reallyRemove })
  await pressKey(remove)
  await expect(sheet(page).getByText(said.notDeleted)).toBeVisible()
  await expect(remove).toBeFocused()
  await pressInSheet(page, words.close)
  await expect(contactRow(page, 'Mariama Bah')).toBeVisible()
})

sceneTest('the sheet that changes a contact stays open until the response @desk', async ({ page }) => {
  const add = async () => {
    await page.getByRole('button', { name: contactWords.add }).click()
    await sheet(page).getByLabel(contactWords.name).fill('Mariama Bah')
    await sheet(page).getByLabel(words.phoneNumber).fill('+224 664 11 22 33')
  }
  const expectOpen = async <Call extends ServiceCall>(
    call: Call,
    button: string,
    title: string,
    value: ServiceResponse<Call>,
  ) => {
    await setResponse(page, call, 'held')
    await pressInSheet(page, button)
    await expect(sheet(page).getByRole('button', { name: words.close })).toBeHidden()
    const back = sheet(page).getByRole('button', { name: said.backToList, disabled: false })
    await expect(back).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(sheet(page, title)).toBeVisible()
    await setResponse(page, call, { value })
    await expect(sheet(page)).toBeHidden()
  }
  await openScene(page, 'contact-sheet-empty')
  await add()
  await expectOpen(CREATE, contactWords.save, contactWords.addNew, MARIAMA)
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')

  await openScene(page, 'contacts-empty')
  await add()
  await expectOpen(CREATE, contactWords.save, contactWords.addNew, MARIAMA)
  const edit = contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit })
  await edit.click()
  await sheet(page).getByLabel(contactWords.name).fill('Mariama Sow')
  await expectOpen('contacts.renameContact', contactWords.saveName, said.editing, undefined)
  await expect(contactRow(page, 'Mariama Sow')).toBeVisible()
  await edit.click()
  await pressInSheet(page, contactWords.remove)
  await expectOpen('contacts.deleteContact', contactWords.reallyRemove, said.removing, undefined)
  await expect(contactRow(page, 'Mariama')).toBeHidden()
})

async function addFromReceipt(page: Page) {
  await openScene(page, 'receipt-add-contact', { responses: { [CREATE]: 'held' } })
  const receipt = sheet(page, words.receipt)
  await expect(receipt.getByLabel(contactWords.name)).toBeFocused()
  await receipt.getByLabel(contactWords.name).fill('Mariama Bah')
  await pressInSheet(page, contactWords.save)
  return receipt
}

sceneTest('a contact added from a receipt is named on the other screens @desk', async ({ page }) => {
  const receipt = await addFromReceipt(page)
  // A refresh loads the contact before the response arrives.
  await setResponse(page, FETCH, { value: [ADDED] })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.locator('main').getByText('Mariama Bah').first()).toBeVisible()
  await expect(receipt.getByLabel(contactWords.name)).toHaveValue('Mariama Bah')
  await setResponse(page, CREATE, { value: ADDED })
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.getByText(said.forRecipient)).toBeHidden()
  await expect(receipt.getByRole('button', { name: contactWords.addToContacts })).toBeHidden()
  await expect(receipt.locator(':focus')).toHaveText(contactWords.isContact)
  await closeReceipt(page)
  await expect(page.getByRole('region', { name: words.activity })).toContainText('Mariama Bah')
  await page.getByLabel(words.phone).fill(GROUPED)
  await expect(page.getByText(said.yours('Mariama Bah'))).toBeVisible()
  await expect(page.getByText(said.firstTime)).toBeHidden()
})

sceneTest('a late response about a contact is reported without moving the focus @desk', async ({ page }) => {
  const receipt = await addFromReceipt(page)
  await pressInSheet(page, said.cancel)
  const close = receipt.getByRole('button', { name: words.close, exact: true })
  await close.focus()
  await setResponse(page, CREATE, { value: ADDED })
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.getByRole('button', { name: contactWords.addToContacts })).toBeHidden()
  await expect(close).toBeFocused()

  await addFromReceipt(page)
  await pressInSheet(page, said.cancel)
  await closeReceipt(page)
  await setResponse(page, CREATE, fail('addContact'))
  await expect(page.getByText(contactWords.notAdded)).toBeVisible()
})

sceneTest('a new number is spelled out before its confirmation @desk', async ({ page }) => {
  await openScene(page, 'home-empty')
  await page.getByLabel(words.phone).fill('+224 620 00 00 0')
  await expect(page.getByText(said.firstTime)).toBeHidden()
  await page.getByLabel(words.phone).fill(GROUPED)
  await expect(page.getByText(said.firstTime)).toBeVisible()
  await expect(page.getByLabel(words.confirmPhone)).toHaveAccessibleDescription(
    /\+2 2 4, 6 2 0, 0 0, 0 0, 0 0/,
  )
})

sceneTest('a user chooses a contact, or adds one from the address book @desk', async ({ page }) => {
  const BOOK = 'addressBook.chooseFromAddressBook'
  const contacts = [
    ...CONTACTS,
    { ...ADDED, id: 'u1_15145550123', name: 'Marc Tremblay', phone: '+15145550123' },
  ]
  const responses = { 'addressBook.hasAddressBook': { value: true }, [BOOK]: NO_NETWORK }
  await openScene(page, 'home-empty', { rows: { contacts }, responses })
  const choose = page.getByRole('button', { name: contactWords.choose })
  await choose.click()
  await expect(sheet(page, said.list)).toBeVisible()
  await expect(sheet(page).getByRole('button', { name: 'Ousmane' })).toBeDisabled()
  await sheet(page).getByLabel(said.search).fill('trem')
  await expect(sheet(page).getByRole('listitem')).toHaveCount(1)
  await sheet(page).getByRole('button', { name: 'Marc Tremblay' }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+1 514 555 0123')
  await expect(page.getByLabel(words.country)).toHaveValue('CA')
  await expect(page.getByRole('radio', { name: 'Interac' })).toBeChecked()
  await expect(choose).toBeFocused()
  await page.getByLabel(words.confirmPhone).check()

  await choose.click()
  await pressInSheet(page, contactWords.add)
  await expect(sheet(page, contactWords.addNew)).toBeVisible()
  await pressInSheet(page, contactWords.fromAddressBook)
  await expect(page.getByText(said.bookClosed)).toBeVisible()
  await setResponse(page, BOOK, { value: null })
  await pressInSheet(page, contactWords.fromAddressBook)
  await expect(page.getByText(said.bookClosed)).toBeHidden()
  const chosen = { name: 'Ibrahima Sylla', phone: '+33712345678' }
  await setResponse(page, BOOK, { value: chosen })
  await setResponse(page, CREATE, { value: { ...ADDED, ...chosen, id: 'u1_33712345678' } })
  await pressInSheet(page, contactWords.fromAddressBook)
  await expect(sheet(page).getByLabel(contactWords.name)).toHaveValue('Ibrahima Sylla')
  await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue('+33712345678')
  await pressInSheet(page, contactWords.save)
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByLabel(words.phone)).toHaveValue('+33 7 12 34 56 78')
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
})

sceneTest('a receipt shows the expected arrival, then what to do after it @desk', async ({ page }) => {
  await openScene(page, 'receipt')
  const receipt = sheet(page, words.receipt)
  await expect(receipt.getByText('13:00', { exact: true })).toBeVisible()
  await expect(receipt.getByText(said.before('14:00'))).toBeVisible()
  await expect(receipt.getByText(said.overdue)).toBeHidden()
  await setTime(page, SCENE_TIME + 61 * MINUTE)
  await comeBack(page)
  await expect(receipt.getByText(said.overdue)).toBeVisible()
  await expect(receipt.getByRole('link', { name: said.write })).toHaveAttribute(
    'href',
    new RegExp(`^mailto:.+@.+\\?subject=Transfe\\w+%20${HISTORY[0].id}$`),
  )
})

sceneTest('a receipt repeats its transfer, from home and from the history @desk', async ({ page }) => {
  const sent = { couponCode: 'MERCI-2026', receivingMethod: 'mtn_money' } as const
  const rows = { contacts: [ADDED], transactions: [buildPaidTransfer(2, { id: 'pi_1', ...sent })] }
  const responses = { 'functions.create-payment-intent': { value: buildReserveAnswer().value } }
  await openScene(page, 'home-activity', { rows, responses })
  const repeat = async () => {
    await pressInSheet(page, said.again)
    await expect(sheet(page)).toBeHidden()
    await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
    await expect(page.getByLabel(words.amount)).toHaveValue('150')
  }
  await activityRows(page).click()
  await repeat()
  await expect(page.getByLabel(words.phone)).toHaveValue(GROUPED)
  await expect(page.getByRole('radio', { name: 'MTN Money' })).toBeChecked()
  await expect(page.getByLabel(words.coupon)).toBeHidden()
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expect(page.getByTestId('quote')).toContainText(/1.542.300/)

  await page.getByLabel(words.amount).fill('20')
  await openHistory(page)
  await historyRows(page).getByRole('button').click()
  await repeat()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(sheet(page)).toContainText(GROUPED)
  await expect(sheet(page)).toContainText('Mariama Bah')
})
