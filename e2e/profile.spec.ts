import type { Locator, Page } from '@playwright/test'
import { getAuthErrorText, getPasswordPolicyText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, type Server, sceneTest, test } from './fixtures.ts'
import { requireRecentSignIn } from './steps/faults.ts'
import { NO_NETWORK } from './steps/moneyTexts.ts'
import { expectHome, openFromRow, openProfile, openSetting, pressKey } from './steps/pages.ts'
import { createPerson, createPhonePerson, formatFrenchPhone } from './steps/person.ts'
import { openScene, setResponse } from './steps/scenes.ts'
import {
  openInTestLanguage,
  openMailedLink,
  registerAndOpenHome,
  signIn,
  signInByPhone,
  signInPanel,
  signOut,
  waitForSentCode,
} from './steps/signIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

async function arriveAtProfile(page: Page, server: Server) {
  const person = await registerAndOpenHome(page, server)
  await openProfile(page)
  return person
}

/** Returns the user and the ID of the account. */
async function arriveAtPhoneProfile(page: Page, server: Server) {
  const person = createPhonePerson()
  const uid = await server.registerPhone(person)
  await openInTestLanguage(page)
  await signInByPhone(page, server, person)
  await openProfile(page)
  return { person, uid }
}

async function submitAddress(page: Page, email: string) {
  const own = await openSetting(page, words.yourEmail)
  await own.getByLabel(words.email).fill(email)
  await own.getByRole('button', { name: words.changeEmail }).click()
  return own
}

async function submitNumber(page: Page, server: Server, phone: string) {
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await sheet.getByLabel(words.phoneNumber).fill(phone)
  await sheet.getByRole('button', { name: words.getCode }).click()
  await sheet.getByLabel(words.code).fill(await waitForSentCode(page, server, { phone }))
  await sheet.getByRole('button', { name: words.confirm }).click()
}

test('a changed name and number are stored, and shown after a reload @spec-profile-name @spec-profile-phone', async ({
  page,
  server,
}) => {
  const person = await arriveAtProfile(page, server)
  const own = await openSetting(page, words.yourName)
  await expect(own.getByLabel(words.name)).toHaveValue(person.name)
  await own.getByLabel(words.name).fill(' Aïssatou  Barry ')
  await own.getByRole('button', { name: words.saveName }).click()
  await expect(page.getByText(words.nameSaved)).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: 'Aïssatou Barry' }])

  await expect(own).toBeHidden()
  const { phone } = createPhonePerson()
  const number = await openSetting(page, words.yourPhone)
  await number.getByLabel(words.phoneNumber).fill(phone.replace('+33', ' 0'))
  await number.getByRole('button', { name: words.savePhone }).click()
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([
    { name: 'Aïssatou Barry', phone },
  ])

  await page.reload()
  await expect(page.getByRole('main').getByRole('button', { name: words.yourName })).toContainText(
    'Aïssatou Barry',
  )
  await page.goBack()
  await expectHome(page)
  await expect(page.getByText('AÏSSATOU BARRY')).toBeVisible()
})

sceneTest('the typed transfer stays while the profile is open', async ({ page }) => {
  await openScene(page, 'home-filled')
  for (const leave of [() => page.goBack(), () => page.getByRole('button', { name: words.back }).click()]) {
    await openProfile(page)
    await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeFocused()
    await expect(page.getByLabel(words.amount)).toBeHidden()
    await leave()
    await expect(page.getByLabel(words.amount)).toHaveValue('150')
    await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
  }
})

async function changePassword(own: Locator, current: string, next: string, again: string) {
  await own.getByLabel(words.currentPassword, { exact: true }).fill(current)
  await own.getByLabel(words.newPassword, { exact: true }).fill(next)
  await own.getByLabel(words.passwordAgain, { exact: true }).fill(again)
  await own.getByRole('button', { name: words.changePassword }).click()
}

