import type { Page, Request } from '@playwright/test'
import { BROKEN_CALL_ERRORS, expect, type Server, test } from './fixtures.ts'
import { fillIdentityDetails, IDENTITY_DETAILS, identityWords, openIdentity } from './steps/identity.ts'
import { invoiceWords, issueInvoice, openInvoices, payInvoiceButton } from './steps/invoices.ts'
import { formatAmountText } from './steps/moneyTexts.ts'
import { expectHome, openProfile, openSetting } from './steps/pages.ts'
import { createPerson, createPhonePerson, formatFrenchPhone } from './steps/person.ts'
import {
  fillSignUp,
  openInTestLanguage,
  openPhoneSignUp,
  registerAndOpenHome,
  requestSignUpCode,
  signIn,
  signInByPhone,
  signInPanel,
  signOut,
  waitForSentCode,
} from './steps/signIn.ts'
import {
  closeReceipt,
  confirmForm,
  expectSavedDraft,
  fillTransfer,
  payAndExpectReceipt,
  receiptSheet,
} from './steps/transfer.ts'
import { words } from './words.ts'

// A user who reads a message or takes a picture often returns to a reloaded page.

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const readStoredForms = (page: Page) =>
  page.evaluate(() => Object.entries(sessionStorage).filter(([name]) => name.startsWith('passerelle.form')))

test('a phone sign-up resumes at the code, and stores nothing afterwards @all', async ({ page, server }) => {
  const person = createPhonePerson()
  await openPhoneSignUp(page)
  await signInPanel(page).getByLabel(words.name).fill(person.name)
  await signInPanel(page).getByLabel(words.phoneNumber).fill(person.phone)
  await page.reload()
  await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)
  await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)

  await requestSignUpCode(page, person)
  const code = await waitForSentCode(page, server, person)
  await signInPanel(page).getByLabel(words.code).fill(code.slice(0, 3))
  await page.reload()
  await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
  await expect(signInPanel(page).getByLabel(words.code)).toHaveValue('')
  await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)
  await expect(signInPanel(page).getByRole('button', { name: words.changeNumber })).toBeVisible()
  const kept = JSON.parse(Object.fromEntries(await readStoredForms(page))['passerelle.form.phone'] ?? '')
  expect(kept.values).toEqual({
    name: person.name,
    phone: formatFrenchPhone(person.phone),
    sent: { verificationId: expect.any(String), phone: person.phone, at: expect.any(Number) },
  })
  await signInPanel(page).getByLabel(words.code).fill(code)
  await signInPanel(page).getByRole('button', { name: words.createAccount }).click()
  await expectHome(page)
  expect(await readStoredForms(page)).toEqual([])
  expect(await server.documents('users', 'phone', person.phone)).toMatchObject([{ name: person.name }])
})

test('a reload after an expired code keeps the number only @all', async ({ page }) => {
  const person = createPhonePerson()
  await page.clock.install()
  await openPhoneSignUp(page)
  await requestSignUpCode(page, person)
  await page.clock.fastForward(11 * 60_000)
  await page.reload()
  await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(formatFrenchPhone(person.phone))
  await expect(signInPanel(page).getByLabel(words.code)).toBeHidden()
})

test('an email sign-up keeps all fields but the password', async ({ page }) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await fillSignUp(page, person)
  await page.reload()
  await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(person.email)
  await expect(signInPanel(page).getByLabel(words.password, { exact: true })).toHaveValue('')
  expect(JSON.stringify(await readStoredForms(page))).not.toContain(person.password)
  await signInPanel(page).getByLabel(words.password, { exact: true }).fill(person.password)
  await signInPanel(page).getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  expect(await readStoredForms(page)).toEqual([])
})

