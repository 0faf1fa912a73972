import type { Page } from '@playwright/test'
import { HOUR } from '../domain/common/duration.ts'
import { SENT_TRANSFER } from '../domain/transfers/transaction.samples.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { contactRow, contactWords, pressInSheet, sheet, writeContact } from './steps/contacts.ts'
import { delayRequests } from './steps/faults.ts'
import { historyWords } from './steps/history.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import { waitForQueryResponse } from './steps/responses.ts'
import { openSignedInHome } from './steps/signIn.ts'
import {
  activityRows,
  closeReceipt,
  confirmForm,
  fillTransfer,
  payAndExpectReceipt,
  payButton,
} from './steps/transfer.ts'
import { buildTextPattern, defineTexts, getText } from './texts.ts'
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
  noMatch: 'Aucun contact ne correspond à votre recherche.',
  search: 'Rechercher un contact',
  renamed: 'Le nom du contact est changé.',
  keep: 'Garder ce contact',
  removed: 'Le contact est supprimé.',
  send: 'Envoyer',
  yours: () => (name: string) => getText('Pour <0>{name}</0>, votre contact', { name }),
  fromPhone: 'Choisir dans le répertoire du téléphone',
  bookClosed: 'Le répertoire n’a pas pu s’ouvrir. Saisissez le contact ici.',
  firstTime: 'Premier envoi à ce numéro. Relisez chaque chiffre :',
  unreachable: 'Pas de transfert possible vers ce numéro',
  again: 'Envoyer à nouveau',
  twice: 'Envoyer à nouveau ?',
  willChargeTwice: 'Ce sera un second transfert : votre carte sera débitée une fois de plus.',
  justSent: 'Vous venez d’envoyer {amount} au {phone} ({when}).',
  begun: () =>
    buildTextPattern(
      'Un paiement de {amount} au {phone} est déjà commencé ({when}), peut-être dans un autre onglet ou sur un autre appareil.',
    ),
  sendTwice: () => getText('Envoyer à nouveau {amount}', { amount: formatAmountText(10_000) }),
  notTwice: 'Ne rien envoyer',
  expected: 'Arrivée prévue',
  forRecipient: () => getText('pour {who}', { who: 'Mariama Bah, Orange Money' }),
  before: () => (text: string) => getText('avant {text}', { text }),
  overdue:
    'L’heure prévue est passée. Demandez au bénéficiaire s’il a reçu l’argent. Sinon, contactez notre assistance avec le numéro du transfert.',
  write: 'Écrire à notre assistance',
})

const PHONE = '+224620000000'
const GROUPED = '+224 620 00 00 00'

interface Member extends Person {
  readonly uid: string
}

async function arrive(
  page: Page,
  server: Server,
  contacts: readonly (readonly [name: string, phone: string])[] = [],
): Promise<Member> {
  const person = createPerson()
  const uid = await server.register(person)
  for (const [name, phone] of contacts) await writeContact(server, uid, name, phone)
  await openSignedInHome(page, server, person)
  return { ...person, uid }
}

const stored = async (server: Server, { uid }: Member) =>
  (await server.documents('contacts', 'userId', uid)).map(({ name, phone }) => [name, phone])

