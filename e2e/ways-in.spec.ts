import type { Locator, Page } from '@playwright/test'
import { ACCOUNT_KEY, accountOf, isAccountKey } from '../src/browser/storedAccount.ts'
import { AUTH_ERRORS, CALLS } from './authErrors.ts'
import { BROKEN_CALLS, expect, type Server, test } from './fixtures.ts'
import { holdBack } from './steps/faults.ts'
import { expectHome } from './steps/pages.ts'
import { somebody, somebodyWithPhone } from './steps/people.ts'
import {
  arriveHome,
  askForCode,
  chooseGoogle,
  fillSignUp,
  openGoogle,
  openPhone,
  panel,
  sentCode,
  signIn,
  signInByPhone,
  signOut,
  signUp,
  speak,
} from './steps/waysIn.ts'

// What is marked @auth runs against the official Auth emulator too: `npm run e2e:emulator`.

test.use({ expectedErrors: [BROKEN_CALLS] })

const press = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true }).click()
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

/** The next call of this kind is refused with these words of the sign-in service. */
const refuseOnce = (server: Server, call: keyof typeof CALLS, message: string) =>
  server.addFault({
    on: `POST /identitytoolkit.googleapis.com/v1/${CALLS[call]}`,
    times: 1,
    what: { kind: 'status', status: 400, message },
  })

/** What is said where the service refuses the project, and what can be done instead. */
const NO_MESSAGES = {
  fr: {
    project:
      'Nous ne pouvons pas envoyer de SMS pour le moment. Le problème vient de nous, pas de votre numéro : en redemander n’y changera rien. Votre argent n’a pas bougé.',
    country:
      'Nous ne pouvons pas envoyer de SMS vers ce pays pour le moment. Le problème vient de nous : en redemander n’y changera rien. Votre argent n’a pas bougé.',
    toSignIn: 'Si votre compte a une adresse e-mail, connectez-vous avec elle. Sinon, écrivez-nous.',
    toSignUp: 'Vous pouvez créer votre compte par e-mail.',
    byEmail: 'Continuer par e-mail',
    write: 'Écrire à notre assistance',
  },
  en: {
    project:
      'We can’t send text messages at the moment. The problem is on our side, not with your number: asking again won’t change it. Your money has not moved.',
    country:
      'We can’t send text messages to this country at the moment. The problem is on our side: asking again won’t change it. Your money has not moved.',
    toSignIn: 'If your account has an email address, sign in with it. Otherwise, write to us.',
    toSignUp: 'You can create your account by email.',
    byEmail: 'Go on by email',
    write: 'Write to our support desk',
  },
} as const

const REGION = 'OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer.'

/** What the service has been seen to answer for reasons of the project, to whoever asks for a code. */
const REFUSED_PROJECTS = [
  'INVALID_APP_CREDENTIAL',
  'QUOTA_EXCEEDED : Exceeded quota for sending verification codes.',
  'Error code: 39',
  'OPERATION_NOT_ALLOWED',
  'BILLING_NOT_ENABLED',
  'CAPTCHA_CHECK_FAILED : Hostname match not found',
  'Firebase App Check token is invalid.',
  'API key not valid. Please pass a valid API key.',
] as const

