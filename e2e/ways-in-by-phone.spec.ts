import { authError, CALLS } from './authErrors.ts'
import { BROKEN_CALLS, expect, test } from './fixtures.ts'
import { expectHeadingFocused, expectHome, pressKey } from './steps/pages.ts'
import { somebodyWithPhone, written } from './steps/people.ts'
import {
  alert,
  askForCode,
  enterCode,
  openPhone,
  panel,
  press,
  refuseOnce,
  sentCode,
  signInByPhone,
  signOut,
  speak,
} from './steps/waysIn.ts'
import { texts } from './texts.ts'
import { words } from './words.ts'

// Tests marked @auth also run with the official Auth emulator: see docs/sandbox.md.

test.use({ expectedErrors: [BROKEN_CALLS] })

/** What is said where the service refuses the project, and what can be done instead. */
const said = texts({
  project:
    'Nous ne pouvons pas envoyer de SMS pour le moment. Le problème vient de nous, pas de votre numéro : en redemander n’y changera rien. Votre argent n’a pas bougé.',
  country:
    'Nous ne pouvons pas envoyer de SMS vers ce pays pour le moment. Le problème vient de nous : en redemander n’y changera rien. Votre argent n’a pas bougé.',
  toSignIn: 'Si votre compte a une adresse e-mail, connectez-vous avec elle. Sinon, écrivez-nous.',
  toSignUp: 'Vous pouvez créer votre compte par e-mail.',
  byEmail: 'Continuer par e-mail',
  write: 'Écrire à notre assistance',
})

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
  test('somebody signs up with a code, and signs in with another @auth @spec-phone-sign-up', async ({
    page,
    server,
  }) => {
    const person = somebodyWithPhone()
    const typed = written(person.phone)
    await speak(page)
    await openPhone(page, 'signUp')
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.nameWanted)).toBeVisible()
    await expect(panel(page).getByText(words.phoneWanted)).toBeVisible()
    await expect(panel(page).getByLabel(words.name)).toBeFocused()
    await askForCode(page, { ...person, phone: typed })
    const code = panel(page).getByLabel(words.code)
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')

    await press(page, words.createAccount)
    await expect(panel(page).getByText(words.codeWanted)).toBeVisible()
    const sent = await server.smsCode(person.phone)
    for (const wrong of [otherThan(sent), 'abcdef', '١٢٣٤٥٦']) {
      await code.fill(wrong)
      await press(page, words.createAccount)
      await expect(alert(page)).toHaveText(authError('invalid-verification-code'))
      await expect(code).toHaveValue(wrong)
    }
    await code.fill(` ${sent.slice(0, 3)} ${sent.slice(3)} `)
    await press(page, words.createAccount)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page)
    expect(await server.documents('users', 'phone', person.phone)).toMatchObject([
      { name: person.name, email: null, phone: person.phone, subscription: { tier: null, status: null } },
    ])

    await signOut(page)
    await openPhone(page)
    // As it is written in its country, and shown back with its prefix.
    const number = panel(page).getByLabel(words.phoneNumber)
    await number.fill(typed.replace('+33 ', '0'))
    await number.blur()
    await expect(number).toHaveValue(typed)
    await press(page, words.getCode)
    await code.fill(await sentCode(page, server, person))
    await press(page, words.signIn)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()

    // Signing up again is signing in, and changes nothing.
    await signOut(page)
    await signInByPhone(page, server, { ...person, name: 'Quelqu’un d’autre' })
    expect(await server.documents('users', 'phone', person.phone)).toMatchObject([{ name: person.name }])
  })

  test('a number without an account leads to the sign-up, and the number is kept @auth @spec-unknown-number', async ({
    page,
    server,
  }) => {
    const { name, phone } = somebodyWithPhone()
    const number = panel(page).getByLabel(words.phoneNumber)
    await speak(page)
    await openPhone(page)
    await number.fill(phone)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
    await expect(number).toHaveValue(written(phone))

    // Back on the side of the sign-in, the server can not be asked.
    await press(page, words.signIn)
    await expect(panel(page).getByText(words.numberWithoutAccount)).toBeHidden()
    await page.route('**/check-phone-user', (route) => route.abort())
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.accountUnknown)).toBeVisible()
    await expect(number).toHaveValue(written(phone))
    await askForCode(page, { name, phone })
    await enterCode(page, server, { phone })
    await press(page, words.createAccount)
    await expectHome(page)
  })

  test('who asks too often is told how long to wait @spec-too-many-codes', async ({ page, server }) => {
    const person = somebodyWithPhone()
    await server.registerPhone(person)
    await page.clock.install()
    await speak(page)
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

    await openPhone(page)
    await panel(page).getByLabel(words.phoneNumber).fill(person.phone)
    await press(page, words.getCode)
    await expect(alert(page)).toHaveText(`${words.tooManyChecks} 10 minutes.`)
    await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(person.phone))
    await page.clock.runFor(9 * 60_000)
    await expect(alert(page)).toContainText(/\d+\ssecond/)
    await server.renew()
    await page.clock.runFor(60_000)
    await expect(alert(page)).toBeHidden()
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
  })

  test('another code, and another number @auth @spec-another-code', async ({ page, server }) => {
    const person = somebodyWithPhone()
    const other = somebodyWithPhone().phone
    await page.clock.install()
    await speak(page)
    await openPhone(page, 'signUp')
    await askForCode(page, person)
    const first = await server.smsCode(person.phone)
    const resend = panel(page).getByRole('button', { name: new RegExp(`${words.resendIn}|${words.resend}`) })
    await expect(resend).toHaveText(/\d+ ?s$/)
    await expect(resend).toBeDisabled()
    await page.clock.runFor(30_000)
    await expect(resend).toHaveText(words.resend)
    await pressKey(resend)
    await expect(resend).toHaveText(/\d+ ?s$/)
    const second = await server.smsCode(person.phone)
    const code = panel(page).getByLabel(words.code)
    await expect(code).toBeFocused()
    if (second !== first) {
      await code.fill(first)
      await press(page, words.createAccount)
      await expect(alert(page)).toHaveText(authError('invalid-verification-code'))
    }

    await press(page, words.changeNumber)
    await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
    await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(person.phone))
    await panel(page).getByLabel(words.phoneNumber).fill(other)
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
    await code.fill(await sentCode(page, server, { phone: other }))
    await press(page, words.createAccount)
    await expectHome(page)
    expect(await server.documents('users', 'phone', other)).toMatchObject([{ name: person.name }])
  })

  test('what a number can not be is said at once, and what was typed stays @spec-number-errors', async ({
    page,
  }) => {
    const INVALID = [
      ...[7, 16].map((count) => `+${'3'.repeat(count)}`),
      // Guinean, or French without its zero.
      '620 00 00 00',
      '+0612345678',
      '+33 6 12 34 56 7x',
      'Aïssatou',
      '+٣٣٦١٢٣٤٥٦٧٨',
    ]
    await speak(page)
    await openPhone(page)
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
      await expect(alert(page)).toHaveText(authError(code))
      await expect(number).toHaveValue(typed)
    }
    // As it comes out of a contact list: with marks that nobody sees.
    await number.fill('\u202a+33\u00a06\u202f12 34 56 78\u202c')
    await press(page, words.getCode)
    await expect(panel(page).getByText(words.codeSent)).toBeVisible()
  })

  test('a captcha that expires, fails or can not be fetched, and a network that is cut @spec-captcha', async ({
    page,
    server,
  }) => {
    const person = somebodyWithPhone()
    await speak(page)
    await openPhone(page, 'signUp')
    await panel(page).getByLabel(words.name).fill(person.name)
    await panel(page).getByLabel(words.phoneNumber).fill(person.phone)
    const expectRefusal = async (text: string) => {
      await press(page, words.getCode)
      await expect(alert(page)).toHaveText(text)
      await expect(panel(page).getByLabel(words.name)).toHaveValue(person.name)
      await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(person.phone))
      await page.unrouteAll()
    }
    await page.route('**/sandbox/recaptcha.js', (route) => route.abort())
    await expectRefusal(authError('captcha-init-failed'))
    await server.tell('recaptcha/next', { outcome: 'error' })
    await expectRefusal(authError('captcha-init-failed'))
    await server.tell('recaptcha/next', { outcome: 'expired' })
    await expectRefusal(authError('captcha-expired'))
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
    await expectHome(page)
  })

  test('messages that the service refuses for reasons of the project are asked for once, and told with other ways', async ({
    page,
    server,
  }) => {
    const person = somebodyWithPhone()
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes(CALLS.message)) asked += 1
    })
    await speak(page)
    // On this side nobody asks whether the number has an account, which can be asked five times only.
    await openPhone(page, 'signUp')
    await panel(page).getByLabel(words.name).fill(person.name)
    const number = panel(page).getByLabel(words.phoneNumber)
    const getCode = panel(page).getByRole('button', { name: words.getCode })
    const expectRefused = async (calls = 1) => {
      await expect(alert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
      await expect(getCode).toBeHidden()
      // Nor by the key that sends a form.
      await number.press('Enter')
      await expect(alert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
      await expect(number).toHaveValue(written(person.phone))
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
      await expect(number).toHaveValue(written(person.phone))
      await getCode.click()
      if (isFirst) await expect(alert(page)).toHaveText(authError('captcha-check-failed'))
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
  }) => {
    const person = somebodyWithPhone()
    await speak(page)
    await openPhone(page, 'signUp')
    await panel(page).getByLabel(words.name).fill(person.name)
    await panel(page).getByLabel(words.phoneNumber).fill('+1 416 555 0100')
    await refuseOnce(server, 'message', REGION)
    await press(page, words.getCode)
    await expect(alert(page)).toHaveText(`${said.country} ${said.toSignUp}`)
    await askForCode(page, person)
    await enterCode(page, server, person)
    await press(page, words.createAccount)
    await expectHome(page)
  })

  test('a second message that is refused leaves the first to be entered', async ({ page, server }) => {
    const person = somebodyWithPhone()
    await page.clock.install()
    await speak(page)
    await openPhone(page, 'signUp')
    await askForCode(page, person)
    const code = await server.smsCode(person.phone)
    await page.clock.runFor(30_000)
    await refuseOnce(server, 'message', REFUSED_PROJECTS[1])
    const resend = panel(page).getByRole('button', { name: words.resend })
    await pressKey(resend)
    await expect(alert(page)).toHaveText(said.project)
    await expect(resend).toBeHidden()
    await expectHeadingFocused(page)
    await panel(page).getByLabel(words.code).fill(code)
    await press(page, words.createAccount)
    await expectHome(page)
  })

  test('a project that refuses somebody says that there is no account @spec-blocked-number', async ({
    page,
    server,
  }) => {
    const person = somebodyWithPhone()
    await server.tell('auth/blocking', { phoneSignUps: true })
    await speak(page)
    await openPhone(page, 'signUp')
    const enterCodeAnd = async (confirm: string) => {
      await expect(panel(page).getByText(words.codeSent)).toBeVisible()
      await enterCode(page, server, person)
      await press(page, confirm)
      await expect(panel(page).getByText(words.numberWithoutAccount)).toBeVisible()
      await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(person.phone))
    }
    await askForCode(page, person)
    await enterCodeAnd(words.createAccount)
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
    await enterCodeAnd(words.signIn)
    await expect(panel(page).getByRole('button', { name: words.createInstead })).toBeHidden()
  })

  test('a code that the browser reads from the message confirms by itself', async ({ page, server }) => {
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
    await speak(page)
    await openPhone(page, 'signUp')
    await askForCode(page, person)
    expect(await page.evaluate(() => (window as never as { messageReads: unknown[] }).messageReads)).toEqual([
      { transport: ['sms'] },
    ])

    // A message for a number that was given up belongs to no code.
    await press(page, words.changeNumber)
    await comes('123456')
    await expect(panel(page).getByText(words.noCode)).toBeVisible()
    await expect(panel(page).getByLabel(words.phoneNumber)).toHaveValue(written(person.phone))

    await press(page, words.getCode)
    await comes(await sentCode(page, server, person))
    await expectHome(page)
  })
})
