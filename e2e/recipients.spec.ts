import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { contactWords, writeContact } from './steps/contacts.ts'
import { readStoredData } from './steps/device.ts'
import { delayRequests } from './steps/faults.ts'
import { buildStoredTransfer } from './steps/history.ts'
import { expectHeadingFocused, expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { fillSignUp, openInTestLanguage, openSignedInHome, registerAndOpenHome } from './steps/signIn.ts'
import {
  cardFrame,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payWithCard,
  typeCoupon,
} from './steps/transfer.ts'
import { defineTexts, getTestLanguage, getText } from './texts.ts'
import { words } from './words.ts'

const said = defineTexts({
  who: 'À qui ?',
  other: 'Autre',
  seems: () => (operatorName: string) =>
    getText('Ce numéro semble être chez {operatorName}.', { operatorName }),
  question: 'Est-ce bien ce numéro ?',
  yes: 'Oui, c’est bien ce numéro',
  jamaica: () =>
    getText('L’indicatif {area} n’est pas canadien ({place}).', {
      ...{ area: '876', place: getTestLanguage() === 'fr' ? 'Jamaïque' : 'Jamaica' },
    }),
  onlyCanada: 'Interac ne verse que sur un compte au Canada.',
  noSuchNumber: 'Aucun numéro canadien ne s’écrit ainsi. Relisez chaque chiffre.',
  notMobile: () => (beginnings: string) =>
    getText('Ce n’est pas un numéro de mobile : les mobiles commencent par {beginnings}.', { beginnings }),
})

const MARIAMA = '+224664112233'
const CANADA = { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' }

/**
 * Registers a user who sent 150 EUR by MTN to the contact Mariama, and earlier 41.50 CAD to a number in
 * Canada.
 */
async function register(server: Server): Promise<Person> {
  const person = createPerson()
  const uid = await server.register(person)
  const sent = [
    buildStoredTransfer(uid, 1, {
      recipientPhone: MARIAMA,
      amount: 145.5,
      fees: 4.5,
      receivingMethod: 'mtn_money',
    }),
    buildStoredTransfer(uid, 2, {
      recipientPhone: '+15145550123',
      amount: 40,
      fees: 1.5,
      sourceCurrency: 'CAD',
      destination: CANADA,
      destinationCurrency: 'CAD',
      receivingMethod: 'interac',
      status: 'canceled',
    }),
  ]
  for (const row of sent) await server.write(`transactions/${row.id}`, row)
  await writeContact(server, uid, 'Mariama Bah', MARIAMA)
  return person
}

const row = (page: Page) => page.getByRole('group', { name: said.who })

/** Deletes the only contact on the contacts page, which stays open. */
async function deleteContact(page: Page) {
  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.edit }).click()
  await page.getByRole('button', { name: contactWords.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: contactWords.reallyRemove, exact: true }).click()
}

/** Counts the presses of pointers and keys on each page that loads from now on. */
const countPresses = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { presses: 0 })
    const count = () => Object.assign(window, { presses: Reflect.get(window, 'presses') + 1 })
    addEventListener('pointerdown', count, true)
    addEventListener('keydown', count, true)
  })

test('a user reaches the card form for a former recipient in three presses @spec-three-presses @desk', async ({
  page,
  server,
}) => {
  const person = await register(server)
  await openSignedInHome(page, server, person)
  await expect(row(page).getByRole('button')).toHaveCount(3)
  await countPresses(page)
  await page.reload()
  await row(page).getByRole('button', { name: 'Mariama Bah' }).click()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(page.getByRole('dialog').getByText('+224 664 11 22 33')).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'presses'))).toBe(3)
})

test.describe('stored recipients before the server responds', () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  test('stored recipients are shown before the server responds, and a tap fills in all but the confirmation @desk', async ({
    page,
    server,
    language,
  }) => {
    const person = await register(server)
    await openSignedInHome(page, server, person)
    const mariama = row(page).getByRole('button', { name: 'Mariama Bah' })
    // The transfers may arrive before the contacts, and so without their names.
    await expect(mariama).toBeVisible()
    await expect(row(page).getByRole('button')).toHaveCount(3)
    await page.route('**/documents:runQuery**', (route) => route.abort())
    await page.reload()
    const canada = row(page).getByRole('button', { name: '+1 514 555 0123' })
    await expect(mariama).toHaveText(/^MB\s*Mariama/)
    await expect(canada).toHaveText(/^0123\s*Canada/)
    await typeCoupon(page, 'ZERO')

    await mariama.click()
    await expect(page.getByLabel(words.amount)).toHaveValue('150')
    await expect(page.getByLabel(words.currency)).toHaveValue('EUR')
    await expect(page.getByLabel(words.country)).toHaveValue('GN')
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
    await expect(page.getByLabel('MTN Money')).toBeChecked()
    await expect(mariama).toHaveAttribute('aria-pressed', 'true')
    await expect(canada).toHaveAttribute('aria-pressed', 'false')
    await page.getByLabel(words.confirmPhone).check()

    // The recipient of a canceled transfer is offered too. This press uses the keyboard.
    await pressKey(canada, 'Space')
    await expect(page.getByLabel(words.amount)).toHaveValue(language === 'fr' ? '41,50' : '41.50')
    await expect(page.getByLabel(words.currency)).toHaveValue('CAD')
    await expect(page.getByLabel(words.country)).toHaveValue('CA')
    await expect(page.getByLabel('Interac')).toBeChecked()
    await expect(page.getByTestId('quote').getByRole('button')).toContainText('ZERO')
    await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
    await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeDisabled()

    await row(page).getByRole('button', { name: said.other }).click()
    await expect(page.getByLabel(words.phone)).toBeFocused()
    await expect(page.getByLabel(words.phone)).toHaveValue('')
    await expect(canada).toHaveAttribute('aria-pressed', 'false')
  })
})

