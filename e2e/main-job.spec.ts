import { readFile } from 'node:fs/promises'
import { expect, type Server, test } from './fixtures.ts'
import { type Person, somebody } from './steps/people.ts'
import { CARDS, confirmForm, fillTransfer, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome, signIn, signUp, speak } from './steps/waysIn.ts'
import { WORDS } from './words.ts'

/** What both sides must hold after one transfer of 100 EUR to Guinea. */
async function expectOneTransfer(server: Server, person: Person) {
  const [user] = await server.documents('users', 'email', person.email)
  expect(user).toMatchObject({ name: person.name, subscription: { tier: null, transactionsLeft: null } })
  const intents = await server.paymentIntentsOf(person.email)
  expect(intents.filter(({ status }) => status === 'succeeded')).toMatchObject([
    { amount: 10_000, amount_received: 10_000, currency: 'eur', description: 'Transfer to +224*******00' },
  ])
  const transactions = await server.transactionsOf(person.email)
  expect(transactions).toMatchObject([
    {
      amount: 97,
      fees: 3,
      exchangeRate: 10_600,
      convertedAmount: 1_028_200,
      sourceCurrency: 'EUR',
      destinationCurrency: 'GNF',
      recipientPhone: '+224620000000',
      receivingMethod: 'mtn_money',
      status: 'completed',
      type: 'sent',
    },
  ])
  return transactions[0] as { id: string }
}

for (const language of ['fr', 'en'] as const) {
  const words = WORDS[language]
  const AMOUNTS = {
    fr: { fee: '3,00 €', net: '97,00 €', rate: '1 EUR = 10 600 GNF', received: '1 028 200 GNF' },
    en: { fee: '€3.00', net: '€97.00', rate: 'EUR 1 = GNF 10,600', received: 'GNF 1,028,200' },
  }[language]
  /** Amounts as they are on screen, whatever kind of space Intl puts between the digits. */
  const loosely = (amount: string) =>
    new RegExp(amount.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s'))

  test(`a new user signs up, sends money and holds a receipt (${language}) @spec-main-job`, async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page, language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await signUp(page, words, person)
    await expect(page.getByText(person.email)).toBeVisible()

    await page.getByRole('button', { name: words.backToSignIn }).click()
    await signIn(page, words, person)
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    await page.getByRole('button', { name: words.backToSignIn }).click()

    await page.goto(await server.mailLink(person.email))
    await page.getByRole('link', { name: /Continuer|Continue/ }).click()
    await signIn(page, words, person)
    await expect(page.getByText(words.welcome)).toBeVisible()
    await expect(page.getByText(person.name.toLocaleUpperCase(), { exact: true })).toBeVisible()

    await page.getByLabel(words.amount).fill('100')
    const quote = page.getByTestId('quote')
    for (const amount of Object.values(AMOUNTS)) await expect(quote).toContainText(loosely(amount))
    await page.getByLabel(words.phone).fill('+224 620 00 00 00')
    await page.getByText('MTN Money').click()
    const confirm = page.getByRole('button', { name: words.pay })
    await expect(confirm).toBeDisabled()
    await page.getByLabel(words.confirmPhone).check()
    await confirm.click()
    await typeCard(page, words, CARDS.good)
    await payButton(page, words).click()

    const receipt = page.getByRole('dialog', { name: words.receipt })
    await expect(receipt.getByText(words.paid)).toBeVisible()
    await expect(receipt).toContainText(loosely(AMOUNTS.received))
    const { id } = await expectOneTransfer(server, person)

    const download = page.waitForEvent('download')
    await receipt.getByRole('button', { name: words.download }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`receipt-${id}.pdf`)
    const pdf = await readFile(await file.path())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.length).toBeLessThan(200_000)

    await receipt.getByRole('button', { name: words.done }).click()
    await expect(page.getByLabel(words.amount)).toHaveValue('')
    const activity = page.getByRole('region', { name: words.activity })
    await expect(activity).toContainText(loosely(AMOUNTS.received))
    await page.reload()
    await expect(activity).toContainText(loosely(AMOUNTS.received))
    await activity.getByRole('button').click()
    await expect(page.getByRole('dialog', { name: words.receipt })).toContainText(id)
    await expectOneTransfer(server, person)
  })
}

test('a second browser that reloads in the middle of the payment is charged once', async ({
  browser,
  page,
  server,
}) => {
  const words = WORDS.fr
  const person = await arriveHome(page, server)
  const second = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await second.goto('/')
  await signIn(second, words, person)
  await fillTransfer(second, words, { amount: '100' })
  await second.getByText('MTN Money').click()
  await confirmForm(second, words)
  await typeCard(second, words, CARDS.good)
  // The page goes away after the money left and before anybody told the app so.
  await second.route('**/.netlify/functions/record-transfer', (route) => route.abort())
  await payButton(second, words).click()
  await expect.poll(async () => (await server.paymentIntentsOf(person.email))[0]?.status).toBe('succeeded')
  await second.unroute('**/.netlify/functions/record-transfer')
  await second.reload()
  await expect(second.getByRole('dialog', { name: words.receipt })).toBeVisible()
  await expectOneTransfer(server, person)

  await page.reload()
  await expect(page.getByRole('region', { name: words.activity }).getByRole('button')).toHaveCount(1)
})

test('reloading before the card is typed charges nothing, and the form is kept', async ({ page, server }) => {
  const words = WORDS.fr
  const person = await arriveHome(page, server)
  await fillTransfer(page, words, { amount: '42,50' })
  await confirmForm(page, words)
  await expect(payButton(page, words)).toBeEnabled()
  await page.reload()
  await expect(page.getByText('Le paiement n’a pas été terminé')).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('42,50')
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()

  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toMatchObject([{ amount: 4250, status: 'succeeded' }])
})

test('a double tap charges once', async ({ page, server }) => {
  const words = WORDS.fr
  const person = await arriveHome(page, server)
  await fillTransfer(page, words, { amount: '100' })
  await page.getByText('MTN Money').click()
  await page.getByRole('button', { name: words.pay }).dblclick()
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).dblclick()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  await expectOneTransfer(server, person)
})
