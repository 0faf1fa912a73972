import { readFile } from 'node:fs/promises'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { untilDrawn } from './steps/drawn.ts'
import { holdBack } from './steps/faults.ts'
import {
  dayIn,
  invoiceWords,
  issueInvoice,
  lookUp,
  openInvoices,
  payInvoiceButton,
} from './steps/invoices.ts'
import { expectSaid } from './steps/moneyTexts.ts'
import { expectHeadingFocused, pressKey } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { CARDS, payButton, payWithCard, typeCard } from './steps/transfer.ts'
import { arriveHome, enter } from './steps/waysIn.ts'
import { say } from './texts.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

const AMOUNT = /84[,.]50/

const EVENING = { fr: '5 novembre 2026', en: '5 November 2026' }

test('an invoice is seen before it is paid, charged once, and its receipt stays, without a network too @spec-invoices', async ({
  page,
  server,
}) => {
  const { reference, path, issued } = await issueInvoice(server)
  const person = await arriveHome(page, server)
  await openInvoices(page)
  await expect(page.getByText(invoiceWords.none)).toBeVisible()

  await lookUp(page, ` ${reference.toLowerCase().replace('-', ' \u2013 ')} `)
  const invoice = page.getByRole('region', { name: 'EDF' })
  await expect(invoice).toContainText(AMOUNT)
  await expect(invoice).toContainText(reference)
  await expect(invoice.getByText(invoiceWords.due, { exact: true })).toBeVisible()
  await expect(invoice.getByRole('heading')).toBeFocused()

  await payInvoiceButton(page).dblclick()
  await payWithCard(page, CARDS.declined)
  await expect(page.getByText(words.declined)).toBeVisible()
  await payInvoiceButton(page).click()
  await typeCard(page, CARDS.good)
  await payButton(page).dblclick()

  const receipt = page.getByRole('dialog', { name: invoiceWords.receipt })
  await expect(receipt.getByText(words.paid)).toBeVisible()
  const proof = 'Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre paiement.'
  await expect(receipt.getByText(say(proof), { exact: true })).toBeVisible()
  for (const shown of [AMOUNT, reference, person.name]) await expect(receipt).toContainText(shown)
  expect(await server.paymentIntentsOf(person.email)).toMatchObject([
    { amount: 8450, amount_received: 8450, currency: 'eur', description: `Invoice ${reference} of EDF` },
  ])
  const [payment] = await server.documents('invoicePayments', 'reference', reference)
  expect(payment).toMatchObject({ amount: 84.5, currency: 'EUR', supplier: 'edf', status: 'completed' })
  expect(await server.ledgersOf(person.email)).toEqual([])

  const download = page.waitForEvent('download')
  await receipt.getByRole('button', { name: words.download }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`receipt-${(payment as { id: string }).id}.pdf`)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await receipt.getByRole('button', { name: words.done }).click()

  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue('')
  // Its supplier's system writes it again as due, over whatever became of it.
  await server.write(path, issued)
  await lookUp(page, reference)
  await expect(page.getByText(invoiceWords.alreadyPaid)).toBeVisible()
  await expect(payInvoiceButton(page)).toBeHidden()

  await page.context().setOffline(true)
  await expect(page.getByText(invoiceWords.asOf)).toBeVisible()
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await expect(page.getByText(invoiceWords.lookUpOffline)).toBeVisible()
  const paid = page.getByRole('region', { name: invoiceWords.paidList })
  await paid.getByRole('button', { name: reference }).click()
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt })).toContainText(reference)
  await page.getByRole('button', { name: words.done }).click()

  await page.context().setOffline(false)
  await server.remove(path)
  await page.reload()
  await expect(paid.getByRole('button', { name: reference })).toBeVisible()
})