test('a recipient whose contact was deleted is still offered, by number @desk @all', async ({
  page,
  server,
}) => {
  await openSignedInHome(page, server, await register(server))
  await deleteContact(page)
  await page.goBack()
  await expectHome(page)
  await row(page).getByRole('button', { name: '+224 664 11 22 33' }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
})

test('the form does not move when the recipients load, however late @desk @all', async ({ page, server }) => {
  const amountTop = async () => (await page.getByLabel(words.amount).boundingBox())?.y
  const answer = await delayRequests(page, '**/documents:runQuery**')
  await openSignedInHome(page, server, await register(server))
  await expect(row(page).getByRole('button')).toHaveCount(1)
  const top = await amountTop()
  answer()
  await expect(row(page).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
  const letCome = await delayRequests(page, '**/recipientParts-*.js')
  await page.reload()
  await expectHome(page)
  await expect(row(page)).toBeHidden()
  expect(await amountTop()).toBe(top)
  letCome()
  await expect(row(page).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
})

test('the row of recipients appears at the next start after the first contact is added, and disappears once it is deleted @desk @all', async ({
  page,
  server,
}) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await fillSignUp(page, person)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await page.goto(await server.mailLink(person.email))
  await page.goto('/')
  await expectHome(page)
  await expect(row(page)).toBeHidden()

  await page.getByRole('button', { name: contactWords.choose }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: contactWords.add }).click()
  await sheet.getByLabel(contactWords.name).fill('Mariama Bah')
  await sheet.getByLabel(words.phoneNumber).fill(MARIAMA)
  await sheet.getByRole('button', { name: contactWords.save }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  // The row would move the form that the user is filling in.
  await expect(row(page)).toBeHidden()
  await expect.poll(() => readStoredData(page)).toContain('"name":"Mariama Bah"')
  await page.reload()
  await expect(row(page).getByRole('button', { name: 'Mariama Bah' })).toBeVisible()
  await deleteContact(page)
  await expect(page.getByRole('main').getByText('Mariama Bah')).toHaveCount(0)
  await page.goBack()
  await expectHome(page)
  await expect(row(page)).toBeHidden()
})

test('a phone number that is unlikely for its country must be confirmed once, and can then be paid @spec-unlikely-number @desk', async ({
  page,
  server,
}) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  const question = page.getByRole('main').getByText(said.question)
  await registerAndOpenHome(page, server)
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, { amount: '100', phone: '876 555 0123' })
  await expect(page.getByText(said.jamaica)).toBeVisible()
  await expect(page.getByText(said.onlyCanada)).toBeVisible()
  await expect(pay).toBeDisabled()

  // Another number has its own question, or none.
  await page.getByLabel(words.phone).fill('514 911 0123')
  await expect(page.getByText(said.noSuchNumber)).toBeVisible()
  await fillTransfer(page, { amount: '100', phone: '514 555 0123' })
  await expect(question).toBeHidden()
  await expect(pay).toBeEnabled()

  await fillTransfer(page, { amount: '100', phone: '876 555 0123' })
  await page.getByRole('button', { name: said.yes }).click()
  await expect(page.getByLabel(words.confirmPhone)).toBeFocused()
  await expect(question).toBeHidden()
  await confirmForm(page)
  await payWithCard(page)
  await closeReceipt(page)

  // A number that was paid is not questioned again.
  await page.reload()
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, { amount: '101', phone: '876 555 0123' })
  await expect(pay).toBeEnabled()
  await expect(question).toBeHidden()
})

test('a landline number must be confirmed, and again after a reload @desk', async ({
  page,
  server,
  language,
}) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100', phone: '304 12 34 56' })
  await expect(page.getByText(said.notMobile('+224 6'))).toBeVisible()
  await page.getByRole('button', { name: said.yes }).click()
  await expect(pay).toBeEnabled()
  await page.reload()
  await expectHome(page)
  await fillTransfer(page, { amount: '100', phone: '304 12 34 56' })
  await expect(page.getByText(said.notMobile('+224 6'))).toBeVisible()
  await expect(pay).toBeDisabled()
  await page.getByLabel(words.country).selectOption('FR')
  await fillTransfer(page, { amount: '100', phone: '01 23 45 67 89' })
  await expect(
    page.getByText(said.notMobile(language === 'fr' ? '+33 6 ou +33 7' : '+33 6 or +33 7')),
  ).toBeVisible()
  await page.getByLabel(words.phone).fill('06 12 34 56 78')
  await expect(page.getByText(said.question)).toBeHidden()
})

test('the wallet of a number’s operator is preselected, and suggested if the user has chosen another @desk @all', async ({
  page,
  server,
}) => {
  const [orange, mtn] = [page.getByLabel('Orange Money'), page.getByLabel('MTN Money')]
  await registerAndOpenHome(page, server)
  await page.getByLabel(words.phone).fill('664 11 22 33')
  await expect(mtn).toBeChecked()
  await page.getByLabel(words.phone).fill('620 00 00 00')
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('MTN'))).toBeHidden()

  await mtn.check()
  await expect(page.getByText(said.seems('Orange'))).toBeVisible()
  await page.getByLabel(words.phone).fill('620 00 00 01')
  await expect(mtn).toBeChecked()
  await page
    .getByRole('button', { name: getText('Choisir plutôt : {name}', { name: 'Orange Money' }) })
    .click()
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('Orange'))).toBeHidden()
  await expectHeadingFocused(page)
})
