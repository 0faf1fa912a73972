import type { Page } from '@playwright/test'
import { SENT } from '../domain/transaction.samples.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { nextAnswer } from './steps/answers.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { enter } from './steps/waysIn.ts'
import type { Words } from './words.ts'

const SAID = {
  fr: {
    choose: 'Choisir un contact',
    list: 'Vos contacts',
    add: 'Ajouter un contact',
    addNew: 'Nouveau contact',
    addToContacts: 'Ajouter aux contacts',
    isContact: 'Ce numéro est dans vos contacts.',
    name: 'Nom du contact',
    save: 'Ajouter le contact',
    added: 'Contact ajouté',
    nameWanted: 'Saisissez le nom du contact',
    known: (name: string) => `Ce numéro est déjà dans vos contacts\u00a0: ${name}`,
    notAdded: 'Le contact n’a pas pu être ajouté. Réessayez dans un moment.',
    notLoaded: 'Vos contacts n’ont pas pu être chargés.',
    notRenamed: 'Le nom n’a pas pu être changé. Réessayez dans un moment.',
    notDeleted: 'Le contact n’a pas pu être supprimé. Réessayez dans un moment.',
    signedOut: 'Connectez-vous pour gérer vos contacts.',
    needsNetwork: 'rien n’a été enregistré, et rien n’est perdu.',
    offline: 'voici les contacts gardés sur cet appareil.',
    none: 'Aucun contact pour l’instant.',
    noMatch: 'Aucun contact ne correspond à votre recherche.',
    search: 'Rechercher un contact',
    edit: 'Modifier',
    saveName: 'Enregistrer le nom',
    renamed: 'Le nom du contact est changé.',
    remove: 'Supprimer ce contact',
    keep: 'Garder ce contact',
    reallyRemove: 'Supprimer',
    removed: 'Le contact est supprimé.',
    send: 'Envoyer',
    yours: (name: string) => `Pour ${name}, votre contact`,
    fromPhone: 'Choisir dans le répertoire du téléphone',
    bookClosed: 'Le répertoire n’a pas pu s’ouvrir.',
    firstTime: 'Premier envoi à ce numéro.',
    unreachable: 'Pas de transfert possible vers ce numéro',
    again: 'Envoyer à nouveau',
    twice: /^Envoyer à nouveau\s\?$/,
    justSent: 'Vous venez d’envoyer',
    begun: 'est déjà commencé',
    sendTwice: /^Envoyer à nouveau 100,00/,
    notTwice: 'Ne rien envoyer',
    expected: 'Arrivée prévue au plus tard',
    today: (time: string) => `aujourd’hui à ${time}`,
    overdue: 'L’heure prévue est passée.',
    write: 'Écrire à notre assistance',
    search2: 'Rechercher',
  },
  en: {
    choose: 'Choose a contact',
    list: 'Your contacts',
    add: 'Add a contact',
    addNew: 'New contact',
    addToContacts: 'Add to contacts',
    isContact: 'This number is in your contacts.',
    name: 'Contact’s name',
    save: 'Add the contact',
    added: 'Contact added',
    nameWanted: 'Please enter the contact’s name',
    known: (name: string) => `This number is already in your contacts: ${name}`,
    notAdded: 'The contact could not be added. Try again in a moment.',
    notLoaded: 'Your contacts could not be loaded.',
    notRenamed: 'The name could not be changed. Try again in a moment.',
    notDeleted: 'The contact could not be deleted. Try again in a moment.',
    signedOut: 'Please sign in to manage your contacts.',
    needsNetwork: 'nothing was saved, and nothing is lost.',
    offline: 'these are the contacts kept on this device.',
    none: 'No contacts yet.',
    noMatch: 'No contact matches your search.',
    search: 'Search for a contact',
    edit: 'Edit',
    saveName: 'Save name',
    renamed: 'The contact’s name is changed.',
    remove: 'Delete this contact',
    keep: 'Keep this contact',
    reallyRemove: 'Delete',
    removed: 'The contact is deleted.',
    send: 'Send',
    yours: (name: string) => `For ${name}, your contact`,
    fromPhone: 'Choose from the phone’s address book',
    bookClosed: 'The address book could not be opened.',
    firstTime: 'First transfer to this number.',
    unreachable: 'Transfers to this number are not possible',
    again: 'Send again',
    twice: /^Send again\?$/,
    justSent: 'You just sent',
    begun: 'has been started already',
    sendTwice: /^Send €100.00 again/,
    notTwice: 'Send nothing',
    expected: 'Expected by',
    today: (time: string) => `today at ${time}`,
    overdue: 'The expected time has passed.',
    write: 'Write to our support desk',
    search2: 'Search',
  },
} as const

