import { getAuthErrorText, getPasswordPolicyText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { expectHome, pressKey } from './steps/pages.ts'
import { createPerson, createPhonePerson } from './steps/person.ts'
import { waitUntilDrawn } from './steps/rendering.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import {
  enterCode,
  fillSignUp,
  mainAlert,
  openInTestLanguage,
  openMailedLink,
  openPhoneTab,
  pressInPanel,
  registerAndOpenSignIn,
  requestCode,
  requestSignUpCode,
  signIn,
  signInPanel,
  signOut,
  waitForSentCode,
} from './steps/signIn.ts'
import { words } from './words.ts'

// Tests marked @auth also run with the official Auth emulator: see docs/sandbox.md.

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

test('an unknown address leads to the sign-up, which has a URL @auth @spec-sign-up-address @spec-unknown-address', async ({
  page,
  server,
}) => {
  const known = await registerAndOpenSignIn(page, server)
  const person = createPerson()
  await signIn(page, person)
  await expect(mainAlert(page)).toHaveText(words.addressUnknown)
  const { pathname, search } = new URL(page.url())
  expect(pathname + search).toBe(`/?signup&tab=email&email=${encodeURIComponent(person.email)}`)

  await page.goto(pathname + search)
  await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(person.email)
  await expect(signInPanel(page).getByRole('button', { name: words.createAccount })).toBeVisible()

  // One sign-in's address in the URL is not the next one's.
  await pressInPanel(page, words.signIn)
  await signIn(page, known)
  await expectHome(page)
  await signOut(page)
  await page.reload()
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue('')
  await expect(signInPanel(page).getByLabel(words.name)).toBeHidden()
})

sceneTest('a late response about an address does not switch forms', async ({ page }) => {
  await openScene(page, 'sign-in')
  await signIn(page, createPerson())
  await openPhoneTab(page)
  const number = signInPanel(page).getByLabel(words.phoneNumber)
  await number.fill('+33 6 12')
  await setResponse(page, 'auth.signIn', { failure: { kind: 'auth', code: 'user-not-found' } })
  await waitUntilDrawn(page)
  await expect(signInPanel(page).getByLabel(words.name)).toBeHidden()
  await expect(number).toBeFocused()
  await page.getByRole('tab', { name: words.emailTab }).click()
  await expect(mainAlert(page)).toHaveText(words.addressUnknown)
  await expect(signInPanel(page).getByRole('button', { name: words.signIn, exact: true })).toBeVisible()
})

test('enumeration protection names no wrong value, but every alternative @auth', async ({ page, server }) => {
  await server.protectAddresses(true)
  const person = createPerson()
  await openInTestLanguage(page)
  await signIn(page, person)
  await expect(mainAlert(page)).toHaveText(words.notKnownWhich)
  await pressInPanel(page, words.signUpWithAddress)
  await expect(mainAlert(page)).toBeHidden()
  await expect(page).toHaveURL(`/?signup&tab=email&email=${encodeURIComponent(person.email)}`)
  await expect(signInPanel(page).getByLabel(words.name)).toBeFocused()
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(person.email)
  await signInPanel(page).getByLabel(words.name).fill(person.name)
  await pressInPanel(page, words.createAccount)
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await openMailedLink(page, server, person.email)
  await expectHome(page)
  await signOut(page)

  // The screen does not reveal that the account exists; the user learns it at the end of the sign-up.
  await signIn(page, { ...person, password: 'Konkouré2026' })
  await expect(mainAlert(page)).toHaveText(words.notKnownWhich)
  await pressInPanel(page, words.signUpWithAddress)
  await signInPanel(page).getByLabel(words.name).fill(person.name)
  const create = signInPanel(page).getByRole('button', { name: words.createAccount })
  await pressKey(create)
  await expect(mainAlert(page)).toHaveText(getAuthErrorText('email-already-in-use'))
  await expect(create).toBeFocused()
  await pressInPanel(page, words.signIn)

  for (const email of [createPerson().email, person.email]) {
    await signInPanel(page).getByLabel(words.email).fill(email)
    const forgotten = signInPanel(page).getByRole('button', { name: words.forgotPassword })
    await pressKey(forgotten)
    await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
    await expect(forgotten).toBeFocused()
  }
  await signIn(page, person)
  await expectHome(page)
})

