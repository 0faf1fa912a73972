import type { Page } from '@playwright/test'
import { getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { requireRecentSignIn } from './steps/faults.ts'
import { expectHome, openProfile, openSetting } from './steps/pages.ts'
import { createPerson, type Person } from './steps/person.ts'
import {
  completeGoogleSignIn,
  emulateStandalone,
  mainAlert,
  openGoogleInOwnWindow,
  openInTestLanguage,
  openSignUp,
  signInPanel,
  signOut,
} from './steps/signIn.ts'
import { words } from './words.ts'

// An installed app has a single window. On iOS, its popup may open in another app, which can't respond.

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

async function openInstalledApp(page: Page) {
  await emulateStandalone(page)
  await openInTestLanguage(page)
}

async function signUpWithGoogle(page: Page, person: Person) {
  await openSignUp(page)
  await openGoogleInOwnWindow(page)
  await completeGoogleSignIn(page, person)
}

const listGoogleKeys = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.includes('google')),
  )

const watchAddresses = (page: Page) => {
  const addresses: string[] = []
  page.on('framenavigated', (frame) => frame === page.mainFrame() && addresses.push(frame.url()))
  return addresses
}

test('a user signs up and in within an installed app’s window', async ({ page, server }) => {
  const person = createPerson()
  await openInstalledApp(page)
  await openSignUp(page)
  await openGoogleInOwnWindow(page)
  // A tab that has lost the typed values still restores the side of the sign-in card (sign-in or sign-up).
  await page.evaluate(() => sessionStorage.clear())
  await page.getByRole('button', { name: words.googleCancel }).click()
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('popup-closed-by-user'))
  await expect(signInPanel(page).getByRole('button', { name: words.createAccount })).toBeVisible()
  await openGoogleInOwnWindow(page)
  const addresses = watchAddresses(page)
  await completeGoogleSignIn(page, person)
  await expect(page.getByText(words.welcome).last()).toBeVisible()
  await expectHome(page)
  expect(page.context().pages()).toHaveLength(1)
  expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  expect(addresses.filter((address) => address.includes('id_token'))).toHaveLength(1)
  expect(await listGoogleKeys(page)).toEqual([])
  await page.goBack()
  await expect(page).toHaveURL(/\/sandbox\/google\/auth/)
  await page.goForward()
  await expectHome(page)
  expect(page.url()).not.toContain('token')

  await signOut(page)
  await openGoogleInOwnWindow(page)
  await completeGoogleSignIn(page, person)
  await expectHome(page)
  expect(await listGoogleKeys(page)).toEqual([])
})

test('Google’s response is accepted once, in time, where requested', async ({ page, browser, server }) => {
  const person = createPerson()
  await openInstalledApp(page)
  const answered = page.waitForResponse((response) => response.status() === 303)
  await signUpWithGoogle(page, person)
  await expectHome(page)
  const answer = (await answered).headers().location ?? ''
  expect(answer).toContain('id_token=')
  await signOut(page)

  const expectRefused = async (at: Page) => {
    await expect(at.getByRole('heading', { name: words.requestOver })).toBeVisible()
    await expect(at).toHaveURL('/google-sign-in.html')
    await at.getByRole('link', { name: words.backToApp }).click()
    await expect(signInPanel(at).getByLabel(words.email)).toBeVisible()
    expect(await at.evaluate(() => Object.keys(localStorage).join())).not.toContain('authUser')
  }
  await page.goto(answer)
  await expectRefused(page)

  // Another user opens the response's URL, first without a request of their own, then with one.
  const other = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await openInstalledApp(other)
  await other.goto(answer)
  await expectRefused(other)
  await openGoogleInOwnWindow(other)
  await other.goto(answer)
  await expectRefused(other)
  await other.context().close()

  await openGoogleInOwnWindow(page)
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('passerelle.google') ?? '')
    const at = kept.at - 11 * 60_000
    localStorage.setItem('passerelle.google', JSON.stringify({ ...kept, at }))
  })
  await completeGoogleSignIn(page, person)
  await expectRefused(page)
  expect(await listGoogleKeys(page)).toEqual([])
})

test('a silent Google page can be left, and going back cancels @all', async ({ page }) => {
  await openInstalledApp(page)
  await page.route('**/sandbox/google/auth**', (route) => route.fulfill({ status: 204 }))
  await page.getByRole('button', { name: words.google }).click()
  await expect(page.getByRole('heading', { name: words.openingGoogle })).toBeVisible()
  await page.getByRole('link', { name: words.backToApp }).click()
  await expect(page.getByRole('button', { name: words.google })).toBeEnabled()

  await page.route('**/google-sign-in.html', (route) => route.fulfill({ status: 204 }))
  const left = page.waitForRequest((request) => request.isNavigationRequest())
  await page.getByRole('button', { name: words.google }).click()
  await left
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('popup-closed-by-user'))
})

test('re-authenticating with Google returns to the page that requested it @all', async ({ page, server }) => {
  const person = createPerson()
  await openInstalledApp(page)
  await signUpWithGoogle(page, person)
  await expectHome(page)
  await openProfile(page)
  await requireRecentSignIn(server)
  const email = await openSetting(page, words.yourEmail)
  await email.getByLabel(words.email).fill(createPerson().email)
  await email.getByRole('button', { name: words.changeEmail }).click()
  const proof = page.getByRole('dialog', { name: words.proof })
  await openGoogleInOwnWindow(page)
  await completeGoogleSignIn(page, createPerson())
  await expect(proof.getByRole('alert')).toHaveText(getAuthErrorText('user-mismatch'))
  await openGoogleInOwnWindow(page)
  await completeGoogleSignIn(page, person)
  await expect(page.getByText(words.proven)).toBeVisible()
  await expect(proof).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeVisible()
  expect(await listGoogleKeys(page)).toEqual([])
})