const PHONE = '+224620000000'
const GROUPED = '+224 620 00 00 00'

interface Member extends Person {
  readonly uid: string
}

/** Somebody with these contacts, on the home screen. */
async function arrive(
  page: Page,
  server: Server,
  language: 'fr' | 'en',
  contacts: readonly (readonly [name: string, phone: string])[] = [],
): Promise<Member> {
  const person = somebody()
  const uid = await server.register(person)
  for (const [name, phone] of contacts)
    await server.write(`contacts/${uid}_${phone.slice(1)}`, {
      userId: uid,
      name,
      phone,
      createdAt: new Date(),
    })
  await enter(page, server, language, person)
  return { ...person, uid }
}

const stored = async (server: Server, { uid }: Member) =>
  (await server.documents('contacts', 'userId', uid)).map(({ name, phone }) => [name, phone])

const sheet = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : undefined)
const press = (page: Page, name: string | RegExp) =>
  sheet(page).getByRole('button', { name, exact: true }).click()
const rowOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name })

async function pay(page: Page, words: Words) {
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(sheet(page, words.receipt).getByText(words.paid)).toBeVisible()
}

test('contacts are added, found, renamed and deleted @spec-contacts', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = await arrive(page, server, language)
  await openFromMenu(page, words, words.contacts)
  await expect(page.getByText(said.none)).toBeVisible()

  for (const [name, phone] of [
    ['Mariama Bah', GROUPED],
    ['Élodie', '+33 6 12 34 56 78'],
    ['Ousmane \u202e(Dakar)', '+221 77 123 45 67'],
  ] as const) {
    await page.getByRole('button', { name: said.add }).click()
    await expect(sheet(page).getByLabel(said.name)).toBeFocused()
    await sheet(page).getByLabel(said.name).fill(name)
    await sheet(page).getByLabel(words.phoneNumber).fill(phone)
    await press(page, said.save)
    await expect(page.getByText(said.added).last()).toBeVisible()
    await expect(sheet(page)).toBeHidden()
  }
  expect((await stored(server, person)).sort()).toEqual([
    ['Mariama Bah', PHONE],
    ['Ousmane (Dakar)', '+221771234567'],
    ['Élodie', '+33612345678'],
  ])
  await expect(rowOf(page, 'Ousmane')).toContainText(said.unreachable)
  await expect(rowOf(page, 'Ousmane').getByRole('button', { name: said.send })).toBeHidden()

  // What is wrong is told at its field, and nothing typed is lost.
  await page.getByRole('button', { name: said.add }).click()
  await sheet(page).getByLabel(words.phoneNumber).fill('620 00 00 00')
  await press(page, said.save)
  await expect(page.getByText(said.nameWanted)).toBeVisible()
  await expect(page.getByText(words.phoneInvalid)).toBeVisible()
  await expect(sheet(page).getByLabel(said.name)).toBeFocused()
  await sheet(page).getByLabel(said.name).fill('Élodie encore')
  await sheet(page).getByLabel(words.phoneNumber).fill('06 12 34 56 78')
  await press(page, said.save)
  await expect(page.getByText(said.known('Élodie'))).toBeVisible()
  await expect(sheet(page).getByLabel(said.name)).toHaveValue('Élodie encore')
  await press(page, words.close)
  await expect(page.getByRole('button', { name: said.add })).toBeFocused()

  const search = page.getByLabel(said.search)
  for (const [text, found] of [
    ['elo', 'Élodie'],
    ['06 12', 'Élodie'],
    ['bah', 'Mariama Bah'],
    ['+221', 'Ousmane'],
  ] as const) {
    await search.fill(text)
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
    await expect(rowOf(page, found)).toBeVisible()
  }
  await search.fill('Fatou')
  await expect(page.getByText(said.noMatch)).toBeVisible()
  await search.fill('')

  await rowOf(page, 'Mariama').getByRole('button', { name: said.edit }).click()
  await sheet(page).getByLabel(said.name).fill(' ')
  await press(page, said.saveName)
  await expect(page.getByText(said.nameWanted)).toBeVisible()
  await sheet(page).getByLabel(said.name).fill('Mariama Sow')
  await press(page, said.saveName)
  await expect(page.getByText(said.renamed)).toBeVisible()
  await expect(rowOf(page, 'Mariama Sow')).toBeVisible()
  expect(await stored(server, person)).toContainEqual(['Mariama Sow', PHONE])

  await rowOf(page, 'Mariama Sow').getByRole('button', { name: said.edit }).click()
  await press(page, said.remove)
  await expect(sheet(page)).toContainText('Mariama Sow')
  await press(page, said.keep)
  await press(page, said.remove)
  await press(page, said.reallyRemove)
  await expect(page.getByText(said.removed)).toBeVisible()
  await expect(rowOf(page, 'Mariama')).toBeHidden()
  expect((await stored(server, person)).map(([name]) => name)).not.toContain('Mariama Sow')

  // From another device, seen when the person comes back.
  await server.write(`contacts/elsewhere-${person.uid}`, {
    userId: person.uid,
    name: 'Binta',
    phone: '+224664112233',
    createdAt: new Date(),
  })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(rowOf(page, 'Binta')).toBeVisible()
  await rowOf(page, 'Binta').getByRole('button', { name: said.send }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByText(said.yours('Binta'))).toBeVisible()
})

