import { readFile } from 'node:fs/promises'
import { DAY } from '../domain/common/duration.ts'
import { invoice, receipt } from '../machines/testing/invoiceSituations.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { delayRequests } from './steps/faults.ts'
import {
  invoiceWords,
  issueInvoice,
  lookUpInvoice,
  openInvoices,
  payInvoiceButton,
  submitInvoiceLookup,
} from './steps/invoices.ts'
import { expectNoticeTexts, NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { expectHeadingFocused, expectHome, pressKey } from './steps/pages.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, setOffline, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome } from './steps/signIn.ts'
import { CARD_NUMBERS, closeReceipt, payButton, payWithCard, typeCard } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const AMOUNT = /84[,.]50/

test('an invoice is charged once, its receipt kept offline @spec-invoices @desk', async ({
  page,
  server,
}) => {
  const { reference, path, issued } = await issueInvoice(server)
  const person = await registerAndOpenHome(page, server)
  await openInvoices(page)
  await expect(page.getByText(invoiceWords.none)).toBeVisible()

  await submitInvoiceLookup(page, ` ${reference.toLowerCase().replace('-', ' \u2013 ')} `)
  const invoice = page.getByRole('region', { name: 'EDF' })
  await expect(invoice).toContainText(AMOUNT)
  await expect(invoice).toContainText(reference)
  await expect(invoice.getByText(invoiceWords.due, { exact: true })).toBeVisible()
  await expect(invoice.getByRole('heading')).toBeFocused()

  await payInvoiceButton(page).dblclick()
  await payWithCard(page, CARD_NUMBERS.declined)
  await expect(page.getByText(words.declined)).toBeVisible()
  await payInvoiceButton(page).click()
  await typeCard(page, CARD_NUMBERS.good)
  await payButton(page).dblclick()

  const receipt = page.getByRole('dialog', { name: invoiceWords.receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  const proof = 'Votre carte a été débitée une seule fois.'
  await expect(receipt.getByText(getText(proof), { exact: true })).toBeVisible()
  for (const shown of [AMOUNT, reference, person.name]) await expect(receipt).toContainText(shown)
  expect(await server.listPaymentIntents(person.email)).toMatchObject([
    { amount: 8450, amount_received: 8450, currency: 'eur', description: `Invoice ${reference} of EDF` },
  ])
  const [payment] = await server.documents('invoicePayments', 'reference', reference)
  expect(payment).toMatchObject({ amount: 84.5, currency: 'EUR', supplier: 'edf', status: 'completed' })
  expect(await server.readLedgers(person.email)).toEqual([])

  const download = page.waitForEvent('download')
  await receipt.getByRole('button', { name: words.download }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`receipt-${(payment as { id: string }).id}.pdf`)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await closeReceipt(page)

  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue('')
  // The supplier's system overwrites the paid invoice as due.
  await server.write(path, issued)
  await submitInvoiceLookup(page, reference)
  await expect(page.getByText(invoiceWords.alreadyPaid)).toBeVisible()
  await expect(payInvoiceButton(page)).toBeHidden()

  await page.context().setOffline(true)
  await expect(page.getByText(invoiceWords.asOf)).toBeVisible()
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await expect(page.getByText(invoiceWords.lookUpOffline)).toBeVisible()
  const paid = page.getByRole('region', { name: invoiceWords.paidList })
  await paid.getByRole('button', { name: reference }).click()
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt })).toContainText(reference)
  await closeReceipt(page)

  await page.context().setOffline(false)
  await server.remove(path)
  await page.reload()
  await expect(paid.getByRole('button', { name: reference })).toBeVisible()
})

const LOOK_UP = 'invoices.lookUpInvoice'

