import {
  type Auth,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  linkWithCredential,
  PhoneAuthCredential,
  reauthenticateWithCredential,
  reload,
  sendEmailVerification,
  signInWithCredential,
  signInWithEmailAndPassword,
  type User,
  updateEmail,
  verifyBeforeUpdateEmail,
} from 'firebase/auth'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, HOUR, MINUTE, type ServedAuth, serveAuth } from './testing.ts'

const NUMBER = '+33612345678'
const OTHER = '+15145550123'

let now: number
let served: ServedAuth
let auth: Auth

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 12)
  served = await serveAuth({ clock: { now: () => now } })
  auth = served.client()
})

afterEach(async () => {
  expect(served.unknownCalls).toEqual([])
  await served.stop()
})

const captcha = async (): Promise<string> => (await served.post('/sandbox/recaptcha/token')).body.token

/** The request of the SDK's `verifyPhoneNumber`, which runs in browsers only. */
const requestCode = async (phoneNumber: string, options: { token?: string; locale?: string } = {}) =>
  served.call(
    'accounts:sendVerificationCode',
    {
      phoneNumber,
      clientType: 'CLIENT_TYPE_WEB',
      captchaResponse: 'NO_RECAPTCHA',
      recaptchaVersion: 'RECAPTCHA_ENTERPRISE',
      recaptchaToken: options.token ?? (await captcha()),
    },
    { 'X-Firebase-Locale': options.locale ?? 'fr' },
  )

const openCodes = async (): Promise<{ phoneNumber: string; code: string; sessionInfo: string }[]> =>
  (await (await fetch(`${served.origin}/emulator/v1/projects/demo-test/verificationCodes`)).json())
    .verificationCodes

const credentialOf = (verificationId: string, verificationCode: string) => {
  const credential = PhoneAuthCredential.fromJSON({ verificationId, verificationCode })
  if (!credential) throw new Error('the SDK made no credential')
  return credential
}

async function sendCode(phoneNumber = NUMBER) {
  const { sessionInfo } = await requestCode(phoneNumber)
  const code = (await openCodes()).find((one) => one.sessionInfo === sessionInfo)?.code ?? ''
  return { sessionInfo, code, credential: credentialOf(sessionInfo, code) }
}

async function signInByPhone(phoneNumber = NUMBER, on = auth) {
  return (await signInWithCredential(on, (await sendCode(phoneNumber)).credential)).user
}