test('what can not be seen or paid is said, with what to do, and charges nothing @spec-invoice-refusals', async ({
  page,
  server,
}) => {
  const { reference, path, issued, claim } = await issueInvoice(server, {}, -3)
  const person = await arriveHome(page, server)
  await openInvoices(page)
  const see = page.getByRole('button', { name: invoiceWords.see })
  const supplier = page.getByLabel(invoiceWords.supplier)

  await see.click()
  const alert = page.getByRole('form', { name: invoiceWords.pay }).getByRole('alert')
  await expect(alert).toHaveText(invoiceWords.incomplete)
  await expect(supplier).toBeFocused()
  await lookUp(page, '60')
  await expect(page.getByText(invoiceWords.referenceInvalid)).toBeVisible()
  await expect(alert).toBeHidden()
  await lookUp(page, '6012-NOBODY')
  await expect(page.getByText(invoiceWords.notFetched)).toBeVisible()
  await expect(page.getByText(invoiceWords.noSuchInvoice)).toBeVisible()
  await pressKey(see)
  await expect(page.getByText(invoiceWords.noSuchInvoice)).toBeVisible()
  await expect(see).toBeFocused()

  await page.route('**/lookup-invoice', (route) => route.abort(), { times: 1 })
  await lookUp(page, reference)
  await expect(page.getByText(invoiceWords.notFetched)).toBeVisible()
  await expect(page.getByText(words.noAnswer)).toBeVisible()
  await see.click()
  await expect(page.getByText(invoiceWords.overdue)).toBeVisible()
  await page.route('**/pay-invoice', (route) => route.abort(), { times: 1 })
  await pressKey(payInvoiceButton(page))
  await expect(page.getByText(invoiceWords.notPaid)).toBeVisible()
  await expect(payInvoiceButton(page)).toBeFocused()
  await page.context().setOffline(true)
  await payInvoiceButton(page).click()
  await expect(page.getByText(words.offline, { exact: true })).toBeVisible()
  await page.context().setOffline(false)

  for (const change of [{ amount: 90 }, { dueDate: '2026-01-02' }]) {
    await server.write(path, { ...issued, ...change })
    await payInvoiceButton(page).click()
    await expect(page.getByText(invoiceWords.changed)).toBeVisible()
    const found = page.waitForResponse('**/lookup-invoice')
    await see.click()
    await found
    await expect(see).toBeEnabled()
    await expect(payInvoiceButton(page)).toBeVisible()
  }
  await server.write(claim, { heldBy: 'other', holders: [], allowed: [] })
  await pressKey(payInvoiceButton(page))
  await expect(page.getByText(invoiceWords.justBegun)).toBeVisible()
  // The invoice is gone with its button.
  await expectHeadingFocused(page)
  await see.click()
  await expect(page.getByText(invoiceWords.underWay, { exact: true })).toBeVisible()
  await expect(payInvoiceButton(page)).toBeHidden()

  await server.remove(claim)
  await see.click()
  await expect(page.getByText(invoiceWords.overdue)).toBeVisible()
  await server.write(path, { amount: 90, currency: 'EUR', dueDate: '2026-01-01', status: 'paid' })
  await payInvoiceButton(page).click()
  await expect(page.getByText(invoiceWords.justPaid)).toBeVisible()
  await see.click()
  await expect(page.getByText(invoiceWords.alreadyPaid)).toBeVisible()
  expect(await server.paymentIntentsOf(person.email)).toEqual([])
})

test('an invoice whose date was changed after it was paid is not paid again, and next month’s is', async ({
  page,
  server,
}) => {
  const { reference, path, issued } = await issueInvoice(server, {}, 30)
  const person = await arriveHome(page, server)
  await server.write(`invoicePayments/pi_of_${reference}`, {
    ...{ id: `pi_of_${reference}`, payerId: 'a relative', supplier: 'edf', reference, type: 'electricity' },
    ...{ amount: 84.5, currency: 'EUR', dueDate: dayIn(0), status: 'completed' },
    ...{ description: '', paymentMethod: 'card', createdAt: new Date(), settledAt: new Date() },
  })
  await openInvoices(page)
  await lookUp(page, reference)
  await expect(payInvoiceButton(page)).toBeVisible()
  await server.write(path, { ...issued, dueDate: dayIn(7) })
  await payInvoiceButton(page).click()
  await expect(page.getByText(invoiceWords.seemsPaid)).toBeVisible()
  await expect(payInvoiceButton(page)).toBeHidden()
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await expect(page.getByRole('region', { name: 'EDF' }).getByText(invoiceWords.seemsPaid)).toBeVisible()
  await expect(payInvoiceButton(page)).toBeHidden()
  expect(await server.paymentIntentsOf(person.email)).toEqual([])

  await server.write(path, issued)
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await payInvoiceButton(page).click()
  await payWithCard(page)
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt }).getByText(words.paid)).toBeVisible()
  expect(await server.documents('invoicePayments', 'reference', reference)).toHaveLength(2)
})

