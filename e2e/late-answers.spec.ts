import type { Page } from '@playwright/test'
import { authError } from './authErrors.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { nextAnswer } from './steps/answers.ts'
import { contactWords } from './steps/contacts.ts'
import { untilDrawn } from './steps/drawn.ts'
import { demandProof, holdBack, holdBackAnswer } from './steps/faults.ts'
import { registerWith, transferOf } from './steps/history.ts'
import { choose, fillDetails, identityWords, openIdentity, png, submit } from './steps/identity.ts'
import { expectHome, openProfile, openRow, pressKey, section } from './steps/pages.ts'
import { somebody, somebodyWithPhone } from './steps/people.ts'
import { openPlans, payPlan, planWords, subscribeButton } from './steps/plans.ts'
import { activityRows, CARDS, receiptSheet } from './steps/transfer.ts'
import {
  arriveHome,
  askForCode,
  enter,
  openPhone,
  panel,
  sentCode,
  signInByPhone,
  speak,
} from './steps/waysIn.ts'
import { say } from './texts.ts'
import { words } from './words.ts'

const NOT_CANCELED = 'L’état de l’abonnement n’a pas pu être mis à jour'

test.use({ expectedErrors: [BROKEN_CALLS] })

const openNewest = (page: Page) => activityRows(page).first().click()

test('a receipt that was asked for earlier does not open over the one that was opened since', async ({
  page,
  server,
}) => {
  const person = await registerWith(server, 30)
  await enter(page, server, person)
  const receipt = receiptSheet(page)
  const { id } = transferOf(person.uid, 28)
  const answerNow = await holdBack(page, '**/documents:batchGet**')
  const answered = page.waitForResponse((response) => !!response.request().postData()?.includes(id))
  await page.goto(`/?transaction=${id}`)
  await openNewest(page)
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await receipt.getByLabel(contactWords.name).fill('Mariama Bah')
  answerNow()
  await (await answered).finished()
  await receipt.getByRole('button', { name: contactWords.save, exact: true }).click()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  await expect(receipt).toContainText(transferOf(person.uid, 0).id)
  const { recipientPhone: phone } = transferOf(person.uid, 0)
  expect(await server.documents('contacts', 'userId', person.uid)).toMatchObject([
    { name: 'Mariama Bah', phone },
  ])
})

test('what was begun on one receipt is not taken over by the next, whose notification is pressed', async ({
  page,
  server,
}) => {
  const person = await registerWith(server, 2)
  await enter(page, server, person)
  const receipt = receiptSheet(page)
  await openNewest(page)
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await receipt.getByLabel(contactWords.name).fill('Mariama')
  const next = transferOf(person.uid, 1)
  await expect(async () => {
    await page.evaluate((id) => {
      const data = { type: 'transfer.open', id }
      navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
    }, next.id)
    await expect(receipt).toContainText(next.id, { timeout: 2000 })
  }).toPass()
  await receipt.getByRole('button', { name: contactWords.addToContacts }).click()
  await expect(receipt.getByLabel(contactWords.name)).toHaveValue('')
  await receipt.getByLabel(contactWords.name).fill('Binta')
  await receipt.getByRole('button', { name: contactWords.save, exact: true }).click()
  await expect(page.getByText(contactWords.added)).toBeVisible()
  expect(await server.documents('contacts', 'userId', person.uid)).toMatchObject([
    { name: 'Binta', phone: next.recipientPhone },
  ])
})