test.describe('what is said when contacts can not be loaded or changed @spec-contact-errors', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('nothing typed is lost, and nothing is sent later', async ({
    page,
    server,
    context,
    language,
    words,
  }) => {
    const said = SAID[language]
    const person = await arrive(page, server, language, [['Mariama Bah', PHONE]])
    const answer = (path: string, status: number, code: string) =>
      page.route(path, (route) =>
        route.fulfill({ status, json: [{ error: { code: status, status: code, message: 'no' } }] }),
      )
    const again = () => page.evaluate(() => dispatchEvent(new Event('online')))
    const QUERY = '**/documents:runQuery**'
    const COMMIT = '**/documents:commit**'

    // The device knows them from the home screen, whose question has its answer; the page asks whether there is news, and a second one
    // would wait for that answer.
    await expect(page.getByRole('button', { name: 'Mariama Bah', exact: true })).toBeVisible()
    const asked = nextAnswer(page, 'contacts')
    await openFromMenu(page, words, words.contacts)
    await expect(rowOf(page, 'Mariama')).toBeVisible()
    await asked
    await page.getByRole('button', { name: words.back }).click()
    await answer(QUERY, 500, 'INTERNAL')
    await openFromMenu(page, words, words.contacts)
    await expect(page.getByText(said.notLoaded)).toBeVisible()
    await page.unroute(QUERY)
    await answer(QUERY, 403, 'PERMISSION_DENIED')
    await again()
    await expect(page.getByText(said.signedOut)).toBeVisible()
    await expect(rowOf(page, 'Mariama')).toBeVisible()
    await page.unroute(QUERY)
    const answerNow = await holdBack(page, QUERY)
    await pressKey(page.getByRole('button', { name: words.retry }))
    const retrying = page.getByRole('button', { name: words.retrying })
    await expect(retrying).toBeFocused()
    answerNow()
    await expect(page.getByText(said.signedOut)).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: words.contacts })).toBeFocused()
    await page.unroute(QUERY)

    await page.getByRole('button', { name: said.add }).click()
    await sheet(page).getByLabel(said.name).fill('Binta Diallo')
    await sheet(page).getByLabel(words.phoneNumber).fill('+224 664 11 22 33')
    for (const [status, code, told] of [
      [500, 'INTERNAL', said.notAdded],
      [403, 'PERMISSION_DENIED', said.signedOut],
    ] as const) {
      await answer(COMMIT, status, code)
      await press(page, said.save)
      await expect(sheet(page).getByText(told)).toBeVisible()
      await page.unroute(COMMIT)
    }
    await context.setOffline(true)
    // Whoever uses the keys finds the button again that was busy.
    const save = sheet(page).getByRole('button', { name: said.save })
    await pressKey(save)
    await expect(sheet(page).getByText(said.needsNetwork)).toBeVisible()
    await expect(save).toBeFocused()
    await expect(sheet(page).getByLabel(said.name)).toHaveValue('Binta Diallo')
    await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue('+224 664 11 22 33')
    await context.setOffline(false)
    expect(await stored(server, person)).toEqual([['Mariama Bah', PHONE]])

    // The answer is lost, the contact is not: sending it again makes no second one.
    await page.route(
      COMMIT,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await press(page, said.save)
    await expect(sheet(page).getByText(said.needsNetwork)).toBeVisible()
    await press(page, said.save)
    await expect(sheet(page)).toBeHidden()
    expect((await stored(server, person)).sort()).toEqual([
      ['Binta Diallo', '+224664112233'],
      ['Mariama Bah', PHONE],
    ])

    await rowOf(page, 'Mariama').getByRole('button', { name: said.edit }).click()
    await sheet(page).getByLabel(said.name).fill('Mariama Sow')
    await answer(COMMIT, 500, 'INTERNAL')
    await press(page, said.saveName)
    await expect(sheet(page).getByText(said.notRenamed)).toBeVisible()
    await expect(sheet(page).getByLabel(said.name)).toHaveValue('Mariama Sow')
    await press(page, said.remove)
    const remove = sheet(page).getByRole('button', { name: said.reallyRemove })
    await pressKey(remove)
    await expect(sheet(page).getByText(said.notDeleted)).toBeVisible()
    await expect(remove).toBeFocused()
    await press(page, words.close)
    await expect(rowOf(page, 'Mariama Bah')).toBeVisible()
  })
})

