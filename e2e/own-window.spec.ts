import type { Page } from '@playwright/test'
import { authError } from './authErrors.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { blockStorage, demandProof } from './steps/faults.ts'
import { expectHome, openProfile } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { chooseGoogle, leaveForGoogle, panel, signOut, speak, standAlone } from './steps/waysIn.ts'
import { words } from './words.ts'

// An installed app has one window. A popup of it can open in another app, from which no answer comes back, as on iOS.

test.use({ expectedErrors: [BROKEN_CALLS] })

const createInstead = (page: Page) => panel(page).getByRole('button', { name: words.createInstead }).click()

const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** What the sign-in leaves on the device: of the request, the answer and the place. */
const leftBehind = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.includes('google')),
  )

/** Everything the app shows an address of. */
const watchAddresses = (page: Page) => {
  const addresses: string[] = []
  page.on('framenavigated', (frame) => frame === page.mainFrame() && addresses.push(frame.url()))
  return addresses
}

for (const how of ['display mode', 'iOS'] as const)
  test(`somebody signs up by the app’s own window, and in again, told by ${how}`, async ({
    page,
    server,
  }) => {
    const person = somebody()
    await standAlone(page, how)
    await speak(page)
    await createInstead(page)
    await leaveForGoogle(page)
    const addresses = watchAddresses(page)
    await chooseGoogle(page, person)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page)
    expect(page.context().pages()).toHaveLength(1)
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
    // The token was in one address, and stands in none that can be gone back to.
    expect(addresses.filter((address) => address.includes('id_token'))).toHaveLength(1)
    expect(await leftBehind(page)).toEqual([])
    await page.goBack()
    await expect(page).toHaveURL(/\/sandbox\/google\/auth/)
    await page.goForward()
    await expectHome(page)
    expect(page.url()).not.toContain('token')

    await signOut(page)
    await leaveForGoogle(page)
    await chooseGoogle(page, person)
    await expectHome(page)
    expect(await leftBehind(page)).toEqual([])
  })

test('who says no at Google, or goes back, finds the form as it was left', async ({ page }) => {
  const person = somebody()
  await standAlone(page)
  await speak(page)
  await createInstead(page)
  const fill = async () => {
    await panel(page).getByLabel(words.name).fill(person.name)
    await panel(page).getByLabel(words.email).fill(person.email)
  }
  const expectFilled = async () => {
    await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
    await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
  }
  await fill()
  await leaveForGoogle(page)
  await page.getByRole('button', { name: words.googleCancel }).click()
  await expect(alert(page)).toHaveText(authError('popup-closed-by-user'))
  await expectFilled()
  expect(await leftBehind(page)).toEqual([])

  await leaveForGoogle(page)
  await page.goBack()
  await expectFilled()
  await expect(page.getByRole('button', { name: words.google })).toBeEnabled()

  // A tab that has lost what was typed still knows the side.
  await leaveForGoogle(page)
  await page.evaluate(() => sessionStorage.clear())
  await page.getByRole('button', { name: words.googleCancel }).click()
  await expect(alert(page)).toHaveText(authError('popup-closed-by-user'))
  await expect(panel(page).getByRole('button', { name: words.createAccount })).toBeVisible()
})

test('an answer counts once, and only where it was asked for, and not for long', async ({
  page,
  browser,
  server,
}) => {
  const person = somebody()
  await standAlone(page)
  await speak(page)
  await createInstead(page)
  await leaveForGoogle(page)
  const answered = page.waitForResponse((response) => response.status() === 303)
  await chooseGoogle(page, person)
  await expectHome(page)
  const answer = (await answered).headers().location ?? ''
  expect(answer).toContain('id_token=')
  await signOut(page)

  const expectRefused = async (at: Page) => {
    await expect(at.getByRole('heading', { name: words.requestOver })).toBeVisible()
    await expect(at).toHaveURL('/google-sign-in.html')
    await at.getByRole('link', { name: words.backToApp }).click()
    await expect(panel(at).getByLabel(words.email)).toBeVisible()
    expect(await at.evaluate(() => Object.keys(localStorage).join())).not.toContain('authUser')
  }
  await page.goto(answer)
  await expectRefused(page)

  // Sent to somebody else, who has asked for another one.
  const other = await (await browser.newContext({ baseURL: server.origin })).newPage()
  await standAlone(other)
  await speak(other)
  await other.goto(answer)
  await expectRefused(other)
  await leaveForGoogle(other)
  await other.goto(answer)
  await expectRefused(other)
  await other.context().close()

  // Asked for here, but eleven minutes ago.
  await leaveForGoogle(page)
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('passerelle.google') ?? '')
    const at = kept.at - 11 * 60_000
    localStorage.setItem('passerelle.google', JSON.stringify({ ...kept, at }))
  })
  await chooseGoogle(page, person)
  await expectRefused(page)
  expect(await leftBehind(page)).toEqual([])
})

