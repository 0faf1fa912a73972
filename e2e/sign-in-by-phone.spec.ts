import { MINUTE } from '../domain/common/duration.ts'
import { SCENE_TIME } from '../scenes/scene.ts'
import { AUTH_ENDPOINTS, getAuthErrorText } from './authErrors.ts'
import { BROKEN_CALL_ERRORS, expect, sceneTest, test } from './fixtures.ts'
import { comeBack } from './steps/device.ts'
import { NO_NETWORK, refuse } from './steps/moneyTexts.ts'
import { expectHeadingFocused, expectHome, pressKey } from './steps/pages.ts'
import { createPhonePerson, formatFrenchPhone } from './steps/person.ts'
import { openScene, setResponse, setTime } from './steps/scenes.ts'
import {
  enterCode,
  mainAlert,
  openPhoneSignUp,
  openPhoneTab,
  pressInPanel,
  refuseNextAuthCall,
  requestCode,
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

const SEND = 'phoneCodes.sendCode'
const SENT = { value: { verificationId: '1' } }

const buildWrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a user signs up and in with codes @auth @spec-phone-sign-up @desk', async ({ page, server }) => {
  const person = createPhonePerson()
  const typed = formatFrenchPhone(person.phone)
  await openPhoneSignUp(page)
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

sceneTest('an unknown number leads to the sign-up @spec-unknown-number @desk', async ({ page }) => {
  const CHECK = 'functions.check-phone-user'
  const { phone } = createPhonePerson()
  const number = signInPanel(page).getByLabel(words.phoneNumber)
  const unknown = { failure: { ...refuse('userNotFound', {}).failure, status: 404 } }
  await openScene(page, 'phone-sign-in', { responses: { [CHECK]: unknown } })
  await requestCode(page, phone)
  await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeVisible()
  await expect(number).toHaveValue(formatFrenchPhone(phone))

  await pressInPanel(page, words.signIn)
  await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeHidden()
  await setResponse(page, CHECK, NO_NETWORK)
  await pressInPanel(page, words.getCode)
  await expect(signInPanel(page).getByText(words.accountUnknown)).toBeVisible()
  await expect(number).toHaveValue(formatFrenchPhone(phone))
  await expect(signInPanel(page).getByLabel(words.name)).toBeVisible()
})

test('a user can request another code and enter another number @auth @spec-another-code @desk', async ({
  page,
  server,
}) => {
  const person = createPhonePerson()
  const other = createPhonePerson().phone
  await page.clock.install()
  await openPhoneSignUp(page)
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
  await requestCode(page, other)
  await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
  await code.fill(await waitForSentCode(page, server, { phone: other }))
  await pressInPanel(page, words.createAccount)
  await expectHome(page)
  expect(await server.documents('users', 'phone', other)).toMatchObject([{ name: person.name }])
})

sceneTest('an invalid number is reported and stays @spec-number-errors @desk', async ({ page }) => {
  await openScene(page, 'phone-sign-in')
  const number = signInPanel(page).getByLabel(words.phoneNumber)
  for (const [typed, text] of [
    ['', words.phoneWanted],
    // A Guinean number, or a French one without its zero.
    ['620 00 00 00', words.phoneInvalid],
    ['+33 6 12 34 56 7x', words.phoneInvalid],
  ] as const) {
    await number.fill(typed)
    await expect(signInPanel(page).getByText(text)).toBeHidden()
    await pressInPanel(page, words.getCode)
    await expect(signInPanel(page).getByText(text)).toBeVisible()
    await expect(number).toHaveValue(typed)
    await expect(number).toBeFocused()
  }

  await pressInPanel(page, words.createInstead)
  await signInPanel(page).getByLabel(words.name).fill('Mamadou Bah')
  for (const [typed, code] of [
    ['+33 6 12 34 56', 'phone-number-too-short'],
    ['+33 6 12 34 56 78 9', 'phone-number-too-long'],
  ] as const) {
    await setResponse(page, SEND, { failure: { kind: 'auth', code } })
    await number.fill(typed)
    await pressInPanel(page, words.getCode)
    await expect(mainAlert(page)).toHaveText(getAuthErrorText(code))
    await expect(number).toHaveValue(typed)
  }
})

test('the form reports captcha failures and a lost network @spec-captcha @desk', async ({ page, server }) => {
  const person = createPhonePerson()
  await openPhoneSignUp(page)
  await signInPanel(page).getByLabel(words.name).fill(person.name)
  await signInPanel(page).getByLabel(words.phoneNumber).fill(person.phone)
  const expectRefusal = async (text: string) => {
    await pressInPanel(page, words.getCode)
    await expect(mainAlert(page)).toHaveText(text)
    await expect(signInPanel(page).getByLabel(words.name)).toHaveValue(person.name)
    await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(formatFrenchPhone(person.phone))
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

sceneTest('a refused text message offers other ways in @desk', async ({ page }) => {
  const number = signInPanel(page).getByLabel(words.phoneNumber)
  const getCode = signInPanel(page).getByRole('button', { name: words.getCode })
  const refuseMessage = async (reason: 'country' | 'project') => {
    await setResponse(page, SEND, { failure: { kind: 'noMessages', reason } })
    await getCode.click()
    await expect(mainAlert(page)).toHaveText(`${said[reason]} ${said.toSignUp}`)
  }
  await openScene(page, 'phone-no-account')
  await refuseMessage('country')
  await number.fill('+1 416 555 0100')
  await refuseMessage('project')
  await expect(getCode).toBeHidden()
  await number.press('Enter')
  await expect(mainAlert(page)).toHaveText(`${said.project} ${said.toSignUp}`)
  await expect(number).toHaveValue('+1 416 555 0100')

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

sceneTest('the countdown includes the time that the device slept @desk', async ({ page }) => {
  // A device that sleeps runs no timers.
  await openScene(page, 'phone-no-account', { delays: { 1000: 600_000 }, responses: { [SEND]: SENT } })
  await requestSignUpCode(page, createPhonePerson())
  await expect(signInPanel(page).getByRole('button', { name: words.resendIn })).toBeDisabled()
  await setTime(page, SCENE_TIME + 2 * MINUTE)
  await comeBack(page)
  await expect(signInPanel(page).getByRole('button', { name: words.resend })).toBeEnabled()
})

sceneTest('a refused request for another code leaves the first code valid @desk', async ({ page }) => {
  await openScene(page, 'phone-no-account', { delays: { 1000: 0 }, responses: { [SEND]: SENT } })
  await requestSignUpCode(page, createPhonePerson())
  await setResponse(page, SEND, { failure: { kind: 'noMessages', reason: 'project' } })
  const resend = signInPanel(page).getByRole('button', { name: words.resend })
  await pressKey(resend)
  await expect(mainAlert(page)).toHaveText(said.project)
  await expect(resend).toBeHidden()
  await expectHeadingFocused(page)
  await setResponse(page, 'phoneCodes.confirmCode', 'held')
  await signInPanel(page).getByLabel(words.code).fill('123456')
  await pressInPanel(page, words.createAccount)
  await expect(signInPanel(page).getByRole('button', { name: words.createAccount })).toBeDisabled()
})

test('a blocked number seems to have no account @spec-blocked-number @desk', async ({ page, server }) => {
  const person = createPhonePerson()
  await server.tell('auth/blocking', { phoneSignUps: true })
  await openPhoneSignUp(page)
  const enterCodeAnd = async (confirm: string) => {
    await expect(signInPanel(page).getByText(words.codeSent)).toBeVisible()
    await enterCode(page, server, person)
    await pressInPanel(page, confirm)
    await expect(signInPanel(page).getByText(words.numberWithoutAccount)).toBeVisible()
    await expect(signInPanel(page).getByLabel(words.phoneNumber)).toHaveValue(formatFrenchPhone(person.phone))
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
