import { readFile } from 'node:fs/promises'
import { expect, type Server, test } from './fixtures.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { createPerson, type Person } from './steps/person.ts'
import { openInTestLanguage, openMailedLink, registerAndOpenHome, signIn, signUp } from './steps/signIn.ts'
import {
  activityRows,
  CARD_NUMBERS,
  closePrice,
  confirmForm,
  fillTransfer,
  openCardForm,
  openPrice,
  payAndExpectReceipt,
  payButton,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

async function expectOneTransfer(server: Server, person: Person) {
  const [user] = await server.documents('users', 'email', person.email)
  expect(user).toMatchObject({ name: person.name, subscription: { tier: null, transactionsLeft: null } })
  expect(await server.listPaymentIntents(person.email)).toMatchObject([
    { amount: 10_000, amount_received: 10_000, currency: 'eur', description: 'Transfer to +224*******00' },
  ])
  const transactions = await server.readTransactions(person.email)
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

test('a new user signs up, pays by double taps, gets a receipt @spec-main-job @both', async ({
  page,
  server,
  language,
}) => {
  const received = formatAmountText(1_028_200, 'GNF')
  const person = createPerson()
  await openInTestLanguage(page)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await signUp(page, person)
  await expect(page.getByText(person.email)).toBeVisible()

  await page.getByRole('button', { name: words.backToSignIn }).click()
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await page.getByRole('button', { name: words.backToSignIn }).click()

  await openMailedLink(page, server, person.email)
  await signIn(page, person)
  await expect(page.getByText(words.welcome)).toBeVisible()
  await expect(page.getByText(person.name.toLocaleUpperCase(), { exact: true })).toBeVisible()

  await page.getByLabel(words.amount).fill('100')
  const quote = page.getByTestId('quote')
  for (const text of [formatAmountText(300), RATE[language], received])
    await expect(quote).toContainText(text)
  await expect(await openPrice(page)).toContainText(formatAmountText(9700))
  await closePrice(page)
  await page.getByLabel(words.phone).fill('+224 620 00 00 00')
  await page.getByText('MTN Money').click()
  const confirm = page.getByRole('button', { name: words.pay })
  await expect(confirm).toBeDisabled()
  await page.getByLabel(words.confirmPhone).check()
  await confirm.dblclick()
  const price = { paid: formatAmountText(10_000), fee: formatAmountText(300) }
  const costs = getText('à recevoir, pour {paid} dont {fee} de frais', price)
  await expect(page.getByRole('dialog').getByText(costs)).toBeVisible()
  await typeCard(page, CARD_NUMBERS.good)
  await payButton(page).dblclick()

  const receipt = receiptSheet(page)
  await expect(receipt.getByText(words.paid)).toBeVisible()
  await expect(receipt).toContainText(received)
  const proof = 'Votre carte a été débitée une seule fois.'
  await expect(receipt.getByText(getText(proof), { exact: true })).toBeVisible()
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
  expect(await page.evaluate(() => scrollY)).toBe(0)
  const activity = page.getByRole('region', { name: words.activity })
  await expect(activity).toContainText(received)
  await page.reload()
  await expect(activity).toContainText(received)
  await activityRows(page).click()
  await expect(receiptSheet(page)).toContainText(id)
  await expectOneTransfer(server, person)
})

test('a reload before the response charges once, shown in both browsers @english', async ({
  browser,
  page,
  server,
}) => {
  const person = await registerAndOpenHome(page, server)
  const second = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await openInTestLanguage(second)
  await signIn(second, person)
  await fillTransfer(second, { amount: '100' })
  await second.getByText('MTN Money').click()
  await confirmForm(second)
  await typeCard(second, CARD_NUMBERS.good)
  await second.route('**/.netlify/functions/record-transfer', (route) => route.abort())
  await payButton(second).click()
  await expect.poll(async () => (await server.listPaymentIntents(person.email))[0]?.status).toBe('succeeded')
  await second.unroute('**/.netlify/functions/record-transfer')
  await second.reload()
  await expect(receiptSheet(second)).toBeVisible()
  await expectOneTransfer(server, person)

  await page.reload()
  await expect(activityRows(page)).toHaveCount(1)
})

test('a reload at the card form charges nothing, and keeps the form @english', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '42,50' })
  await openCardForm(page)
  await page.reload()
  await expect(page.getByText(words.notFinished)).toBeVisible()
  await expect(page.getByLabel(words.amount)).toHaveValue('42,50')
  await expect(page.getByLabel(words.phone)).toHaveValue('+224 620 00 00 00')
  await expect(page.getByLabel(words.confirmPhone)).not.toBeChecked()

  await page.getByLabel(words.confirmPhone).check()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  expect(await server.listPaymentIntents(person.email)).toMatchObject([{ amount: 4250, status: 'succeeded' }])
})