/** The request of the SDK's `updatePhoneNumber`, which runs in browsers only. */
const updateNumber = async (user: User, { sessionInfo, code }: { sessionInfo: string; code: string }) =>
  served.call('accounts:signInWithPhoneNumber', { idToken: await user.getIdToken(), sessionInfo, code })

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('asking for a code', () => {
  it('sends it by text message, in the language of the device', async () => {
    expect(await served.call('recaptchaParams', undefined)).toMatch(/NOT_IMPLEMENTED/)
    served.unknownCalls.length = 0
    const params = await fetch(
      `${served.origin}/identitytoolkit.googleapis.com/v1/recaptchaParams?key=any-key`,
    )
    expect(await params.json()).toMatchObject({ recaptchaSiteKey: 'sandbox' })

    const first = await requestCode('+33 6 12-34 (56) 78')
    now += 1000
    const second = await requestCode(OTHER, { locale: 'en' })
    const codes = await openCodes()
    expect(codes).toEqual([
      { phoneNumber: NUMBER, code: expect.stringMatching(/^\d{6}$/), sessionInfo: first.sessionInfo },
      { phoneNumber: OTHER, code: expect.stringMatching(/^\d{6}$/), sessionInfo: second.sessionInfo },
    ])
    expect(served.emulator.messages()).toEqual([
      { to: OTHER, text: `Your Demo code: ${codes[1]?.code}`, createdAt: now },
      { to: NUMBER, text: `Votre code Demo : ${codes[0]?.code}`, createdAt: now - 1000 },
    ])
  })

  it.each([
    ['', 'INVALID_PHONE_NUMBER : Invalid format.'],
    ['0612345678', 'INVALID_PHONE_NUMBER : Invalid format.'],
    ['+0612345678', 'INVALID_PHONE_NUMBER : Invalid format.'],
    ['+33six', 'INVALID_PHONE_NUMBER : Invalid format.'],
    ['+3361234567', 'INVALID_PHONE_NUMBER : TOO_SHORT'],
    ['+336123456789', 'INVALID_PHONE_NUMBER : TOO_LONG'],
    ['+151455501', 'INVALID_PHONE_NUMBER : TOO_SHORT'],
    ['+22462000000', 'INVALID_PHONE_NUMBER : TOO_SHORT'],
    ['+491234', 'INVALID_PHONE_NUMBER : TOO_SHORT'],
    ['+4912345678901234', 'INVALID_PHONE_NUMBER : TOO_LONG'],
  ])('refuses the number "%s": %s', async (phoneNumber, message) => {
    expect(await requestCode(phoneNumber)).toBe(message)
    expect(served.emulator.messages()).toEqual([])
  })

  it('demands a captcha token, takes it once and for two minutes @spec-captcha-token', async () => {
    expect(await requestCode(NUMBER, { token: '' })).toBe('MISSING_APP_CREDENTIAL')
    const failed = (why: string) => `CAPTCHA_CHECK_FAILED : Recaptcha verification failed - ${why}`
    expect(await requestCode(NUMBER, { token: 'made-up' })).toBe(failed('MALFORMED'))

    const token = await captcha()
    now += 2 * MINUTE
    expect(await requestCode(NUMBER, { token })).toEqual({ sessionInfo: expect.any(String) })
    expect(await requestCode(NUMBER, { token })).toBe(failed('DUPE'))

    const old = await captcha()
    now += 2 * MINUTE + 1
    expect(await requestCode(NUMBER, { token: old })).toBe(failed('EXPIRED'))
    expect(served.emulator.messages()).toHaveLength(1)
  })

  it('sends five messages an hour to a number', async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await requestCode(NUMBER)).toEqual({ sessionInfo: expect.any(String) })
      now += MINUTE
    }
    expect(await requestCode(NUMBER)).toBe('TOO_MANY_ATTEMPTS_TRY_LATER')
    expect(await requestCode(OTHER)).toEqual({ sessionInfo: expect.any(String) })
    now += 55 * MINUTE
    expect(await requestCode(NUMBER)).toEqual({ sessionInfo: expect.any(String) })
  })
})

