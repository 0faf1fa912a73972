import { getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { blockStorage, delayRequests } from './steps/faults.ts'
import { expectHome } from './steps/pages.ts'
import { createPerson } from './steps/person.ts'
import {
  completeGoogleSignIn,
  mainAlert,
  openGooglePopup,
  openInTestLanguage,
  pressInPanel,
  signIn,
  signInPanel,
  signOut,
  signUp,
} from './steps/signIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

test('a user signs up with Google and signs in again @spec-popup-size @desk', async ({ page, server }) => {
  const person = createPerson()
  await page.addInitScript(() => {
    const { open } = window
    window.open = (address, name, features) => {
      document.documentElement.dataset.opened = features
      return open.call(window, address, name, features)
    }
  })
  const confirmations: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm-address')) confirmations.push(request.url())
  })
  await openInTestLanguage(page)
  await pressInPanel(page, words.createInstead)
  await completeGoogleSignIn(await openGooglePopup(page), person)
  await expect(page.locator('html')).toHaveAttribute('data-opened', /\bwidth=500,height=600\b/)
  await expect(page.getByText(words.welcome).last()).toBeVisible()
  await expectHome(page)
  expect(await server.documents('users', 'email', person.email)).toMatchObject([
    { name: person.name, phone: null },
  ])

  await signOut(page)
  await completeGoogleSignIn(await openGooglePopup(page), person)
  await expectHome(page)
  await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  expect(confirmations, 'calls to confirm the address').toHaveLength(1)
})

test('a wrong password names Google if the account has it @desk', async ({ page, server }) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await signUp(page, person)
  await page.getByRole('button', { name: words.backToSignIn }).click()
  await completeGoogleSignIn(await openGooglePopup(page), person)
  await expectHome(page)
  await signOut(page)
  await signIn(page, person)
  await expect(mainAlert(page)).toHaveText(words.noPassword)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: words.google }).first().click()
  await completeGoogleSignIn(await opened, person)
  await expectHome(page)
  await signOut(page)

  await server.protectAddresses(true)
  await signIn(page, person)
  await expect(mainAlert(page)).toHaveText(words.notKnownWhich)
})

test('a closed Google popup is canceled after a few seconds @spec-popup-closed @desk', async ({ page }) => {
  // Uses the real clock: a page with a fake one can't always open windows.
  await openInTestLanguage(page)
  const popup = await openGooglePopup(page)
  await popup.close()
  const closedAt = Date.now()
  // The app may check the popup only after ten seconds, and then waits eight more for its response.
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('popup-closed-by-user'))
  expect(Date.now() - closedAt).toBeGreaterThan(4_000)
})

test('a second popup replaces the first, whose late response is refused @spec-popup-replaced @desk', async ({
  page,
}) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await pressInPanel(page, words.createInstead)
  const first = await openGooglePopup(page)
  const closed = first.waitForEvent('close')
  const second = await openGooglePopup(page)
  await closed
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('cancelled-popup-request'))
  const requestId = new URL(second.url()).searchParams.get('state')
  await page.evaluate((id) => {
    const at = Date.now() - 6 * 60_000
    const channel = new BroadcastChannel('passerelle.google')
    channel.postMessage({ kind: 'redirect', requestId: id, at, idToken: 'a.b.c' })
  }, requestId)
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('token-too-old'))
  await completeGoogleSignIn(await openGooglePopup(page), person)
  await expectHome(page)
})

test('a tap opens the popup even while its chunk loads @desk @all', async ({ page }) => {
  const code = '**/assets/GoogleSignIn-*.js'
  const release = await delayRequests(page, code)
  await openInTestLanguage(page)
  await page.getByRole('button', { name: words.google }).hover()
  await page.mouse.down()
  const come = page.waitForResponse(code)
  release()
  await (await come).finished()
  // Leaves time to render with the loaded chunk.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  const opened = page.waitForEvent('popup')
  await page.mouse.up()
  await expect((await opened).getByRole('textbox', { name: words.googleEmail })).toBeVisible()
})

test('a blocked Google popup is reported @spec-popup-blocked @desk', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  const code = '**/assets/GoogleSignIn-*.js'
  const release = await delayRequests(page, code)
  const asked = page.waitForRequest(code)
  await openInTestLanguage(page)
  await asked
  const google = page.getByRole('button', { name: words.google })
  await google.press('Enter')
  release()
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('popup-blocked'))
  await expect(google).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(google).toBeEnabled()
  await expect(google).toBeFocused()
})

test('a browser without Google’s response is reported @spec-popup-unsupported @desk', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'BroadcastChannel')
  })
  await blockStorage(page)
  await openInTestLanguage(page)
  await page.getByRole('button', { name: words.google }).click()
  await expect(mainAlert(page).last()).toHaveText(getAuthErrorText('web-storage-unsupported'))
})

test('an unknown Google account leads to the sign-up @desk @all', async ({ page, server }) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await completeGoogleSignIn(await openGooglePopup(page), person)
  await expect(signInPanel(page).getByText(words.profileMissing)).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toEqual([])
  await completeGoogleSignIn(await openGooglePopup(page), person)
  await expectHome(page)
  expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
})