sceneTest(
  'each field of profile and password says what is wrong with it @spec-profile-name @spec-profile-email @spec-profile-phone @spec-password-change',
  async ({ page }) => {
    await openScene(page, 'profile')
    for (const [setting, label, button, typed, said] of [
      [words.yourName, words.name, words.saveName, '  ', words.ownNameWanted],
      [words.yourEmail, words.email, words.changeEmail, 'aissatou@', words.ownAddressWrong],
      [words.yourPhone, words.phoneNumber, words.savePhone, '', words.phoneWanted],
      [words.yourPhone, words.phoneNumber, words.savePhone, '620 00 00 00', words.phoneInvalid],
    ] as const) {
      const own = await openSetting(page, setting)
      await own.getByLabel(label).fill(typed)
      await own.getByRole('button', { name: button }).click()
      await expect(own.getByText(said)).toBeVisible()
      await expect(own.getByLabel(label)).toBeFocused()
      await own.getByRole('button', { name: words.close }).click()
    }
    await openFromRow(page, words.security)
    const own = await openSetting(page, words.yourPassword)
    for (const [current, next, again, said] of [
      ['', '', '', words.passwordFieldsWanted],
      ['Passerelle1', 'Konkouré2026', '', words.passwordFieldsWanted],
      ['Passerelle1', 'court', 'court', words.passwordTooShort],
      ['Passerelle1', 'Konkouré2026', 'Konkouré2027', words.passwordsDiffer],
    ] as const) {
      await changePassword(own, current, next, again)
      await expect(own.getByText(said).first()).toBeVisible()
    }
  },
)

sceneTest('saving an unchanged e-mail address closes its sheet', async ({ page }) => {
  await openScene(page, 'profile')
  const own = await openSetting(page, words.yourEmail)
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(own).toBeHidden()
})

sceneTest('failed changes of the profile keep the typed values @spec-profile-errors', async ({ page }) => {
  const NOT_CHANGED = words.emailNotChanged
  const UNKNOWN = { failure: { kind: 'authOther', message: 'NEW_REASON' } } as const
  await openScene(page, 'profile')
  for (const [setting, label, button, typed, call, response, said] of [
    [words.yourName, words.name, words.saveName, 'Aïssatou Barry', 'changeName', NO_NETWORK, words.noAnswer],
    [words.yourEmail, words.email, words.changeEmail, 'a@b.fr', 'changeEmail', UNKNOWN, NOT_CHANGED],
  ] as const) {
    const own = await openSetting(page, setting)
    await setResponse(page, `accountChanges.${call}`, response)
    await own.getByLabel(label).fill(typed)
    const save = own.getByRole('button', { name: button })
    await pressKey(save)
    await expect(own.getByRole('alert')).toHaveText(said)
    await expect(own.getByLabel(label)).toHaveValue(typed)
    await expect(save).toBeFocused()
    await own.getByRole('button', { name: words.close }).click()
  }
  await openFromRow(page, words.security)
  const own = await openSetting(page, words.yourPassword)
  await setResponse(page, 'accountChanges.changePassword', UNKNOWN)
  await changePassword(own, 'Passerelle1', 'Konkouré2026', 'Konkouré2026')
  await expect(own.getByRole('alert')).toHaveText(words.passwordNotChanged)
  await expect(own.getByLabel(words.newPassword, { exact: true })).toHaveValue('Konkouré2026')
})