test('a number that is new is large before it is confirmed; after the transfer it gets a name, which is seen everywhere', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = await arrive(page, server, language)
  await page.getByLabel(words.phone).fill('+224 620 00 00 0')
  await expect(page.getByText(said.firstTime)).toBeHidden()
  await fillTransfer(page, words, { amount: '100' })
  await expect(page.getByText(said.firstTime)).toBeVisible()
  await expect(page.getByLabel(words.confirmPhone)).toHaveAccessibleDescription(
    /\+2 2 4, 6 2 0, 0 0, 0 0, 0 0/,
  )
  await confirmForm(page, words)
  await pay(page, words)

  const receipt = sheet(page, words.receipt)
  await expect(receipt.getByRole('listitem').filter({ hasText: said.expected })).toBeVisible()
  await press(page, said.addToContacts)
  await expect(receipt.getByLabel(said.name)).toBeFocused()
  await receipt.getByLabel(said.name).fill('Mariama Bah')
  await press(page, said.save)
  await expect(page.getByText(said.added)).toBeVisible()
  await expect(receipt.getByRole('definition').filter({ hasText: 'Mariama Bah' })).toBeVisible()
  await expect(receipt.getByRole('button', { name: said.addToContacts })).toBeHidden()
  await expect(receipt.locator(':focus')).toHaveText(said.isContact)
  expect(await stored(server, person)).toEqual([['Mariama Bah', PHONE]])
  await press(page, words.done)

  await expect(page.getByRole('region', { name: words.activity })).toContainText('Mariama Bah')
  await page.getByLabel(words.phone).fill(GROUPED)
  await expect(page.getByText(said.yours('Mariama Bah'))).toBeVisible()
  await expect(page.getByText(said.firstTime)).toBeHidden()
  await page.goto('/?view=history')
  await page.getByLabel(said.search2).fill('mariama')
  await expect(page.locator('main ol > li')).toHaveCount(1)
  await expect(page.locator('main ol > li')).toContainText('Mariama Bah')
})

test('a contact is chosen in the form, or added there from the phone’s own address book', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
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
  const person = await arrive(page, server, language, [
    ['Mariama Bah', PHONE],
    ['Marc Tremblay', '+15145550123'],
    ['Ousmane', '+221771234567'],
  ])
  const choose = page.getByRole('button', { name: said.choose })
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
  await press(page, said.add)
  await expect(sheet(page, said.addNew)).toBeVisible()
  await press(page, said.fromPhone)
  await expect(page.getByText(said.bookClosed)).toBeVisible()
  await press(page, said.fromPhone)
  await expect(page.getByText(said.bookClosed)).toBeHidden()
  await press(page, said.fromPhone)
  await expect(sheet(page).getByLabel(said.name)).toHaveValue('Ibrahima Sylla')
  await expect(sheet(page).getByLabel(words.phoneNumber)).toHaveValue('+33712345678')
  expect(await page.evaluate(() => (window as unknown as { asked: unknown }).asked)).toEqual([
    ['name', 'tel'],
    { multiple: false },
  ])
  await press(page, said.save)
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByLabel(words.phone)).toHaveValue('+33 7 12 34 56 78')
  // Another number is to be confirmed anew.
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  expect(await stored(server, person)).toContainEqual(['Ibrahima Sylla', '+33712345678'])
})

