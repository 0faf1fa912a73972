import { readFile } from 'node:fs/promises'
import { expect, type Server, test } from './fixtures.ts'
import { amount } from './steps/moneyTexts.ts'
import { type Person, somebody } from './steps/people.ts'
import {
  activityRows,
  CARDS,
  confirmForm,
  fillTransfer,
  pay,
  payButton,
  payWithCard,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, signIn, signUp, speak } from './steps/waysIn.ts'
import { say } from './texts.ts'
import { words } from './words.ts'

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

const RATE = { fr: '1 EUR = 10 600 GNF', en: 'EUR 1 = GNF 10,600' }

test('a new user signs up, sends money and holds a receipt @spec-main-job', async ({
  page,
  server,
  language,
}) => {
  const received = amount(1_028_200, 'GNF')
  const person = somebody()
  await speak(page)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await signUp(page, person)
  await expect(page.getByText(person.email)).toBeVisible()

  await page.getByRole('button', { name: words.backToSignIn }).click()
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await page.getByRole('button', { name: words.backToSignIn }).click()

  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: words.goOn }).click()
  await signIn(page, person)
  await expect(page.getByText(words.welcome)).toBeVisible()
  await expect(page.getByText(person.name.toLocaleUpperCase(), { exact: true })).toBeVisible()

  await page.getByLabel(words.amount).fill('100')
  const quote = page.getByTestId('quote')
  for (const text of [amount(300), amount(9700), RATE[language], received])
    await expect(quote).toContainText(text)
  await page.getByLabel(words.phone).fill('+224 620 00 00 00')
  await page.getByText('MTN Money').click()
  const confirm = page.getByRole('button', { name: words.pay })
  await expect(confirm).toBeDisabled()
  await page.getByLabel(words.confirmPhone).check()
  await confirm.click()
  await payWithCard(page)

  const receipt = receiptSheet(page)
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await expect(receipt).toContainText(received)
  const proof = 'Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre transfert.'
  await expect(receipt.getByText(say(proof), { exact: true })).toBeVisible()
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
  await expect(activity).toContainText(received)
  await page.reload()
  await expect(activity).toContainText(received)
  await activity.getByRole('button').click()
  await expect(receiptSheet(page)).toContainText(id)
  await expectOneTransfer(server, person)
})

test('a second browser that reloads in the middle of the payment is charged once', async ({
  browser,
  page,
  server,
}) => {
  const person = await arriveHome(page, server)
  const second = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await speak(second)
  await signIn(second, person)
  await fillTransfer(second, { amount: '100' })
  await second.getByText('MTN Money').click()
  await confirmForm(second)
  await typeCard(second, CARDS.good)
  // The page goes away after the money left and before anybody told the app so.
  await second.route('**/.netlify/functions/record-transfer', (route) => route.abort())
  await payButton(second).click()
  await expect.poll(async () => (await server.paymentIntentsOf(person.email))[0]?.status).toBe('succeeded')
  await second.unroute('**/.netlify/functions/record-transfer')
  await second.reload()
  await expect(receiptSheet(second)).toBeVisible()
  await expectOneTransfer(server, person)

  await page.reload()
  await expect(activityRows(page)).toHaveCount(1)
})

test('reloading before the card is typed charges nothing, and the form is kept', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, { amount: '42,50' })
  await confirmForm(page)
  await expect(payButton(page)).toBeEnabled()
  await page.reload()
  await expect(page.getByText(words.notFinished)).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('42,50')
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()

  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await pay(page)
  expect(await server.paymentIntentsOf(person.email)).toMatchObject([{ amount: 4250, status: 'succeeded' }])
})

test('a double tap charges once', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await page.getByText('MTN Money').click()
  await page.getByRole('button', { name: words.pay }).dblclick()
  await typeCard(page, CARDS.good)
  await payButton(page).dblclick()
  await expect(page.getByText(words.paid)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  await expectOneTransfer(server, person)
})
