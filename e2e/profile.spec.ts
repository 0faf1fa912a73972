import type { Page } from '@playwright/test'
import { authError } from './authErrors.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { demandProof } from './steps/faults.ts'
import { expectHome, openProfile, openRow, pressKey, section } from './steps/pages.ts'
import { somebody, somebodyWithPhone, written } from './steps/people.ts'
import { fillTransfer } from './steps/transfer.ts'
import {
  chooseGoogle,
  enter,
  openGoogle,
  panel,
  sentCode,
  signIn,
  signInByPhone,
  signOut,
  speak,
} from './steps/waysIn.ts'
import { words } from './words.ts'

test.use({ expectedErrors: [BROKEN_CALLS] })

async function arriveAtProfile(page: Page, server: Server) {
  const person = somebody()
  const uid = await server.register(person)
  await enter(page, server, person)
  await openProfile(page)
  return { ...person, uid }
}

test('the name is changed, and the transfer that was begun is still there @spec-profile-name', async ({
  page,
  server,
}) => {
  const person = somebody()
  await server.register(person)
  await enter(page, server, person)
  await fillTransfer(page, { amount: '123,45' })
  await openProfile(page)
  await expect(page.getByRole('heading', { level: 1, name: words.profile })).toBeFocused()
  await expect(page.getByLabel(words.amount)).toBeHidden()

  const own = section(page, words.yourName)
  const name = own.getByLabel(words.name)
  await expect(name).toHaveValue(person.name)
  await name.fill('  ')
  await own.getByRole('button', { name: words.saveName }).click()
  await expect(own.getByText(words.ownNameWanted)).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill(' Aïssatou  Barry ')
  await own.getByRole('button', { name: words.saveName }).click()
  await expect(page.getByText(words.nameSaved)).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: 'Aïssatou Barry' }])

  await page.reload()
  await expect(name).toHaveValue('Aïssatou Barry')
  // The back button of the phone leaves the page, not the app.
  await page.goBack()
  await expectHome(page)
  await expect(page.getByText('AÏSSATOU BARRY')).toBeVisible()
  await fillTransfer(page, { amount: '123,45' })
  await openProfile(page)
  await page.goBack()
  await expect(page.getByLabel(words.amount)).toHaveValue('123,45')
  await expect(page.getByLabel(words.confirmPhone)).toBeChecked()
  await openProfile(page)
  await page.getByRole('button', { name: words.back }).click()
  await expect(page.getByLabel(words.amount)).toHaveValue('123,45')
})

test.describe('without a network', () => {
  test('a name that can not be saved says so, and stays as it was typed', async ({ page, server }) => {
    await arriveAtProfile(page, server)
    const own = section(page, words.yourName)
    await page.route('**/documents:commit**', (route) => route.abort())
    await own.getByLabel(words.name).fill('Aïssatou Barry')
    const save = own.getByRole('button', { name: words.saveName })
    await pressKey(save)
    await expect(own.getByRole('alert')).toHaveText(words.noAnswer)
    await expect(own.getByLabel(words.name)).toHaveValue('Aïssatou Barry')
    // Whoever uses the keys finds the button again that was busy.
    await expect(save).toBeFocused()
  })
})

test('the address changes with the link that was sent to it @spec-profile-email', async ({
  page,
  server,
}) => {
  const person = await arriveAtProfile(page, server)
  const other = somebody().email
  const taken = somebody()
  await server.register(taken)
  const own = section(page, words.yourEmail)
  const change = async (email: string) => {
    await own.getByLabel(words.email).fill(email)
    await own.getByRole('button', { name: words.changeEmail }).click()
  }
  await expect(own.getByLabel(words.email)).toHaveValue(person.email)
  await change('aissatou@')
  await expect(own.getByText(words.ownAddressWrong)).toBeVisible()
  await change(taken.email)
  await expect(own.getByRole('alert')).toHaveText(authError('email-already-in-use'))
  await change(other)
  await expect(own.getByText(`${words.openLink} ${other}`)).toBeVisible()

  await page.goto(await server.mailLink(person.email))
  await page.getByRole('link', { name: words.goOn }).click()
  await expect(page.getByText(words.addressVerified)).toBeVisible()
  await expect(panel(page).getByLabel(words.email)).toHaveValue(other)
  await signIn(page, { ...person, email: other })
  await expectHome(page)
  await expect.poll(() => server.documents('users', 'email', other)).toMatchObject([{ name: person.name }])
})