test('a new address needs a recent sign-in, and takes effect with its link @spec-profile-email @spec-recent-sign-in', async ({
  page,
  server,
}) => {
  const person = await arriveAtProfile(page, server)
  const other = createPerson().email
  const taken = createPerson()
  await server.register(taken)
  const own = await openSetting(page, words.yourEmail)
  const field = own.getByLabel(words.email)
  const change = own.getByRole('button', { name: words.changeEmail })
  await expect(field).toHaveValue(person.email)
  await field.fill(taken.email)
  await change.click()
  await expect(own.getByRole('alert')).toHaveText(getAuthErrorText('email-already-in-use'))

  const proof = page.getByRole('dialog', { name: words.proof })
  await field.fill(other)
  await requireRecentSignIn(server)
  await change.click()
  await proof.getByRole('button', { name: words.close }).click()
  await expect(own.getByRole('alert')).toHaveText(getAuthErrorText('requires-recent-login'))
  await expect(field).toHaveValue(other)
  await requireRecentSignIn(server)
  await change.click()
  await proof.getByLabel(words.currentPassword).fill('pas-le-bon')
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(proof.getByRole('alert')).toHaveText(getAuthErrorText('wrong-password'))
  await proof.getByLabel(words.currentPassword).fill(person.password)
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(proof).toBeHidden()
  await expect(own.getByText(`${words.openLink} ${other}`)).toBeVisible()

  await openMailedLink(page, server, person.email)
  await expect(page.getByText(words.addressVerified)).toBeVisible()
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(other)
  await signIn(page, { ...person, email: other })
  await expectHome(page)
  await expect.poll(() => server.documents('users', 'email', other)).toMatchObject([{ name: person.name }])
})

test('a former address leads to the account, or opens another', async ({ page, server }) => {
  const person = await arriveAtProfile(page, server)
  const { email } = createPerson()
  const own = await submitAddress(page, email)
  await expect(own.getByText(`${words.openLink} ${email}`)).toBeVisible()
  await openMailedLink(page, server, person.email)
  await expect(signInPanel(page).getByLabel(words.email)).toHaveValue(email)
  await signIn(page, person)
  await expect(signInPanel(page).getByRole('alert')).toHaveText(words.addressUnknown)
  await signInPanel(page).getByLabel(words.name).fill(person.name)
  await signInPanel(page).getByRole('button', { name: words.createAccount }).click()
  // Only a user who opens the link in the email learns that an account had the address.
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
  await openMailedLink(page, server, person.email)
  const heading = page.getByRole('heading', { level: 1, name: words.heldByFormer })
  await expect(heading).toBeVisible()
  await expect(page.getByText(`${email[0]}…${email.slice(email.indexOf('@'))}`)).toBeVisible()
  await expect(page.getByText(email)).toBeHidden()
  await page.reload()
  await expect(heading).toBeVisible()
  await page.getByRole('button', { name: words.backToSignIn }).click()
  await signIn(page, { ...person, email })
  await expectHome(page)
  expect(await server.documents('users', 'verifiedAddress', person.email)).toEqual([])
  await expect.poll(() => server.documents('users', 'email', email)).toMatchObject([{ name: person.name }])

  await signOut(page)
  await signIn(page, person)
  await expect(heading).toBeVisible()
  await page.route('**/confirm-address', (route) => route.abort(), { times: 1 })
  const another = page.getByRole('button', { name: words.openAnother })
  await another.click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(words.noAnswer)
  await another.click()
  await expectHome(page)
  expect(await server.documents('users', 'verifiedAddress', person.email)).toMatchObject([
    { name: person.name },
  ])
  expect(await server.documents('users', 'verifiedAddress', email)).toHaveLength(1)
})

test('changing the password requires the current one @spec-password-change', async ({ page, server }) => {
  const person = await arriveAtProfile(page, server)
  await openFromRow(page, words.security)
  const own = await openSetting(page, words.yourPassword)
  const change = (current: string, next: string) => changePassword(own, current, next, next)
  await change('pas-le-bon', 'Konkouré2026')
  await expect(own.getByRole('alert')).toHaveText(getAuthErrorText('wrong-password'))
  await expect(own.getByLabel(words.newPassword, { exact: true })).toHaveValue('Konkouré2026')
  await server.setPasswordPolicy({ minPasswordLength: 10, containsUppercaseCharacter: true })
  await change(person.password, 'Konkouré')
  await expect(own.getByRole('alert')).toHaveText(getPasswordPolicyText({ minLength: 10, uppercase: true }))
  await change(person.password, 'Konkouré2026')
  await expect(page.getByText(words.passwordChanged)).toBeVisible()
  await expect(own).toBeHidden()

  await page.getByRole('button', { name: words.back }).click()
  await signOut(page)
  await signIn(page, person)
  await expect(signInPanel(page).getByRole('alert')).toHaveText(words.signInRefused)
  await signIn(page, { ...person, password: 'Konkouré2026' })
  await expectHome(page)
})