sceneTest('a lookup says what is missing or failed @spec-invoice-refusals @desk', async ({ page }) => {
  await openScene(page, 'invoices-errors')
  const see = page.getByRole('button', { name: invoiceWords.see })
  const alert = page.getByRole('form', { name: invoiceWords.pay }).getByRole('alert')
  await expect(alert).toHaveText(invoiceWords.incomplete)
  await expect(page.getByLabel(invoiceWords.supplier)).toBeFocused()
  await submitInvoiceLookup(page, '60')
  await expect(page.getByText(invoiceWords.referenceInvalid)).toBeVisible()
  await expect(alert).toBeHidden()
  await page.getByLabel(invoiceWords.reference).fill('6012-NOBODY')
  for (const [response, text] of [
    [refuse('invoiceNotFound'), invoiceWords.noSuchInvoice],
    [NO_NETWORK, words.noAnswer],
  ] as const) {
    await setResponse(page, LOOK_UP, response)
    await pressKey(see)
    await expect(page.getByText(invoiceWords.notFetched)).toBeVisible()
    await expect(page.getByText(text)).toBeVisible()
    await expect(see).toBeFocused()
  }
})

sceneTest('an invoice that became unavailable is not paid @spec-invoice-refusals @desk', async ({ page }) => {
  const PAY = 'functions.pay-invoice'
  await openScene(page, 'invoice-overdue')
  const see = page.getByRole('button', { name: invoiceWords.see })
  const pay = payInvoiceButton(page)
  await setResponse(page, PAY, NO_NETWORK)
  await pressKey(pay)
  await expect(page.getByText(invoiceWords.notPaid)).toBeVisible()
  await expect(pay).toBeFocused()
  await setOffline(page, true)
  await pay.click()
  await expect(page.getByText(words.offline, { exact: true })).toBeVisible()
  await setOffline(page, false)
  for (const [refusal, text, status] of [
    ['invoiceChanged', invoiceWords.changed, 'due'],
    ['invoiceUnderWay', invoiceWords.justBegun, 'processing'],
    ['invoiceAlreadyPaid', invoiceWords.justPaid, 'paid'],
    ['invoiceSeemsPaid', invoiceWords.seemsPaid, 'seemsPaid'],
  ] as const) {
    await setResponse(page, PAY, refuse(refusal))
    await pressKey(pay)
    await expect(page.getByText(text)).toBeVisible()
    await expect(pay).toBeHidden()
    await expectHeadingFocused(page)
    await setResponse(page, LOOK_UP, { value: { ...invoice, status } })
    await see.click()
    await expect(pay).toBeVisible({ visible: status === 'due' })
    await setResponse(page, LOOK_UP, { value: invoice })
    await see.click()
    await expect(pay).toBeVisible()
  }
})

sceneTest('showing older invoices focuses the heading of their list @desk', async ({ page }) => {
  const invoicePayments = Array.from({ length: 21 }, (_, index) => {
    const at = SCENE_TIME - index * DAY
    return { ...receipt, id: `pi_${index}`, createdAt: at, settledAt: at }
  })
  await openScene(page, 'invoices-unread', { rows: { invoicePayments } })
  const list = page.getByRole('region', { name: invoiceWords.paidList })
  await pressKey(list.getByRole('button', { name: invoiceWords.showOlder }))
  await expect(list.getByRole('listitem')).toHaveCount(21)
  await expect(list.getByRole('heading')).toBeFocused()
})

sceneTest('a failed lookup is silent after another number is typed @desk', async ({ page }) => {
  await openScene(page, 'invoices-unread', { responses: { [LOOK_UP]: 'held' } })
  await submitInvoiceLookup(page, '6012-NOBODY')
  await page.getByLabel(invoiceWords.reference).fill('6012-OTHER')
  await setResponse(page, LOOK_UP, refuse('invoiceNotFound'))
  await expect(page.getByRole('button', { name: invoiceWords.see })).toBeEnabled()
  await expect(page.getByText(invoiceWords.notFetched)).toBeHidden()
})

