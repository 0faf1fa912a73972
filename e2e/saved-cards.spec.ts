import type { Page } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  cardFrame,
  confirmForm,
  fillTransfer,
  openCardForm,
  payButton,
  payWithCard,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

/** The provider's card form shows these. */
const said = defineTexts({
  save: {
    fr: 'Enregistrer les informations de paiement pour de futurs achats',
    en: 'Save payment details for future purchases',
  },
})

const savedCard = (page: Page, last4: string) =>
  cardFrame(page).getByRole('radio', { name: new RegExp(`•••• ${last4}`) })

/** The role excludes the hidden field for a new card. */
const code = (page: Page) => cardFrame(page).getByRole('textbox', { name: words.cvc })

async function openForm(page: Page, amount: string) {
  await fillTransfer(page, { amount })
  await openCardForm(page)
}

async function expectPaid(page: Page) {
  const receipt = receiptSheet(page)
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
}

async function saveCard(page: Page, number: string = CARD_NUMBERS.good) {
  await openForm(page, '100')
  await typeCard(page, number)
  await cardFrame(page).getByRole('checkbox', { name: said.save }).check()
  await payButton(page).click()
}

const bank = (page: Page) => page.frameLocator('iframe[src*="3ds"]')

test('a card saved on request needs only its code @spec-saved-cards', async ({ page, context, server }) => {
  let presses = 0
  await context.exposeBinding('notePress', () => {
    presses += 1
  })
  await context.addInitScript(() => {
    for (const type of ['keydown', 'pointerdown'])
      addEventListener(type, () => (window as unknown as { notePress(): void }).notePress(), true)
  })
  const person = await registerAndOpenHome(page, server)
  const frame = cardFrame(page)

  await openForm(page, '90')
  await payWithCard(page)
  await expectPaid(page)
  await openForm(page, '100')
  await expect(frame.getByRole('radio'), 'cards saved without consent').toHaveCount(0)
  const [intent] = await server.listPaymentIntents(person.email)
  const customer = String(intent?.customer)
  expect((await server.stripe.paymentMethods.list({ customer })).data).toEqual([])
  presses = 0
  await frame.getByLabel(words.cardNumber).click()
  await page.keyboard.type(CARD_NUMBERS.good)
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

  expect(await server.readTransactions(person.email)).toHaveLength(3)
  const [last] = await server.listPaymentIntents(person.email)
  expect(last).toMatchObject({ status: 'succeeded', amount: 12_000 })
})

test('a saved card is charged only after its 3-D Secure check succeeds', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await saveCard(page, CARD_NUMBERS.threeDSecure)
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
  expect(await server.readTransactions(person.email)).toHaveLength(2)
})

test.describe('a refusal', () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  test('a card can be entered if the saved cards can’t be shown @all', async ({ page, server }) => {
    const person = await registerAndOpenHome(page, server)
    await saveCard(page)
    await expectPaid(page)
    const payWithoutSavedCards = async (amount: string) => {
      await openForm(page, amount)
      await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
      await payWithCard(page)
      await expectPaid(page)
    }
    const failure = { kind: 'status', status: 400 }
    await server.addFault({ on: 'GET /v1/elements/sessions', times: 1, what: failure })
    await payWithoutSavedCards('120')
    await page.route('**/create-payment-intent', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), customerSession: 'malformed' } })
    })
    await payWithoutSavedCards('140')
    expect(await server.readTransactions(person.email)).toHaveLength(3)
  })
})