test('a forgotten password is changed with the link in the email @auth @spec-password-reset @spec-password-reset-address', async ({
  page,
  server,
}) => {
  const person = await registerAndOpenSignIn(page, server)
  await pressInPanel(page, words.forgotPassword)
  await expect(signInPanel(page).getByText(words.addressWanted)).toBeVisible()
  await signInPanel(page).getByLabel(words.email).fill(person.email)
  await pressInPanel(page, words.forgotPassword)
  await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
  const link = await server.mailLink(person.email)
  if (server.hasAuthEmulator) {
    // The official emulator has no form: the password is part of the URL, which redirects immediately.
    await page.goto(`${link}&newPassword=${encodeURIComponent('Konkouré2026')}`)
  } else {
    await page.goto(link)
    await page.getByLabel(words.newPassword).fill('Konkouré2026')
    await page.getByRole('button', { name: words.save }).click()
    await page.getByRole('link', { name: words.goOn }).click()
  }
  await signIn(page, person)
  await expect(mainAlert(page)).toHaveText(words.signInRefused)
  await signIn(page, { ...person, password: 'Konkouré2026' })
  await expectHome(page)
})

test('an owner’s sign-in removes the phone that a stranger linked', async ({ page, server }) => {
  const owner = createPerson()
  const { phone } = createPhonePerson()
  await server.registerWithForeignAddress({ ...owner, phone, password: 'of the stranger' })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const back = () => page.getByRole('button', { name: words.backToSignIn }).click()
  const byPhone = async () => {
    await openPhoneTab(page)
    await requestCode(page, phone)
    await enterCode(page, server, { phone })
    await pressInPanel(page, words.signIn)
  }
  await openInTestLanguage(page)
  await byPhone()
  await expect(heading(words.verify)).toBeVisible()
  await expect(page.getByText(owner.email)).toBeVisible()
  await back()

  await page.getByRole('tab', { name: words.emailTab, exact: true }).click()
  await signInPanel(page).getByLabel(words.email).fill(owner.email)
  await pressInPanel(page, words.forgotPassword)
  await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
  await page.goto(await server.mailLink(owner.email))
  await page.getByLabel(words.newPassword).fill(owner.password)
  await page.getByRole('button', { name: words.save }).click()
  await page.getByRole('link', { name: words.goOn }).click()

  // The address is verified by now, but the stranger's phone still does not open the account.
  await byPhone()
  await expect(heading(words.signInByAddress)).toBeVisible()
  await back()
  await page.getByRole('tab', { name: words.emailTab, exact: true }).click()
  await signIn(page, owner)
  await expect(heading(words.signInAgain)).toBeVisible()
  await expect(page.getByText(words.wayRemoved)).toBeVisible()
  await back()
  await signIn(page, owner)
  await expectHome(page)
  expect(await server.documents('users', 'verifiedAddress', owner.email)).toMatchObject([{ phone: null }])

  await signOut(page)
  await openPhoneTab(page)
  await requestCode(page, phone)
  await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeVisible()
})

test('an address’s owner removes it from a stranger’s phone account', async ({ page, server }) => {
  const owner = createPerson()
  const stranger = createPhonePerson()
  await server.registerWithForeignAddress(
    { ...owner, phone: stranger.phone },
    { madeWith: 'phone', isVerified: true },
  )
  await openInTestLanguage(page)
  await signIn(page, owner)
  await expect(page.getByRole('heading', { level: 1, name: words.heldByPhone })).toBeVisible()
  await page.getByRole('button', { name: words.releaseAddress }).click()
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(owner.email)
  await signInPanel(page).getByLabel(words.name).fill(owner.name)
  await signInPanel(page).getByLabel(words.password, { exact: true }).fill(owner.password)
  await pressInPanel(page, words.createAccount)
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
})

test('the verification can be resent, and leads to a sign-in @auth @spec-verification @spec-back-to-sign-in', async ({
  page,
  server,
}) => {
  const person = createPerson()
  await openInTestLanguage(page)
  await fillSignUp(page, person)
  await page.getByRole('button', { name: words.createAccount }).click()
  await expect(page.getByText(words.mailSent)).toBeVisible()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await expect(page.getByText(person.email)).toBeVisible()
  await expect(page.getByText(words.mailSent)).toBeHidden()
  const first = await server.mailLink(person.email)
  await page.getByRole('button', { name: words.resendMail }).click()
  await expect(page.locator('p[data-kind=success]').filter({ hasText: words.mailSent })).toBeVisible()
  const second = await server.mailLink(person.email)
  expect(second).not.toBe(first)

  await page.getByRole('button', { name: words.backToSignIn }).click()
  await expect(signInPanel(page).getByRole('button', { name: words.signIn, exact: true })).toBeVisible()
  await expect(signInPanel(page).getByLabel(words.name)).toBeHidden()
  await expect(page).toHaveURL('/')
  await page.goto(second)
  // The official emulator redirects immediately.
  if (!server.hasAuthEmulator) await page.getByRole('link', { name: words.goOn }).click()
  expect(page.url()).toContain('emailVerified=1')
  await expect(page.getByText(words.addressVerified)).toBeVisible()
  await signIn(page, person)
  await expect(page.getByText(words.welcome).last()).toBeVisible()
  await expectHome(page)
  await expect(page).toHaveURL('/')
})