test.describe('in Montréal', () => {
  test.use({ timezoneId: 'America/Toronto' })

  test('an invoice that was paid in the evening has the day of its receipt in the list', async ({
    page,
    server,
    language,
  }) => {
    const person = somebody()
    const uid = await server.register(person)
    const reference = '6012-EVENING'
    const paidAt = new Date('2026-11-06T01:30:00Z')
    await server.write(`invoicePayments/pi_of_${uid}`, {
      ...{ id: `pi_of_${uid}`, payerId: uid, supplier: 'edf', reference, type: 'electricity' },
      ...{ amount: 84.5, currency: 'EUR', dueDate: dayIn(0), status: 'completed' },
      ...{ description: '', paymentMethod: 'card', createdAt: paidAt, settledAt: paidAt },
    })
    await enter(page, server, person)
    await openInvoices(page)
    const row = page
      .getByRole('region', { name: invoiceWords.paidList })
      .getByRole('button', { name: reference })
    await expect(row).toContainText(EVENING[language])
    await row.click()
    await expect(page.getByRole('dialog', { name: invoiceWords.receipt })).toContainText(EVENING[language])
  })
})

test('the button that shows the last of the paid invoices leaves the focus above them', async ({
  page,
  server,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  const paidOnDay = (day: number) => ({
    ...{ id: `pi_${day}_of_${uid}`, payerId: uid, supplier: 'edf', reference: `6012-${day}` },
    ...{ type: 'electricity', amount: 84.5, currency: 'EUR', dueDate: dayIn(0), status: 'completed' },
    ...{ description: '', paymentMethod: 'card' },
    ...{ createdAt: new Date(Date.UTC(2026, 9, day)), settledAt: new Date(Date.UTC(2026, 9, day)) },
  })
  const payments = Array.from({ length: 21 }, (_, index) => paidOnDay(index + 1))
  await Promise.all(payments.map((paid) => server.write(`invoicePayments/${paid.id}`, paid)))
  await enter(page, server, person)
  await openInvoices(page)
  const list = page.getByRole('region', { name: invoiceWords.paidList })
  await pressKey(list.getByRole('button', { name: invoiceWords.showOlder }))
  await expect(list.getByRole('listitem')).toHaveCount(21)
  await expect(list.getByRole('heading')).toBeFocused()
})

test('a look-up that fails late says nothing of a number that was typed since', async ({ page, server }) => {
  await arriveHome(page, server)
  await openInvoices(page)
  const release = await holdBack(page, '**/lookup-invoice')
  await lookUp(page, '6012-NOBODY')
  await page.getByLabel(invoiceWords.reference).fill('6012-OTHER')
  const answered = page.waitForResponse('**/lookup-invoice')
  release()
  await answered
  await expect(page.getByRole('button', { name: invoiceWords.see })).toBeEnabled()
  await expect(page.getByText(invoiceWords.notFetched)).toBeHidden()
})

test('an invoice that is given up is free again, and one whose answer was lost is not paid twice', async ({
  page,
  server,
  language,
}) => {
  const { reference, path } = await issueInvoice(server)
  const person = await arriveHome(page, server)
  await openInvoices(page)
  await lookUp(page, reference)
  await payInvoiceButton(page).click()
  await expect(payButton(page)).toBeEnabled()
  await page.getByRole('button', { name: invoiceWords.back }).click()
  await expect(payInvoiceButton(page)).toBeFocused()
  const status = async () => (await server.paymentIntentsOf(person.email)).map((intent) => intent.status)
  expect(await status()).toEqual(['canceled'])

  await payInvoiceButton(page).click()
  await typeCard(page, CARDS.good)
  await page.route('**/record-transfer', (route) => route.abort())
  await payButton(page).click()
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  // The phone's back button does not leave the page while it is not known what became of the money.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('popstate', () => addEventListener('popstate', resolve), { once: true })
        history.back()
      }),
  )
  await expect(page.getByRole('dialog', { name: words.checking })).toBeVisible()
  // The server is asked again by itself, which moves nobody.
  const checkNow = page.getByRole('button', { name: words.checkNow })
  const beingChecked = page.getByRole('button', { name: words.beingChecked })
  await checkNow.focus()
  const release = await holdBack(page, '**/record-transfer')
  await expect(beingChecked).toBeFocused()
  await expect(beingChecked).toBeDisabled()
  release()
  await expect(checkNow).toBeFocused()
  await page.getByRole('button', { name: words.leaveChecking }).click()
  await expectSaid(
    page,
    'Un paiement est encore en vérification | S’il aboutit, la facture apparaîtra parmi vos factures payées. Ne la payez pas autrement avant de connaître son résultat.',
  )

  // The address to which the bank's own page leads back, or the app when it is opened again.
  await page.unroute('**/record-transfer')
  await page.goto(language === 'fr' ? '/payment-complete' : '/')
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt })).toContainText(reference)
  expect((await status()).toSorted()).toEqual(['canceled', 'succeeded'])
  await page.getByRole('button', { name: words.done }).click()

  // What its supplier takes back while it is being paid is refunded.
  await server.write(path, { amount: 12, currency: 'EUR', dueDate: '2030-01-01', status: 'due' })
  await lookUp(page, reference)
  await payInvoiceButton(page).click()
  await typeCard(page, CARDS.good)
  await server.remove(path)
  await payButton(page).click()
  await expect(page.getByText(invoiceWords.refunded)).toBeVisible()
  const { data: refunds } = await server.stripe.refunds.list({ limit: 100 })
  const [newest] = await server.paymentIntentsOf(person.email)
  expect(refunds.filter(({ payment_intent: id }) => id === newest?.id)).toMatchObject([{ amount: 1200 }])
})

