import { authError } from './authErrors.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome } from './steps/pages.ts'
import { somebody } from './steps/people.ts'
import { alert, chooseGoogle, openGoogle, panel, press, signOut, speak } from './steps/waysIn.ts'
import { words } from './words.ts'

// Tests marked @auth also run with the official Auth emulator: see docs/sandbox.md.

test.use({ expectedErrors: [BROKEN_CALLS] })

test.describe('with Google', () => {
  test('the window is of 500 by 600 @spec-popup-size', async ({ page }) => {
    await page.addInitScript(() => {
      const { open } = window
      window.open = (address, name, features) => {
        document.documentElement.dataset.opened = features
        return open.call(window, address, name, features)
      }
    })
    await speak(page)
    await openGoogle(page)
    await expect(page.locator('html')).toHaveAttribute('data-opened', /\bwidth=500,height=600\b/)
  })

  test('somebody signs up, and signs in again', async ({ page, server }) => {
    const person = somebody()
    await speak(page)
    await press(page, words.createInstead)
    await chooseGoogle(await openGoogle(page), person)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page)
    expect(await server.documents('users', 'email', person.email)).toMatchObject([
      { name: person.name, phone: null },
    ])

    await signOut(page)
    await chooseGoogle(await openGoogle(page), person)
    await expectHome(page)
    await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  })

  test('a name of Google’s that no profile may have is made one that it may', async ({ page, server }) => {
    const person = somebody()
    await speak(page)
    await press(page, words.createInstead)
    await chooseGoogle(await openGoogle(page), {
      ...person,
      name: `\u202eMariama\tBah\u2069 ${'a'.repeat(120)}`,
    })
    await expectHome(page)
    const name = `Mariama Bah ${'a'.repeat(88)}`
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name }])
    await signOut(page)

    const nameless = somebody()
    await press(page, words.createInstead)
    await chooseGoogle(await openGoogle(page), { ...nameless, name: '\u200f--' })
    await expectHome(page)
    expect(await server.documents('users', 'email', nameless.email)).toMatchObject([
      { name: nameless.email.split('@')[0] },
    ])
  })

  test('an account that is not known signs up instead; cancelling changes nothing', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page)
    const cancelled = await openGoogle(page)
    const closed = cancelled.waitForEvent('close')
    await cancelled.getByRole('button', { name: words.googleCancel }).click()
    await closed
    await expect(alert(page)).toHaveText(authError('popup-closed-by-user'))

    await chooseGoogle(await openGoogle(page), person)
    await expect(panel(page).getByText(words.profileMissing)).toBeVisible()
    expect(await server.documents('users', 'email', person.email)).toEqual([])
    await chooseGoogle(await openGoogle(page), person)
    await expectHome(page)
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  })

  test('a window that is closed counts as cancelled after a while @spec-popup-closed', async ({ page }) => {
    // By the clock of the machine: a page whose clock is put in place by a test can not always open windows.
    await speak(page)
    const popup = await openGoogle(page)
    await popup.close()
    const closedAt = Date.now()
    // Up to ten seconds until the next look at the window, and eight in which its answer may still come.
    await expect(alert(page)).toHaveText(authError('popup-closed-by-user'))
    expect(Date.now() - closedAt).toBeGreaterThan(4_000)
  })

  test('another window takes the place of the first, and an answer of long ago does not count @spec-popup-replaced', async ({
    page,
  }) => {
    const person = somebody()
    await speak(page)
    await press(page, words.createInstead)
    const first = await openGoogle(page)
    const closed = first.waitForEvent('close')
    const second = await openGoogle(page)
    await closed
    const requestId = new URL(second.url()).searchParams.get('state')
    await page.evaluate((id) => {
      const at = Date.now() - 6 * 60_000
      const channel = new BroadcastChannel('passerelle.google')
      channel.postMessage({ kind: 'redirect', requestId: id, at, idToken: 'a.b.c' })
    }, requestId)
    await expect(alert(page)).toHaveText(authError('token-too-old'))
    await chooseGoogle(await openGoogle(page), person)
    await expectHome(page)
  })

  test('a tap counts even when the code that answers it comes meanwhile', async ({ page }) => {
    const code = '**/assets/GoogleSignIn-*.js'
    const release = await holdBack(page, code)
    await speak(page)
    await page.getByRole('button', { name: words.google }).hover()
    await page.mouse.down()
    const come = page.waitForResponse(code)
    release()
    await (await come).finished()
    // Long enough for it to be shown.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    const opened = page.waitForEvent('popup')
    await page.mouse.up()
    await expect((await opened).getByRole('textbox', { name: words.googleEmail })).toBeVisible()
  })

  test('a window that can not open @spec-popup-blocked', async ({ page }) => {
    await page.addInitScript(() => {
      window.open = () => null
    })
    const code = '**/assets/GoogleSignIn-*.js'
    const release = await holdBack(page, code)
    const asked = page.waitForRequest(code)
    await speak(page)
    await asked
    const google = page.getByRole('button', { name: words.google })
    // Whether its code comes after the press, with a button of its own, or is there.
    await google.press('Enter')
    release()
    await expect(alert(page)).toHaveText(authError('popup-blocked'))
    await expect(google).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(google).toBeEnabled()
    await expect(google).toBeFocused()
  })

  test('a browser in which no answer could come back @spec-popup-unsupported', async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'BroadcastChannel')
    })
    await speak(page)
    await page.getByRole('button', { name: words.google }).click()
    await expect(alert(page)).toHaveText(authError('web-storage-unsupported'))
  })
})