test('a user adds, finds, renames and deletes contacts @spec-contacts @desk', async ({ page, server }) => {
  const person = await arrive(page, server)
  await openFromMenu(page, words.contacts)
  await expect(page.getByText(said.none)).toBeVisible()

  for (const [name, phone] of [
    ['Mariama Bah', GROUPED],
    ['Élodie', '+33 6 12 34 56 78'],
    ['Ousmane \u202e(Dakar)', '+221 77 123 45 67'],
  ] as const) {
    await page.getByRole('button', { name: contactWords.add }).click()
    await expect(sheet(page).getByLabel(contactWords.name)).toBeFocused()
    await sheet(page).getByLabel(contactWords.name).fill(name)
    await sheet(page).getByLabel(words.phoneNumber).fill(phone)
    await pressInSheet(page, contactWords.save)
    await expect(page.getByText(contactWords.added).last()).toBeVisible()
    await expect(sheet(page)).toBeHidden()
  }
  expect((await stored(server, person)).sort()).toEqual([
    ['Mariama Bah', PHONE],
    ['Ousmane (Dakar)', '+221771234567'],
    ['Élodie', '+33612345678'],
  ])
  await expect(contactRow(page, 'Ousmane')).toContainText(said.unreachable)
  await expect(contactRow(page, 'Ousmane').getByRole('button', { name: said.send })).toBeHidden()

  await page.getByRole('button', { name: contactWords.add }).click()
  await sheet(page).getByLabel(words.phoneNumber).fill('620 00 00 00')
  await pressInSheet(page, contactWords.save)
  await expect(page.getByText(said.nameWanted)).toBeVisible()
  await expect(page.getByText(words.phoneInvalid)).toBeVisible()
  await expect(sheet(page).getByLabel(contactWords.name)).toBeFocused()
  await sheet(page).getByLabel(contactWords.name).fill('Élodie encore')
  await sheet(page).getByLabel(words.phoneNumber).fill('06 12 34 56 78')
  await pressInSheet(page, contactWords.save)
  await expect(page.getByText(said.known('Élodie'))).toBeVisible()
  await expect(sheet(page).getByLabel(contactWords.name)).toHaveValue('Élodie encore')
  await pressInSheet(page, words.close)
  await expect(page.getByRole('button', { name: contactWords.add })).toBeFocused()

  const search = page.getByLabel(said.search)
  for (const [text, found] of [
    ['elo', 'Élodie'],
    ['06 12', 'Élodie'],
    ['bah', 'Mariama Bah'],
    ['+221', 'Ousmane'],
  ] as const) {
    await search.fill(text)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
    await expect(contactRow(page, found)).toBeVisible()
  }
  await search.fill('Fatou')
  await expect(page.getByText(said.noMatch)).toBeVisible()
  await search.fill('')

  await contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit }).click()
  await sheet(page).getByLabel(contactWords.name).fill(' ')
  await pressInSheet(page, contactWords.saveName)
  await expect(page.getByText(said.nameWanted)).toBeVisible()
  await sheet(page).getByLabel(contactWords.name).fill('Mariama Sow')
  await pressInSheet(page, contactWords.saveName)
  await expect(page.getByText(said.renamed)).toBeVisible()
  await expect(contactRow(page, 'Mariama Sow')).toBeVisible()
  expect(await stored(server, person)).toContainEqual(['Mariama Sow', PHONE])

  await contactRow(page, 'Mariama Sow').getByRole('button', { name: contactWords.edit }).click()
  await pressInSheet(page, contactWords.remove)
  await expect(sheet(page)).toContainText('Mariama Sow')
  await pressInSheet(page, said.keep)
  await pressInSheet(page, contactWords.remove)
  await pressInSheet(page, contactWords.reallyRemove)
  await expect(page.getByText(said.removed)).toBeVisible()
  await expect(contactRow(page, 'Mariama')).toBeHidden()
  expect((await stored(server, person)).map(([name]) => name)).not.toContain('Mariama Sow')

  await writeContact(server, person.uid, 'Binta', '+224664112233')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(contactRow(page, 'Binta')).toBeVisible()
  await contactRow(page, 'Binta').getByRole('button', { name: said.send }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByText(said.yours('Binta'))).toBeVisible()
})