test.describe('who has changed their address and comes with the old one', () => {
  const heading = (page: Page) => page.getByRole('heading', { level: 1, name: words.heldByFormer })

  async function changeAddress(page: Page, server: Server, from: string) {
    const { email } = somebody()
    const own = section(page, words.yourEmail)
    await own.getByLabel(words.email).fill(email)
    await own.getByRole('button', { name: words.changeEmail }).click()
    await expect(own.getByText(`${words.openLink} ${email}`)).toBeVisible()
    await page.goto(await server.mailLink(from))
    await page.getByRole('link', { name: words.goOn }).click()
    await expect(panel(page).getByLabel(words.email)).toHaveValue(email)
    return { email, masked: `${email[0]}…${email.slice(email.indexOf('@'))}` }
  }

  test('is told so at the sign-up that it leads to, and opens the account that they have', async ({
    page,
    server,
  }) => {
    const person = await arriveAtProfile(page, server)
    const { email, masked } = await changeAddress(page, server, person.email)
    await panel(page).getByLabel(words.email).fill(person.email)
    await panel(page).getByLabel(words.password, { exact: true }).fill(person.password)
    await panel(page).getByRole('button', { name: words.signIn }).click()
    await expect(panel(page).getByRole('alert')).toHaveText(words.addressUnknown)
    await panel(page).getByLabel(words.name).fill(person.name)
    await panel(page).getByRole('button', { name: words.createAccount }).click()
    // Nobody who has not opened the mail is told anything.
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    await page.goto(await server.mailLink(person.email))
    await page.getByRole('link', { name: words.goOn }).click()
    await expect(heading(page)).toBeVisible()
    await expect(page.getByText(masked)).toBeVisible()
    await expect(page.getByText(email)).toBeHidden()
    await page.reload()
    await expect(heading(page)).toBeVisible()
    await page.getByRole('button', { name: words.backToSignIn }).click()
    await signIn(page, { ...person, email })
    await expectHome(page)
    expect(await server.documents('users', 'verifiedAddress', person.email)).toEqual([])
    // The app opens without waiting for that.
    await expect.poll(() => server.documents('users', 'email', email)).toMatchObject([{ name: person.name }])
  })

  test('is told so by Google too, and may still want another account', async ({ page, server }) => {
    const person = await arriveAtProfile(page, server)
    const { email, masked } = await changeAddress(page, server, person.email)
    await signIn(page, { ...person, email })
    await expectHome(page)
    await signOut(page)
    await panel(page).getByRole('button', { name: words.createInstead }).click()
    await chooseGoogle(await openGoogle(page), person)
    await expect(heading(page)).toBeVisible()
    await expect(page.getByText(masked)).toBeVisible()

    await page.route('**/confirm-address', (route) => route.abort(), { times: 1 })
    const another = page.getByRole('button', { name: words.openAnother })
    await another.click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(words.noAnswer)
    await another.click()
    await expectHome(page)
    await page.reload()
    await expectHome(page)
    expect(await server.documents('users', 'verifiedAddress', person.email)).toMatchObject([
      { name: person.name },
    ])
    expect(await server.documents('users', 'verifiedAddress', email)).toHaveLength(1)
  })
})

test('a sign-in that is too old is proved with the password, and the change goes on @spec-recent-sign-in', async ({
  page,
  server,
}) => {
  const person = await arriveAtProfile(page, server)
  const other = somebody().email
  const own = section(page, words.yourEmail)
  const proof = page.getByRole('dialog', { name: words.proof })
  const change = own.getByRole('button', { name: words.changeEmail })
  await own.getByLabel(words.email).fill(other)
  await demandProof(server)
  await change.click()
  await expect(proof).toBeVisible()
  await proof.getByRole('button', { name: words.close }).click()
  await expect(own.getByRole('alert')).toHaveText(authError('requires-recent-login'))
  await expect(own.getByLabel(words.email)).toHaveValue(other)

  await demandProof(server)
  await change.click()
  await proof.getByLabel(words.currentPassword).fill('pas-le-bon')
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(proof.getByRole('alert')).toHaveText(authError('wrong-password'))
  await proof.getByLabel(words.currentPassword).fill(person.password)
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(proof).toBeHidden()
  await expect(own.getByText(`${words.openLink} ${other}`)).toBeVisible()
})