test('a phone user changes the number, and adds an address @spec-phone-change', async ({ page, server }) => {
  const other = createPhonePerson()
  const taken = createPhonePerson()
  const { email } = createPerson()
  await server.registerPhone(taken)
  // The service's clock decides what is recent: this device is ten minutes ahead of it.
  await page.clock.install({ time: Date.now() + 10 * 60_000 })
  const { person, uid } = await arriveAtPhoneProfile(page, server)
  const own = await openSetting(page, words.yourPhone)
  await expect(own.getByText(words.signsInWith)).toBeVisible()

  // Six minutes later the sign-in is too old; a code to the old number renews it.
  await server.tell('auth/age', { localId: uid, minutes: 6 })
  await own.getByRole('button', { name: words.changeNumber }).click()
  const proof = page.getByRole('dialog', { name: words.proof })
  await proof.getByRole('button', { name: words.getCode }).click()
  await proof.getByLabel(words.code).fill(await waitForSentCode(page, server, person))
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(proof).toBeHidden()
  // The service still accepts the sign-in, but a user who began now would have to repeat it.
  await server.tell('auth/age', { localId: uid, minutes: 4 })

  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await submitNumber(page, server, taken.phone)
  await expect(sheet.getByRole('alert')).toHaveText(getAuthErrorText('credential-already-in-use'))
  await sheet.getByRole('button', { name: words.changeNumber, exact: true }).click()
  await expect(sheet.getByLabel(words.phoneNumber)).toHaveValue(formatFrenchPhone(taken.phone))
  await submitNumber(page, server, other.phone)
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  await expect(sheet).toBeHidden()
  expect(await server.documents('users', 'phone', other.phone)).toMatchObject([{ name: person.name }])

  // Without an earlier address, the first one is valid at once, and the service changes its capitals.
  await submitAddress(page, email.toUpperCase())
  await expect(page.getByText(words.emailSaved)).toBeVisible()
  expect(await server.documents('users', 'email', email)).toMatchObject([{ phone: other.phone }])

  await page.getByRole('button', { name: words.back }).click()
  await signOut(page)
  await signInByPhone(page, server, { ...person, phone: other.phone })
  await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()
})

test('a phone user adds an address despite enumeration protection @all', async ({ page, server }) => {
  await server.protectAddresses(true)
  const { email, password } = createPerson()
  const { person } = await arriveAtPhoneProfile(page, server)
  const own = await submitAddress(page, email)
  await expect(own.getByText(words.passwordForAddress)).toBeVisible()
  const typed = own.getByLabel(words.password, { exact: true })
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(typed).toBeFocused()
  await expect(own.getByText(words.passwordTooShort)).toBeVisible()
  await typed.fill(password)
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()

  await page.getByRole('button', { name: words.backToSignIn }).click()
  await signInByPhone(page, server, person)
  await signOut(page)

  await openMailedLink(page, server, email)
  await signIn(page, { ...person, email, password })
  await expect(page.getByRole('heading', { name: words.heldByPhone })).toBeVisible()
  await page.getByRole('button', { name: words.backToSignIn }).click()
  await signInByPhone(page, server, person)
  await signOut(page)
  await signIn(page, { ...person, email, password })
  await expectHome(page)
  await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  expect(await server.documents('users', 'email', email)).toMatchObject([{ phone: person.phone }])
})
