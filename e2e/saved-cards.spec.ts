import type { Page } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { expectHome } from './steps/pages.ts'
import { type Person, somebody } from './steps/people.ts'
import { CARDS, cardFrame, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome, signIn, signOut } from './steps/waysIn.ts'
import type { Words } from './words.ts'

const SAID = {
  fr: {
    save: 'Enregistrer les informations de paiement pour de futurs achats',
    another: 'Nouveau moyen de paiement',
    remove: (last4: string) => new RegExp(`^Retirer la carte .*${last4}$`),
    yes: 'Retirer',
  },
  en: {
    save: 'Save payment details for future purchases',
    another: 'New payment method',
    remove: (last4: string) => new RegExp(`^Remove card .*${last4}$`),
    yes: 'Remove',
  },
} as const

/** The cards that the form shows, by their last four digits. */
const savedCard = (page: Page, last4: string) =>
  cardFrame(page).getByRole('radio', { name: new RegExp(`•••• ${last4}`) })

/** Not the one in the form for a new card, which is hidden. */
const code = (page: Page, words: Words) => cardFrame(page).getByRole('textbox', { name: words.cvc })

async function openForm(page: Page, words: Words, amount: string) {
  await fillTransfer(page, words, { amount })
  await confirmForm(page, words)
  await expect(payButton(page, words)).toBeEnabled()
}

async function expectPaid(page: Page, words: Words) {
  const receipt = page.getByRole('dialog', { name: words.receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(receipt).toBeHidden()
}

async function saveCard(page: Page, words: Words, save: string, number: string = CARDS.good) {
  await openForm(page, words, '100')
  await typeCard(page, words, number)
  await cardFrame(page).getByRole('checkbox', { name: save }).check()
  await payButton(page, words).click()
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
  language,
  words,
}) => {
  let presses = 0
  await context.exposeBinding('notePress', () => {
    presses += 1
  })
  await context.addInitScript(() => {
    for (const type of ['keydown', 'pointerdown'])
      addEventListener(type, () => (window as unknown as { notePress(): void }).notePress(), true)
  })
  const person = await arriveHome(page, server, language)
  const frame = cardFrame(page)

  await openForm(page, words, '100')
  await expect(frame.getByRole('radio')).toHaveCount(0)
  presses = 0
  await frame.getByLabel(words.cardNumber).click()
  await page.keyboard.type(CARDS.good)
  await frame.getByLabel(words.expiry).click()
  await page.keyboard.type('1234')
  await frame.getByLabel(words.cvc).click()
  await page.keyboard.type('123')
  await frame.getByRole('checkbox', { name: SAID[language].save }).click()
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  const first = presses
  await expectPaid(page, words)

  await openForm(page, words, '120')
  await expect(savedCard(page, '4242')).toBeChecked()
  await expect(frame.getByLabel(words.cardNumber)).toBeHidden()
  presses = 0
  await code(page, words).click()
  await page.keyboard.type('123')
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect([first, presses]).toEqual([28, 5])

  expect(await server.transactionsOf(person.email)).toHaveLength(2)
  const [last] = await server.paymentIntentsOf(person.email)
  expect(last).toMatchObject({ status: 'succeeded', amount: 12_000 })
})

test('a card that was not to be kept is not', async ({ page, server, language, words }) => {
  const person = await arriveHome(page, server, language)
  await openForm(page, words, '100')
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expectPaid(page, words)
  await openForm(page, words, '120')
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
  const customer = await customerOf(server, person)
  expect((await server.stripe.paymentMethods.list({ customer })).data).toEqual([])
})

