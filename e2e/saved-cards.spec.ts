import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { expectHome } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import {
  CARDS,
  cardFrame,
  confirmForm,
  fillTransfer,
  payButton,
  payWithCard,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, signIn, signOut } from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

/** The provider's own texts. */
const said = texts({
  save: {
    fr: 'Enregistrer les informations de paiement pour de futurs achats',
    en: 'Save payment details for future purchases',
  },
  another: { fr: 'Nouveau moyen de paiement', en: 'New payment method' },
  remove: { fr: /^Retirer la carte .*4242$/, en: /^Remove card .*4242$/ },
  yes: { fr: 'Retirer', en: 'Remove' },
})

/** The cards that the form shows, by their last four digits. */
const savedCard = (page: Page, last4: string) =>
  cardFrame(page).getByRole('radio', { name: new RegExp(`•••• ${last4}`) })

/** Not the one in the form for a new card, which is hidden. */
const code = (page: Page) => cardFrame(page).getByRole('textbox', { name: words.cvc })

async function openForm(page: Page, amount: string) {
  await fillTransfer(page, { amount })
  await confirmForm(page)
  await expect(payButton(page)).toBeEnabled()
}

async function expectPaid(page: Page) {
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
}

async function saveCard(page: Page, number: string = CARDS.good) {
  await openForm(page, '100')
  await typeCard(page, number)
  await cardFrame(page).getByRole('checkbox', { name: said.save }).check()
  await payButton(page).click()
}

const bank = (page: Page) => page.frameLocator('iframe[src*="3ds"]')

async function customerOf(server: Server, { email }: Person) {
  const [intent] = await server.paymentIntentsOf(email)
  return String(intent?.customer)
}

test('a card is kept for who wants it, and paying again is choosing it and typing its code @spec-saved-cards', async ({
  page,
  context,
  server,
}) => {
  let presses = 0
  await context.exposeBinding('notePress', () => {
    presses += 1
  })
  await context.addInitScript(() => {
    for (const type of ['keydown', 'pointerdown'])
      addEventListener(type, () => (window as unknown as { notePress(): void }).notePress(), true)
  })
  const person = await arriveHome(page, server)
  const frame = cardFrame(page)

  await openForm(page, '100')
  await expect(frame.getByRole('radio')).toHaveCount(0)
  presses = 0
  await frame.getByLabel(words.cardNumber).click()
  await page.keyboard.type(CARDS.good)
  await frame.getByLabel(words.expiry).click()
  await page.keyboard.type('1234')
  await frame.getByLabel(words.cvc).click()
  await page.keyboard.type('123')
  await frame.getByRole('checkbox', { name: said.save }).click()
  await payButton(page).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  const first = presses
  await expectPaid(page)

  await openForm(page, '120')
  await expect(savedCard(page, '4242')).toBeChecked()
  await expect(frame.getByLabel(words.cardNumber)).toBeHidden()
  presses = 0
  await code(page).click()
  await page.keyboard.type('123')
  await payButton(page).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect([first, presses]).toEqual([28, 5])

  expect(await server.transactionsOf(person.email)).toHaveLength(2)
  const [last] = await server.paymentIntentsOf(person.email)
  expect(last).toMatchObject({ status: 'succeeded', amount: 12_000 })
})

test('a card that was not to be kept is not', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await openForm(page, '100')
  await payWithCard(page)
  await expectPaid(page)
  await openForm(page, '120')
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
  const customer = await customerOf(server, person)
  expect((await server.stripe.paymentMethods.list({ customer })).data).toEqual([])
})

test('a saved card goes by its bank, and is charged when that agrees', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await saveCard(page, CARDS.threeDSecure)
  await bank(page).getByRole('button', { name: words.authenticate }).click()
  await expectPaid(page)

  await openForm(page, '120')
  await code(page).fill('123')
  await payButton(page).click()
  await bank(page).getByRole('button', { name: words.refuseAuthentication }).click()
  await expect(page.getByText(words.declined)).toBeVisible()
  await confirmForm(page)
  await expect(savedCard(page, '3184')).toBeChecked()
  await code(page).fill('123')
  await payButton(page).click()
  await bank(page).getByRole('button', { name: words.authenticate }).click()
  await expectPaid(page)
  expect(await server.transactionsOf(person.email)).toHaveLength(2)
})

test.describe('a bank that refuses', () => {
  // Of the card is an answer with an error's status.
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('a saved card, declined, leads to another one, and without its code to nothing', async ({
    page,
    server,
  }) => {
    const person = await arriveHome(page, server)
    await openForm(page, '100')
    await page.keyboard.press('Escape')
    const customer = await customerOf(server, person)
    const declining = 'pm_card_chargeCustomerFail'
    const { id } = await server.stripe.paymentMethods.attach(declining, { customer })
    await server.stripe.paymentMethods.update(id, { allow_redisplay: 'always' })

    await confirmForm(page)
    await expect(savedCard(page, '0341')).toBeChecked()
    await payButton(page).click()
    await expect(page.getByText(words.cardIncomplete)).toBeVisible()
    await code(page).fill('123')
    await payButton(page).click()
    await expect(page.getByText(words.declined)).toBeVisible()
    await confirmForm(page)
    await cardFrame(page).getByRole('radio', { name: said.another }).check()
    await payWithCard(page)
    await expectPaid(page)
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
  })
})

test('a saved card is removed by its holder, who is asked before', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await saveCard(page)
  await expectPaid(page)
  await openForm(page, '120')
  await cardFrame(page).getByRole('button', { name: said.remove }).click()
  await cardFrame(page).getByRole('button', { name: said.yes, exact: true }).click()
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
  const customer = await customerOf(server, person)
  expect((await server.stripe.paymentMethods.list({ customer })).data).toEqual([])
})

test('somebody else on the same device sees none of the cards', async ({ page, server }) => {
  await arriveHome(page, server)
  await saveCard(page)
  await expectPaid(page)
  await signOut(page)
  const other = somebody()
  await server.register(other)
  await signIn(page, other)
  await expectHome(page)
  await openForm(page, '120')
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
})

test.describe('without saved cards', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('a card can be typed when what should open them is no secret', async ({ page, server }) => {
    const person = await arriveHome(page, server)
    await page.route('**/create-payment-intent', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), customerSession: 'none' } })
    })
    await openForm(page, '120')
    await payWithCard(page)
    await expectPaid(page)
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
  })

  for (const [what, on] of [
    ['the server has none to open', 'POST /v1/customer_sessions'],
    ['the form can not open them', 'GET /v1/elements/sessions'],
  ] as const)
    test(`a card can be typed when ${what}`, async ({ page, server }) => {
      const person = await arriveHome(page, server)
      await saveCard(page)
      await expectPaid(page)
      await server.addFault({ on, times: 1, what: { kind: 'status', status: 400 } })
      await openForm(page, '120')
      await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
      await payWithCard(page)
      await expectPaid(page)
      expect(await server.transactionsOf(person.email)).toHaveLength(2)
    })
})