test('a change of the number survives a reload and a late profile @all', async ({ page, server }) => {
  const person = createPhonePerson()
  const other = createPhonePerson()
  const uid = await server.registerPhone(person)
  await openInTestLanguage(page)
  await signInByPhone(page, server, person)
  await openProfile(page)
  const own = await openSetting(page, words.yourPhone)
  await own.getByRole('button', { name: words.changeNumber }).click()
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await sheet.getByLabel(words.phoneNumber).fill(other.phone)
  await sheet.getByRole('button', { name: words.getCode }).click()
  const code = await waitForSentCode(page, server, other)

  // The reloaded app's query for the profile is pending until the number has been changed.
  const isQuestion = (request: Request) =>
    request.url().includes('/documents:batchGet') && !!request.postData()?.includes(`/users/${uid}"`)
  const { promise: changed, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/documents:batchGet*', async (route) => {
    if (isQuestion(route.request())) await changed
    await route.continue()
  })
  const asked = page.waitForRequest(isQuestion)
  await page.reload()
  await asked
  await expect(sheet.getByLabel(words.code)).toBeVisible()
  // The app processes a change of the account while holding this lock.
  await page.evaluate(
    () =>
      new Promise<void>((held) => {
        navigator.locks.request('passerelle.signUp', () => {
          held()
          return new Promise(() => {})
        })
      }),
  )
  await sheet.getByLabel(words.code).fill(code)
  await sheet.getByRole('button', { name: words.confirm }).click()
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  await expect(sheet).toBeHidden()
  expect(await readStoredForms(page)).toEqual([])
  goOn()
  await expect(page.getByRole('main').getByText(formatFrenchPhone(other.phone))).toBeVisible()
  expect(await server.documents('users', 'phone', other.phone)).toMatchObject([{ name: person.name }])
})

test('the identity form keeps its values, except the document’s number @all', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
  await openIdentity(page)
  await fillIdentityDetails(page)
  expect(JSON.stringify(await readStoredForms(page))).not.toContain(IDENTITY_DETAILS.idNumber)
  await page.reload()
  await expect(page.getByRole('radio', { name: identityWords.passport })).toBeChecked()
  for (const field of ['fullName', 'issuedBy', 'expirationDate', 'dateOfBirth'] as const)
    await expect(page.getByLabel(identityWords[field])).toHaveValue(IDENTITY_DETAILS[field])
  await expect(page.getByLabel(identityWords.idNumber)).toHaveValue('')

  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
  expect(await readStoredForms(page)).toEqual([])
})

test('the invoice form keeps its values for the same user', async ({ page, server }) => {
  const { reference } = await issueInvoice(server)
  await registerAndOpenHome(page, server)
  await openInvoices(page)
  await page.getByLabel(invoiceWords.supplier).selectOption('edf')
  await page.getByLabel(invoiceWords.reference).fill(reference)
  await page.reload()
  await expect(page.getByLabel(invoiceWords.supplier)).toHaveValue('edf')
  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue(reference)
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await expect(payInvoiceButton(page)).toBeVisible()
  // The invoice may have changed, so the user must look it up again.
  await page.reload()
  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue(reference)
  await expect(payInvoiceButton(page)).toBeHidden()

  // The tab was discarded before another user signed in.
  const kept = await readStoredForms(page)
  await signOut(page)
  expect(await readStoredForms(page)).toEqual([])
  const other = createPerson()
  await server.register(other)
  await signIn(page, other)
  await expectHome(page)
  await openInvoices(page)
  await page.evaluate((forms) => {
    for (const [name, form] of forms) sessionStorage.setItem(name, form)
  }, kept)
  await page.reload()
  await expect(page.getByLabel(invoiceWords.supplier)).toHaveValue('')
  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue('')
})

const openTwoTabsWithForm = async (page: Page, server: Server) => {
  const person = await registerAndOpenHome(page, server)
  await fillTransfer(page, { amount: '50' })
  await expectSavedDraft(page, '50')
  const other = await page.context().newPage()
  await other.goto('/')
  await expect(other.getByRole('button', { name: words.clearDraft })).toBeVisible()
  return { person, other }
}

test('a form that another tab has paid leads to its receipt', async ({ page, server }) => {
  const { person, other } = await openTwoTabsWithForm(page, server)
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await fillTransfer(other, { amount: '60' })
  await confirmForm(other)
  await expect(receiptSheet(other)).toContainText(formatAmountText(5000, 'EUR'))
  expect(await server.listPaymentIntents(person.email)).toHaveLength(1)
  await closeReceipt(other)
  await fillTransfer(other, { amount: '60' })
  await confirmForm(other)
  await payAndExpectReceipt(other)
  expect(await server.readTransactions(person.email)).toHaveLength(2)
})

test('a form typed after another one was cleared is paid beside it', async ({ page, server }) => {
  const { person, other } = await openTwoTabsWithForm(page, server)
  await other.getByRole('button', { name: words.clearDraft }).click()
  await confirmForm(page)
  await payAndExpectReceipt(page)
  await fillTransfer(other, { amount: '60' })
  await confirmForm(other)
  await payAndExpectReceipt(other)
  expect(await server.readTransactions(person.email)).toHaveLength(2)
})