test('a saved card goes by its bank, and is charged when that agrees', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await arriveHome(page, server, language)
  await saveCard(page, words, SAID[language].save, CARDS.threeDSecure)
  await bank(page).getByRole('button', { name: words.authenticate }).click()
  await expectPaid(page, words)

  await openForm(page, words, '120')
  await code(page, words).fill('123')
  await payButton(page, words).click()
  await bank(page).getByRole('button', { name: words.refuseAuthentication }).click()
  await expect(page.getByText(words.declined)).toBeVisible()
  await confirmForm(page, words)
  await expect(savedCard(page, '3184')).toBeChecked()
  await code(page, words).fill('123')
  await payButton(page, words).click()
  await bank(page).getByRole('button', { name: words.authenticate }).click()
  await expectPaid(page, words)
  expect(await server.transactionsOf(person.email)).toHaveLength(2)
})

test.describe('a bank that refuses', () => {
  // Of the card is an answer with an error's status.
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('a saved card, declined, leads to another one, and without its code to nothing', async ({
    page,
    server,
    language,
    words,
  }) => {
    const { another } = SAID[language]
    const person = await arriveHome(page, server, language)
    await openForm(page, words, '100')
    await page.keyboard.press('Escape')
    const customer = await customerOf(server, person)
    const declining = 'pm_card_chargeCustomerFail'
    const { id } = await server.stripe.paymentMethods.attach(declining, { customer })
    await server.stripe.paymentMethods.update(id, { allow_redisplay: 'always' })

    await confirmForm(page, words)
    await expect(savedCard(page, '0341')).toBeChecked()
    await payButton(page, words).click()
    await expect(page.getByText(words.cardIncomplete)).toBeVisible()
    await code(page, words).fill('123')
    await payButton(page, words).click()
    await expect(page.getByText(words.declined)).toBeVisible()
    await confirmForm(page, words)
    await cardFrame(page).getByRole('radio', { name: another }).check()
    await typeCard(page, words, CARDS.good)
    await payButton(page, words).click()
    await expectPaid(page, words)
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
  })
})

test('a saved card is removed by its holder, who is asked before', async ({
  page,
  server,
  language,
  words,
}) => {
  const { save, remove, yes } = SAID[language]
  const person = await arriveHome(page, server, language)
  await saveCard(page, words, save)
  await expectPaid(page, words)
  await openForm(page, words, '120')
  await cardFrame(page)
    .getByRole('button', { name: remove('4242') })
    .click()
  await cardFrame(page).getByRole('button', { name: yes, exact: true }).click()
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
  const customer = await customerOf(server, person)
  expect((await server.stripe.paymentMethods.list({ customer })).data).toEqual([])
})

test('somebody else on the same device sees none of the cards', async ({ page, server, language, words }) => {
  await arriveHome(page, server, language)
  await saveCard(page, words, SAID[language].save)
  await expectPaid(page, words)
  await signOut(page, words)
  const other = somebody()
  await server.register(other)
  await signIn(page, words, other)
  await expectHome(page, words)
  await openForm(page, words, '120')
  await expect(cardFrame(page).getByLabel(words.cardNumber)).toBeVisible()
  await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
})

test.describe('without saved cards', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('a card can be typed when what should open them is no secret', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = await arriveHome(page, server, language)
    await page.route('**/create-payment-intent', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), customerSession: 'none' } })
    })
    await openForm(page, words, '120')
    await typeCard(page, words, CARDS.good)
    await payButton(page, words).click()
    await expectPaid(page, words)
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
  })

  for (const [what, on] of [
    ['the server has none to open', 'POST /v1/customer_sessions'],
    ['the form can not open them', 'GET /v1/elements/sessions'],
  ] as const)
    test(`a card can be typed when ${what}`, async ({ page, server, language, words }) => {
      const person = await arriveHome(page, server, language)
      await saveCard(page, words, SAID[language].save)
      await expectPaid(page, words)
      await server.addFault({ on, times: 1, what: { kind: 'status', status: 400 } })
      await openForm(page, words, '120')
      await expect(cardFrame(page).getByRole('radio')).toHaveCount(0)
      await typeCard(page, words, CARDS.good)
      await payButton(page, words).click()
      await expectPaid(page, words)
      expect(await server.transactionsOf(person.email)).toHaveLength(2)
    })
})