test('an abandoned payment can be repeated, charging once @desk', async ({ page, server, language }) => {
  const { reference, path } = await issueInvoice(server)
  const person = await registerAndOpenHome(page, server)
  await lookUpInvoice(page, reference)
  await payInvoiceButton(page).click()
  await expect(payButton(page)).toBeEnabled()
  await page.getByRole('button', { name: words.close, exact: true }).click()
  await expect(payInvoiceButton(page)).toBeFocused()
  const status = async () => (await server.listPaymentIntents(person.email)).map((intent) => intent.status)
  expect(await status()).toEqual(['canceled'])

  await payInvoiceButton(page).click()
  await typeCard(page, CARD_NUMBERS.good)
  await page.route('**/record-transfer', (route) => route.abort())
  await payButton(page).click()
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  // The phone's back button does not leave the page while the outcome of the payment is unknown.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('popstate', () => addEventListener('popstate', resolve), { once: true })
        history.back()
      }),
  )
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  const checkNow = page.getByRole('button', { name: words.checkNow })
  const beingChecked = page.getByRole('button', { name: words.beingChecked })
  await checkNow.focus()
  const release = await delayRequests(page, '**/record-transfer')
  await expect(beingChecked).toBeFocused()
  await expect(beingChecked).toBeDisabled()
  release()
  await expect(checkNow).toBeFocused()
  await page.getByRole('button', { name: words.leaveChecking }).click()
  await expectNoticeTexts(
    page,
    'Un paiement est encore en vérification | S’il aboutit, la facture apparaîtra parmi vos factures payées. Ne la payez pas autrement avant de connaître son résultat.',
  )

  await page.unroute('**/record-transfer')
  await page.goto(language === 'fr' ? '/payment-complete' : '/')
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt })).toContainText(reference)
  expect((await status()).toSorted()).toEqual(['canceled', 'succeeded'])
  await closeReceipt(page)

  await server.write(path, { amount: 12, currency: 'EUR', dueDate: '2030-01-01', status: 'due' })
  await submitInvoiceLookup(page, reference)
  await payInvoiceButton(page).click()
  await typeCard(page, CARD_NUMBERS.good)
  await server.remove(path)
  await payButton(page).click()
  await expect(page.getByText(invoiceWords.refunded)).toBeVisible()
  const { data: refunds } = await server.stripe.refunds.list({ limit: 100 })
  const [newest] = await server.listPaymentIntents(person.email)
  expect(refunds.filter(({ payment_intent: id }) => id === newest?.id)).toMatchObject([{ amount: 1200 }])
})

test('an open payment found late does not interrupt typing @desk @all', async ({ page, server }) => {
  const { reference } = await issueInvoice(server)
  await registerAndOpenHome(page, server)
  await lookUpInvoice(page, reference)
  await payInvoiceButton(page).click()
  await expect(payButton(page)).toBeEnabled()

  await page.evaluate(() => localStorage.removeItem('passerelle.openPayments'))
  await page.goto('about:blank')
  const release = await delayRequests(page, '**/assets/database-*.js')
  await page.goto('/')
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await page.getByLabel(words.amount).fill('100')
  release()
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  await waitUntilDrawn(page)
  await expect(page.getByRole('heading', { level: 1, name: words.invoices })).toBeHidden()
  await expect(page.getByLabel(words.amount)).toBeFocused()
})

test('a passed 3-D Secure check pays an invoice, one press from home @desk', async ({ page, server }) => {
  const { reference } = await issueInvoice(server)
  const person = await registerAndOpenHome(page, server)
  await lookUpInvoice(page, reference)
  const bank = page.frameLocator('dialog iframe')
  const askTheBank = async () => {
    await payInvoiceButton(page).click()
    await payWithCard(page, CARD_NUMBERS.threeDSecure)
  }
  await askTheBank()
  await bank.getByRole('button', { name: words.refuseAuthentication }).click()
  await expect(page.getByText(words.declined)).toBeVisible()
  expect(await server.documents('invoicePayments', 'reference', reference)).toEqual([])

  await askTheBank()
  const authenticate = bank.getByRole('button', { name: words.authenticate })
  // The bank may lead through several pages.
  for (const step of ['first', 'second']) {
    await authenticate.evaluate((_, step) => location.assign(`${location.href}&step=${step}`), step)
    await expect.poll(() => page.frames().some((frame) => frame.url().endsWith(step))).toBe(true)
  }
  await authenticate.click()
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt }).getByText(words.paid)).toBeVisible()
  expect(await server.documents('invoicePayments', 'reference', reference)).toHaveLength(1)
  expect(await server.listPaymentIntents(person.email)).toMatchObject([{ status: 'succeeded' }])
  await closeReceipt(page)
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
})
