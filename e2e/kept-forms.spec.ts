import type { Page, Request } from '@playwright/test'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { DETAILS, fillDetails, identityWords, openIdentity } from './steps/identity.ts'
import { invoiceWords, issueInvoice, openInvoices, payInvoiceButton } from './steps/invoices.ts'
import { expectHome, openProfile } from './steps/pages.ts'
import { somebody, somebodyWithPhone, written } from './steps/people.ts'
import {
  arriveHome,
  askForCode,
  fillSignUp,
  openPhone,
  panel,
  sentCode,
  signIn,
  signInByPhone,
  signOut,
  speak,
} from './steps/waysIn.ts'
import { words } from './words.ts'

// Whoever goes to read a message or to take a picture often comes back to a page that is loaded anew.

test.use({ expectedErrors: [BROKEN_CALLS] })

const keptIn = (page: Page) =>
  page.evaluate(() => Object.entries(sessionStorage).filter(([name]) => name.startsWith('passerelle.form')))

test('who signs up by phone goes on at the code, and then nothing is kept', async ({ page, server }) => {
  const person = somebodyWithPhone()
  await speak(page)
  await openPhone(page, 'signUp')
  await panel(page).getByLabel(words.name).fill(person.name)
  await panel(page).getByLabel(words.phoneNumber).fill(person.phone)
  await page.reload()
  await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
  await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)

  await askForCode(page, person)
  const code = await sentCode(page, server, person)
  await panel(page).getByLabel(words.code).fill(code.slice(0, 3))
  await page.reload()
  await expect(panel(page).getByText(words.codeSent)).toBeVisible()
  await expect(panel(page).getByLabel(words.code)).toHaveValue('')
  await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
  // Neither the way back to the number nor another code is lost.
  await expect(panel(page).getByRole('button', { name: words.changeNumber })).toBeVisible()
  const kept = JSON.parse(Object.fromEntries(await keptIn(page))['passerelle.form.phone'] ?? '')
  expect(kept.values).toEqual({
    name: person.name,
    phone: written(person.phone),
    sent: { verificationId: expect.any(String), phone: person.phone, at: expect.any(Number) },
  })
  await panel(page).getByLabel(words.code).fill(code)
  await panel(page).getByRole('button', { name: words.createAccount }).click()
  await expectHome(page)
  expect(await keptIn(page)).toEqual([])
  expect(await server.documents('users', 'phone', person.phone)).toMatchObject([{ name: person.name }])
})

test('a code of long ago is not waited for, but its number is there', async ({ page }) => {
  const person = somebodyWithPhone()
  await page.clock.install()
  await speak(page)
  await openPhone(page, 'signUp')
  await askForCode(page, person)
  await page.clock.fastForward(11 * 60_000)
  await page.reload()
  await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(person.phone))
  await expect(panel(page).getByLabel(words.code)).toBeHidden()
})

test('who signs up by e-mail has typed all but the password', async ({ page }) => {
  const person = somebody()
  await speak(page)
  await fillSignUp(page, person)
  await page.reload()
  await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
  await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
  await expect(panel(page).getByLabel(words.password, { exact: true })).toHaveValue('')
  expect(JSON.stringify(await keptIn(page))).not.toContain(person.password)
  await panel(page).getByLabel(words.password, { exact: true }).fill(person.password)
  await panel(page).getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  expect(await keptIn(page)).toEqual([])
})

/** Somebody with a number on the way to another one, up to the code that was sent there. */
async function changeNumber(page: Page, server: Server) {
  const person = somebodyWithPhone()
  const other = somebodyWithPhone()
  const uid = await server.registerPhone(person)
  await speak(page)
  await signInByPhone(page, server, person)
  await openProfile(page)
  await page.getByRole('button', { name: words.changeNumber }).click()
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await sheet.getByLabel(words.phoneNumber).fill(other.phone)
  await sheet.getByRole('button', { name: words.getCode }).click()
  return { uid, person, other, sheet, code: await sentCode(page, server, other) }
}

test('a change of number goes on at the code', async ({ page, server }) => {
  const { person, other, sheet, code } = await changeNumber(page, server)
  await page.reload()
  await sheet.getByLabel(words.code).fill(code)
  await sheet.getByRole('button', { name: words.confirm }).click()
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  await expect(sheet).toBeHidden()
  expect(await server.documents('users', 'phone', other.phone)).toMatchObject([{ name: person.name }])
  expect(await keptIn(page)).toEqual([])
})

test('a number that is changed while the profile is read stays the new one', async ({ page, server }) => {
  const { uid, person, other, sheet, code } = await changeNumber(page, server)

  // The question of the opened app for the profile is under way until the number has been changed.
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
  // The app hears of a change of the account under this lock.
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
  goOn()
  await expect(page.getByRole('main').getByText(written(other.phone))).toBeVisible()
  expect(await server.documents('users', 'phone', other.phone)).toMatchObject([{ name: person.name }])
})

test('an identity form keeps what was typed until it is left, but for the number of the document', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await openIdentity(page)
  await fillDetails(page)
  expect(JSON.stringify(await keptIn(page))).not.toContain(DETAILS.idNumber)
  await page.reload()
  await expect(page.getByLabel(identityWords.fullName)).toHaveValue(DETAILS.fullName)
  await expect(page.getByRole('radio', { name: identityWords.passport })).toBeChecked()
  await expect(page.getByLabel(identityWords.issuedBy)).toHaveValue(DETAILS.issuedBy)
  await expect(page.getByLabel(identityWords.expirationDate)).toHaveValue(DETAILS.expirationDate)
  await expect(page.getByLabel(identityWords.dateOfBirth)).toHaveValue(DETAILS.dateOfBirth)
  await expect(page.getByLabel(identityWords.idNumber)).toHaveValue('')

  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
  expect(await keptIn(page)).toEqual([])
})

test('an invoice form keeps which invoice it is, for nobody else', async ({ page, server }) => {
  const { reference } = await issueInvoice(server)
  await arriveHome(page, server)
  await openInvoices(page)
  await page.getByLabel(invoiceWords.supplier).selectOption('edf')
  await page.getByLabel(invoiceWords.reference).fill(reference)
  await page.reload()
  await expect(page.getByLabel(invoiceWords.supplier)).toHaveValue('edf')
  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue(reference)
  await page.getByRole('button', { name: invoiceWords.see }).click()
  await expect(payInvoiceButton(page)).toBeVisible()
  // What was found may be another thing by now: it is asked for again.
  await page.reload()
  await expect(page.getByLabel(invoiceWords.reference)).toHaveValue(reference)
  await expect(payInvoiceButton(page)).toBeHidden()

  // This tab was discarded while somebody else took the device over in another one.
  const kept = await keptIn(page)
  await signOut(page)
  expect(await keptIn(page)).toEqual([])
  const other = somebody()
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
