import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { holdBack } from './steps/faults.ts'
import { invoiceWords, issueInvoice, lookUp, openInvoices, payInvoiceButton } from './steps/invoices.ts'
import { expectHome } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import {
  CARDS,
  confirmForm,
  fillTransfer,
  openCoupon,
  payButton,
  payWithCard,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { arriveHome, panel, signIn, speak } from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

// Whoever waits reads what is waited for, and is not kept waiting for ever.

const said = texts({
  closed: 'Ce formulaire est fermé le temps de votre paiement.',
  slow: 'Le réseau est lent. Nous attendons toujours la réponse.',
  opening: 'Ouverture de votre compte…',
  notOpened: 'Une erreur d’authentification est survenue. Veuillez réessayer.',
  bankSlow: 'Votre banque n’a pas encore répondu',
  bankSlowAdvice:
    'On ne sait pas encore si votre carte a été débitée. Si votre banque vous demande de confirmer, par exemple dans son application, répondez-lui. Ne payez pas une seconde fois, ni ici ni ailleurs. Vous pouvez quitter cet écran : nous demanderons où en est ce paiement.',
  leaveBank: 'Ne plus attendre ici',
  notCharged: 'Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.',
})

test.describe('a form whose payment is being prepared', () => {
  test('says that it is closed, takes nothing, and keeps the focus and what was typed', async ({
    page,
    server,
  }) => {
    await arriveHome(page, server)
    const release = await holdBack(page, '**/create-payment-intent')
    await fillTransfer(page, { amount: '100' })
    const form = page.getByRole('main').locator('form')
    const closed = form.getByRole('status').getByText(said.closed, { exact: true })
    const amount = page.getByLabel(words.amount)
    const mtn = page.getByRole('radio', { name: 'MTN Money' })
    const orange = page.getByRole('radio', { name: 'Orange Money' })
    const coupon = await openCoupon(page)
    await expect(closed).toBeHidden()
    await page.getByText('MTN Money').click()
    await amount.press('Enter')

    await expect(closed).toBeVisible()
    await expect(amount).toBeFocused()
    await page.keyboard.type('5')
    await expect(amount).toHaveValue('100')
    await expect(amount).toHaveAttribute('readonly')
    await expect(page.getByLabel(words.phone)).toHaveAttribute('readonly')
    await expect(coupon).toHaveAttribute('readonly')
    for (const name of [words.currency, words.country]) await expect(page.getByLabel(name)).toBeDisabled()
    for (const radio of await page.getByRole('radio').all()) await expect(radio).toBeDisabled()
    await page.getByText('Orange Money', { exact: true }).click({ force: true })
    await expect(orange).not.toBeChecked()
    await expect(mtn).toBeChecked()
    await expect(page.getByLabel(words.confirmPhone)).toBeDisabled()
    await page.getByLabel(words.confirmPhone).click({ force: true })
    await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
    await expect(page.getByRole('button', { name: contactWords.choose })).toBeDisabled()

    release()
    await expect(page.getByRole('dialog').getByText('MTN Money')).toBeVisible()
    await page.getByRole('button', { name: words.backToTransfer }).click()
    await expect(closed).toBeHidden()
    await page.getByText('Orange Money', { exact: true }).click()
    await expect(orange).toBeChecked()
    await amount.fill('120')
    await expect(amount).toHaveValue('120')
  })

  test('is the same for an invoice', async ({ page, server }) => {
    const { reference } = await issueInvoice(server)
    await arriveHome(page, server)
    await openInvoices(page)
    const release = await holdBack(page, '**/pay-invoice')
    await lookUp(page, reference)
    await payInvoiceButton(page).click()
    await expect(page.getByRole('status').getByText(said.closed, { exact: true })).toBeVisible()
    await expect(page.getByLabel(invoiceWords.reference)).toHaveAttribute('readonly')
    await expect(page.getByLabel(invoiceWords.supplier)).toBeDisabled()
    for (const radio of await page.getByRole('radio').all()) await expect(radio).toBeDisabled()
    release()
    await expect(payButton(page)).toBeEnabled()
    await page.getByRole('button', { name: invoiceWords.back }).click()
    await expect(page.getByText(said.closed, { exact: true })).toBeHidden()
    await page.getByLabel(invoiceWords.reference).fill('6012-OTHER')
    await expect(page.getByLabel(invoiceWords.reference)).toHaveValue('6012-OTHER')
  })
})

test.describe('a bank that does not answer', () => {
  test('is left after 45 seconds, and the server is asked what became of the money', async ({
    page,
    server,
  }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, { amount: '100' })
    await confirmForm(page)
    await typeCard(page, CARDS.good)
    await page.clock.install()
    // Charged, and the answer never comes.
    const { promise: charged, resolve } = Promise.withResolvers<void>()
    await page.route('**/v1/payment_intents/*/confirm', async (route) => {
      await route.fetch()
      resolve()
    })
    const pressedAt = await page.evaluate(() => Date.now())
    await payButton(page).click()
    await charged
    const dialog = page.getByRole('dialog')
    // The clock goes on by itself meanwhile, however long that takes here.
    await page.clock.pauseAt(pressedAt + 44_000)
    await expect(payButton(page)).toBeDisabled()
    await expect(page.getByText(said.bankSlow)).toBeHidden()
    await page.clock.resume()
    await expect(dialog.getByRole('alert')).toHaveText(said.bankSlow + said.bankSlowAdvice)
    await dialog.getByRole('button', { name: said.leaveBank }).click()
    await expect(receiptSheet(page)).toBeVisible()
    expect(await server.transactionsOf(person.email)).toHaveLength(1)
    expect(await server.paymentIntentsOf(person.email)).toHaveLength(1)
  })
})

