import type { Locator, Page } from '@playwright/test'
import { buildPaidTransfer } from '../scenes/transactions.ts'
import { getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { delayRequests, delayResponses } from './steps/faults.ts'
import { buildStoredTransfer, openHomeWithTransfers } from './steps/history.ts'
import {
  buildPng,
  chooseDocument,
  fillIdentityDetails,
  identityWords,
  openIdentity,
  submitIdentityForm,
} from './steps/identity.ts'
import { NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { expectHome, openSetting, pressKey } from './steps/pages.ts'
import { createPhonePerson } from './steps/person.ts'
import { planWords } from './steps/plans.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { waitForQueryResponse } from './steps/responses.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import {
  openPhoneSignUp,
  registerAndOpenHome,
  registerAndOpenSignIn,
  requestSignUpCode,
  signInPanel,
} from './steps/signIn.ts'
import { activityRows, receiptSheet } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

const NOT_CANCELED = 'L’état de l’abonnement n’a pas pu être mis à jour'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const openNewest = (page: Page) => activityRows(page).first().click()

test('a late linked receipt does not replace one opened since @all', async ({ page, server }) => {
  const person = await openHomeWithTransfers(page, server, 30)
  const receipt = receiptSheet(page)
  const { id } = buildStoredTransfer(person.uid, 28)
  const answerNow = await delayRequests(page, '**/documents:batchGet**')
  const answered = page.waitForResponse((response) => !!response.request().postData()?.includes(id))
  await page.goto(`/?transaction=${id}`)
  await openNewest(page)
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await receipt.getByLabel(contactWords.name).fill('Mariama Bah')
  answerNow()
  await (await answered).finished()
  await receipt.getByRole('button', { name: contactWords.save, exact: true }).click()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt).toContainText(buildStoredTransfer(person.uid, 0).id)
  const { recipientPhone: phone } = buildStoredTransfer(person.uid, 0)
  expect(await server.documents('contacts', 'userId', person.uid)).toMatchObject([
    { name: 'Mariama Bah', phone },
  ])
})

const staysOpen = async (page: Page, dialog: Locator) => {
  await expect(dialog.getByRole('button', { name: words.close })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
}

sceneTest('a typed contact’s name does not move to another receipt', async ({ page }) => {
  const transactions = [1, 2].map((hours) =>
    buildPaidTransfer(hours, { id: `pi_${hours}`, recipientPhone: `+22462000000${hours}` }),
  )
  await openScene(page, 'home-activity', { rows: { transactions } })
  const receipt = receiptSheet(page)
  await openNewest(page)
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await receipt.getByLabel(contactWords.name).fill('Mariama')
  await page.evaluate(() => {
    const data = { type: 'transfer.open', id: 'pi_2' }
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  })
  await expect(receipt).toContainText('pi_2')
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await expect(receipt.getByLabel(contactWords.name)).toHaveValue('')
})

sceneTest('the dialogs of plan and number stay open until the response', async ({ page }) => {
  const question = page.getByRole('dialog')
  await openScene(page, 'plan-cancel')
  await pressKey(question.getByRole('button', { name: planWords.confirm, exact: true }))
  await expect(question.getByRole('button', { name: planWords.keep })).toBeDisabled()
  await staysOpen(page, question)
  await setResponse(page, 'subscriptions.cancelSubscription', refuse('paymentUnavailable'))
  await expect(question).toBeHidden()
  await expect(page.getByRole('alert').filter({ hasText: getText(NOT_CANCELED) })).toBeVisible()

  await openScene(page, 'change-number-code')
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await sheet.getByLabel(words.code).fill('123456')
  await sheet.getByRole('button', { name: words.confirm }).click()
  await expect(sheet.getByRole('button', { name: words.changeNumber, exact: true })).toBeDisabled()
  await staysOpen(page, sheet)
  await setResponse(page, 'phoneCodes.confirmCode', { value: undefined })
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  await expect(sheet).toBeHidden()
})

sceneTest('a refused change is reported after the user has left', async ({ page }) => {
  await openScene(page, 'security')
  const own = await openSetting(page, words.yourPassword)
  await own.getByLabel(words.currentPassword, { exact: true }).fill('Passerelle1')
  await own.getByLabel(words.newPassword, { exact: true }).fill('Konkouré2026')
  await own.getByLabel(words.passwordAgain, { exact: true }).fill('Konkouré2026')
  await own.getByRole('button', { name: words.changePassword }).click()
  await page.goBack()
  await expect(own).toBeHidden()
  await setResponse(page, 'accountChanges.changePassword', NO_NETWORK)
  await expect(page.getByText(words.noAnswer)).toBeVisible()

  await openScene(page, 'proof')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(getAuthErrorText('requires-recent-login'))).toBeVisible()
})

test('a late code response leaves the focus where the user is @all', async ({ page }) => {
  await page.clock.install()
  await openPhoneSignUp(page)
  await requestSignUpCode(page, createPhonePerson())
  const resend = signInPanel(page).getByRole('button', {
    name: new RegExp(`${words.resendIn}|${words.resend}`),
  })
  await page.clock.runFor(30_000)
  await expect(resend).toHaveText(words.resend)
  const answerNow = await delayRequests(page, '**/accounts:sendVerificationCode**')
  await resend.click()
  const amount = page.getByLabel(words.amount)
  await amount.fill('42')
  answerNow()
  await expect(resend).toHaveText(/\d+ ?s$/)
  await waitUntilDrawn(page)
  await expect(amount).toBeFocused()
})

test('late quote values don’t replace values typed into the form @all', async ({ page, server }) => {
  const person = await registerAndOpenSignIn(page, server)
  await page.getByLabel(words.amount).fill('42')
  const answerNow = await delayRequests(page, '**/drafts-*.js')
  await page.getByLabel(words.email).fill(person.email)
  await page.getByLabel(words.password, { exact: true }).fill(person.password)
  await page.getByRole('button', { name: words.signIn }).click()
  await expectHome(page)
  await page.getByLabel(words.amount).fill('150')
  await page.getByLabel(words.country).selectOption('FR')
  answerNow()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('passerelle.wantedQuote'))).toBeNull()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')
  await expect(page.getByLabel(words.country)).toHaveValue('FR')
})

test('a submission shows progress until its response @all', async ({ page, server }) => {
  const { uid } = await registerAndOpenHome(page, server)
  await openIdentity(page)
  await fillIdentityDetails(page)
  await chooseDocument(page, buildPng())
  const answerNow = await delayResponses(page, '**/documents:commit**', /documents\/files\//)
  await submitIdentityForm(page)
  await expect.poll(async () => (await server.documents('files', 'userId', uid)).length).toBe(1)
  const fetched = waitForQueryResponse(page, 'files')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await fetched
  await waitUntilDrawn(page)
  const progress = page.getByRole('progressbar', { name: identityWords.sending })
  await expect(progress).toBeVisible()
  answerNow()
  await expect(page.getByRole('main').getByText(identityWords.pending)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: words.identity })).toBeFocused()
})
