import type { Page } from '@playwright/test'
import type { Language } from '../domain/language.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { transferOf } from './steps/history.ts'
import { expectHeadingFocused, expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import {
  CARDS,
  cardFrame,
  confirmForm,
  fillTransfer,
  openCoupon,
  payButton,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, enter, fillSignUp, speak } from './steps/waysIn.ts'
import type { Words } from './words.ts'

const SAID = {
  fr: {
    who: 'À qui ?',
    other: 'Autre',
    contacts: 'Contacts',
    remove: 'Supprimer ce contact',
    reallyRemove: 'Supprimer',
    edit: 'Modifier',
    choose: 'Choisir un contact',
    add: 'Ajouter un contact',
    name: 'Nom du contact',
    phone: 'Téléphone',
    save: 'Ajouter le contact',
    seems: (operator: string) => `Ce numéro semble être chez ${operator}.`,
    instead: (wallet: string) => `Choisir plutôt\u00a0: ${wallet}`,
    question: 'Est-ce bien ce numéro',
    yes: 'Oui, c’est bien ce numéro',
    jamaica: 'L’indicatif 876 n’est pas canadien (Jamaïque).',
    onlyCanada: 'Interac ne verse que sur un compte au Canada.',
    noSuchNumber: 'Aucun numéro du Canada ne s’écrit ainsi.',
    notMobile: (beginnings: string) =>
      `Ce n’est pas un numéro de mobile\u00a0: il commencerait par ${beginnings}.`,
  },
  en: {
    who: 'Send to',
    other: 'Other',
    contacts: 'Contacts',
    remove: 'Delete this contact',
    reallyRemove: 'Delete',
    edit: 'Edit',
    choose: 'Choose a contact',
    add: 'Add a contact',
    name: 'Contact’s name',
    phone: 'Phone',
    save: 'Add the contact',
    seems: (operator: string) => `This number seems to be with ${operator}.`,
    instead: (wallet: string) => `Choose ${wallet} instead`,
    question: 'Is this the right number',
    yes: 'Yes, this is the number',
    jamaica: 'Area code 876 is not Canadian (Jamaica).',
    onlyCanada: 'Interac only pays into an account in Canada.',
    noSuchNumber: 'No number in Canada is written like this.',
    notMobile: (beginnings: string) => `This is not a mobile number: it would begin with ${beginnings}.`,
  },
} as const

const MARIAMA = '+224664112233'
const CANADA = { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' }

/** Somebody with the contact Mariama, who sent her 150 EUR by MTN, and before that 41.50 CAD to a number in Canada. */
async function register(server: Server): Promise<Person> {
  const person = somebody()
  const uid = await server.register(person)
  const sent = [
    transferOf(uid, 1, { recipientPhone: MARIAMA, amount: 145.5, fees: 4.5, receivingMethod: 'mtn_money' }),
    transferOf(uid, 2, {
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
  const mariama = { userId: uid, name: 'Mariama Bah', phone: MARIAMA, createdAt: new Date(2026, 0, 1) }
  await server.write(`contacts/${uid}_${MARIAMA.slice(1)}`, mariama)
  return person
}

const row = (page: Page, said: { who: string }) =>
  page.getByRole('group', { name: said.who.replace(' ', '\u202f') })

/** On the page of the contacts, which stays open. */
async function deleteContact(page: Page, words: Words, said: (typeof SAID)[Language]) {
  await openFromMenu(page, words, said.contacts)
  await page.getByRole('button', { name: said.edit }).click()
  await page.getByRole('button', { name: said.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: said.reallyRemove, exact: true }).click()
}

/** Counts presses from the next page on. */
const countPresses = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { presses: 0 })
    const count = () => Object.assign(window, { presses: Reflect.get(window, 'presses') + 1 })
    addEventListener('pointerdown', count, true)
    addEventListener('keydown', count, true)
  })

test('who sends the same to the same person is at the card after three presses @spec-three-presses', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await register(server)
  await enter(page, server, language, person)
  await expect(row(page, SAID[language]).getByRole('button')).toHaveCount(3)
  await countPresses(page)
  await page.reload()
  await row(page, SAID[language]).getByRole('button', { name: 'Mariama Bah' }).click()
  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page, words)
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(page.getByRole('dialog').getByText('+224 664 11 22 33')).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'presses'))).toBe(3)
})