test.describe('the provider’s script that hangs', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('is said to after 20 seconds, is asked for anew, and holds nothing once it is left', async ({
    page,
    server,
  }) => {
    const person = await arriveHome(page, server)
    await fillTransfer(page, { amount: '100' })
    const SCRIPT = '**/sandbox/stripe/stripe.js*'
    let asked = 0
    let isDead = true
    await page.route(SCRIPT, (route) => {
      asked += 1
      return isDead ? undefined : route.continue()
    })
    const wait = async () => {
      await expect(page.getByText(words.cardFormOpening)).toBeVisible()
      await expect.poll(() => asked).toBeGreaterThan(0)
      await page.clock.runFor(20_000)
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText(said.notCharged)
    }
    await page.clock.install()
    await confirmForm(page)
    await wait()
    await page.getByRole('button', { name: words.backToTransfer }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    const intents = () => server.paymentIntentsOf(person.email)
    await expect.poll(async () => (await intents()).map(({ status }) => status)).toEqual(['canceled'])
    await expect.poll(() => server.ledgersOf(person.email)).toMatchObject([{ reservedCents: 0 }])

    asked = 0
    await confirmForm(page)
    await wait()
    isDead = false
    await page.getByRole('button', { name: words.retry }).click()
    await payWithCard(page)
    await expect(receiptSheet(page)).toBeVisible()
  })
})

test.describe('a sign-in on a slow network', () => {
  test.use({ expectedErrors: [BROKEN_CALLS] })

  test('says so, and ends in words', async ({ page }) => {
    await speak(page)
    await page.route('**/accounts:signInWithPassword**', () => undefined)
    await page.clock.install()
    const asked = page.waitForRequest('**/accounts:signInWithPassword**')
    await signIn(page, somebody())
    await asked
    const button = panel(page).getByRole('button', { name: words.signIn, exact: true })
    await expect(button).toBeDisabled()
    await page.clock.runFor(6_000)
    await expect(panel(page).getByRole('status').getByText(said.slow)).toBeVisible()
    await page.clock.runFor(60_000)
    await expect(panel(page).getByRole('alert')).toContainText(words.noAnswer)
    await expect(panel(page).getByText(said.slow)).toBeHidden()
    await expect(button).toBeEnabled()
  })

  test('says that the account is being opened, once it is known whose', async ({ page, server }) => {
    const person = somebody()
    await server.register(person)
    await speak(page)
    const PROFILE = '**/documents:batchGet*'
    const release = await holdBack(page, PROFILE)
    const asked = page.waitForRequest(PROFILE)
    await page.clock.install()
    await signIn(page, person)
    await asked
    await expect(page.getByRole('heading', { name: said.opening })).toBeFocused()
    await page.clock.runFor(6_000)
    await expect(page.getByRole('status').getByText(said.slow)).toBeVisible()
    await page.clock.runFor(14_000)
    await expect(page.getByRole('heading', { name: said.notOpened })).toBeFocused()
    release()
    await expectHome(page)
  })
})
