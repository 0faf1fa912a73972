import { invoice } from '../machines/testing/invoiceSituations.ts'
import { buildReserveAnswer } from '../machines/testing/transferSituations.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { invoiceWords, payInvoiceButton } from './steps/invoices.ts'
import { createPerson } from './steps/person.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import { registerAndOpenHome, signIn, signInPanel } from './steps/signIn.ts'
import {
  CARD_NUMBERS,
  confirmForm,
  fillTransfer,
  payButton,
  payWithCard,
  receiptSheet,
  typeCard,
} from './steps/transfer.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

// The app tells a waiting user the reason, and every wait ends.

const said = defineTexts({
  closed: 'Vous ne pouvez pas modifier ce formulaire pendant votre paiement.',
  slow: 'Le réseau est lent. Nous attendons toujours la réponse.',
  bankSlow: 'Votre banque n’a pas encore répondu',
  bankSlowAdvice:
    'Nous ne savons pas encore si votre carte a été débitée. Si votre banque vous demande de confirmer, par exemple dans son application, répondez-lui. Ne payez pas une seconde fois, ni ici ni ailleurs. Vous pouvez quitter cet écran : nous vérifierons où en est ce paiement.',
  leaveBank: 'Ne plus attendre ici',
  notCharged: 'Votre carte n’a pas été débitée. Vérifiez votre connexion, puis réessayez.',
})

const PREPARED = { value: buildReserveAnswer().value }
const responses = { 'functions.cancel-payment-intent': { value: { outcome: 'released' } } } as const

sceneTest('the locked transfer form says so, and keeps its focus and values @desk', async ({ page }) => {
  await openScene(page, 'home-filled', { responses })
  const form = page.getByRole('main').locator('form')
  const closed = form.getByRole('status').getByText(said.closed, { exact: true })
  const amount = page.getByLabel(words.amount)
  const mtn = page.getByRole('radio', { name: 'MTN Money' })
  const orange = page.getByRole('radio', { name: 'Orange Money' })
  await expect(closed).toBeHidden()
  await page.getByText('MTN Money').click()
  // Enter submits no form whose button is disabled, as it is until all of the form's code has loaded.
  await expect(form.getByRole('button', { name: words.pay })).toBeEnabled()
  await amount.press('Enter')

  await expect(closed).toBeVisible()
  await expect(amount).toBeFocused()
  await page.keyboard.type('5')
  await expect(amount).toHaveValue('150')
  await expect(amount).toHaveAttribute('readonly')
  await expect(page.getByLabel(words.phone)).toHaveAttribute('readonly')
  for (const name of [words.currency, words.country]) await expect(page.getByLabel(name)).toBeDisabled()
  for (const radio of await page.getByRole('radio').all()) await expect(radio).toBeDisabled()
  await page.getByText('Orange Money', { exact: true }).click({ force: true })
  await expect(orange).not.toBeChecked()
  await expect(mtn).toBeChecked()
  await expect(page.getByLabel(words.confirmPhone)).toBeDisabled()
  await page.getByLabel(words.confirmPhone).click({ force: true })
  await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
  await expect(page.getByRole('button', { name: contactWords.choose })).toBeDisabled()

  await setResponse(page, 'functions.create-payment-intent', PREPARED)
  await expect(page.getByRole('dialog').getByText('MTN Money')).toBeVisible()
  await page.getByRole('button', { name: words.close, exact: true }).click()
  await expect(closed).toBeHidden()
  await page.getByText('Orange Money', { exact: true }).click()
  await expect(orange).toBeChecked()
  await amount.fill('120')
  await expect(amount).toHaveValue('120')
})

sceneTest('the invoice form is locked, and says so, while payment is prepared @desk', async ({ page }) => {
  const closed = page.getByRole('status').getByText(said.closed, { exact: true })
  const reference = page.getByLabel(invoiceWords.reference)
  await openScene(page, 'invoice-not-found', { responses })
  await setResponse(page, 'invoices.lookUpInvoice', { value: { ...invoice, reference: '6012-NOBODY' } })
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await payInvoiceButton(page).click()
  await expect(closed).toBeVisible()
  await expect(reference).toHaveAttribute('readonly')
  await expect(page.getByLabel(invoiceWords.supplier)).toBeDisabled()
  for (const radio of await page.getByRole('radio').all()) await expect(radio).toBeDisabled()
  await setResponse(page, 'functions.pay-invoice', PREPARED)
  await expect(payButton(page)).toBeEnabled()
  await page.getByRole('button', { name: words.close, exact: true }).click()
  await expect(closed).toBeHidden()
  await reference.fill('6012-OTHER')
  await expect(reference).toHaveValue('6012-OTHER')
})

test('a wait for the bank can be ended after 45 seconds @desk', async ({ page, server }) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '100' })
  await confirmForm(page)
  await typeCard(page, CARD_NUMBERS.good)
  await page.clock.install()
  const { promise: charged, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/payment_intents/*/confirm', async (route) => {
    await route.fetch()
    resolve()
  })
  const pressedAt = await page.evaluate(() => Date.now())
  await payButton(page).click()
  await charged
  const dialog = page.getByRole('dialog')
  await page.clock.pauseAt(pressedAt + 44_000)
  await expect(payButton(page)).toBeDisabled()
  await expect(page.getByText(said.bankSlow)).toBeHidden()
  await page.clock.resume()
  await expect(dialog.getByRole('alert')).toHaveText(said.bankSlow + said.bankSlowAdvice)
  await dialog.getByRole('button', { name: said.leaveBank }).click()
  await expect(receiptSheet(page)).toBeVisible()
  expect(await server.readTransactions(person.email)).toHaveLength(1)
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
})

test.describe('a service that does not respond', () => {
  test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

  test('a card form that hangs is reported after 20 seconds @desk', async ({ page, server }) => {
    const person = await registerAndOpenHome(page, server)
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
    await page.getByRole('button', { name: words.close, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    const intents = () => server.listPaymentIntents(person.email)
    await expect.poll(async () => (await intents()).map(({ status }) => status)).toEqual(['canceled'])
    await expect.poll(() => server.readLedgers(person.email)).toMatchObject([{ reservedCents: 0 }])

    asked = 0
    await confirmForm(page)
    await wait()
    isDead = false
    await page.getByRole('button', { name: words.retry }).click()
    await payWithCard(page)
    await expect(receiptSheet(page)).toBeVisible()
  })
})

sceneTest('a sign-in on a slow network says so, then fails @desk', async ({ page }) => {
  const button = signInPanel(page).getByRole('button', { name: words.signIn, exact: true })
  await openScene(page, 'sign-in', { delays: { 6000: 0 } })
  await signIn(page, createPerson())
  await expect(button).toBeDisabled()
  await expect(signInPanel(page).getByRole('status').getByText(said.slow)).toBeVisible()
  await openScene(page, 'sign-in', { delays: { 65000: 0 } })
  await signIn(page, createPerson())
  await expect(signInPanel(page).getByRole('alert')).toContainText(words.noAnswer)
  await expect(signInPanel(page).getByText(said.slow)).toBeHidden()
  await expect(button).toBeEnabled()
})

sceneTest('a slow code, check of the address or profile says so', async ({ page }) => {
  for (const scene of ['phone-sending', 'verification-asked', 'account-opening']) {
    await openScene(page, scene, { delays: { 6000: 0 } })
    await expect(page.getByRole('status').getByText(said.slow)).toBeVisible()
  }
})