sceneTest('a verification email that isn’t sent is reported @spec-verification-refused', async ({ page }) => {
  await openScene(page, 'verification')
  await setResponse(page, 'auth.sendVerificationEmail', {
    failure: { kind: 'auth', code: 'too-many-requests' },
  })
  const resend = page.getByRole('button', { name: words.resendMail })
  await pressKey(resend)
  await expect(page.locator('p[data-kind="error"]')).toHaveText(words.mailFailed)
  await expect(resend).toBeFocused()
})

test('a user without a profile is led to the sign-up @auth @spec-no-profile', async ({ page, server }) => {
  const byMail = createPerson()
  const byPhone = createPhonePerson()
  await server.remove(`users/${await server.register(byMail)}`)
  const uid = await server.registerPhone(byPhone)
  const expectSignUp = async (way: string, notice: string) => {
    await expect(page.getByRole('tab', { name: way, exact: true })).toHaveAttribute('aria-selected', 'true')
    await expect(signInPanel(page).getByText(notice)).toBeVisible()
    await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()
  }
  await openInTestLanguage(page)
  await signIn(page, byMail)
  await expectSignUp(words.emailTab, words.profileMissing)
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(byMail.email)
  await page.reload()
  await expectSignUp(words.emailTab, words.profileMissing)

  await pressInPanel(page, words.signIn)
  await expect(signInPanel(page).getByText(words.profileMissing)).toBeHidden()
  await page.getByRole('tab', { name: words.phoneTab, exact: true }).click()
  await requestCode(page, byPhone.phone)
  const code = await waitForSentCode(page, server, byPhone)
  // The profile is deleted after the check of the number.
  await server.remove(`users/${uid}`)
  await signInPanel(page).getByLabel(words.code).fill(code)
  await pressInPanel(page, words.signIn)
  await expectSignUp(words.phoneTab, words.numberWithoutAccount)
  await page.reload()
  await expectSignUp(words.phoneTab, words.numberWithoutAccount)

  await requestSignUpCode(page, byPhone)
  await enterCode(page, server, byPhone)
  await pressInPanel(page, words.createAccount)
  await expectHome(page)
  expect(await server.documents('users', 'phone', byPhone.phone)).toMatchObject([{ name: byPhone.name }])
  await signOut(page)
  await page.reload()
  await expect(signInPanel(page).getByRole('button', { name: words.createInstead })).toBeVisible()
})

test('a refused password lists all requirements of the policy', async ({ page, server }) => {
  await server.setPasswordPolicy({ minPasswordLength: 12, containsNumericCharacter: true })
  await openInTestLanguage(page)
  await fillSignUp(page, { ...createPerson(), password: 'Konkouré' })
  await pressInPanel(page, words.createAccount)
  await expect(mainAlert(page)).toHaveText(getPasswordPolicyText({ minLength: 12, digit: true }))
  await signInPanel(page).getByLabel(words.password, { exact: true }).fill('Konkouré2026')
  await pressInPanel(page, words.createAccount)
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
})

sceneTest('another app’s own browser leads to one in which Google works', async ({ page }) => {
  await openScene(page, 'sign-in-in-other-app')
  await expect(page.getByRole('button', { name: words.google })).toBeHidden()
  await page.evaluate(() => {
    const writeText = async (text: string) => Object.assign(window, { copied: text })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  })
  await page.getByRole('button', { name: words.copyAddress }).click()
  await expect(page.getByRole('button', { name: words.addressCopied })).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'copied') === location.origin)).toBe(true)

  await openScene(page, 'sign-in-in-other-app')
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: words.copyAddress }).click()
  await expect(page.getByText(new URL(page.url()).origin)).toBeVisible()

  await openScene(page, 'sign-in-in-other-app', { userAgent: '(Linux; Android 14; Pixel 8; wv) Mobile' })
  const { host, pathname, search } = new URL(page.url())
  await expect(page.getByRole('link', { name: words.openInBrowser })).toHaveAttribute(
    'href',
    `intent://${host}${pathname}${search}#Intent;scheme=http;action=android.intent.action.VIEW;end`,
  )
})