test.describe('without an answer of the server', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('the people stand above the form, and a tap fills it in but for the tick', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = await register(server)
    const said = SAID[language]
    await enter(page, server, language, person)
    const mariama = row(page, said).getByRole('button', { name: 'Mariama Bah' })
    // The transfers may be here before the contacts are, without their names.
    await expect(mariama).toBeVisible()
    await expect(row(page, said).getByRole('button')).toHaveCount(3)
    await page.route('**/documents:runQuery**', (route) => route.abort())
    await page.reload()
    const canada = row(page, said).getByRole('button', { name: '+1 514 555 0123' })
    await expect(mariama).toHaveText(/^MB\s*Mariama/)
    await expect(canada).toHaveText(/^…0123/)
    await (await openCoupon(page, words)).fill('ZERO')

    await mariama.click()
    await expect(page.getByLabel(words.amount)).toHaveValue('150')
    await expect(page.getByLabel(words.currency)).toHaveValue('EUR')
    await expect(page.getByLabel(words.country)).toHaveValue('GN')
    await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
    await expect(page.getByLabel('MTN Money')).toBeChecked()
    await expect(mariama).toHaveAttribute('aria-pressed', 'true')
    await expect(canada).toHaveAttribute('aria-pressed', 'false')
    await page.getByLabel(words.confirmPhone).check()

    // A transfer that was given up counts too. By keys alone, as well.
    await pressKey(canada, 'Space')
    await expect(page.getByLabel(words.amount)).toHaveValue(language === 'fr' ? '41,50' : '41.50')
    await expect(page.getByLabel(words.currency)).toHaveValue('CAD')
    await expect(page.getByLabel(words.country)).toHaveValue('CA')
    await expect(page.getByLabel('Interac')).toBeChecked()
    await expect(page.getByLabel(words.coupon)).toHaveValue('ZERO')
    await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()
    await expect(page.getByRole('main').getByRole('button', { name: words.pay })).toBeDisabled()

    await row(page, said).getByRole('button', { name: said.other }).click()
    await expect(page.getByLabel(words.phone)).toBeFocused()
    await expect(page.getByLabel(words.phone)).toHaveValue('')
    await expect(canada).toHaveAttribute('aria-pressed', 'false')
  })
})

test('a contact who is deleted stays as the number that was sent to', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  await enter(page, server, language, await register(server))
  await deleteContact(page, words, said)
  await page.goBack()
  await expectHome(page, words)
  await row(page, said).getByRole('button', { name: '+224 664 11 22 33' }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
})

