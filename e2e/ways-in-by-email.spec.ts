import { authError, CALLS } from './authErrors.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { untilDrawn } from './steps/drawn.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome, pressKey } from './steps/pages.ts'
import { somebody, somebodyWithPhone } from './steps/people.ts'
import {
  alert,
  askForCode,
  chooseGoogle,
  enterCode,
  fillSignUp,
  openGoogle,
  openPhone,
  panel,
  press,
  refuseOnce,
  sentCode,
  signIn,
  signInByPhone,
  signOut,
  signUp,
  speak,
} from './steps/waysIn.ts'
import { words } from './words.ts'

// Tests marked @auth also run with the official Auth emulator: see docs/sandbox.md.

test.use({ expectedErrors: [BROKEN_CALLS] })

test.describe('by e-mail', () => {
  test('an unknown address leads to the sign-up, which has an address of its own @auth @spec-sign-up-address @spec-unknown-address', async ({
    page,
  }) => {
    const person = somebody()
    await speak(page)
    await signIn(page, person)
    await expect(alert(page)).toHaveText(words.addressUnknown)
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/?signup&tab=email&email=${encodeURIComponent(person.email)}`)

    await page.goto(pathname + search)
    await expect(panel(page).getByLabel(words.name)).toBeVisible()
    await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
    await expect(panel(page).getByRole('button', { name: words.createAccount })).toBeVisible()
  })

  test('an unknown address that is heard of late turns no other form that is typed into', async ({
    page,
  }) => {
    await speak(page)
    const address = `**/${CALLS.password}*`
    const release = await holdBack(page, address)
    await signIn(page, somebody())
    await openPhone(page)
    const number = panel(page).getByLabel(words.phoneNumber)
    await number.fill('+33 6 12')
    const answered = page.waitForResponse(address)
    release()
    await answered
    await untilDrawn(page)
    await expect(panel(page).getByLabel(words.name)).toBeHidden()
    await expect(page).toHaveURL('/')
    await expect(number).toBeFocused()
    await page.getByRole('tab', { name: words.emailTab }).click()
    await expect(alert(page)).toHaveText(words.addressUnknown)
    await expect(panel(page).getByRole('button', { name: words.signIn, exact: true })).toBeVisible()
  })

  test('where addresses are protected, a refusal does not tell which it is, and has every way on @auth', async ({
    page,
    server,
  }) => {
    await server.protectAddresses(true)
    const person = somebody()
    await speak(page)
    await signIn(page, person)
    await expect(alert(page)).toHaveText(words.notKnownWhich)
    await press(page, words.signUpWithAddress)
    await expect(alert(page)).toBeHidden()
    await expect(page).toHaveURL(`/?signup&tab=email&email=${encodeURIComponent(person.email)}`)
    await expect(panel(page).getByLabel(words.name)).toBeFocused()
    await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
    await panel(page).getByLabel(words.name).fill(person.name)
    await press(page, words.createAccount)
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    await page.goto(await server.mailLink(person.email))
    if (!server.hasAuthEmulator) await page.getByRole('link', { name: words.goOn }).click()
    await expectHome(page)
    await signOut(page)

    // Whoever has an account reads the same, and is told so at the end of the sign-up.
    await signIn(page, { ...person, password: 'Konkouré2026' })
    await expect(alert(page)).toHaveText(words.notKnownWhich)
    await press(page, words.signUpWithAddress)
    await panel(page).getByLabel(words.name).fill(person.name)
    const create = panel(page).getByRole('button', { name: words.createAccount })
    await pressKey(create)
    await expect(alert(page)).toHaveText(authError('email-already-in-use'))
    // It lost the focus while it was busy.
    await expect(create).toBeFocused()
    await press(page, words.signIn)

    for (const email of [somebody().email, person.email]) {
      await panel(page).getByLabel(words.email).fill(email)
      const forgotten = panel(page).getByRole('button', { name: words.forgotPassword })
      await pressKey(forgotten)
      await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
      await expect(forgotten).toBeFocused()
    }
    await signIn(page, person)
    await expectHome(page)
  })

  test('a forgotten password is changed by the link @auth @spec-password-reset @spec-password-reset-address', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await server.register(person)
    await speak(page)
    await press(page, words.forgotPassword)
    await expect(panel(page).getByText(words.addressWanted)).toBeVisible()
    await panel(page).getByLabel(words.email).fill(person.email)
    await press(page, words.forgotPassword)
    await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
    const link = await server.mailLink(person.email)
    if (server.hasAuthEmulator) {
      // It has no page to type into: the password goes into the address, which leads back at once.
      await page.goto(`${link}&newPassword=${encodeURIComponent('Konkouré2026')}`)
    } else {
      await page.goto(link)
      await page.getByLabel(words.newPassword).fill('Konkouré2026')
      await page.getByRole('button', { name: words.save }).click()
      await page.getByRole('link', { name: words.goOn }).click()
    }
    await signIn(page, person)
    await expect(alert(page)).toHaveText(words.wrongPassword)
    await signIn(page, { ...person, password: 'Konkouré2026' })
    await expectHome(page)
  })

  test('who signed up with the address of somebody else, and linked a phone, is out once its owner is in', async ({
    page,
    server,
  }) => {
    const owner = somebody()
    const { phone } = somebodyWithPhone()
    await server.squat({ ...owner, phone, password: 'of the stranger' })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    const back = () => page.getByRole('button', { name: words.backToSignIn }).click()
    const byPhone = async () => {
      await openPhone(page)
      await panel(page).getByLabel(words.phoneNumber).fill(phone)
      await press(page, words.getCode)
      await enterCode(page, server, { phone })
      await press(page, words.signIn)
    }
    await speak(page)
    await byPhone()
    await expect(heading(words.verify)).toBeVisible()
    await expect(page.getByText(owner.email)).toBeVisible()
    await back()

    await page.getByRole('tab', { name: words.emailTab, exact: true }).click()
    await panel(page).getByLabel(words.email).fill(owner.email)
    await press(page, words.forgotPassword)
    await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
    await page.goto(await server.mailLink(owner.email))
    await page.getByLabel(words.newPassword).fill(owner.password)
    await page.getByRole('button', { name: words.save }).click()
    await page.getByRole('link', { name: words.goOn }).click()

    // The stranger comes first: the address is verified by now, and the account still opens by no phone.
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
    await openPhone(page)
    await panel(page).getByLabel(words.phoneNumber).fill(phone)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
  })

  test('the address of an ordinary sign-up is confirmed by one call, once, as is that of Google; a phone needs none', async ({
    page,
    server,
  }) => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/confirm-address')) calls.push(request.url())
    })
    const person = somebody()
    await speak(page)
    await signUp(page, person)
    expect(calls).toEqual([])
    await page.goto(await server.mailLink(person.email))
    if (!server.hasAuthEmulator) await page.getByRole('link', { name: words.goOn }).click()
    await expectHome(page)
    expect(calls).toHaveLength(1)
    await page.reload()
    await expectHome(page)
    await signOut(page)
    await signIn(page, person)
    await expectHome(page)
    expect(calls).toHaveLength(1)
    await signOut(page)

    await signInByPhone(page, server, somebodyWithPhone())
    await signOut(page)
    await press(page, words.createInstead)
    const name = somebody().name
    await chooseGoogle(await openGoogle(page), { name, email: somebody().email })
    await expectHome(page)
    expect(calls).toHaveLength(2)
  })

  test('the verification is sent again, and its link leads in @auth @spec-verification', async ({
    page,
    server,
  }) => {
    const person = somebody()
    await speak(page)
    await fillSignUp(page, person)
    await page.getByRole('button', { name: words.createAccount }).click()
    await expect(page.getByText(words.mailSent)).toBeVisible()
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    await expect(page.getByText(words.mailSent)).toBeHidden()
    const first = await server.mailLink(person.email)
    await page.getByRole('button', { name: words.resendMail }).click()
    await expect(page.getByText(words.mailSent)).toBeVisible()
    const second = await server.mailLink(person.email)
    expect(second).not.toBe(first)

    await page.getByRole('button', { name: words.backToSignIn }).click()
    await expect(page.getByRole('tab', { name: words.emailTab })).toBeVisible()
    await page.goto(second)
    // The official emulator leads back at once, without a page of its own.
    if (!server.hasAuthEmulator) await page.getByRole('link', { name: words.goOn }).click()
    expect(page.url()).toContain('emailVerified=1')
    await expect(page.getByText(words.addressVerified)).toBeVisible()
    await signIn(page, person)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page)
    await expect(page).toHaveURL('/')
  })

  test('what led in is not there for who signs in next', async ({ page, server }) => {
    const person = somebody()
    await server.register(person)
    await speak(page)
    await signIn(page, somebody())
    await expect(alert(page)).toHaveText(words.addressUnknown)
    await press(page, words.signIn)
    await signIn(page, person)
    await expectHome(page)
    await signOut(page)
    await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
    await page.reload()
    await expect(panel(page).getByLabel(words.email)).toHaveValue('')
  })

  test('a verification that can not be sent is told of @spec-verification-refused', async ({
    page,
    server,
  }) => {
    await speak(page)
    await signUp(page, somebody())
    await refuseOnce(server, 'mail', 'TOO_MANY_ATTEMPTS_TRY_LATER')
    const resend = page.getByRole('button', { name: words.resendMail })
    await pressKey(resend)
    await expect(page.getByText(words.mailFailed)).toBeVisible()
    // It lost the focus while it was busy.
    await expect(resend).toBeFocused()
  })

  test('an account without a profile is signed out, to sign up where its owner came from @auth @spec-no-profile', async ({
    page,
    server,
  }) => {
    const byMail = somebody()
    const byPhone = somebodyWithPhone()
    await server.remove(`users/${await server.register(byMail)}`)
    const uid = await server.registerPhone(byPhone)
    const expectSignUp = async (way: string, notice: string) => {
      await expect(page.getByRole('tab', { name: way, exact: true })).toHaveAttribute('aria-selected', 'true')
      await expect(panel(page).getByText(notice)).toBeVisible()
      await expect(panel(page).getByLabel(words.name)).toBeVisible()
    }
    await speak(page)
    await signIn(page, byMail)
    await expectSignUp(words.emailTab, words.profileMissing)
    await expect(panel(page).getByLabel(words.email)).toHaveValue(byMail.email)
    await page.reload()
    await expectSignUp(words.emailTab, words.profileMissing)

    await press(page, words.signIn)
    await expect(panel(page).getByText(words.profileMissing)).toBeHidden()
    await page.getByRole('tab', { name: words.phoneTab, exact: true }).click()
    await panel(page).getByLabel(words.phoneNumber).fill(byPhone.phone)
    await press(page, words.getCode)
    const code = await sentCode(page, server, byPhone)
    // The profile goes after the number was asked about.
    await server.remove(`users/${uid}`)
    await panel(page).getByLabel(words.code).fill(code)
    await press(page, words.signIn)
    await expectSignUp(words.phoneTab, words.numberWithoutAccount)
    await page.reload()
    await expectSignUp(words.phoneTab, words.numberWithoutAccount)

    await askForCode(page, byPhone)
    await enterCode(page, server, byPhone)
    await press(page, words.createAccount)
    await expectHome(page)
    expect(await server.documents('users', 'phone', byPhone.phone)).toMatchObject([{ name: byPhone.name }])
    await signOut(page)
    await page.reload()
    await expect(panel(page).getByRole('button', { name: words.createInstead })).toBeVisible()
  })

  test('a number whose account has no profile needs one code to sign up', async ({ page, server }) => {
    const person = somebodyWithPhone()
    await server.remove(`users/${await server.registerPhone(person)}`)
    await speak(page)
    await openPhone(page, 'signIn')
    await panel(page).getByLabel(words.phoneNumber).fill(person.phone)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
    await expect(panel(page).getByLabel(words.code)).toBeHidden()
    await askForCode(page, person)
    await enterCode(page, server, person)
    await press(page, words.createAccount)
    await expectHome(page)
  })
})
