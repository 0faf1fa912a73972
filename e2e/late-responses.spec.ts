import type { Locator, Page } from '@playwright/test'
import { MARIAMA } from '../scenes/fixtures.ts'
import { buildIdentityRows } from '../scenes/identity.ts'
import { buildPaidTransfer, HISTORY } from '../scenes/transactions.ts'
import { getAuthErrorText } from './authErrors.ts'
import { expect, sceneTest as test } from './fixtures.ts'
import { contactWords } from './steps/contacts.ts'
import { identityWords } from './steps/identity.ts'
import { NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { openSetting, pressKey } from './steps/pages.ts'
import { planWords } from './steps/plans.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, releaseCode, setResponse } from './steps/scenes.ts'
import { requestSignUpCode } from './steps/signIn.ts'
import { activityRows, receiptSheet } from './steps/transfer.ts'
import { getText } from './texts.ts'
import { words } from './words.ts'

const NOT_CANCELED = 'L’état de l’abonnement n’a pas pu être mis à jour'

const openNewest = (page: Page) => activityRows(page).first().click()

test('a late linked receipt does not replace one opened since', async ({ page }) => {
  const LINKED = 'transactions.fetchTransaction'
  await openScene(page, 'home-activity', {
    path: '/?transaction=pi_linked',
    responses: { [LINKED]: 'held', 'contacts.createContact': { value: MARIAMA } },
  })
  await openNewest(page)
  const receipt = receiptSheet(page)
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await receipt.getByLabel(contactWords.name).fill('Mariama Bah')
  await setResponse(page, LINKED, { value: buildPaidTransfer(28, { id: 'pi_linked' }) })
  await waitUntilDrawn(page)
  await expect(receipt).toContainText(HISTORY[0].id)
  await receipt.getByRole('button', { name: contactWords.save, exact: true }).click()
  await expect(page.getByText(contactWords.added)).toBeVisible()
})

const staysOpen = async (page: Page, dialog: Locator) => {
  await expect(dialog.getByRole('button', { name: words.close })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
}

test('a typed contact’s name does not move to another receipt', async ({ page }) => {
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

test('the dialogs of plan and number stay open until the response', async ({ page }) => {
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

test('a refused change is reported after the user has left', async ({ page }) => {
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

test('a late code response leaves the focus where the user is', async ({ page }) => {
  const SEND = 'phoneCodes.sendCode'
  const responses = { [SEND]: { value: { verificationId: 'first' } } }
  await openScene(page, 'phone-no-account', { delays: { 1000: 0 }, responses })
  await requestSignUpCode(page, { name: 'Awa Diallo', phone: '+33612345678' })
  await setResponse(page, SEND, 'held')
  const resend = page.getByRole('button', { name: words.resend })
  await resend.click()
  await expect(resend).toBeDisabled()
  const amount = page.getByLabel(words.amount)
  await amount.fill('42')
  await setResponse(page, SEND, { value: { verificationId: 'second' } })
  await expect(resend).toBeEnabled()
  await waitUntilDrawn(page)
  await expect(amount).toBeFocused()
})

test('late quote values don’t replace values typed into the form', async ({ page }) => {
  const wantedQuote = { amount: '42', currency: 'EUR', country: 'GN' }
  await openScene(page, 'home-empty', { heldCode: 'drafts', device: { wantedQuote } })
  await page.getByLabel(words.amount).fill('150')
  await page.getByLabel(words.country).selectOption('FR')
  await releaseCode(page)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('passerelle.wantedQuote'))).toBeNull()
  await expect(page.getByLabel(words.amount)).toHaveValue('150')
  await expect(page.getByLabel(words.country)).toHaveValue('FR')
})

test('a submission shows progress until its response', async ({ page }) => {
  const responses = { 'files.fetchDocumentAddress': { value: 'https://storage.example/1' } }
  await openScene(page, 'identity-recording', { responses })
  const files = buildIdentityRows({}).rows?.identity?.[0]?.files ?? []
  await setResponse(page, 'identityFiles.fetchIdentityFiles', { value: files })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await waitUntilDrawn(page)
  await expect(page.getByRole('progressbar', { name: identityWords.sending })).toBeVisible()
  await setResponse(page, 'identityFiles.recordFile', { value: undefined })
  await expect(page.getByRole('main').getByText(identityWords.pending)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: words.identity })).toBeFocused()
})