describe('signing in with a code', () => {
  it('makes an account the first time, and finds it the next time', async () => {
    const { credential } = await sendCode()
    const { user } = await signInWithCredential(auth, credential)
    expect(decodeJwt(await user.getIdToken())).toEqual({
      iss: 'https://securetoken.google.com/demo-test',
      aud: 'demo-test',
      auth_time: now / 1000,
      user_id: user.uid,
      sub: user.uid,
      iat: now / 1000,
      exp: now / 1000 + 3600,
      phone_number: NUMBER,
      firebase: { identities: { phone: [NUMBER] }, sign_in_provider: 'phone' },
    })
    expect({
      phoneNumber: user.phoneNumber,
      email: user.email,
      isAnonymous: user.isAnonymous,
      providerData: user.providerData,
    }).toEqual({
      phoneNumber: NUMBER,
      email: null,
      isAnonymous: false,
      providerData: [
        {
          providerId: 'phone',
          uid: NUMBER,
          phoneNumber: NUMBER,
          email: null,
          displayName: null,
          photoURL: null,
        },
      ],
    })
    expect((await signInByPhone(NUMBER, served.client())).uid).toBe(user.uid)
    expect((await signInByPhone(OTHER, served.client())).uid).not.toBe(user.uid)
  })

  it('tells whether the account is new', async () => {
    const confirm = async () => {
      const { sessionInfo, code } = await sendCode()
      return served.call('accounts:signInWithPhoneNumber', { sessionInfo, code })
    }
    const first = await confirm()
    expect(first).toEqual({
      localId: expect.any(String),
      phoneNumber: NUMBER,
      isNewUser: true,
      idToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: '3600',
    })
    expect(await confirm()).toMatchObject({ localId: first.localId, isNewUser: false })
  })

  it('takes a code once', async () => {
    const { credential } = await sendCode()
    await signInWithCredential(auth, credential)
    expect(await openCodes()).toEqual([])
    expect(await codeOf(signInWithCredential(auth, credential))).toBe('auth/code-expired')
  })

  it('takes one of two that come at once', async () => {
    const { credential } = await sendCode()
    const attempts = [1, 2].map(() => codeOf(signInWithCredential(served.client(), credential)))
    expect((await Promise.all(attempts)).sort()).toEqual(['auth/code-expired', 'no error'])
    expect(served.emulator.dump().accounts).toHaveLength(1)
  })

  it('takes a code for ten minutes', async () => {
    const [first, second] = [await sendCode(), await sendCode()]
    now += 10 * MINUTE
    expect(await codeOf(signInWithCredential(auth, first.credential))).toBe('no error')
    now += 1
    expect(await codeOf(signInWithCredential(auth, second.credential))).toBe('auth/code-expired')
    expect(await openCodes()).toEqual([])
  })

  it('refuses wrong codes, and after five of them also the right one', async () => {
    const { sessionInfo, code, credential } = await sendCode()
    const tryWrong = () => codeOf(signInWithCredential(auth, credentialOf(sessionInfo, wrong(code))))
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await tryWrong()).toBe('auth/invalid-verification-code')
    expect(await tryWrong()).toBe('auth/too-many-requests')
    expect(await codeOf(signInWithCredential(auth, credential))).toBe('auth/too-many-requests')
    expect(await codeOf(signInByPhone())).toBe('no error')
  })

  it.each([
    [{ code: '123456' }, 'MISSING_SESSION_INFO'],
    [{ sessionInfo: 'x' }, 'MISSING_CODE'],
    [{ sessionInfo: 'x', code: '123456' }, 'INVALID_SESSION_INFO'],
  ])('refuses %j', async (request, message) => {
    expect(await served.call('accounts:signInWithPhoneNumber', request)).toBe(message)
  })

  it('refuses a disabled account', async () => {
    const user = await signInByPhone()
    served.emulator.setDisabled(user.uid, true)
    expect(await codeOf(signInByPhone(NUMBER, served.client()))).toBe('auth/user-disabled')
  })
})

describe('a blocking function', () => {
  const block = (phoneSignUps: unknown) => served.post('/sandbox/auth/blocking', { phoneSignUps })

  it('refuses new accounts as the real one does, and nobody else', async () => {
    await signInByPhone()
    expect(await block(true)).toEqual({ status: 200, body: { phoneSignUps: true } })

    const attempt = signInByPhone(OTHER, served.client())
    await expect(attempt).rejects.toMatchObject({
      code: 'auth/internal-error',
      message:
        'Firebase: HTTP Cloud Function returned an error: {"error":{"message":"Sign-ups by phone are closed.","status":"PERMISSION_DENIED"}} (auth/internal-error).',
    })
    expect(served.emulator.dump().accounts).toHaveLength(1)
    expect(await codeOf(signInByPhone(NUMBER, served.client()))).toBe('no error')
    expect(await codeOf(createUserWithEmailAndPassword(auth, 'awa@example.com', 'secret1'))).toBe('no error')

    await block(false)
    expect(await codeOf(signInByPhone(OTHER, served.client()))).toBe('no error')
  })

  it('is off after a reset, and takes nothing but a boolean', async () => {
    await block(true)
    served.emulator.reset()
    expect(served.emulator.phoneSignUpsBlocked()).toBe(false)
    expect((await block('yes')).status).toBe(400)
  })
})