test('the password is changed by who knows it @spec-password-change', async ({ page, server }) => {
  const person = await arriveAtProfile(page, server)
  await openRow(page, words.security)
  const own = section(page, words.yourPassword)
  const change = async (current: string, next: string, again: string) => {
    await own.getByLabel(words.currentPassword, { exact: true }).fill(current)
    await own.getByLabel(words.newPassword, { exact: true }).fill(next)
    await own.getByLabel(words.passwordAgain, { exact: true }).fill(again)
    await own.getByRole('button', { name: words.changePassword }).click()
  }
  for (const [current, next, again, said] of [
    ['', '', '', words.passwordFieldsWanted],
    [person.password, 'Konkouré2026', '', words.passwordFieldsWanted],
    [person.password, 'court', 'court', words.passwordTooShort],
    [person.password, 'Konkouré2026', 'Konkouré2027', words.passwordsDiffer],
  ] as const) {
    await change(current, next, again)
    await expect(own.getByText(said).first()).toBeVisible()
  }
  await change('pas-le-bon', 'Konkouré2026', 'Konkouré2026')
  await expect(own.getByRole('alert')).toHaveText(authError('wrong-password'))
  await expect(own.getByLabel(words.newPassword, { exact: true })).toHaveValue('Konkouré2026')
  await change(person.password, 'Konkouré2026', 'Konkouré2026')
  await expect(page.getByText(words.passwordChanged)).toBeVisible()
  await expect(own.getByLabel(words.currentPassword, { exact: true })).toHaveValue('')

  await page.getByRole('button', { name: words.back }).click()
  await signOut(page)
  await signIn(page, person)
  await expect(panel(page).getByRole('alert')).toHaveText(authError('wrong-password'))
  await signIn(page, { ...person, password: 'Konkouré2026' })
  await expectHome(page)
})

test('what nobody foresaw is told by what was asked for, and loses nothing @spec-profile-errors', async ({
  page,
  server,
}) => {
  const person = await arriveAtProfile(page, server)
  const refuse = (call: string) =>
    page.route(`**/accounts:${call}?**`, (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'NEW_REASON' } } }),
    )
  await refuse('sendOobCode')
  const email = section(page, words.yourEmail)
  await email.getByLabel(words.email).fill('aissatou.new@example.com')
  await email.getByRole('button', { name: words.changeEmail }).click()
  await expect(email.getByRole('alert')).toHaveText(words.emailNotChanged)
  await expect(email.getByLabel(words.email)).toHaveValue('aissatou.new@example.com')

  await openRow(page, words.security)
  await refuse('update')
  const password = section(page, words.yourPassword)
  for (const [label, typed] of [
    [words.currentPassword, person.password],
    [words.newPassword, 'Konkouré2026'],
    [words.passwordAgain, 'Konkouré2026'],
  ] as const)
    await password.getByLabel(label, { exact: true }).fill(typed)
  await password.getByRole('button', { name: words.changePassword }).click()
  await expect(password.getByRole('alert')).toHaveText(words.passwordNotChanged)
  await expect(password.getByLabel(words.newPassword, { exact: true })).toHaveValue('Konkouré2026')
})

test('who signs in by e-mail keeps a number to be reached at @spec-profile-phone', async ({
  page,
  server,
}) => {
  const person = await arriveAtProfile(page, server)
  const { phone } = somebodyWithPhone()
  const own = section(page, words.yourPhone)
  for (const [typed, said] of [
    ['', words.phoneWanted],
    ['620 00 00 00', words.phoneInvalid],
  ] as const) {
    await own.getByLabel(words.phoneNumber).fill(typed)
    await own.getByRole('button', { name: words.savePhone }).click()
    await expect(own.getByText(said)).toBeVisible()
    await expect(own.getByLabel(words.phoneNumber)).toBeFocused()
  }
  await own.getByLabel(words.phoneNumber).fill(phone.replace('+33', ' 0'))
  await own.getByRole('button', { name: words.savePhone }).click()
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  expect(await server.documents('users', 'email', person.email)).toMatchObject([{ phone }])
})