test('an invoice that was being paid opens over nobody who types, once a slow device has it', async ({
  page,
  server,
}) => {
  const { reference } = await issueInvoice(server)
  await arriveHome(page, server)
  await openInvoices(page)
  await lookUp(page, reference)
  await payInvoiceButton(page).click()
  await expect(payButton(page)).toBeEnabled()

  await page.goto('about:blank')
  const release = await holdBack(page, '**/assets/database-*.js')
  await page.goto('/')
  await page.waitForFunction(() => window.opening?.isTakenOver)
  await page.getByLabel(words.amount).fill('100')
  release()
  await expect(page.getByText(words.noTransfers)).toBeVisible()
  await untilDrawn(page)
  await expect(page.getByRole('heading', { level: 1, name: words.invoices })).toBeHidden()
  await expect(page.getByLabel(words.amount)).toBeFocused()
})

test('the bank’s question is answered before an invoice is paid, and a refusal charges nothing', async ({
  page,
  server,
}) => {
  const { reference } = await issueInvoice(server)
  const person = await arriveHome(page, server)
  await openInvoices(page)
  await lookUp(page, reference)
  const bank = page.frameLocator('dialog iframe')
  const askTheBank = async () => {
    await payInvoiceButton(page).click()
    await payWithCard(page, CARDS.threeDSecure)
  }
  await askTheBank()
  await bank.getByRole('button', { name: words.refuseAuthentication }).click()
  await expect(page.getByText(words.declined)).toBeVisible()
  expect(await server.documents('invoicePayments', 'reference', reference)).toEqual([])

  await askTheBank()
  await bank.getByRole('button', { name: words.authenticate }).click()
  await expect(page.getByRole('dialog', { name: invoiceWords.receipt }).getByText(words.paid)).toBeVisible()
  expect(await server.documents('invoicePayments', 'reference', reference)).toHaveLength(1)
  expect(await server.paymentIntentsOf(person.email)).toMatchObject([{ status: 'succeeded' }])
})
