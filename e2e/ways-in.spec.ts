import type { Locator, Page } from '@playwright/test'
import { ACCOUNT_KEY, accountOf, isAccountKey } from '../src/browser/storedAccount.ts'
import { AUTH_ERRORS, type CALLS } from './authErrors.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { expectHome } from './steps/pages.ts'
import { somebody, somebodyWithPhone, written } from './steps/people.ts'
import {
  alert,
  arriveHome,
  askForCode,
  chooseGoogle,
  fillSignUp,
  openGoogle,
  openPhone,
  panel,
  press,
  refuseOnce,
  signIn,
  speak,
} from './steps/waysIn.ts'
import { say } from './texts.ts'
import { words } from './words.ts'

// Tests marked @auth also run with the official Auth emulator: see docs/sandbox.md.

test.use({ expectedErrors: [BROKEN_CALLS] })

test('what was typed is there again on the other side and back @spec-sign-in-tabs', async ({ page }) => {
  const byMail = somebody()
  const byPhone = somebodyWithPhone()
  await speak(page)
  await panel(page).getByLabel(words.email).fill(byMail.email)
  await panel(page).getByLabel(words.password, { exact: true }).fill(byMail.password)
  await openPhone(page, 'signUp')
  await askForCode(page, byPhone)
  await panel(page).getByLabel(words.code).fill('12 34')

  await page.getByRole('tab', { name: words.emailTab }).press('ArrowLeft')
  await expect(page.getByRole('tab', { name: words.emailTab })).toHaveAttribute('aria-selected', 'true')
  await expect(panel(page).getByLabel(words.email)).toHaveValue(byMail.email)
  await expect(panel(page).getByLabel(words.password, { exact: true })).toHaveValue(byMail.password)
  await page.getByRole('tab', { name: words.emailTab }).press('ArrowRight')
  await expect(panel(page).getByLabel(words.name)).toHaveValue(byPhone.name)
  await expect(panel(page).getByLabel(words.code)).toHaveValue('12 34')
  await press(page, words.changeNumber)
  await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(byPhone.phone))
})

test('a number that is typed in the place of the address leads to the way in by phone', async ({ page }) => {
  await speak(page)
  await panel(page).getByLabel(words.email).fill('+224 620 00 00 00')
  await panel(page).getByLabel(words.email).press('Enter')
  await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue('+224 620 00 00 00')
  await expect(panel(page).getByLabel(words.phoneNumber)).toBeFocused()
  await page.getByRole('tab', { name: words.emailTab }).click()
  await expect(panel(page).getByLabel(words.email)).toHaveValue('')
})

test.describe('a profile that the database refuses', () => {
  const refuse = (page: Page, call: string) =>
    page.route(`**/documents:${call}**`, (route) =>
      route.fulfill({
        status: 400,
        json: { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'no' } },
      }),
    )

  test('is told of, and the sign-up can be tried again @spec-profile-refused', async ({ page, server }) => {
    const person = somebody()
    await speak(page)
    await fillSignUp(page, person)
    await refuse(page, 'commit')
    await press(page, words.createAccount)
    await expect(alert(page)).toContainText(words.profileNotCreated)
    await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
    await page.unrouteAll()
    await press(page, words.createAccount)
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  })

  test('is told of when it can not be read, and nobody is signed in @spec-profile-unreadable', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page)
    await press(page, words.createInstead)
    await refuse(page, 'batchGet')
    await chooseGoogle(await openGoogle(page), person)
    await expect(alert(page)).toContainText(words.profileNotRead)
    expect(await server.documents('users', 'email', person.email)).toEqual([])
    await page.unrouteAll()
    await chooseGoogle(await openGoogle(page), person)
    await expectHome(page)
  })
})

test('each refusal of the service is told in words, and a new one by what was asked for @spec-auth-errors @spec-wrong-credentials', async ({
  page,
  server,
}) => {
  const byMail = somebody()
  const byPhone = somebodyWithPhone()
  const unknown = {
    password: words.signInFailed,
    mail: null,
    signUp: null,
    message: words.sendFailed,
    code: words.codeFailed,
    google: words.signInFailed,
  }
  const expectTold = async (call: keyof typeof CALLS, act: () => Promise<void>, among: Locator) => {
    const rows = Object.values(AUTH_ERRORS).flatMap(([id, refused, message = '']) =>
      refused === call ? [{ message, text: say(id) }] : [],
    )
    const text = unknown[call]
    if (text) rows.push({ message: 'NEVER_HEARD_OF : A sentence of the service.', text })
    for (const { message, text } of rows) {
      await refuseOnce(server, call, message)
      await act()
      // Where addresses are protected it may be that there is no account.
      const whole = message === 'INVALID_LOGIN_CREDENTIALS' ? words.notKnownWhich : text
      await expect(among, message).toHaveText(whole)
    }
    expect(await server.pendingFaults(), 'refusals that no call has met').toEqual([])
  }
  await speak(page)
  const inPanel = panel(page).getByRole('alert')
  await panel(page).getByLabel(words.email).fill(byMail.email)
  await panel(page).getByLabel(words.password, { exact: true }).fill(byMail.password)
  await expectTold('password', () => press(page, words.signIn), inPanel)
  await expectTold('mail', () => press(page, words.forgotPassword), inPanel)

  // The last of them has turned the card to the sign-up.
  await panel(page).getByLabel(words.name).fill(byMail.name)
  await expectTold('signUp', () => press(page, words.createAccount), inPanel)

  await page.goto('/')
  await openPhone(page, 'signUp')
  await panel(page).getByLabel(words.name).fill(byPhone.name)
  await panel(page).getByLabel(words.phoneNumber).fill(byPhone.phone)
  await expectTold('message', () => press(page, words.getCode), inPanel)
  await press(page, words.getCode)
  await panel(page).getByLabel(words.code).fill('123456')
  await expectTold('code', () => press(page, words.createAccount), inPanel)

  await page.goto('/')
  await expectTold('google', async () => chooseGoogle(await openGoogle(page), byMail), alert(page))
})

test.describe('without a network', () => {
  test('nobody is signed out for want of a network @spec-stays-signed-in', async ({ page, server }) => {
    await arriveHome(page, server)
    for (const service of [
      '**/identitytoolkit*/**',
      '**/securetoken*/**',
      '**/v1/projects/**',
      '**/.netlify/**',
    ])
      await page.route(service, (route) => route.abort())
    await page.reload()
    await expectHome(page)
    await expect(page.getByText(words.historyFailed)).toBeVisible()
    await expectHome(page)
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByText(words.noTransfers)).toBeVisible()
  })
})

test('the sign-in SDK keeps a session where the first paint looks for it', async ({ page, server }) => {
  const person = somebody()
  const uid = await server.register(person)
  await speak(page)
  await page.goto('/')
  await signIn(page, person)
  await expectHome(page)
  const kept = await page.evaluate(() => ({ ...localStorage }))
  const keys = Object.keys(kept).filter(isAccountKey)
  expect(
    keys,
    `src/browser/storedAccount.ts looks for a key that begins with ${ACCOUNT_KEY}; the SDK has kept its session elsewhere than in one of those`,
  ).toHaveLength(1)
  expect(
    accountOf(JSON.parse(kept[keys[0] ?? ''])),
    'src/browser/storedAccount.ts reads fields of a session that the SDK calls otherwise',
  ).toEqual({ uid, email: person.email, phone: null, emailVerified: true, usesPassword: true })
})