describe('changing the number', () => {
  it('gives an account with a password its first number', async () => {
    const { user } = await createUserWithEmailAndPassword(auth, 'awa@example.com', 'secret1')
    now += HOUR / 2
    await linkWithCredential(user, (await sendCode()).credential)
    expect(user.providerData.map(({ providerId }) => providerId)).toEqual(['password', 'phone'])
    expect((await user.getIdTokenResult()).claims).toMatchObject({
      email: 'awa@example.com',
      phone_number: NUMBER,
      firebase: { identities: { email: ['awa@example.com'], phone: [NUMBER] }, sign_in_provider: 'phone' },
    })
    expect((await signInByPhone(NUMBER, served.client())).uid).toBe(user.uid)
  })

  it('puts a new number in the place of the old one', async () => {
    const user = await signInByPhone()
    expect(await updateNumber(user, await sendCode(OTHER))).toMatchObject({
      localId: user.uid,
      phoneNumber: OTHER,
      isNewUser: false,
    })
    await reload(user)
    expect(user.phoneNumber).toBe(OTHER)
    expect((await signInByPhone(OTHER, served.client())).uid).toBe(user.uid)
    expect((await signInByPhone(NUMBER, served.client())).uid).not.toBe(user.uid)
  })

  it('needs a recent login; a code to the old number is one', async () => {
    const user = await signInByPhone()
    now += 5 * MINUTE + 1000
    const wanted = await sendCode(OTHER)
    expect(await updateNumber(user, wanted)).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')

    await reauthenticateWithCredential(user, (await sendCode()).credential)
    expect((await user.getIdTokenResult()).claims.auth_time).toBe(now / 1000)
    expect(await updateNumber(user, wanted)).toMatchObject({ phoneNumber: OTHER })
  })

  it('refuses a number of another account', async () => {
    await signInByPhone()
    const { user } = await createUserWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
    const { credential } = await sendCode()
    const refused = await linkWithCredential(user, credential).catch((error) => error)
    expect(refused).toMatchObject({
      code: 'auth/account-exists-with-different-credential',
      customData: { phoneNumber: NUMBER },
    })
  })
})

describe('proving again who one is', () => {
  it('makes no account, and needs the same number', async () => {
    const user = await signInByPhone()
    const reauthenticate = async (number: string) =>
      codeOf(reauthenticateWithCredential(user, (await sendCode(number)).credential))
    expect(await reauthenticate(OTHER)).toBe('auth/user-mismatch')
    expect(served.emulator.dump().accounts).toHaveLength(1)
    await signInByPhone(OTHER, served.client())
    expect(await reauthenticate(OTHER)).toBe('auth/user-mismatch')
    expect(await reauthenticate(NUMBER)).toBe('no error')
  })
})

describe('an account without an address', () => {
  it.each([false, true])(
    'has nothing to verify, and gets an address with a password, if the login is recent; addresses protected: %s',
    async (isProtected) => {
      served.emulator.setEmailEnumerationProtection(isProtected)
      const user = await signInByPhone()
      expect(await codeOf(sendEmailVerification(user))).toBe('auth/missing-email')
      expect(await codeOf(verifyBeforeUpdateEmail(user, 'awa@example.com'))).toBe('auth/missing-email')
      await createUserWithEmailAndPassword(served.client(), 'taken@example.com', 'secret1')
      const linked = (email: string) =>
        codeOf(linkWithCredential(user, EmailAuthProvider.credential(email, 'secret1')))
      expect(await linked('taken@example.com')).toBe('auth/email-already-in-use')
      now += 5 * MINUTE + 1000
      expect(await linked('awa@example.com')).toBe('auth/requires-recent-login')
      await reauthenticateWithCredential(user, (await sendCode()).credential)
      expect(await linked('awa@example.com')).toBe('no error')

      const { user: again } = await signInWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
      expect([again.uid, again.phoneNumber, again.emailVerified]).toEqual([user.uid, NUMBER, false])
    },
  )

  it('may have an address without a password, which then signs nobody in', async () => {
    const user = await signInByPhone()
    await updateEmail(user, 'awa@example.com')
    expect(user.providerData.map(({ providerId }) => providerId)).toEqual(['phone'])
    expect(await codeOf(signInWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1'))).toBe(
      'auth/wrong-password',
    )
  })

  it('may not have one without a password when addresses are protected', async () => {
    served.emulator.setEmailEnumerationProtection(true)
    const user = await signInByPhone()
    expect(await codeOf(updateEmail(user, 'awa@example.com'))).toBe('auth/operation-not-allowed')
    expect(await codeOf(verifyBeforeUpdateEmail(user, 'awa@example.com'))).toBe('auth/missing-email')
  })
})
