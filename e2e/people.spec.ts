import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { contactWords, writeContact } from './steps/contacts.ts'
import { holdBack } from './steps/faults.ts'
import { transferOf } from './steps/history.ts'
import { expectHeadingFocused, expectHome, openFromMenu, pressKey } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import {
  cardFrame,
  closeReceipt,
  confirmForm,
  fillTransfer,
  openCoupon,
  payWithCard,
} from './steps/transfer.ts'
import { arriveHome, enter, fillSignUp, speak } from './steps/waysIn.ts'
import { currentLanguage, say, texts } from './texts.ts'
import { words } from './words.ts'

const said = texts({
  who: 'À qui ?',
  other: 'Autre',
  seems: () => (operatorName: string) => say('Ce numéro semble être chez {operatorName}.', { operatorName }),
  question: 'Est-ce bien ce numéro ?',
  yes: 'Oui, c’est bien ce numéro',
  jamaica: () =>
    say('L’indicatif {area} n’est pas canadien ({place}).', {
      ...{ area: '876', place: currentLanguage() === 'fr' ? 'Jamaïque' : 'Jamaica' },
    }),
  onlyCanada: 'Interac ne verse que sur un compte au Canada.',
  noSuchNumber: 'Aucun numéro du Canada ne s’écrit ainsi. Relisez chaque chiffre.',
  notMobile: () => (beginnings: string) =>
    say('Ce n’est pas un numéro de mobile : il commencerait par {beginnings}.', { beginnings }),
})

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
  await writeContact(server, uid, 'Mariama Bah', MARIAMA)
  return person
}

const row = (page: Page) => page.getByRole('group', { name: said.who })

/** On the page of the contacts, which stays open. */
async function deleteContact(page: Page) {
  await openFromMenu(page, words.contacts)
  await page.getByRole('button', { name: contactWords.edit }).click()
  await page.getByRole('button', { name: contactWords.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: contactWords.reallyRemove, exact: true }).click()
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
}) => {
  const person = await register(server)
  await enter(page, server, person)
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

test.describe('without an answer of the server', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('the people stand above the form, and a tap fills it in but for the tick', async ({
    page,
    server,
    language,
  }) => {
    const person = await register(server)
    await enter(page, server, person)
    const mariama = row(page).getByRole('button', { name: 'Mariama Bah' })
    // The transfers may be here before the contacts are, without their names.
    await expect(mariama).toBeVisible()
    await expect(row(page).getByRole('button')).toHaveCount(3)
    await page.route('**/documents:runQuery**', (route) => route.abort())
    await page.reload()
    const canada = row(page).getByRole('button', { name: '+1 514 555 0123' })
    await expect(mariama).toHaveText(/^MB\s*Mariama/)
    await expect(canada).toHaveText(/^…0123/)
    await (await openCoupon(page)).fill('ZERO')

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

    await row(page).getByRole('button', { name: said.other }).click()
    await expect(page.getByLabel(words.phone)).toBeFocused()
    await expect(page.getByLabel(words.phone)).toHaveValue('')
    await expect(canada).toHaveAttribute('aria-pressed', 'false')
  })
})

test('a contact who is deleted stays as the number that was sent to', async ({ page, server }) => {
  await enter(page, server, await register(server))
  await deleteContact(page)
  await page.goBack()
  await expectHome(page)
  await row(page).getByRole('button', { name: '+224 664 11 22 33' }).click()
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 664 11 22 33')
})

test('nothing moves when the people come, however late', async ({ page, server }) => {
  const amountTop = async () => (await page.getByLabel(words.amount).boundingBox())?.y
  const answer = await holdBack(page, '**/documents:runQuery**')
  await enter(page, server, await register(server))
  await expect(row(page).getByRole('button')).toHaveCount(1)
  const top = await amountTop()
  answer()
  await expect(row(page).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
  const letCome = await holdBack(page, '**/whoReceives-*.js')
  await page.reload()
  await expectHome(page)
  await expect(row(page)).toBeHidden()
  expect(await amountTop()).toBe(top)
  letCome()
  await expect(row(page).getByRole('button')).toHaveCount(3)
  expect(await amountTop()).toBe(top)
})

test('who has just signed up sees the people once there is somebody', async ({ page, server }) => {
  const person = somebody()
  await speak(page)
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
  // A place for her would push away what the person is about to press.
  await expect(row(page)).toBeHidden()
  // The row is told of her by a question of its own: each leave notes what it knows by then.
  await expect(async () => {
    await page.reload()
    await expect(row(page).getByRole('button', { name: 'Mariama Bah' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await deleteContact(page)
  await expect(page.getByRole('main').getByText('Mariama Bah')).toHaveCount(0)
  await page.goBack()
  await expectHome(page)
  await expect(row(page)).toBeHidden()
})

test('a number that is hardly one of its country is asked about once, and paid all the same @spec-unlikely-number', async ({
  page,
  server,
}) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  const question = page.getByRole('main').getByText(said.question)
  await arriveHome(page, server)
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, { amount: '100', phone: '876 555 0123' })
  await expect(page.getByText(said.jamaica)).toBeVisible()
  await expect(page.getByText(said.onlyCanada)).toBeVisible()
  await expect(pay).toBeDisabled()

  // Another number is another question, or none.
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

  // Once it was paid to, it is asked about no more.
  await page.reload()
  await page.getByLabel(words.country).selectOption('CA')
  await fillTransfer(page, { amount: '101', phone: '876 555 0123' })
  await expect(pay).toBeEnabled()
  await expect(question).toBeHidden()
})

test('a number that no mobile phone has is asked about, and asked anew after a reload', async ({
  page,
  server,
  language,
}) => {
  const pay = page.getByRole('main').getByRole('button', { name: words.pay })
  await arriveHome(page, server)
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

test('the wallet that goes with a number is preselected, and proposed where another one was chosen', async ({
  page,
  server,
}) => {
  const [orange, mtn] = [page.getByLabel('Orange Money'), page.getByLabel('MTN Money')]
  await arriveHome(page, server)
  await page.getByLabel(words.phone).fill('664 11 22 33')
  await expect(mtn).toBeChecked()
  await page.getByLabel(words.phone).fill('620 00 00 00')
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('MTN'))).toBeHidden()

  await mtn.check()
  await expect(page.getByText(said.seems('Orange'))).toBeVisible()
  await page.getByLabel(words.phone).fill('620 00 00 01')
  await expect(mtn).toBeChecked()
  await page.getByRole('button', { name: say('Choisir plutôt : {name}', { name: 'Orange Money' }) }).click()
  await expect(orange).toBeChecked()
  await expect(page.getByText(said.seems('Orange'))).toBeHidden()
  await expectHeadingFocused(page)
})
