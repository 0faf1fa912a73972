import type { Page } from '@playwright/test'
import { formatDay, monthOf, nextMonthStart } from '../domain/month.ts'
import { CRASH_OR_BROKEN_CALLS, expect, test } from './fixtures.ts'
import { ELSEWHERE, SESSION_ENDED } from './moneyTexts/elsewhere.ts'
import { INVOICE_REFUSALS, INVOICES } from './moneyTexts/invoices.ts'
import {
  AMOUNT,
  DECLINES,
  IN_DOUBT,
  OUTCOMES,
  PAYMENT_SHEET,
  TRANSFER,
  TRANSFER_REFUSALS,
} from './moneyTexts/transfer.ts'
import { changePasswordElsewhere, crash, rightBeforeReserving, spoilToken } from './steps/faults.ts'
import {
  dayIn,
  INVOICE_WORDS,
  issueInvoice,
  lookUp,
  openInvoices,
  payInvoiceButton,
} from './steps/invoices.ts'
import {
  answer,
  dated,
  expectRefusals,
  expectSaid,
  FUNCTIONS,
  refusal,
  writePlan,
} from './steps/moneyTexts.ts'
import { expectHome, openSecurity } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { CARDS, confirmForm, fillTransfer, openCoupon, payButton, typeCard } from './steps/transfer.ts'
import { arriveHome, enter, signIn, signOut, speak } from './steps/waysIn.ts'
import type { Words } from './words.ts'

// What is said about money, to the word, where a person reads it. The answers are put in the functions' mouths: what they answer when is
// tested elsewhere.
test.use({ expectedErrors: [CRASH_OR_BROKEN_CALLS] })

/** What a price comes to, in minor units. */
const PRICE = { fee: 300, net: 9700, converted: 1_028_200, feeRule: 'default' }

/** As the server answers it. */
const PAID_INVOICE = {
  ...{ id: 'pi_1', payerId: 'who', supplier: 'edf', reference: '6012-1', type: 'electricity', amount: 84.5 },
  ...{ currency: 'EUR', dueDate: '2030-01-01', status: 'completed', description: '', paymentMethod: 'card' },
  ...{ createdAt: Date.UTC(2029, 0, 1), settledAt: Date.UTC(2029, 0, 1) },
}

/** The card is typed and sent, and no answer of the bank comes back. */
async function payIntoTheDark(page: Page, words: Words) {
  await typeCard(page, words, CARDS.good)
  await page.route('**/v1/payment_intents/*/confirm', (route) => route.abort(), { times: 1 })
  await payButton(page, words).click()
}

test('the transfer form says what every refusal means for the money @spec-transfer-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  await enter(page, server, language, person)
  await fillTransfer(page, words, { amount: '100' })
  await expectRefusals(page, 'create-payment-intent', TRANSFER_REFUSALS, language, async () => {
    // A change of the form takes back what the last refusal made of the button.
    await page.getByLabel(words.amount).fill('')
    await page.getByLabel(words.amount).fill('100')
    await confirmForm(page, words)
  })
  // An answer with what the specification names, and nothing else.
  for (const [error, message, said] of [
    ['MONTHLY_CAP_EXCEEDED', 'Plafond de la maison atteint.', TRANSFER.capReached],
    ['Unsupported destination country', undefined, TRANSFER.saidAsItIs],
  ] as const) {
    await answer(page, 'create-payment-intent', { status: 400, json: { error, message } })
    await confirmForm(page, words)
    await expectSaid(page, said, language)
  }
  await page.context().setOffline(true)
  await confirmForm(page, words)
  await expectSaid(page, TRANSFER.offline, language)
  await page.context().setOffline(false)

  const subscription = {
    ...{ tier: null, status: null, transactionsLeft: null, startDate: null, lastReset: null },
    ...{ stripeSubscriptionId: null, cancelAt: null },
  }
  const ledger = { month: monthOf(Date.now()), recordedCents: 0, reservedCents: 0, reservedSlots: 0 }
  await answer(
    page,
    'create-payment-intent',
    refusal('quoteChanged', { ...PRICE, at: Date.now(), subscription, ledger }),
  )
  await confirmForm(page, words)
  await expectSaid(page, TRANSFER.samePrice, language)
  await rightBeforeReserving(page, () => writePlan(server, { ...person, uid }, { tier: 'basic' }))
  await confirmForm(page, words)
  await expectSaid(page, TRANSFER.otherPrice, language)

  const coupon = await openCoupon(page, words)
  await coupon.fill('Zéro')
  await answer(page, 'create-payment-intent', refusal('couponEnded'))
  await confirmForm(page, words)
  await expect(coupon).toHaveAccessibleDescription(TRANSFER.couponEnded[language][0])
  expect(await server.paymentIntentsOf(person.email)).toEqual([])
})

