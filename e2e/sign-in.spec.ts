import type { Locator, Page } from '@playwright/test'
import { ACCOUNT_KEY_PREFIX, isAccountKey, toAccount } from '../src/services/storedAccount.ts'
import { AUTH_ANSWERS, type AUTH_ENDPOINTS, getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { expectHome } from './steps/pages.ts'
import { createPerson, createPhonePerson, formatFrenchPhone } from './steps/person.ts'
import { openScene } from './steps/scenes.ts'
import {
  completeGoogleSignIn,
  fillSignUp,
  mainAlert,
  openGooglePopup,
  openInTestLanguage,
  openPhoneTab,
  pressInPanel,
  refuseNextAuthCall,
  registerAndOpenHome,
  requestSignUpCode,
  signIn,
  signInPanel,
} from './steps/signIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

sceneTest('values in the sign-in card survive a change of tabs @spec-sign-in-tabs', async ({ page }) => {
  const byMail = createPerson()
  const byPhone = createPhonePerson()
  const sent = { value: { verificationId: 'v1' } }
  await openScene(page, 'sign-in', { responses: { 'phoneCodes.sendCode': sent } })
  await signInPanel(page).getByLabel(words.email).fill(byMail.email)
  await signInPanel(page).getByLabel(words.password, { exact: true }).fill(byMail.password)
  await openPhoneTab(page, 'signUp')
  await requestSignUpCode(page, byPhone)
  await signInPanel(page).getByLabel(words.code).fill('12 34')

  await page.getByRole('tab', { name: words.emailTab }).press('ArrowLeft')
  await expect(page.getByRole('tab', { name: words.emailTab })).toHaveAttribute('aria-selected', 'true')
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(byMail.email)
  await expect(signInPanel(page).getByLabel(words.password, { exact: true })).toHaveValue(byMail.password)
  await page.getByRole('tab', { name: words.emailTab }).press('ArrowRight')
  await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(byPhone.name)
  await expect(signInPanel(page).getByLabel(words.code)).toHaveValue('12 34')
  await pressInPanel(page, words.changeNumber)
  await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(formatFrenchPhone(byPhone.phone))
})

sceneTest('a number typed as an address leads to the phone', async ({ page }) => {
  await openScene(page, 'sign-in')
  await signInPanel(page).getByLabel(words.email).fill('+224 620 00 00 00')
  await signInPanel(page).getByLabel(words.email).press('Enter')
  await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue('+224 620 00 00 00')
  await expect(signInPanel(page).getByLabel(words.phoneNumber)).toBeFocused()
  await page.getByRole('tab', { name: words.emailTab }).click()
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue('')
})

test.describe('a profile that can’t be stored or read', () => {
  const refuse = (page: Page, call: string) =>
    page.route(`**/documents:${call}**`, (route) =>
      route.fulfill({
        status: 400,
        json: { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'no' } },
      }),
    )

  for (const [what, text, interrupt] of [
    [
      'that the database refuses can be retried @spec-profile-refused',
      'profileNotCreated',
      (page: Page) => refuse(page, 'commit'),
    ],
    [
      'that the network interrupts can be resumed @spec-sign-up-resumed',
      'noAnswer',
      async (page: Page) => {
        for (const call of ['documents:commit', 'accounts:delete'])
          await page.route(`**/${call}**`, (route) => route.abort())
      },
    ],
  ] as const)
    test(`a sign-up ${what}`, async ({ page, server }) => {
      const person = createPerson()
      await openInTestLanguage(page)
      await fillSignUp(page, person)
      await interrupt(page)
      await pressInPanel(page, words.createAccount)
      await expect(mainAlert(page)).toContainText(words[text])
      await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(person.email)
      await page.unrouteAll()
      await pressInPanel(page, words.createAccount)
      await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
      expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
    })

  test('an unreadable profile signs out, and says so @spec-profile-unreadable', async ({ page, server }) => {
    const person = createPerson()
    await openInTestLanguage(page)
    await pressInPanel(page, words.createInstead)
    await refuse(page, 'batchGet')
    await completeGoogleSignIn(await openGooglePopup(page), person)
    await expect(mainAlert(page)).toContainText(words.profileNotRead)
    expect(await server.documents('users', 'email', person.email)).toEqual([])
    await page.unrouteAll()
    await completeGoogleSignIn(await openGooglePopup(page), person)
    await expectHome(page)
  })
})