test.describe('failing requests of the contacts @spec-contact-errors', () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  test('a failure with contacts is reported and keeps the typed values @desk', async ({
    page,
    server,
    context,
  }) => {
    const person = await arrive(page, server, [['Mariama Bah', PHONE]])
    const answer = (path: string, status: number, code: string) =>
      page.route(path, (route) =>
        route.fulfill({ status, json: [{ error: { code: status, status: code, message: 'no' } }] }),
      )
    const again = () => page.evaluate(() => dispatchEvent(new Event('online')))
    const QUERY = '**/documents:runQuery**'
    const COMMIT = '**/documents:commit**'

    // Waits for the home screen's query, because a query during it would share its response.
    await expect(page.getByRole('button', { name: 'Mariama Bah', exact: true })).toBeVisible()
    const asked = waitForQueryResponse(page, 'contacts')
    await openFromMenu(page, words.contacts)
    await expect(contactRow(page, 'Mariama')).toBeVisible()
    await asked
    await page.getByRole('button', { name: words.back }).click()
    await answer(QUERY, 500, 'INTERNAL')
    await openFromMenu(page, words.contacts)
    await expect(page.getByText(said.notLoaded)).toBeVisible()
    await page.unroute(QUERY)
    await answer(QUERY, 403, 'PERMISSION_DENIED')
    await again()
    await expect(page.getByText(said.signedOut)).toBeVisible()
    await expect(contactRow(page, 'Mariama')).toBeVisible()
    await page.unroute(QUERY)
    const answerNow = await delayRequests(page, QUERY)
    await pressKey(page.getByRole('button', { name: words.retry }))
    const retrying = page.getByRole('button', { name: words.retrying })
    await expect(retrying).toBeFocused()
    answerNow()
    await expect(page.getByText(said.signedOut)).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: words.contacts })).toBeFocused()
    await page.unroute(QUERY)

    await page.getByRole('button', { name: contactWords.add }).click()
    await sheet(page).getByLabel(contactWords.name).fill('Binta Diallo')
    await sheet(page).getByLabel(words.phoneNumber).fill('+224 664 11 22 33')
    for (const [status, code, text] of [
      [500, 'INTERNAL', contactWords.notAdded],
      [403, 'PERMISSION_DENIED', said.signedOut],
    ] as const) {
      await answer(COMMIT, status, code)
      await pressInSheet(page, contactWords.save)
      await expect(sheet(page).getByText(text)).toBeVisible()
      await page.unroute(COMMIT)
    }
    await context.setOffline(true)
    // The button lost the focus while it was disabled, and gets it back.
    const save = sheet(page).getByRole('button', { name: contactWords.save })
    await pressKey(save)
    await expect(sheet(page).getByText(said.needsNetwork)).toBeVisible()
    await expect(save).toBeFocused()
    await expect(sheet(page).getByLabel(contactWords.name)).toHaveValue('Binta Diallo')
    await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue('+224 664 11 22 33')
    await context.setOffline(false)
    expect(await stored(server, person)).toEqual([['Mariama Bah', PHONE]])

    // The response is lost, but the contact is saved.
    await page.route(
      COMMIT,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await pressInSheet(page, contactWords.save)
    await expect(sheet(page).getByText(said.needsNetwork)).toBeVisible()
    await pressInSheet(page, contactWords.save)
    await expect(sheet(page)).toBeHidden()
    expect((await stored(server, person)).sort()).toEqual([
      ['Binta Diallo', '+224664112233'],
      ['Mariama Bah', PHONE],
    ])

    await contactRow(page, 'Mariama').getByRole('button', { name: contactWords.edit }).click()
    await sheet(page).getByLabel(contactWords.name).fill('Mariama Sow')
    await answer(COMMIT, 500, 'INTERNAL')
    await pressInSheet(page, contactWords.saveName)
    await expect(sheet(page).getByText(said.notRenamed)).toBeVisible()
    await expect(sheet(page).getByLabel(contactWords.name)).toHaveValue('Mariama Sow')
    await pressInSheet(page, contactWords.remove)
    const remove = sheet(page).getByRole('button', { name: contactWords.reallyRemove })
    await pressKey(remove)
    await expect(sheet(page).getByText(said.notDeleted)).toBeVisible()
    await expect(remove).toBeFocused()
    await pressInSheet(page, words.close)
    await expect(contactRow(page, 'Mariama Bah')).toBeVisible()
  })
})