const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test.describe('by phone', () => {
  test('somebody signs up with a code, and signs in with another @auth', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebodyWithPhone()
    const typed = person.phone.replace(/(...)(.)(..)(..)(..)(..)/, '$1 $2 $3 $4 $5 $6')
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.nameWanted)).toBeVisible()
    await expect(panel(page).getByText(words.phoneWanted)).toBeVisible()
    await expect(panel(page).getByLabel(words.name)).toBeFocused()
    await askForCode(page, words, { ...person, phone: typed })
    const code = panel(page).getByLabel(words.code)
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')

    await press(page, words.createAccount)
    await expect(panel(page).getByText(words.codeWanted)).toBeVisible()
    const sent = await server.smsCode(person.phone)
    for (const wrong of [otherThan(sent), 'abcdef', '١٢٣٤٥٦']) {
      await code.fill(wrong)
      await press(page, words.createAccount)
      await expect(alert(page)).toHaveText(AUTH_ERRORS['invalid-verification-code'][language])
      await expect(code).toHaveValue(wrong)
    }
    await code.fill(` ${sent.slice(0, 3)} ${sent.slice(3)} `)
    await press(page, words.createAccount)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page, words)
    expect(await server.documents('users', 'phone', person.phone)).toMatchObject([
      { name: person.name, email: null, phone: person.phone, subscription: { tier: null, status: null } },
    ])

    await signOut(page, words)
    await openPhone(page, words)
    await panel(page).getByLabel(words.phoneNumber).fill(typed)
    await press(page, words.getCode)
    await code.fill(await sentCode(page, words, server, person))
    await press(page, words.signIn)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()

    // Signing up again is signing in, and changes nothing.
    await signOut(page, words)
    await signInByPhone(page, words, server, { ...person, name: 'Quelqu’un d’autre' })
    expect(await server.documents('users', 'phone', person.phone)).toMatchObject([{ name: person.name }])
  })

  test('a number without an account leads to the sign-up, and the number is kept @auth', async ({
    page,
    server,
    language,
    words,
  }) => {
    const { name, phone } = somebodyWithPhone()
    const number = panel(page).getByLabel(words.phoneNumber)
    await speak(page, language)
    await openPhone(page, words)
    await number.fill(phone)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
    await expect(number).toHaveValue(phone)

    // Back on the side of the sign-in, the server can not be asked.
    await press(page, words.signIn)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeHidden()
    await page.route('**/check-phone-user', (route) => route.abort())
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.accountUnknown)).toBeVisible()
    await expect(number).toHaveValue(phone)
    await askForCode(page, words, { name, phone })
    await panel(page)
      .getByLabel(words.code)
      .fill(await sentCode(page, words, server, { phone }))
    await press(page, words.createAccount)
    await expectHome(page, words)
  })

  test('who asks too often is told how long to wait', async ({ page, server, language, words }) => {
    const person = somebodyWithPhone()
    await server.registerPhone(person)
    await page.clock.install()
    await speak(page, language)
    const answers = await page.evaluate(async (phone) => {
      const ask = () =>
        fetch('/.netlify/functions/check-phone-user', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ phone }),
        })
      const all = await Promise.all(Array.from({ length: 50 }, ask))
      return all.map(({ status, headers }) => ({ status, retryAfter: headers.get('retry-after') }))
    }, person.phone)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(45)
    for (const { retryAfter } of limited) expect(Number(retryAfter)).toBeGreaterThan(590)

    await openPhone(page, words)
    await panel(page).getByLabel(words.phoneNumber).fill(person.phone)
    await press(page, words.getCode)
    await expect(alert(page)).toHaveText(`${words.tooManyChecks} 10 minutes.`)
    await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)
    await page.clock.runFor(9 * 60_000)
    await expect(alert(page)).toContainText(/\d+\ssecond/)
    await server.renew()
    await page.clock.runFor(60_000)
    await expect(alert(page)).toBeHidden()
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
  })

  test('another code, and another number @auth', async ({ page, server, language, words }) => {
    const person = somebodyWithPhone()
    const other = somebodyWithPhone().phone
    await page.clock.install()
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    await askForCode(page, words, person)
    const first = await server.smsCode(person.phone)
    const resend = panel(page).getByRole('button', { name: new RegExp(`${words.resendIn}|${words.resend}`) })
    await expect(resend).toHaveText(/\d+ ?s$/)
    await expect(resend).toBeDisabled()
    await page.clock.runFor(30_000)
    await expect(resend).toHaveText(words.resend)
    await resend.click()
    await expect(resend).toHaveText(/\d+ ?s$/)
    const second = await server.smsCode(person.phone)
    const code = panel(page).getByLabel(words.code)
    if (second !== first) {
      await code.fill(first)
      await press(page, words.createAccount)
      await expect(alert(page)).toHaveText(AUTH_ERRORS['invalid-verification-code'][language])
    }

    await press(page, words.changeNumber)
    await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
    await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)
    await panel(page).getByLabel(words.phoneNumber).fill(other)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
    await code.fill(await sentCode(page, words, server, { phone: other }))
    await press(page, words.createAccount)
    await expectHome(page, words)
    expect(await server.documents('users', 'phone', other)).toMatchObject([{ name: person.name }])
  })

  test('what a number can not be is said at once, and what was typed stays', async ({
    page,
    language,
    words,
  }) => {
    const digits = (count: number) => `+${'3'.repeat(count)}`
    const lengths = Array.from({ length: 31 }, (_, count) => count)
    const INVALID = [
      ...lengths.filter((count) => count < 8 || count > 15).map(digits),
      '33612345678',
      '0612345678',
      '0033612345678',
      '+0612345678',
      '+33 6 12 34 56 7x',
      'Aïssatou',
      '+٣٣٦١٢٣٤٥٦٧٨',
      '+33-6-12-34-56-78',
    ]
    await speak(page, language)
    await openPhone(page, words)
    const number = panel(page).getByLabel(words.phoneNumber)
    for (const empty of ['', '   ']) {
      await number.fill(empty)
      await press(page, words.getCode)
      await expect(panel(page).getByText(words.phoneWanted)).toBeVisible()
    }
    for (const typed of INVALID) {
      await number.fill(typed)
      await expect(panel(page).getByText(words.phoneInvalid)).toBeHidden()
      await press(page, words.getCode)
      await expect(panel(page).getByText(words.phoneInvalid)).toBeVisible()
      await expect(number).toHaveValue(typed)
      await expect(number).toBeFocused()
    }

    // Right for the form, wrong for the country.
    await press(page, words.createInstead)
    await panel(page).getByLabel(words.name).fill('Mamadou Bah')
    for (const [typed, code] of [
      ['+33 6 12 34 56', 'phone-number-too-short'],
      ['+33 6 12 34 56 78 9', 'phone-number-too-long'],
    ] as const) {
      await number.fill(typed)
      await press(page, words.getCode)
      await expect(alert(page)).toHaveText(AUTH_ERRORS[code][language])
      await expect(number).toHaveValue(typed)
    }
    // As it comes out of a contact list: with marks that nobody sees.
    await number.fill('\u202a+33\u00a06\u202f12 34 56 78\u202c')
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
  })

  test('a captcha that expires, fails or can not be fetched, and a network that is cut', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebodyWithPhone()
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    await panel(page).getByLabel(words.name).fill(person.name)
    await panel(page).getByLabel(words.phoneNumber).fill(person.phone)
    const expectRefusal = async (said: string) => {
      await press(page, words.getCode)
      await expect(alert(page)).toHaveText(said)
      await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
      await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)
      await page.unrouteAll()
    }
    await page.route('**/sandbox/recaptcha.js', (route) => route.abort())
    await expectRefusal(AUTH_ERRORS['captcha-init-failed'][language])
    await server.tell('recaptcha/next', { outcome: 'error' })
    await expectRefusal(AUTH_ERRORS['captcha-init-failed'][language])
    await server.tell('recaptcha/next', { outcome: 'expired' })
    await expectRefusal(AUTH_ERRORS['captcha-expired'][language])
    await page.route(`**/${CALLS.message}**`, (route) => route.abort())
    await expectRefusal(words.noAnswer)

    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
    const code = await server.smsCode(person.phone)
    await panel(page).getByLabel(words.code).fill(code)
    await page.route(`**/${CALLS.code}**`, (route) => route.abort())
    await press(page, words.createAccount)
    await expect(alert(page)).toHaveText(words.noAnswer)
    await expect(panel(page).getByLabel(words.code)).toHaveValue(code)
    await page.unrouteAll()
    await press(page, words.createAccount)
    await expectHome(page, words)
  })

  test('messages that the service refuses for reasons of the project are asked for once, and told with other ways', async ({
    page,
    server,
    language,
    words,
  }) => {
    const said = NO_MESSAGES[language]
    const person = somebodyWithPhone()
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes(CALLS.message)) asked += 1
    })
    await speak(page, language)
    // On this side nobody asks whether the number has an account, which can be asked five times only.
    await openPhone(page, words, 'signUp')
    await panel(page).getByLabel(words.name).fill(person.name)
    const number = panel(page).getByLabel(words.phoneNumber)
    const getCode = panel(page).getByRole('button', { name: words.getCode })
    const expectRefused = async (calls = 1) => {
      await expect(alert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
      await expect(getCode).toBeHidden()
      // Nor by the key that sends a form.
      await number.press('Enter')
      await expect(alert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
      await expect(number).toHaveValue(person.phone)
      expect(asked).toBe(calls)
      expect(await server.pendingFaults()).toEqual([])
      asked = 0
    }
    for (const message of REFUSED_PROJECTS) {
      await test.step(message, async () => {
        await refuseOnce(server, 'message', message)
        await number.fill(person.phone)
        await getCode.click()
        await expectRefused()
        await page.reload()
        await expect(getCode).toBeVisible()
      })
    }

    // One captcha more is worth a try; a third is not.
    for (const isFirst of [true, false]) {
      await refuseOnce(server, 'message', 'CAPTCHA_CHECK_FAILED : Recaptcha verification failed - DUPE')
      await expect(number).toHaveValue(person.phone)
      await getCode.click()
      if (isFirst) await expect(alert(page)).toHaveText(AUTH_ERRORS['captcha-check-failed'][language])
    }
    await expectRefused(2)

    await expect(page.getByRole('link', { name: said.write })).toHaveAttribute(
      'href',
      'mailto:aide@passerelle.example',
    )
    await press(page, words.signIn)
    await expect(alert(page)).toHaveText(`${said.project} ${said.toSignIn}`)
    await press(page, said.byEmail)
    const tab = page.getByRole('tab', { name: words.emailTab, exact: true })
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect(tab).toBeFocused()
  })

  test('a country that no message goes to is told of, and another number is asked for again', async ({
    page,
    server,
    language,
    words,
  }) => {
    const said = NO_MESSAGES[language]
    const person = somebodyWithPhone()
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    await panel(page).getByLabel(words.name).fill(person.name)
    await panel(page).getByLabel(words.phoneNumber).fill('+1 416 555 0100')
    await refuseOnce(server, 'message', REGION)
    await press(page, words.getCode)
    await expect(alert(page)).toHaveText(`${said.country} ${said.toSignUp}`)
    await askForCode(page, words, person)
    await panel(page)
      .getByLabel(words.code)
      .fill(await sentCode(page, words, server, person))
    await press(page, words.createAccount)
    await expectHome(page, words)
  })

  test('a second message that is refused leaves the first to be entered', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebodyWithPhone()
    await page.clock.install()
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    await askForCode(page, words, person)
    const code = await server.smsCode(person.phone)
    await page.clock.runFor(30_000)
    await refuseOnce(server, 'message', REFUSED_PROJECTS[1])
    await press(page, words.resend)
    await expect(alert(page)).toHaveText(NO_MESSAGES[language].project)
    await expect(panel(page).getByRole('button', { name: words.resend })).toBeHidden()
    await panel(page).getByLabel(words.code).fill(code)
    await press(page, words.createAccount)
    await expectHome(page, words)
  })

  test('a project that refuses somebody says that there is no account', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebodyWithPhone()
    await server.tell('auth/blocking', { phoneSignUps: true })
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    const enterCode = async (confirm: string) => {
      await expect(panel(page).getByText(words.codeSent)).toBeVisible()
      await panel(page)
        .getByLabel(words.code)
        .fill(await sentCode(page, words, server, person))
      await press(page, confirm)
      await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
      await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)
    }
    await askForCode(page, words, person)
    await enterCode(words.createAccount)
    await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)

    await server.tell('auth/blocking', { phoneSignUps: false })
    await server.registerPhone(person)
    await press(page, words.signIn)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
    await refuseOnce(
      server,
      'code',
      'BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: {"error":{}}',
    )
    await enterCode(words.signIn)
    await expect(panel(page).getByRole('button', { name: words.createInstead })).toBeHidden()
  })

  test('a code that the browser reads from the message confirms by itself', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebodyWithPhone()
    await page.addInitScript(() => {
      const requests: unknown[] = []
      const answers: ((code: { code: string }) => void)[] = []
      const get = (request: { otp: unknown }) => {
        requests.push(request.otp)
        return new Promise((resolve) => answers.push(resolve))
      }
      Object.defineProperty(navigator, 'credentials', { value: { get } })
      Object.assign(window, {
        OTPCredential: class {},
        messageReads: requests,
        messageComes: (code: string) => answers.shift()?.({ code }),
      })
    })
    const comes = (code: string) =>
      page.evaluate(
        (received) => (window as never as { messageComes(code: string): void }).messageComes(received),
        code,
      )
    await speak(page, language)
    await openPhone(page, words, 'signUp')
    await askForCode(page, words, person)
    expect(await page.evaluate(() => (window as never as { messageReads: unknown[] }).messageReads)).toEqual([
      { transport: ['sms'] },
    ])

    // A message for a number that was given up belongs to no code.
    await press(page, words.changeNumber)
    await comes('123456')
    await expect(panel(page).getByText(words.noCode)).toBeVisible()
    await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(person.phone)

    await press(page, words.getCode)
    await comes(await sentCode(page, words, server, person))
    await expectHome(page, words)
  })
})