test('each error of the service, known or unknown, has a text @spec-auth-errors @spec-wrong-credentials', async ({
  page,
  server,
}) => {
  const byMail = createPerson()
  const byPhone = createPhonePerson()
  const unknown = {
    password: words.signInFailed,
    mail: null,
    signUp: null,
    message: words.sendFailed,
    code: words.codeFailed,
    google: words.signInFailed,
  }
  // Refusals that must not tell whether the account exists, and name the other ways in.
  const wholes: Record<string, string> = {
    INVALID_LOGIN_CREDENTIALS: words.notKnownWhich,
    INVALID_PASSWORD: words.signInRefused,
  }
  const expectTold = async (call: keyof typeof AUTH_ENDPOINTS, act: () => Promise<void>, among: Locator) => {
    const rows = Object.entries(AUTH_ANSWERS[call]).map(([message, code]) => ({
      message,
      text: getAuthErrorText(code),
    }))
    const text = unknown[call]
    if (text) rows.push({ message: 'NEVER_HEARD_OF : A sentence of the service.', text })
    for (const { message, text } of rows) {
      await refuseNextAuthCall(server, call, message)
      await act()
      await expect(among, message).toHaveText(wholes[message] ?? text)
    }
    expect(await server.listPendingFaults(), 'refusals that no call has met').toEqual([])
  }
  await openInTestLanguage(page)
  const inPanel = signInPanel(page).getByRole('alert')
  await signInPanel(page).getByLabel(words.email).fill(byMail.email)
  await signInPanel(page).getByLabel(words.password, { exact: true }).fill(byMail.password)
  await expectTold('password', () => pressInPanel(page, words.signIn), inPanel)
  await expectTold('mail', () => pressInPanel(page, words.forgotPassword), inPanel)

  await signInPanel(page).getByLabel(words.name).fill(byMail.name)
  await expectTold('signUp', () => pressInPanel(page, words.createAccount), inPanel)

  await page.goto('/')
  await openPhoneTab(page, 'signUp')
  await signInPanel(page).getByLabel(words.name).fill(byPhone.name)
  await signInPanel(page).getByLabel(words.phoneNumber).fill(byPhone.phone)
  await expectTold('message', () => pressInPanel(page, words.getCode), inPanel)
  await pressInPanel(page, words.getCode)
  await signInPanel(page).getByLabel(words.code).fill('123456')
  await expectTold('code', () => pressInPanel(page, words.createAccount), inPanel)

  await page.goto('/')
  await expectTold(
    'google',
    async () => completeGoogleSignIn(await openGooglePopup(page), byMail),
    mainAlert(page),
  )
})

test('a missing network does not sign the user out @spec-stays-signed-in', async ({ page, server }) => {
  await registerAndOpenHome(page, server)
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

test('the SDK stores a session as the first paint reads it', async ({ page, server }) => {
  const person = createPerson()
  const uid = await server.register(person)
  await openInTestLanguage(page)
  await page.goto('/')
  await signIn(page, person)
  await expectHome(page)
  const kept = await page.evaluate(() => ({ ...localStorage }))
  const keys = Object.keys(kept).filter(isAccountKey)
  expect(
    keys,
    `src/services/storedAccount.ts looks for a key that begins with ${ACCOUNT_KEY_PREFIX}; the SDK has kept its session elsewhere than in one of those`,
  ).toHaveLength(1)
  expect(
    toAccount(JSON.parse(kept[keys[0] ?? ''])),
    'src/services/storedAccount.ts reads fields of a session that the SDK calls otherwise',
  ).toEqual({ uid, email: person.email, phone: null, emailVerified: true, usesPassword: true })
})