test('the sheet with the card form says what is charged @spec-card-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100' })
  await page.route('**/stripe.js', (route) => route.abort(), { times: 1 })
  await confirmForm(page, words)
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(PAYMENT_SHEET.promise[language][0], { exact: true })).toBeVisible()
  await expectSaid(page, PAYMENT_SHEET.formFailed, language, words.retry)
  await sheet.getByRole('button', { name: words.retry }).click()
  await expect(payButton(page, words)).toBeEnabled()
  await payButton(page, words).click()
  await expectSaid(page, PAYMENT_SHEET.cardInvalid, language)
  await page.context().setOffline(true)
  await payButton(page, words).click()
  await expectSaid(page, TRANSFER.offline, language)
})

test('a card that is declined is told why, and that it was not charged @spec-decline-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100' })
  for (const [reason, said] of Object.entries(DECLINES)) {
    const error = { type: 'card_error', code: reason, message: 'Of the provider' }
    await page.route(
      '**/v1/payment_intents/*/confirm',
      (route) => route.fulfill({ status: 402, json: { error } }),
      { times: 1 },
    )
    await confirmForm(page, words)
    await typeCard(page, words, CARDS.good)
    await payButton(page, words).click()
    await expectSaid(page, said, language)
  }
  expect(await server.transactionsOf(person.email)).toEqual([])
})

test('what became of a payment that was in doubt is told once the server knows @spec-doubt-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100' })
  for (const [json, said] of [
    [{ outcome: 'unpaid', status: 'requires_payment_method' }, OUTCOMES.unpaid],
    [{ outcome: 'unclear', status: 'requires_action' }, OUTCOMES.bankUnfinished],
  ] as const) {
    await confirmForm(page, words)
    await answer(page, 'record-transfer', { json })
    await payIntoTheDark(page, words)
    await expectSaid(page, said, language)
  }
  // These end the attempt, so that what comes after them is another transfer.
  for (const [amount, outcome] of [
    ['100', 'disputed'],
    ['110', 'refunded'],
  ] as const) {
    await page.getByLabel(words.amount).fill(amount)
    await confirmForm(page, words)
    await answer(page, 'record-transfer', { json: { outcome } })
    await payIntoTheDark(page, words)
    await expectSaid(page, OUTCOMES[outcome], language)
  }

  await page.getByLabel(words.amount).fill('120')
  await confirmForm(page, words)
  await page.route(`${FUNCTIONS}/record-transfer`, (route) => route.abort())
  await payIntoTheDark(page, words)
  const [title, sentence = ''] = IN_DOUBT.checking[language]
  const sheet = page.getByRole('dialog', { name: title })
  await expect(sheet.getByText(sentence, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('alert')).toHaveText(sentence)
  await sheet.getByRole('button', { name: words.leaveChecking }).click()
  await expectSaid(page, IN_DOUBT.stillChecking, language)
})

test('the invoice screen says what every refusal means for the money @spec-invoice-texts', async ({
  page,
  server,
  language,
  words,
}) => {
  const said = INVOICE_WORDS[language]
  const { reference, path, issued, claim } = await issueInvoice(server)
  const person = await arriveHome(page, server, language)
  await openInvoices(page, language)
  const see = page.getByRole('button', { name: said.see })
  await lookUp(page, said, reference)
  await expect(page.getByText(INVOICES.noFee[language][0], { exact: true })).toBeVisible()
  await expectRefusals(page, 'pay-invoice', INVOICE_REFUSALS, language, async () => {
    await see.click()
    await payInvoiceButton(page).click()
  })
  await see.click()

  await payInvoiceButton(page).click()
  await answer(page, 'record-transfer', { json: { outcome: 'refunded' } })
  await payIntoTheDark(page, words)
  await expectSaid(page, INVOICES.refunded, language)
  expect(await server.documents('invoicePayments', 'reference', reference)).toEqual([])

  // As its supplier, or somebody else, has left it.
  const standings = [
    [{ ...issued, dueDate: dayIn(-3) }, INVOICES.overdue],
    [{ ...issued, status: 'paid' }, INVOICES.paid],
  ] as const
  await server.remove(claim)
  for (const [written, told] of standings) {
    await server.write(path, written)
    await see.click()
    await expectSaid(page, told, language)
  }
  await server.write(path, issued)
  await server.write(claim, { heldBy: 'somebody' })
  await see.click()
  await expectSaid(page, INVOICES.processing, language)
  await server.remove(claim)
  await server.write(`invoicePayments/pi_of_${reference}`, {
    ...{ id: `pi_of_${reference}`, payerId: 'a relative', supplier: 'edf', reference, type: 'electricity' },
    ...{ amount: 84.5, currency: 'EUR', dueDate: dayIn(4), status: 'completed' },
    ...{ description: '', paymentMethod: 'card', createdAt: new Date(), settledAt: new Date() },
  })
  await see.click()
  await expectSaid(page, INVOICES.seemsPaid, language)
  expect(await server.transactionsOf(person.email)).toEqual([])
})