test('what was typed is there again on the other side and back', async ({ page, language, words }) => {
  const byMail = somebody()
  const byPhone = somebodyWithPhone()
  await speak(page, language)
  await panel(page).getByLabel(words.email).fill(byMail.email)
  await panel(page).getByLabel(words.password, { exact: true }).fill(byMail.password)
  await openPhone(page, words, 'signUp')
  await askForCode(page, words, byPhone)
  await panel(page).getByLabel(words.code).fill('12 34')

  await page.getByRole('tab', { name: words.emailTab }).press('ArrowLeft')
  await expect(page.getByRole('tab', { name: words.emailTab })).toHaveAttribute('aria-selected', 'true')
  await expect(panel(page).getByLabel(words.email)).toHaveValue(byMail.email)
  await expect(panel(page).getByLabel(words.password, { exact: true })).toHaveValue(byMail.password)
  await page.getByRole('tab', { name: words.emailTab }).press('ArrowRight')
  await expect(panel(page).getByLabel(words.name)).toHaveValue(byPhone.name)
  await expect(panel(page).getByLabel(words.code)).toHaveValue('12 34')
  await press(page, words.changeNumber)
  await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(byPhone.phone)
})

test.describe('by e-mail', () => {
  test('an unknown address leads to the sign-up, which has an address of its own @auth', async ({
    page,
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    await signIn(page, words, person)
    await expect(alert(page)).toHaveText(words.addressUnknown)
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/?signup&tab=email&email=${encodeURIComponent(person.email)}`)

    await page.goto(pathname + search)
    await expect(panel(page).getByLabel(words.name)).toBeVisible()
    await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
    await expect(panel(page).getByRole('button', { name: words.createAccount })).toBeVisible()
  })

  test('where addresses are protected, a refusal does not tell which it is, and has every way on @auth', async ({
    page,
    server,
    language,
    words,
  }) => {
    await server.protectAddresses(true)
    const person = somebody()
    await speak(page, language)
    await signIn(page, words, person)
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
    await expectHome(page, words)
    await signOut(page, words)

    // Whoever has an account reads the same, and is told so at the end of the sign-up.
    await signIn(page, words, { ...person, password: 'Konkouré2026' })
    await expect(alert(page)).toHaveText(words.notKnownWhich)
    await press(page, words.signUpWithAddress)
    await panel(page).getByLabel(words.name).fill(person.name)
    await press(page, words.createAccount)
    await expect(alert(page)).toHaveText(AUTH_ERRORS['email-already-in-use'][language])
    await press(page, words.signIn)

    for (const email of [somebody().email, person.email]) {
      await panel(page).getByLabel(words.email).fill(email)
      await press(page, words.forgotPassword)
      await expect(page.getByText(words.mailOnItsWay)).toBeVisible()
      await expect(page.getByText(words.mailOnItsWay)).toBeHidden()
    }
    await signIn(page, words, person)
    await expectHome(page, words)
  })

  test('a forgotten password is changed by the link @auth', async ({ page, server, language, words }) => {
    const person = somebody()
    await server.register(person)
    await speak(page, language)
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
    await signIn(page, words, person)
    await expect(alert(page)).toHaveText(words.wrongPassword)
    await signIn(page, words, { ...person, password: 'Konkouré2026' })
    await expectHome(page, words)
  })

  test('who signed up with the address of somebody else, and linked a phone, is out once its owner is in', async ({
    page,
    server,
    language,
    words,
  }) => {
    const owner = somebody()
    const { phone } = somebodyWithPhone()
    await server.squat({ ...owner, phone, password: 'of the stranger' })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    const back = () => page.getByRole('button', { name: words.backToSignIn }).click()
    const byPhone = async () => {
      await openPhone(page, words)
      await panel(page).getByLabel(words.phoneNumber).fill(phone)
      await press(page, words.getCode)
      await panel(page)
        .getByLabel(words.code)
        .fill(await sentCode(page, words, server, { phone }))
      await press(page, words.signIn)
    }
    await speak(page, language)
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
    await signIn(page, words, owner)
    await expect(heading(words.signInAgain)).toBeVisible()
    await expect(page.getByText(words.wayRemoved)).toBeVisible()
    await back()
    await signIn(page, words, owner)
    await expectHome(page, words)
    expect(await server.documents('users', 'verifiedAddress', owner.email)).toMatchObject([{ phone: null }])

    await signOut(page, words)
    await openPhone(page, words)
    await panel(page).getByLabel(words.phoneNumber).fill(phone)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
  })

  test('the address of an ordinary sign-up is confirmed by one call, once, as is that of Google; a phone needs none', async ({
    page,
    server,
    language,
    words,
  }) => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/confirm-address')) calls.push(request.url())
    })
    const person = somebody()
    await speak(page, language)
    await signUp(page, words, person)
    expect(calls).toEqual([])
    await page.goto(await server.mailLink(person.email))
    if (!server.hasAuthEmulator) await page.getByRole('link', { name: words.goOn }).click()
    await expectHome(page, words)
    expect(calls).toHaveLength(1)
    await page.reload()
    await expectHome(page, words)
    await signOut(page, words)
    await signIn(page, words, person)
    await expectHome(page, words)
    expect(calls).toHaveLength(1)
    await signOut(page, words)

    await signInByPhone(page, words, server, somebodyWithPhone())
    await signOut(page, words)
    await press(page, words.createInstead)
    const name = somebody().name
    await chooseGoogle(await openGoogle(page, words), words, { name, email: somebody().email })
    await expectHome(page, words)
    expect(calls).toHaveLength(2)
  })

  test('the verification is sent again, and its link leads in @auth', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    await signUp(page, words, person)
    await expect(page.getByText(words.mailSent)).toBeVisible()
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
    await signIn(page, words, person)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page, words)
    await expect(page).toHaveURL('/')
  })

  test('what led in is not there for who signs in next', async ({ page, server, language, words }) => {
    const person = somebody()
    await server.register(person)
    await speak(page, language)
    await signIn(page, words, somebody())
    await expect(alert(page)).toHaveText(words.addressUnknown)
    await press(page, words.signIn)
    await signIn(page, words, person)
    await expectHome(page, words)
    await signOut(page, words)
    await expect(page.getByRole('button', { name: words.createInstead })).toBeVisible()
    await page.reload()
    await expect(panel(page).getByLabel(words.email)).toHaveValue('')
  })

  test('a verification that can not be sent is told of', async ({ page, server, language, words }) => {
    await speak(page, language)
    await signUp(page, words, somebody())
    await refuseOnce(server, 'mail', 'TOO_MANY_ATTEMPTS_TRY_LATER')
    await page.getByRole('button', { name: words.resendMail }).click()
    await expect(page.getByText(words.mailFailed)).toBeVisible()
  })

  test('an account without a profile is signed out, to sign up by phone @auth', async ({
    page,
    server,
    language,
    words,
  }) => {
    const byMail = somebody()
    const byPhone = somebodyWithPhone()
    for (const uid of [await server.register(byMail), await server.registerPhone(byPhone)])
      await server.remove(`users/${uid}`)
    const expectSignUp = async (notice: string) => {
      const tab = page.getByRole('tab', { name: words.phoneTab, exact: true })
      await expect(tab).toHaveAttribute('aria-selected', 'true')
      await expect(panel(page).getByText(notice)).toBeVisible()
      await expect(panel(page).getByLabel(words.name)).toBeVisible()
    }
    await speak(page, language)
    await signIn(page, words, byMail)
    await expectSignUp(words.profileMissing)
    await page.reload()
    await expectSignUp(words.profileMissing)

    await press(page, words.signIn)
    await panel(page).getByLabel(words.phoneNumber).fill(byPhone.phone)
    await press(page, words.getCode)
    await panel(page)
      .getByLabel(words.code)
      .fill(await sentCode(page, words, server, byPhone))
    await press(page, words.signIn)
    await expectSignUp(words.numberWithoutAccount)
    await page.reload()
    await expectSignUp(words.numberWithoutAccount)

    await askForCode(page, words, byPhone)
    await panel(page)
      .getByLabel(words.code)
      .fill(await sentCode(page, words, server, byPhone))
    await press(page, words.createAccount)
    await expectHome(page, words)
    expect(await server.documents('users', 'phone', byPhone.phone)).toMatchObject([{ name: byPhone.name }])
    await signOut(page, words)
    await page.reload()
    await expect(panel(page).getByRole('button', { name: words.createInstead })).toBeVisible()
  })
})

test.describe('a profile that the database refuses', () => {
  const refuse = (page: Page, call: string) =>
    page.route(`**/documents:${call}**`, (route) =>
      route.fulfill({
        status: 400,
        json: { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'no' } },
      }),
    )

  test('is told of, and the sign-up can be tried again', async ({ page, server, language, words }) => {
    const person = somebody()
    await speak(page, language)
    await fillSignUp(page, words, person)
    await refuse(page, 'commit')
    await press(page, words.createAccount)
    await expect(alert(page)).toContainText(words.profileNotCreated)
    await expect(panel(page).getByLabel(words.email)).toHaveValue(person.email)
    await page.unrouteAll()
    await press(page, words.createAccount)
    await expect(page.getByRole('heading', { name: words.verify })).toBeVisible()
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  })

  test('is told of when it can not be read, and nobody is signed in', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    await press(page, words.createInstead)
    await refuse(page, 'batchGet')
    await chooseGoogle(await openGoogle(page, words), words, person)
    await expect(alert(page)).toContainText(words.profileNotRead)
    expect(await server.documents('users', 'email', person.email)).toEqual([])
    await page.unrouteAll()
    await chooseGoogle(await openGoogle(page, words), words, person)
    await expectHome(page, words)
  })
})

test.describe('with Google', () => {
  test('the window is of 500 by 600', async ({ page, language, words }) => {
    await page.addInitScript(() => {
      const { open } = window
      window.open = (address, name, features) => {
        document.documentElement.dataset.opened = features
        return open.call(window, address, name, features)
      }
    })
    await speak(page, language)
    await openGoogle(page, words)
    await expect(page.locator('html')).toHaveAttribute('data-opened', /\bwidth=500,height=600\b/)
  })

  test('somebody signs up, and signs in again', async ({ page, server, language, words }) => {
    const person = somebody()
    await speak(page, language)
    await press(page, words.createInstead)
    await chooseGoogle(await openGoogle(page, words), words, person)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page, words)
    expect(await server.documents('users', 'email', person.email)).toMatchObject([
      { name: person.name, phone: null },
    ])

    await signOut(page, words)
    await chooseGoogle(await openGoogle(page, words), words, person)
    await expectHome(page, words)
    await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()
  })

  test('a name of Google’s that no profile may have is made one that it may', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    await press(page, words.createInstead)
    await chooseGoogle(await openGoogle(page, words), words, {
      ...person,
      name: `\u202eMariama\tBah\u2069 ${'a'.repeat(120)}`,
    })
    await expectHome(page, words)
    const name = `Mariama Bah ${'a'.repeat(88)}`
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name }])
    await signOut(page, words)

    const nameless = somebody()
    await press(page, words.createInstead)
    await chooseGoogle(await openGoogle(page, words), words, { ...nameless, name: '\u200f--' })
    await expectHome(page, words)
    expect(await server.documents('users', 'email', nameless.email)).toMatchObject([
      { name: nameless.email.split('@')[0] },
    ])
  })

  test('an account that is not known signs up instead; cancelling changes nothing', async ({
    page,
    server,
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    const cancelled = await openGoogle(page, words)
    const closed = cancelled.waitForEvent('close')
    await cancelled.getByRole('button', { name: words.googleCancel }).click()
    await closed
    await expect(alert(page)).toHaveText(AUTH_ERRORS['popup-closed-by-user'][language])

    await chooseGoogle(await openGoogle(page, words), words, person)
    await expect(panel(page).getByText(words.profileMissing)).toBeVisible()
    expect(await server.documents('users', 'email', person.email)).toEqual([])
    await chooseGoogle(await openGoogle(page, words), words, person)
    await expectHome(page, words)
    expect(await server.documents('users', 'email', person.email)).toMatchObject([{ name: person.name }])
  })

  test('a window that is closed counts as cancelled after a while', async ({ page, language, words }) => {
    // By the clock of the machine: a page whose clock is put in place by a test can not always open windows.
    await speak(page, language)
    const popup = await openGoogle(page, words)
    await popup.close()
    const closedAt = Date.now()
    // Up to ten seconds until the next look at the window, and eight in which its answer may still come.
    await expect(alert(page)).toHaveText(AUTH_ERRORS['popup-closed-by-user'][language])
    expect(Date.now() - closedAt).toBeGreaterThan(4_000)
  })

  test('another window takes the place of the first, and an answer of long ago does not count', async ({
    page,
    language,
    words,
  }) => {
    const person = somebody()
    await speak(page, language)
    await press(page, words.createInstead)
    const first = await openGoogle(page, words)
    const closed = first.waitForEvent('close')
    const second = await openGoogle(page, words)
    await closed
    const requestId = new URL(second.url()).searchParams.get('state')
    await page.evaluate((id) => {
      const at = Date.now() - 6 * 60_000
      const channel = new BroadcastChannel('passerelle.google')
      channel.postMessage({ kind: 'redirect', requestId: id, at, idToken: 'a.b.c' })
    }, requestId)
    await expect(alert(page)).toHaveText(AUTH_ERRORS['token-too-old'][language])
    await chooseGoogle(await openGoogle(page, words), words, person)
    await expectHome(page, words)
  })

  test('a tap counts even when the code that answers it comes meanwhile', async ({
    page,
    language,
    words,
  }) => {
    const code = '**/assets/GoogleSignIn-*.js'
    const release = await holdBack(page, code)
    await speak(page, language)
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

  test('a window that can not open', async ({ page, language, words }) => {
    await page.addInitScript(() => {
      window.open = () => null
    })
    await speak(page, language)
    await page.getByRole('button', { name: words.google }).click()
    await expect(alert(page)).toHaveText(AUTH_ERRORS['popup-blocked'][language])
  })

  test('a browser in which no answer could come back', async ({ page, language, words }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'BroadcastChannel')
    })
    await speak(page, language)
    await page.getByRole('button', { name: words.google }).click()
    await expect(alert(page)).toHaveText(AUTH_ERRORS['web-storage-unsupported'][language])
  })
})

test('each refusal of the service is told in words, and a new one by what was asked for', async ({
  page,
  server,
  language,
  words,
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
  const drawn = Object.values(AUTH_ERRORS)
  const expectTold = async (call: keyof typeof CALLS, act: () => Promise<void>, among: Locator) => {
    const rows = drawn.flatMap(({ [language]: said, drawn: how }) =>
      how?.[0] === call ? [{ message: how[1], said }] : [],
    )
    const said = unknown[call]
    if (said) rows.push({ message: 'NEVER_HEARD_OF : A sentence of the service.', said })
    for (const { message, said } of rows) {
      await refuseOnce(server, call, message)
      await act()
      // Where addresses are protected it may be that there is no account.
      const whole = message === 'INVALID_LOGIN_CREDENTIALS' ? words.notKnownWhich : said
      await expect(among, message).toHaveText(whole)
    }
    expect(await server.pendingFaults(), 'refusals that no call has met').toEqual([])
  }
  await speak(page, language)
  const inPanel = panel(page).getByRole('alert')
  await panel(page).getByLabel(words.email).fill(byMail.email)
  await panel(page).getByLabel(words.password, { exact: true }).fill(byMail.password)
  await expectTold('password', () => press(page, words.signIn), inPanel)
  await expectTold('mail', () => press(page, words.forgotPassword), inPanel)

  // The last of them has turned the card to the sign-up.
  await panel(page).getByLabel(words.name).fill(byMail.name)
  await expectTold('signUp', () => press(page, words.createAccount), inPanel)

  await page.goto('/')
  await openPhone(page, words, 'signUp')
  await panel(page).getByLabel(words.name).fill(byPhone.name)
  await panel(page).getByLabel(words.phoneNumber).fill(byPhone.phone)
  await expectTold('message', () => press(page, words.getCode), inPanel)
  await press(page, words.getCode)
  await panel(page).getByLabel(words.code).fill('123456')
  await expectTold('code', () => press(page, words.createAccount), inPanel)

  await page.goto('/')
  await expectTold(
    'google',
    async () => chooseGoogle(await openGoogle(page, words), words, byMail),
    alert(page),
  )
})

test.describe('without a network', () => {
  test('nobody is signed out for want of a network', async ({ page, server, language, words }) => {
    await arriveHome(page, server, language)
    for (const service of [
      '**/identitytoolkit*/**',
      '**/securetoken*/**',
      '**/v1/projects/**',
      '**/.netlify/**',
    ])
      await page.route(service, (route) => route.abort())
    await page.reload()
    await expectHome(page, words)
    await expect(page.getByText(words.historyFailed)).toBeVisible()
    await expectHome(page, words)
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByText(words.noTransfers)).toBeVisible()
  })
})

test('the sign-in SDK keeps a session where the first paint looks for it', async ({
  page,
  server,
  language,
  words,
}) => {
  const person = somebody()
  const uid = await server.register(person)
  await speak(page, language)
  await page.goto('/')
  await signIn(page, words, person)
  await expectHome(page, words)
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