test('a token with another nonce, and one that the app was not opened for in time, are refused', async ({
  page,
}) => {
  const person = somebody()
  await standAlone(page)
  await speak(page)
  await leaveForGoogle(page)
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('passerelle.google') ?? '')
    localStorage.setItem('passerelle.google', JSON.stringify({ ...kept, rawNonce: 'another' }))
  })
  await chooseGoogle(page, person)
  await expect(alert(page)).toHaveText(authError('missing-or-invalid-nonce'))

  await page.evaluate(
    (at) => {
      const answer = { id: 'own.1', purpose: 'signIn', rawNonce: '1', page: null, at, idToken: 'a.b.c' }
      localStorage.setItem('passerelle.googleAnswer', JSON.stringify(answer))
    },
    Date.now() - 6 * 60_000,
  )
  await page.reload()
  await expect(alert(page)).toHaveText(authError('token-too-old'))
  expect(await leftBehind(page)).toEqual([])
})

test('without a network the app stays, and nothing is left of a browser that keeps nothing', async ({
  page,
}) => {
  await standAlone(page)
  await speak(page)
  await page.route('**/google-sign-in.html', (route) => route.abort())
  await page.getByRole('button', { name: words.google }).click()
  await expect(alert(page)).toHaveText(words.noAnswer)
  await expect(page).toHaveURL('/')
  await page.unrouteAll()
  await leaveForGoogle(page)

  await blockStorage(page)
  await speak(page)
  await page.getByRole('button', { name: words.google }).click()
  await expect(alert(page).last()).toHaveText(authError('web-storage-unsupported'))
})

test('a page of Google’s that does not come can be left, and a window that comes back to the app is not waited for', async ({
  page,
}) => {
  await standAlone(page)
  await speak(page)
  // An answer without a page leaves the one that asked for it where it is.
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
  await expect(alert(page)).toHaveText(authError('popup-closed-by-user'))
})

test('who proves with Google who they are comes back to the page that asked', async ({ page, server }) => {
  const person = somebody()
  const stranger = somebody()
  const other = somebody().email
  await standAlone(page)
  await speak(page)
  await createInstead(page)
  await leaveForGoogle(page)
  await chooseGoogle(page, person)
  await expectHome(page)

  const email = page.getByRole('region', { name: words.yourEmail })
  const change = async () => {
    await email.getByLabel(words.email).fill(other)
    await email.getByRole('button', { name: words.changeEmail }).click()
  }
  const proof = page.getByRole('dialog', { name: words.proof })
  await openProfile(page)
  await demandProof(server)
  await change()
  await expect(proof).toBeVisible()
  await leaveForGoogle(page)
  await chooseGoogle(page, stranger)
  await expect(proof.getByRole('alert')).toHaveText(authError('user-mismatch'))
  await leaveForGoogle(page)
  await page.getByRole('button', { name: words.googleCancel }).click()
  await expect(proof.getByRole('alert')).toHaveText(authError('popup-closed-by-user'))
  await leaveForGoogle(page)
  await chooseGoogle(page, person)
  await expect(page.getByText(words.proven)).toBeVisible()
  await expect(proof).toBeHidden()
  await change()
  await expect(email.getByText(`${words.openLink} ${other}`)).toBeVisible()
  expect(await leftBehind(page)).toEqual([])
  await page.getByRole('button', { name: words.back }).click()
  await expectHome(page)
})