test('an invoice in doubt is not to be paid in another way', async ({ page, server, language, words }) => {
  const { reference } = await issueInvoice(server)
  await arriveHome(page, server, language)
  await openInvoices(page, language)
  await lookUp(page, INVOICE_WORDS[language], reference)
  await payInvoiceButton(page).click()
  await page.route(`${FUNCTIONS}/record-transfer`, (route) => route.abort())
  await payIntoTheDark(page, words)
  await page.getByRole('button', { name: words.leaveChecking }).click()
  await expectSaid(page, IN_DOUBT.invoiceStillChecking, language)
})

test('a payment that may have been taken when the session ended is not to be made again', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100' })
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await changePasswordElsewhere(page, server, person)
  await spoilToken(page)
  await payButton(page, words).click()
  await expectSaid(page, SESSION_ENDED.maybePaid, language)
})

for (const [what, json, said] of [
  ['was not paid', { outcome: 'unpaid', status: 'requires_payment_method' }, SESSION_ENDED.leftUnpaid],
  ['is a paid invoice', { outcome: 'paid', invoicePayment: PAID_INVOICE }, SESSION_ENDED.invoicePaid],
  ['is disputed', { outcome: 'disputed' }, SESSION_ENDED.disputed],
  ['is refunded', { outcome: 'refunded' }, SESSION_ENDED.refunded],
  ['is in doubt', { outcome: 'unclear', status: 'processing' }, SESSION_ENDED.unclear],
] as const)
  test(`a payment that the end of a session left open and ${what} is told of behind the sign-in`, async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = await arriveHome(page, server, language)
    await fillTransfer(page, words, { amount: '100' })
    await confirmForm(page, words)
    await expect(payButton(page, words)).toBeEnabled()
    const renewed = await changePasswordElsewhere(page, server, person)
    await page.reload()
    await expectSaid(page, SESSION_ENDED.unpaid, language)
    // Without the device's own memory of the payment, the server alone is asked.
    await page.reload()
    await answer(page, 'record-transfer', { json })
    await signIn(page, words, renewed)
    await expectSaid(page, said, language)
  })

test('what is left of the month is told beside the amount', async ({ page, server, language, words }) => {
  for (const [recordedCents, said] of [
    [95_000, AMOUNT.overCap],
    [100_000, AMOUNT.capUsed],
  ] as const) {
    const person = somebody()
    const uid = await server.register(person)
    const month = monthOf(Date.now())
    await server.write(`ledgers/${uid}_${month}`, {
      ...{ uid, month, recordedCents, reservedCents: 0, reservedSlots: 0 },
    })
    await enter(page, server, language, person)
    await page.getByLabel(words.amount).fill('60')
    await expectSaid(page, dated(said, formatDay(nextMonthStart(Date.now()), language)), language)
    await signOut(page, words)
  }
})

test('a receipt says what was charged, and the question whether the same is meant once more what will be', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await fillTransfer(page, words, { amount: '100' })
  await confirmForm(page, words)
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  await expect(
    page.getByRole('dialog').getByText(ELSEWHERE.receipt[language][0], { exact: true }),
  ).toBeVisible()
  await page.getByRole('button', { name: words.done }).click()
  await fillTransfer(page, words, { amount: '100' })
  await confirmForm(page, words)
  await expect(
    page.getByRole('dialog').getByText(ELSEWHERE.again[language][0], { exact: true }),
  ).toBeVisible()
})

test('the receipt of an invoice says what was charged', async ({ page, server, language, words }) => {
  const { reference } = await issueInvoice(server)
  await arriveHome(page, server, language)
  await openInvoices(page, language)
  await lookUp(page, INVOICE_WORDS[language], reference)
  await payInvoiceButton(page).click()
  await typeCard(page, words, CARDS.good)
  await payButton(page, words).click()
  const receipt = page.getByRole('dialog', { name: INVOICE_WORDS[language].receipt })
  await expect(receipt.getByText(ELSEWHERE.invoiceReceipt[language][0], { exact: true })).toBeVisible()
})

test('who deletes the account is told what becomes of the month', async ({
  page,
  server,
  language,
  words,
}) => {
  await arriveHome(page, server, language)
  await openSecurity(page, words)
  await page.getByRole('button', { name: words.deleteAccount }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(ELSEWHERE.deletion[language][0], { exact: true })).toBeVisible()
})

test('a start that fails, and a screen that can not be drawn, speak of a payment that may have been open', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  await server.register(person)
  const advice = page.getByText(ELSEWHERE.reopen[language][0], { exact: true })
  await page.route('**/v1/projects/**', (route) => route.abort())
  await speak(page, language)
  await signIn(page, words, person)
  await expect(page.getByText(words.startFailed)).toBeVisible()
  await expect(advice).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: words.retry }).click()
  await expectHome(page, words)
  await crash(page, words)
  await expect(page.getByText(words.crashed)).toBeVisible()
  await expect(advice).toBeVisible()
})