test('a new number is spelled out, and named once a contact @desk @all', async ({ page, server }) => {
  const person = await arrive(page, server)
  await page.getByLabel(words.phone).fill('+224 620 00 00 0')
  await expect(page.getByText(said.firstTime)).toBeHidden()
  await fillTransfer(page, { amount: '100' })
  await expect(page.getByText(said.firstTime)).toBeVisible()
  await expect(page.getByLabel(words.confirmPhone)).toHaveAccessibleDescription(
    /\+2 2 4, 6 2 0, 0 0, 0 0, 0 0/,
  )
  await confirmForm(page)
  await payAndExpectReceipt(page)

  const receipt = sheet(page, words.receipt)
  await expect(receipt.getByRole('listitem').filter({ hasText: said.expected })).toBeVisible()
  await pressInSheet(page, contactWords.addToContacts)
  await expect(receipt.getByLabel(contactWords.name)).toBeFocused()
  await receipt.getByLabel(contactWords.name).fill('Mariama Bah')
  await pressInSheet(page, contactWords.save)
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt.getByText(said.forRecipient)).toBeHidden()
  await expect(receipt.getByRole('button', { name: contactWords.addToContacts })).toBeHidden()
  await expect(receipt.locator(':focus')).toHaveText(contactWords.isContact)
  expect(await stored(server, person)).toEqual([['Mariama Bah', PHONE]])
  await closeReceipt(page)

  await expect(page.getByRole('region', { name: words.activity })).toContainText('Mariama Bah')
  await page.getByLabel(words.phone).fill(GROUPED)
  await expect(page.getByText(said.yours('Mariama Bah'))).toBeVisible()
  await expect(page.getByText(said.firstTime)).toBeHidden()
  await page.goto('/?view=history')
  await page.getByLabel(historyWords.search).fill('mariama')
  await expect(page.locator('main ol > li')).toHaveCount(1)
  await expect(page.locator('main ol > li')).toContainText('Mariama Bah')
})

test('a contact comes from the form or the phone’s address book @desk @all', async ({ page, server }) => {
  await page.addInitScript(() => {
    const answers: unknown[] = [
      [{ name: ['Ibrahima Sylla'], tel: ['620 00 00 00', '+33 (0)7-12.34.56 78'] }],
      [],
      null,
    ]
    const select = async (...asked: unknown[]) => {
      Object.assign(window, { asked })
      const answer = answers.pop()
      if (answer === null) throw new DOMException('', 'InvalidStateError')
      return answer
    }
    Object.defineProperty(navigator, 'contacts', { value: { select } })
  })
  const person = await arrive(page, server, [
    ['Mariama Bah', PHONE],
    ['Marc Tremblay', '+15145550123'],
    ['Ousmane', '+221771234567'],
  ])
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
  await pressInSheet(page, said.fromPhone)
  await expect(page.getByText(said.bookClosed)).toBeVisible()
  await pressInSheet(page, said.fromPhone)
  await expect(page.getByText(said.bookClosed)).toBeHidden()
  await pressInSheet(page, said.fromPhone)
  await expect(sheet(page).getByLabel(contactWords.name)).toHaveValue('Ibrahima Sylla')
  await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue('+33712345678')
  expect(await page.evaluate(() => (window as unknown as { asked: unknown }).asked)).toEqual([
    ['name', 'tel'],
    { multiple: false },
  ])
  await pressInSheet(page, contactWords.save)
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByLabel(words.phone)).toHaveValue('+33 7 12 34 56 78')
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  expect(await stored(server, person)).toContainEqual(['Ibrahima Sylla', '+33712345678'])
})