test('who signs in by phone changes the number by a code, and can have an address @spec-phone-change', async ({
  page,
  server,
}) => {
  const person = somebodyWithPhone()
  const other = somebodyWithPhone()
  const taken = somebodyWithPhone()
  const { email } = somebody()
  const uid = await server.registerPhone(person)
  await server.registerPhone(taken)
  // What is recent is the service's to say: this device is ten minutes ahead of it.
  await page.clock.install({ time: Date.now() + 10 * 60_000 })
  await speak(page)
  await signInByPhone(page, server, person)
  await openProfile(page)
  const own = section(page, words.yourPhone)
  await expect(own.getByText(words.signsInWith)).toBeVisible()
  await expect(section(page, words.yourPassword)).toBeHidden()

  // Six minutes later the sign-in is too old; a code to the number that is to go proves it anew.
  await server.tell('auth/age', { localId: uid, minutes: 6 })
  await own.getByRole('button', { name: words.changeNumber }).click()
  const proof = page.getByRole('dialog', { name: words.proof })
  await proof.getByRole('button', { name: words.getCode }).click()
  await proof.getByLabel(words.code).fill(await sentCode(page, server, person))
  await proof.getByRole('button', { name: words.confirm }).click()
  await expect(proof).toBeHidden()

  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  const confirm = async (phone: string) => {
    await sheet.getByLabel(words.phoneNumber).fill(phone)
    await sheet.getByRole('button', { name: words.getCode }).click()
    await sheet.getByLabel(words.code).fill(await sentCode(page, server, { phone }))
    await sheet.getByRole('button', { name: words.confirm }).click()
  }
  await confirm(taken.phone)
  await expect(sheet.getByRole('alert')).toHaveText(authError('credential-already-in-use'))
  await sheet.getByRole('button', { name: words.changeNumber, exact: true }).click()
  await expect(sheet.getByLabel(words.phoneNumber)).toHaveValue(written(taken.phone))
  await confirm(other.phone)
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  await expect(sheet).toBeHidden()
  expect(await server.documents('users', 'phone', other.phone)).toMatchObject([{ name: person.name }])

  // Without an address before, the first one counts at once.
  await section(page, words.yourEmail).getByLabel(words.email).fill(email)
  await section(page, words.yourEmail).getByRole('button', { name: words.changeEmail }).click()
  await expect(page.getByText(words.emailSaved)).toBeVisible()
  expect(await server.documents('users', 'email', email)).toMatchObject([{ phone: other.phone }])

  await page.getByRole('button', { name: words.back }).click()
  await signOut(page)
  await signInByPhone(page, server, { ...person, phone: other.phone })
  await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()
})

test('who takes a while to change the number is not asked for a proof over it', async ({ page, server }) => {
  const person = somebodyWithPhone()
  const other = somebodyWithPhone()
  const uid = await server.registerPhone(person)
  // What is recent is the service's to say: this device is ten minutes ahead of it.
  await page.clock.install({ time: Date.now() + 10 * 60_000 })
  await speak(page)
  await signInByPhone(page, server, person)
  await openProfile(page)
  await section(page, words.yourPhone).getByRole('button', { name: words.changeNumber }).click()
  const sheet = page.getByRole('dialog', { name: words.changeNumber })
  await sheet.getByLabel(words.phoneNumber).fill(other.phone)

  // The service takes the sign-in for recent for another half minute; who would begin now is asked first.
  await server.tell('auth/age', { localId: uid, minutes: 4 })
  await sheet.getByRole('button', { name: words.getCode }).click()
  await sheet.getByLabel(words.code).fill(await sentCode(page, server, other))
  await sheet.getByRole('button', { name: words.confirm }).click()
  await expect(page.getByText(words.phoneSaved)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await server.documents('users', 'phone', other.phone)).toMatchObject([{ name: person.name }])
})

test('where addresses are protected, who signs in by phone has an address with a password, and both lead in', async ({
  page,
  server,
}) => {
  await server.protectAddresses(true)
  const person = somebodyWithPhone()
  const { email, password } = somebody()
  await server.registerPhone(person)
  await speak(page)
  await signInByPhone(page, server, person)
  await openProfile(page)
  const own = section(page, words.yourEmail)
  await own.getByLabel(words.email).fill(email)
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(own.getByText(words.passwordForAddress)).toBeVisible()
  const typed = own.getByLabel(words.password, { exact: true })
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(typed).toBeFocused()
  await expect(own.getByText(words.passwordTooShort)).toBeVisible()
  await typed.fill(password)
  await own.getByRole('button', { name: words.changeEmail }).click()
  await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()

  // Whoever mistyped the address is not locked out: the number leads in as before.
  await page.getByRole('button', { name: words.backToSignIn }).click()
  await signInByPhone(page, server, person)
  await signOut(page)

  await page.goto(await server.mailLink(email))
  await page.getByRole('link', { name: words.goOn }).click()
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

test('who signs in with Google proves it with the same account', async ({ page, server }) => {
  const person = somebody()
  const stranger = somebody()
  const other = somebody().email
  await speak(page)
  await panel(page).getByRole('button', { name: words.createInstead }).click()
  await chooseGoogle(await openGoogle(page), person)
  await expectHome(page)
  await openProfile(page)
  const own = section(page, words.yourEmail)
  await own.getByLabel(words.email).fill(other)
  await demandProof(server)
  await own.getByRole('button', { name: words.changeEmail }).click()
  const proof = page.getByRole('dialog', { name: words.proof })
  await expect(proof).toBeVisible()
  await chooseGoogle(await openGoogle(page), stranger)
  await expect(proof.getByRole('alert')).toHaveText(authError('user-mismatch'))
  await chooseGoogle(await openGoogle(page), person)
  await expect(proof).toBeHidden()
  await expect(own.getByText(`${words.openLink} ${other}`)).toBeVisible()
})