test('a cancellation is waited for, so that nobody leaves before it is known', async ({ page, server }) => {
  await arriveHome(page, server)
  await openPlans(page)
  await subscribeButton(page, 'basic').click()
  await payPlan(page, CARDS.good)
  await expect(page.getByRole('heading', { name: planWords.own('Basic') })).toBeVisible()

  await page.route('**/cancel-subscription', (route) =>
    route.fulfill({ status: 502, json: { code: 'paymentUnavailable', error: '' } }),
  )
  const answerNow = await holdBack(page, '**/cancel-subscription')
  await page.getByRole('button', { name: planWords.cancel }).click()
  const question = page.getByRole('dialog')
  await pressKey(question.getByRole('button', { name: planWords.confirm, exact: true }))
  await expect(question.getByRole('button', { name: planWords.keep })).toBeDisabled()
  await expect(question.getByRole('button', { name: words.close })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  answerNow()
  await expect(question).toBeHidden()
  await expect(page.getByRole('alert').filter({ hasText: say(NOT_CANCELED) })).toBeVisible()
})

test('a failure that comes after its page was left is told all the same', async ({ page, server }) => {
  const person = await arriveHome(page, server)
  await openProfile(page)
  await openRow(page, words.security)
  const own = section(page, words.yourPassword)
  await own.getByLabel(words.currentPassword, { exact: true }).fill(person.password)
  await own.getByLabel(words.newPassword, { exact: true }).fill('Konkouré2026')
  await own.getByLabel(words.passwordAgain, { exact: true }).fill('Konkouré2026')
  await page.route('**/identitytoolkit.googleapis.com/**', (route) => route.abort())
  const answerNow = await holdBack(page, '**/identitytoolkit.googleapis.com/**')
  await own.getByRole('button', { name: words.changePassword }).click()
  await page.getByRole('button', { name: words.back }).click()
  await expect(own).toBeHidden()
  answerNow()
  await expect(page.getByText(words.noAnswer)).toBeVisible()
})

test('a change whose proof is not given because its page was left says that it was not made', async ({
  page,
  server,
}) => {
  await arriveHome(page, server)
  await openProfile(page)
  const own = section(page, words.yourEmail)
  await own.getByLabel(words.email).fill(somebody().email)
  await demandProof(server)
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(page.getByRole('dialog', { name: words.proof })).toBeVisible()
  await page.goBack()
  await expect(own).toBeHidden()
  await expect(page.getByText(authError('requires-recent-login'))).toBeVisible()
})

test('who asks for another code and goes on elsewhere stays there', async ({ page }) => {
  await page.clock.install()
  await speak(page)
  await openPhone(page, 'signUp')
  await askForCode(page, somebodyWithPhone())
  const resend = panel(page).getByRole('button', { name: new RegExp(`${words.resendIn}|${words.resend}`) })
  await page.clock.runFor(30_000)
  await expect(resend).toHaveText(words.resend)
  const answerNow = await holdBack(page, '**/accounts:sendVerificationCode**')
  await resend.click()
  const amount = page.getByLabel(words.amount)
  await amount.fill('42')
  answerNow()
  await expect(resend).toHaveText(/\d+ ?s$/)
  await untilDrawn(page)
  await expect(amount).toBeFocused()
})

test.describe('somebody who signs in with a number', () => {
  test('proves it once for two changes that were asked for one after the other', async ({ page, server }) => {
    const person = somebodyWithPhone()
    const uid = await server.registerPhone(person)
    const { email } = somebody()
    // What is recent is the service's to say: this device is ten minutes ahead of it.
    await page.clock.install({ time: Date.now() + 10 * 60_000 })
    await speak(page)
    await signInByPhone(page, server, person)
    await openProfile(page)
    await server.tell('auth/age', { localId: uid, minutes: 6 })
    const [address, number] = [section(page, words.yourEmail), section(page, words.yourPhone)]
    await demandProof(server, 'update')
    const answerNow = await holdBack(page, '**/identitytoolkit.googleapis.com/**')
    await address.getByLabel(words.email).fill(email)
    await address.getByRole('button', { name: words.changeEmail }).click()
    await number.getByRole('button', { name: words.changeNumber }).click()
    answerNow()
    const proof = page.getByRole('dialog', { name: words.proof })
    await proof.getByRole('button', { name: words.getCode }).click()
    await proof.getByLabel(words.code).fill(await sentCode(page, server, person))
    await proof.getByRole('button', { name: words.confirm }).click()
    await expect(page.getByText(words.emailSaved)).toBeVisible()
    await expect(page.getByRole('dialog', { name: words.changeNumber })).toBeVisible()
  })

  test('waits for the answer to the code that changes it', async ({ page, server }) => {
    const [person, other] = [somebodyWithPhone(), somebodyWithPhone()]
    await server.registerPhone(person)
    await speak(page)
    await signInByPhone(page, server, person)
    await openProfile(page)
    await section(page, words.yourPhone).getByRole('button', { name: words.changeNumber }).click()
    const sheet = page.getByRole('dialog', { name: words.changeNumber })
    await sheet.getByLabel(words.phoneNumber).fill(other.phone)
    await sheet.getByRole('button', { name: words.getCode }).click()
    await sheet.getByLabel(words.code).fill(await sentCode(page, server, other))
    const answerNow = await holdBack(page, '**/accounts:signInWithPhoneNumber**')
    await sheet.getByRole('button', { name: words.confirm }).click()
    await expect(sheet.getByRole('button', { name: words.changeNumber, exact: true })).toBeDisabled()
    await expect(sheet.getByRole('button', { name: words.close })).toBeHidden()
    await page.keyboard.press('Escape')
    answerNow()
    await expect(page.getByText(words.phoneSaved)).toBeVisible()
    await expect(sheet).toBeHidden()
  })
})

test('what was typed into the calculator does not replace what was typed into the form since', async ({
  page,
  server,
}) => {
  const person = somebody()
  await server.register(person)
  await speak(page)
  await page.getByLabel(words.amount).fill('42')
  const answerNow = await holdBack(page, '**/drafts-*.js')
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

test('an identity that comes back as a file before its own answer keeps its progress until then', async ({
  page,
  server,
}) => {
  const { uid } = await arriveHome(page, server)
  await openIdentity(page)
  await fillDetails(page)
  await choose(page, png())
  const answerNow = await holdBackAnswer(page, '**/documents:commit**', /documents\/files\//)
  await submit(page)
  await expect.poll(async () => (await server.documents('files', 'userId', uid)).length).toBe(1)
  const fetched = nextAnswer(page, 'files')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await fetched
  await untilDrawn(page)
  const progress = page.getByRole('progressbar', { name: identityWords.sending })
  await expect(progress).toBeVisible()
  answerNow()
  await expect(page.getByRole('main').getByText(identityWords.pending)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: words.identity })).toBeFocused()
})