test('nothing moves when the people come, however late', async ({ page, server, language, words }) => {
  const said = SAID[language]
  const amountTop = async () => (await page.getByLabel(words.amount).boundingBox())?.y
  const answer = await holdBack(page, '**/documents:runQuery**')
  await enter(page, server, language, await register(server))
  await expect(row(page, said).getByRole('button')).toHaveCount(1)
  const top = await amountTop()
  answer()
  await expect(row(page, said).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
  const letCome = await holdBack(page, '**/whoReceives-*.js')
  await page.reload()
  await expectHome(page, words)
  await expect(row(page, said)).toBeHidden()
  expect(await amountTop()).toBe(top)
  letCome()
  await expect(row(page, said).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
})

test('who has just signed up sees the people once there is somebody', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const person = somebody()
  await speak(page, language)
  await fillSignUp(page, words, person)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await page.goto(await server.mailLink(person.email))
  await page.goto('/')
  await expectHome(page, words)
  await expect(row(page, said)).toBeHidden()

  await page.getByRole('button', { name: said.choose }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: said.add }).click()
  await sheet.getByLabel(said.name).fill('Mariama Bah')
  await sheet.getByLabel(said.phone).fill(MARIAMA)
  await sheet.getByRole('button', { name: said.save }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
  // A place for her would push away what the person is about to press.
  await expect(row(page, said)).toBeHidden()
  // The row is told of her by a question of its own: each leave notes what it knows by then.
  await expect(async () => {
    await page.reload()
    await expect(row(page, said).getByRole('button', { name: 'Mariama Bah' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await deleteContact(page, words, said)
  await expect(page.getByRole('main').getByText('Mariama Bah')).toHaveCount(0)
  await page.goBack()
  await expectHome(page, words)
  await expect(row(page, said)).toBeHidden()
})

test('a number that is hardly one of its country is asked about once, and paid all the same @spec-unlikely-number', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  const question = page.getByRole('main').getByText(said.question)
  await arriveHome(page, server, language)
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, words, { amount: '100', phone: '876 555 0123' })
  await expect(page.getByText(said.jamaica)).toBeVisible()
  await expect(page.getByText(said.onlyCanada)).toBeVisible()
  await expect(pay).toBeDisabled()

  // Another number is another question, or none.
  await page.getByLabel(words.phone).fill('514 911 0123')
  await expect(page.getByText(said.noSuchNumber)).toBeVisible()
  await fillTransfer(page, words, { amount: '100', phone: '514 555 0123' })
  await expect(question).toBeHidden()
  await expect(pay).toBeEnabled()

  await fillTransfer(page, words, { amount: '100', phone: '876 555 0123' })
  await page.getByRole('button', { name: said.yes }).click()
  await expect(page.getByLabel(words.confirmPhone)).toBeFocused()
  await expect(question).toBeHidden()
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await page.getByRole('dialog', { name: words.receipt }).getByRole('button', { name: words.done }).click()

  // Once it was paid to, it is asked about no more.
  await page.reload()
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, words, { amount: '101', phone: '876 555 0123' })
  await expect(pay).toBeEnabled()
  await expect(question).toBeHidden()
})

test('a number that no mobile phone has is asked about, and asked anew after a reload', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100', phone: '304 12 34 56' })
  await expect(page.getByText(said.notMobile('+224 6'))).toBeVisible()
  await page.getByRole('button', { name: said.yes }).click()
  await expect(pay).toBeEnabled()
  await page.reload()
  await expectHome(page, words)
  await fillTransfer(page, words, { amount: '100', phone: '304 12 34 56' })
  await expect(page.getByText(said.notMobile('+224 6'))).toBeVisible()
  await expect(pay).toBeDisabled()
  await page.getByLabel(words.country).selectOption('FR')
  await fillTransfer(page, words, { amount: '100', phone: '01 23 45 67 89' })
  await expect(
    page.getByText(said.notMobile(language === 'fr' ? '+33 6 ou +33 7' : '+33 6 or +33 7')),
  ).toBeVisible()
  await page.getByLabel(words.phone).fill('06 12 34 56 78')
  await expect(page.getByText(said.question)).toBeHidden()
})

test('the wallet that goes with a number is preselected, and proposed where another one was chosen', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = SAID[language]
  const [orange, mtn] = [page.getByLabel('Orange Money'), page.getByLabel('MTN Money')]
  await arriveHome(page, server, language)
  await page.getByLabel(words.phone).fill('664 11 22 33')
  await expect(mtn).toBeChecked()
  await page.getByLabel(words.phone).fill('620 00 00 00')
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('MTN'))).toBeHidden()

  await mtn.check()
  await expect(page.getByText(said.seems('Orange'))).toBeVisible()
  await page.getByLabel(words.phone).fill('620 00 00 01')
  await expect(mtn).toBeChecked()
  await page.getByRole('button', { name: said.instead('Orange Money') }).click()
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('Orange'))).toBeHidden()
  await expectHeadingFocused(page)
})