test('a receipt shows the arrival, then help, and repeats the transfer @desk @all', async ({
  page,
  server,
}) => {
  const person = await arrive(page, server, [['Mariama Bah', PHONE]])
  // Work that begins before the clock is replaced and ends after it could wait forever.
  await expect(page.getByTestId('quote').getByRole('button', { name: /3\s?%/ })).toBeVisible()
  // Midday, so that the session's date does not depend on the machine's clock.
  await page.clock.install({ time: new Date('2026-11-15T12:10:00Z') })
  // Waits for the first query, because a query during it would share its response, without the data below.
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  const createdAt = new Date('2026-11-15T11:30:00Z')
  const id = `pi_3Again${person.uid.slice(0, 8)}`
  await server.write(`transactions/${id}`, {
    ...SENT_TRANSFER,
    id,
    senderId: person.uid,
    couponCode: 'MERCI-2026',
    receivingMethod: 'mtn_money',
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(createdAt.getTime() + HOUR),
  })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const row = page.getByRole('region', { name: words.activity }).getByRole('button', { name: 'Mariama Bah' })
  await row.click()
  const receipt = sheet(page, words.receipt)
  await expect(receipt.getByText('12:30', { exact: true })).toBeVisible()
  await expect(receipt.getByText(said.before('13:30'))).toBeVisible()
  await expect(receipt.getByText(said.overdue)).toBeHidden()
  await page.clock.fastForward('21:00')
  await expect(receipt.getByText(said.overdue)).toBeVisible()
  await expect(receipt.getByRole('link', { name: said.write })).toHaveAttribute(
    'href',
    new RegExp(`^mailto:.+@.+\\?subject=Transfe\\w+%20${id}$`),
  )

  await pressInSheet(page, said.again)
  await expect(receipt).toBeHidden()
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')
  await expect(page.getByLabel(words.phone)).toHaveValue(GROUPED)
  await expect(page.getByRole('radio', { name: 'MTN Money' })).toBeChecked()
  await expect(page.getByLabel(words.coupon)).toBeHidden()
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expect(page.getByTestId('quote')).toContainText(/1.542.300/)

  await page.getByLabel(words.amount).fill('20')
  await page.goto('/?view=history')
  await page.locator('main ol > li').getByRole('button').click()
  await pressInSheet(page, said.again)
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')

  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await expect(sheet(page)).toContainText(GROUPED)
  await expect(sheet(page)).toContainText('Mariama Bah')
})

test('the app asks before charging the same transfer again from another tab @desk', async ({
  page,
  context,
  server,
}) => {
  const person = await arrive(page, server)
  const other = await context.newPage()
  await other.goto('/')
  await expectHome(other)
  for (const tab of [page, other]) await fillTransfer(tab, { amount: '100' })

  await page.bringToFront()
  await confirmForm(page)
  await expect(payButton(page)).toBeEnabled()
  await other.bringToFront()
  await confirmForm(other)
  await expect(sheet(other, said.twice)).toContainText(said.begun)
  await pressInSheet(other, said.notTwice)
  await expect(sheet(other)).toBeHidden()

  await page.bringToFront()
  await payAndExpectReceipt(page)
  await other.bringToFront()
  await expect(activityRows(other)).toHaveCount(1)
  await confirmForm(other)
  await expect(sheet(other, said.twice)).toContainText(said.justSent)
  await expect(sheet(other).getByText(said.willChargeTwice, { exact: true })).toBeVisible()
  await pressInSheet(other, said.notTwice)
  await expect(other.getByLabel(words.amount)).toHaveValue('100')
  const succeeded = async () =>
    (await server.listPaymentIntents(person.email)).filter(({ status }) => status === 'succeeded')
  expect(await succeeded()).toHaveLength(1)

  // The user may intend to pay twice.
  await confirmForm(other)
  await pressInSheet(other, said.sendTwice)
  await payAndExpectReceipt(other)
  expect(await succeeded()).toHaveLength(2)
  expect(await server.readTransactions(person.email)).toHaveLength(2)
})