test('a transfer is repeated in two taps, at a new price; its receipt says when it is expected, and then what to do', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = await arrive(page, server, language, [['Mariama Bah', PHONE]])
  // The middle of a day, wherever the clock of the machine stands, which the session began by.
  await page.clock.install({ time: new Date('2026-11-15T12:10:00Z') })
  // Whoever asks while the first question is under way gets its answer, which may be older than what is written now.
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  const createdAt = new Date('2026-11-15T11:30:00Z')
  const id = `pi_3Again${person.uid.slice(0, 8)}`
  await server.write(`transactions/${id}`, {
    ...SENT,
    id,
    senderId: person.uid,
    couponCode: 'MERCI-2026',
    receivingMethod: 'mtn_money',
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(createdAt.getTime() + 3_600_000),
  })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const row = page.getByRole('region', { name: words.activity }).getByRole('button', { name: 'Mariama Bah' })
  await row.click()
  const receipt = sheet(page, words.receipt)
  await expect(receipt.getByText(said.today('12:30'))).toBeVisible()
  await expect(receipt.getByText(said.today('13:30'))).toBeVisible()
  await expect(receipt.getByText(said.overdue)).toBeHidden()
  await page.clock.fastForward('21:00')
  await expect(receipt.getByText(said.overdue)).toBeVisible()
  await expect(receipt.getByRole('link', { name: said.write })).toHaveAttribute(
    'href',
    new RegExp(`^mailto:.+@.+\\?subject=Transfe\\w+%20${id}$`),
  )

  await press(page, said.again)
  await expect(receipt).toBeHidden()
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')
  await expect(page.getByLabel(words.phone)).toHaveValue(GROUPED)
  await expect(page.getByRole('radio', { name: 'MTN Money' })).toBeChecked()
  await expect(page.getByLabel(words.coupon)).toBeHidden()
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
  await expect(page.getByTestId('quote')).toContainText(/1.542.300/)

  // From the history too, over what was typed since.
  await page.getByLabel(words.amount).fill('20')
  await page.goto('/?view=history')
  await page.locator('main ol > li').getByRole('button').click()
  await press(page, said.again)
  await expect(page.getByRole('heading', { name: words.send })).toBeFocused()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')

  // Where the card is typed, the number stands with whose it is.
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page, words)
  await expect(sheet(page)).toContainText(GROUPED)
  await expect(sheet(page)).toContainText('Mariama Bah · MTN Money')
})

test('the same form in two tabs is asked about before it is charged twice', async ({
  page,
  context,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = await arrive(page, server, language)
  const other = await context.newPage()
  await other.goto('/')
  await expectHome(other, words)
  for (const tab of [page, other]) await fillTransfer(tab, words, { amount: '100' })

  await page.bringToFront()
  await confirmForm(page, words)
  await expect(payButton(page, words)).toBeEnabled()
  await other.bringToFront()
  await confirmForm(other, words)
  await expect(sheet(other, said.twice)).toContainText(said.begun)
  await press(other, said.notTwice)
  await expect(sheet(other)).toBeHidden()

  await page.bringToFront()
  await pay(page, words)
  await other.bringToFront()
  await expect(other.getByRole('region', { name: words.activity }).getByRole('button')).toHaveCount(1)
  await confirmForm(other, words)
  await expect(sheet(other, said.twice)).toContainText(said.justSent)
  await press(other, said.notTwice)
  await expect(other.getByLabel(words.amount)).toHaveValue('100')
  const succeeded = async () =>
    (await server.paymentIntentsOf(person.email)).filter(({ status }) => status === 'succeeded')
  expect(await succeeded()).toHaveLength(1)

  // Somebody may well mean it.
  await confirmForm(other, words)
  await press(other, said.sendTwice)
  await pay(other, words)
  expect(await succeeded()).toHaveLength(2)
  expect(await server.transactionsOf(person.email)).toHaveLength(2)
})
