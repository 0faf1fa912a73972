import { AUTH_ENDPOINTS, getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, test } from './fixtures.ts'
import { expectHeadingFocused, expectHome, pressKey } from './steps/pages.ts'
import { createPhonePerson, formatFrenchPhone } from './steps/person.ts'
import {
  enterCode,
  mainAlert,
  openInTestLanguage,
  openPhoneTab,
  pressInPanel,
  refuseNextAuthCall,
  requestSignUpCode,
  signInByPhone,
  signInPanel,
  signOut,
  waitForSentCode,
} from './steps/signIn.ts'
import { defineTexts } from './texts.ts'
import { words } from './words.ts'

// Tests marked @auth also run with the official Auth emulator: see docs/sandbox.md.

test.use({ expectedErrors: [BROKEN_CALL_ERRORS] })

const said = defineTexts({
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

// Services have refused whole projects, not single users, with these responses.
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

const buildWrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test.describe('signing in and up by phone', () => {
  test('a user signs up and in by phone with codes @auth @spec-phone-sign-up @desk', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    const typed = formatFrenchPhone(person.phone)
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.nameWanted)).toBeVisible()
    await expect(signInPanel(page).getByText(words.phoneWanted)).toBeVisible()
    await expect(signInPanel(page).getByLabel(words.name)).toBeFocused()
    await requestSignUpCode(page, { ...person, phone: typed })
    const code = signInPanel(page).getByLabel(words.code)
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')

    await pressInPanel(page, words.createAccount)
    await expect(signInPanel(page).getByText(words.codeWanted)).toBeVisible()
    const sent = await server.smsCode(person.phone)
    for (const wrong of [buildWrongCode(sent), 'abcdef', '١٢٣٤٥٦']) {
      await code.fill(wrong)
      await pressInPanel(page, words.createAccount)
      await expect(mainAlert(page)).toHaveText(getAuthErrorText('invalid-verification-code'))
      await expect(code).toHaveValue(wrong)
    }
    await code.fill(` ${sent.slice(0, 3)} ${sent.slice(3)} `)
    await pressInPanel(page, words.createAccount)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expectHome(page)
    expect(await server.documents('users', 'phone', person.phone)).toMatchObject([
      { name: person.name, email: null, phone: person.phone, subscription: { tier: null, status: null } },
    ])

    await signOut(page)
    await openPhoneTab(page)
    const number = signInPanel(page).getByLabel(words.phoneNumber)
    await number.fill(typed.replace('+33 ', '0'))
    await number.blur()
    await expect(number).toHaveValue(typed)
    await pressInPanel(page, words.getCode)
    await code.fill(await waitForSentCode(page, server, person))
    await pressInPanel(page, words.signIn)
    await expect(page.getByText(words.welcome).last()).toBeVisible()
    await expect(page.getByText(person.name.toLocaleUpperCase())).toBeVisible()

    // Signing up again signs the user in, and does not change the name.
    await signOut(page)
    await signInByPhone(page, server, { ...person, name: 'Quelqu’un d’autre' })
    expect(await server.documents('users', 'phone', person.phone)).toMatchObject([{ name: person.name }])
  })

  test('a number without an account leads to the sign-up with it @auth @spec-unknown-number @desk', async ({
    page,
    server,
  }) => {
    const { name, phone } = createPhonePerson()
    const number = signInPanel(page).getByLabel(words.phoneNumber)
    await openInTestLanguage(page)
    await openPhoneTab(page)
    await number.fill(phone)
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeVisible()
    await expect(number).toHaveValue(formatFrenchPhone(phone))

    await pressInPanel(page, words.signIn)
    await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeHidden()
    await page.route('**/check-phone-user', (route) => route.abort())
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.accountUnknown)).toBeVisible()
    await expect(number).toHaveValue(formatFrenchPhone(phone))
    await requestSignUpCode(page, { name, phone })
    await enterCode(page, server, { phone })
    await pressInPanel(page, words.createAccount)
    await expectHome(page)
  })

  test('a rate-limited account check leads to the code, not to the sign-up @spec-account-check-failed @desk', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    await server.registerPhone(person)
    await openInTestLanguage(page)
    const statuses = await page.evaluate(async (phone) => {
      const ask = () =>
        fetch('/.netlify/functions/check-phone-user', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ phone }),
        })
      const answers = await Promise.all(Array.from({ length: 50 }, ask))
      return answers.map(({ status }) => status)
    }, person.phone)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)

    await openPhoneTab(page)
    await signInPanel(page).getByLabel(words.phoneNumber).fill(person.phone)
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
    await enterCode(page, server, person)
    await pressInPanel(page, words.signIn)
    await expectHome(page)
  })

  test('a user can request another code and enter another number @auth @spec-another-code @desk', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    const other = createPhonePerson().phone
    await page.clock.install()
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await requestSignUpCode(page, person)
    const first = await server.smsCode(person.phone)
    const resend = signInPanel(page).getByRole('button', {
      name: new RegExp(`${words.resendIn}|${words.resend}`),
    })
    await expect(resend).toHaveText(/\d+ ?s$/)
    await expect(resend).toBeDisabled()
    await page.clock.runFor(30_000)
    await expect(resend).toHaveText(words.resend)
    await pressKey(resend)
    await expect(resend).toHaveText(/\d+ ?s$/)
    const second = await server.smsCode(person.phone)
    const code = signInPanel(page).getByLabel(words.code)
    await expect(code).toBeFocused()
    if (second !== first) {
      await code.fill(first)
      await pressInPanel(page, words.createAccount)
      await expect(mainAlert(page)).toHaveText(getAuthErrorText('invalid-verification-code'))
    }

    await pressInPanel(page, words.changeNumber)
    await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)
    await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(formatFrenchPhone(person.phone))
    await signInPanel(page).getByLabel(words.phoneNumber).fill(other)
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
    await code.fill(await waitForSentCode(page, server, { phone: other }))
    await pressInPanel(page, words.createAccount)
    await expectHome(page)
    expect(await server.documents('users', 'phone', other)).toMatchObject([{ name: person.name }])
  })

  test('an invalid number is reported on submit and stays @spec-number-errors @desk', async ({ page }) => {
    const INVALID = [
      ...[7, 16].map((count) => `+${'3'.repeat(count)}`),
      // A Guinean number, or a French one without its zero.
      '620 00 00 00',
      '+0612345678',
      '+33 6 12 34 56 7x',
      'Aïssatou',
    ]
    await openInTestLanguage(page)
    await openPhoneTab(page)
    const number = signInPanel(page).getByLabel(words.phoneNumber)
    for (const empty of ['', '   ']) {
      await number.fill(empty)
      await pressInPanel(page, words.getCode)
      await expect(signInPanel(page).getByText(words.phoneWanted)).toBeVisible()
    }
    for (const typed of INVALID) {
      await number.fill(typed)
      await expect(signInPanel(page).getByText(words.phoneInvalid)).toBeHidden()
      await pressInPanel(page, words.getCode)
      await expect(signInPanel(page).getByText(words.phoneInvalid)).toBeVisible()
      await expect(number).toHaveValue(typed)
      await expect(number).toBeFocused()
    }

    await pressInPanel(page, words.createInstead)
    await signInPanel(page).getByLabel(words.name).fill('Mamadou Bah')
    for (const [typed, code] of [
      ['+33 6 12 34 56', 'phone-number-too-short'],
      ['+33 6 12 34 56 78 9', 'phone-number-too-long'],
    ] as const) {
      await number.fill(typed)
      await pressInPanel(page, words.getCode)
      await expect(mainAlert(page)).toHaveText(getAuthErrorText(code))
      await expect(number).toHaveValue(typed)
    }
    // A number copied from a contact list, with invisible characters.
    await number.fill('\u202a+33\u00a06\u202f12 34 56 78\u202c')
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
  })

  test('the form reports captcha failures and a broken network @spec-captcha @desk', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await signInPanel(page).getByLabel(words.name).fill(person.name)
    await signInPanel(page).getByLabel(words.phoneNumber).fill(person.phone)
    const expectRefusal = async (text: string) => {
      await pressInPanel(page, words.getCode)
      await expect(mainAlert(page)).toHaveText(text)
      await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)
      await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(
        formatFrenchPhone(person.phone),
      )
      await page.unrouteAll()
    }
    await page.route('**/sandbox/recaptcha.js', (route) => route.abort())
    await expectRefusal(getAuthErrorText('captcha-init-failed'))
    await server.tell('recaptcha/next', { outcome: 'error' })
    await expectRefusal(getAuthErrorText('captcha-init-failed'))
    await server.tell('recaptcha/next', { outcome: 'expired' })
    await expectRefusal(getAuthErrorText('captcha-expired'))
    await page.route(`**/${AUTH_ENDPOINTS.message}**`, (route) => route.abort())
    await expectRefusal(words.noAnswer)

    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
    const code = await server.smsCode(person.phone)
    await signInPanel(page).getByLabel(words.code).fill(code)
    await page.route(`**/${AUTH_ENDPOINTS.code}**`, (route) => route.abort())
    await pressInPanel(page, words.createAccount)
    await expect(mainAlert(page)).toHaveText(words.noAnswer)
    await expect(signInPanel(page).getByLabel(words.code)).toHaveValue(code)
    await page.unrouteAll()
    await pressInPanel(page, words.createAccount)
    await expectHome(page)
  })

  test('a refused text message is requested once, with alternatives @desk @all', async ({ page, server }) => {
    const person = createPhonePerson()
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes(AUTH_ENDPOINTS.message)) asked += 1
    })
    await openInTestLanguage(page)
    // The sign-up makes no account check, so the limit of five checks does not matter.
    await openPhoneTab(page, 'signUp')
    await signInPanel(page).getByLabel(words.name).fill(person.name)
    const number = signInPanel(page).getByLabel(words.phoneNumber)
    const getCode = signInPanel(page).getByRole('button', { name: words.getCode })
    const expectRefused = async (calls = 1) => {
      await expect(mainAlert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
      await expect(getCode).toBeHidden()
      await number.press('Enter')
      await expect(mainAlert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
      await expect(number).toHaveValue(formatFrenchPhone(person.phone))
      expect(asked).toBe(calls)
      expect(await server.listPendingFaults()).toEqual([])
      asked = 0
    }
    for (const message of REFUSED_PROJECTS) {
      await test.step(message, async () => {
        await refuseNextAuthCall(server, 'message', message)
        await number.fill(person.phone)
        await getCode.click()
        await expectRefused()
        await page.reload()
        await expect(getCode).toBeVisible()
      })
    }

    // The app retries a refused captcha only once, with a new captcha.
    for (const isFirst of [true, false]) {
      await refuseNextAuthCall(
        server,
        'message',
        'CAPTCHA_CHECK_FAILED : Recaptcha verification failed - DUPE',
      )
      await expect(number).toHaveValue(formatFrenchPhone(person.phone))
      await getCode.click()
      if (isFirst) await expect(mainAlert(page)).toHaveText(getAuthErrorText('captcha-check-failed'))
    }
    await expectRefused(2)

    await expect(page.getByRole('link', { name: said.write })).toHaveAttribute(
      'href',
      'mailto:aide@passerelle.example',
    )
    await pressInPanel(page, words.signIn)
    await expect(mainAlert(page)).toHaveText(`${said.project} ${said.toSignIn}`)
    await pressInPanel(page, said.byEmail)
    const tab = page.getByRole('tab', { name: words.emailTab, exact: true })
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await expect(tab).toBeFocused()
  })

  test('a country without messages is refused, another number accepted @desk @all', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await signInPanel(page).getByLabel(words.name).fill(person.name)
    await signInPanel(page).getByLabel(words.phoneNumber).fill('+1 416 555 0100')
    await refuseNextAuthCall(server, 'message', REGION)
    await pressInPanel(page, words.getCode)
    await expect(mainAlert(page)).toHaveText(`${said.country} ${said.toSignUp}`)
    await requestSignUpCode(page, person)
    await enterCode(page, server, person)
    await pressInPanel(page, words.createAccount)
    await expectHome(page)
  })

  test('the countdown includes the time that the device slept @desk @all', async ({ page }) => {
    await page.clock.install()
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await requestSignUpCode(page, createPhonePerson())
    const resend = signInPanel(page).getByRole('button', {
      name: new RegExp(`${words.resendIn}|${words.resend}`),
    })
    await expect(resend).toHaveText(/\d+ ?s$/)
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
    await page.clock.setSystemTime(await page.evaluate(() => Date.now() + 120_000))
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(resend).toHaveText(words.resend)
  })

  test('a refused request for another code leaves the first code valid @desk @all', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    await page.clock.install()
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    await requestSignUpCode(page, person)
    const code = await server.smsCode(person.phone)
    await page.clock.runFor(30_000)
    await refuseNextAuthCall(server, 'message', REFUSED_PROJECTS[1])
    const resend = signInPanel(page).getByRole('button', { name: words.resend })
    await pressKey(resend)
    await expect(mainAlert(page)).toHaveText(said.project)
    await expect(resend).toBeHidden()
    await expectHeadingFocused(page)
    await signInPanel(page).getByLabel(words.code).fill(code)
    await pressInPanel(page, words.createAccount)
    await expectHome(page)
  })

  test('a blocked number is reported as one without an account @spec-blocked-number @desk', async ({
    page,
    server,
  }) => {
    const person = createPhonePerson()
    await server.tell('auth/blocking', { phoneSignUps: true })
    await openInTestLanguage(page)
    await openPhoneTab(page, 'signUp')
    const enterCodeAnd = async (confirm: string) => {
      await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
      await enterCode(page, server, person)
      await pressInPanel(page, confirm)
      await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeVisible()
      await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(
        formatFrenchPhone(person.phone),
      )
    }
    await requestSignUpCode(page, person)
    await enterCodeAnd(words.createAccount)
    await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)

    await server.tell('auth/blocking', { phoneSignUps: false })
    await server.registerPhone(person)
    await pressInPanel(page, words.signIn)
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
    await refuseNextAuthCall(
      server,
      'code',
      'BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: {"error":{}}',
    )
    await enterCodeAnd(words.signIn)
    await expect(signInPanel(page).getByRole('button', { name: words.createInstead })).toBeHidden()
  })
})
