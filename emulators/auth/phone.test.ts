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
import { type AuthTestServer, getErrorCode, HOUR_MS, MINUTE_MS, serveAuth } from '../testing/auth.ts'

const NUMBER = '+33612345678'
const OTHER = '+15145550123'

let now: number
let served: AuthTestServer
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

/** The SDK supports `verifyPhoneNumber` in browsers only. */
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

const buildCredential = (verificationId: string, verificationCode: string) => {
  const credential = PhoneAuthCredential.fromJSON({ verificationId, verificationCode })
  if (!credential) throw new Error('the SDK made no credential')
  return credential
}

async function sendCode(phoneNumber = NUMBER) {
  const { sessionInfo } = await requestCode(phoneNumber)
  const code = (await openCodes()).find((one) => one.sessionInfo === sessionInfo)?.code ?? ''
  return { sessionInfo, code, credential: buildCredential(sessionInfo, code) }
}

async function signInByPhone(phoneNumber = NUMBER, on = auth) {
  return (await signInWithCredential(on, (await sendCode(phoneNumber)).credential)).user
}

/** The SDK supports `updatePhoneNumber` in browsers only. */
const updateNumber = async (user: User, { sessionInfo, code }: { sessionInfo: string; code: string }) =>
  served.call('accounts:signInWithPhoneNumber', { idToken: await user.getIdToken(), sessionInfo, code })

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('sending a code', () => {
  it('a code’s message is in the language of the request', async () => {
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
  ])('refuses to send a code to the number "%s": %s', async (phoneNumber, message) => {
    expect(await requestCode(phoneNumber)).toBe(message)
    expect(served.emulator.messages()).toEqual([])
  })

  it('a captcha token can be used once, within two minutes @spec-captcha-token', async () => {
    expect(await requestCode(NUMBER, { token: '' })).toBe('MISSING_APP_CREDENTIAL')
    const failed = (why: string) => `CAPTCHA_CHECK_FAILED : Recaptcha verification failed - ${why}`
    expect(await requestCode(NUMBER, { token: 'made-up' })).toBe(failed('MALFORMED'))

    const token = await captcha()
    now += 2 * MINUTE_MS
    expect(await requestCode(NUMBER, { token })).toEqual({ sessionInfo: expect.any(String) })
    expect(await requestCode(NUMBER, { token })).toBe(failed('DUPE'))

    const old = await captcha()
    now += 2 * MINUTE_MS + 1
    expect(await requestCode(NUMBER, { token: old })).toBe(failed('EXPIRED'))
    expect(served.emulator.messages()).toHaveLength(1)
  })

  it('sends at most five codes an hour to a phone number', async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect(await requestCode(NUMBER)).toEqual({ sessionInfo: expect.any(String) })
      now += MINUTE_MS
    }
    expect(await requestCode(NUMBER)).toBe('TOO_MANY_ATTEMPTS_TRY_LATER')
    expect(await requestCode(OTHER)).toEqual({ sessionInfo: expect.any(String) })
    now += 55 * MINUTE_MS
    expect(await requestCode(NUMBER)).toEqual({ sessionInfo: expect.any(String) })
  })
})

describe('signing in with a code', () => {
  it('the first phone sign-in creates an account, the next finds it', async () => {
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

  it('a sign-in with a phone number returns whether the account is new', async () => {
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

  it('a code from a text message signs in only once', async () => {
    const { credential } = await sendCode()
    await signInWithCredential(auth, credential)
    expect(await openCodes()).toEqual([])
    expect(await getErrorCode(signInWithCredential(auth, credential))).toBe('auth/code-expired')
  })

  it('only one of two simultaneous sign-ins with the same code succeeds', async () => {
    const { credential } = await sendCode()
    const attempts = [1, 2].map(() => getErrorCode(signInWithCredential(served.client(), credential)))
    expect((await Promise.all(attempts)).sort()).toEqual(['auth/code-expired', 'no error'])
    expect(served.emulator.dump().accounts).toHaveLength(1)
  })

  it('a code from a text message expires after ten minutes', async () => {
    const [first, second] = [await sendCode(), await sendCode()]
    now += 10 * MINUTE_MS
    expect(await getErrorCode(signInWithCredential(auth, first.credential))).toBe('no error')
    now += 1
    expect(await getErrorCode(signInWithCredential(auth, second.credential))).toBe('auth/code-expired')
    expect(await openCodes()).toEqual([])
  })

  it('after five wrong codes, the right code is refused too', async () => {
    const { sessionInfo, code, credential } = await sendCode()
    const tryWrong = () => getErrorCode(signInWithCredential(auth, buildCredential(sessionInfo, wrong(code))))
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await tryWrong()).toBe('auth/invalid-verification-code')
    expect(await tryWrong()).toBe('auth/too-many-requests')
    expect(await getErrorCode(signInWithCredential(auth, credential))).toBe('auth/too-many-requests')
    expect(await getErrorCode(signInByPhone())).toBe('no error')
  })

  it.each([
    [{ code: '123456' }, 'MISSING_SESSION_INFO'],
    [{ sessionInfo: 'x' }, 'MISSING_CODE'],
    [{ sessionInfo: 'x', code: '123456' }, 'INVALID_SESSION_INFO'],
  ])('refuses the sign-in with a code %j: %s', async (request, message) => {
    expect(await served.call('accounts:signInWithPhoneNumber', request)).toBe(message)
  })

  it('refuses a sign-in with a code to a disabled account', async () => {
    const user = await signInByPhone()
    served.emulator.setDisabled(user.uid, true)
    expect(await getErrorCode(signInByPhone(NUMBER, served.client()))).toBe('auth/user-disabled')
  })
})

describe('a blocking function', () => {
  const block = (phoneSignUps: unknown) => served.post('/sandbox/auth/blocking', { phoneSignUps })

  it('the blocking function refuses only sign-ups by phone', async () => {
    await signInByPhone()
    expect(await block(true)).toEqual({ status: 200, body: { phoneSignUps: true } })

    const attempt = signInByPhone(OTHER, served.client())
    await expect(attempt).rejects.toMatchObject({
      code: 'auth/internal-error',
      message:
        'Firebase: HTTP Cloud Function returned an error: {"error":{"message":"Sign-ups by phone are closed.","status":"PERMISSION_DENIED"}} (auth/internal-error).',
    })
    expect(served.emulator.dump().accounts).toHaveLength(1)
    expect(await getErrorCode(signInByPhone(NUMBER, served.client()))).toBe('no error')
    expect(await getErrorCode(createUserWithEmailAndPassword(auth, 'awa@example.com', 'secret1'))).toBe(
      'no error',
    )

    await block(false)
    expect(await getErrorCode(signInByPhone(OTHER, served.client()))).toBe('no error')
  })

  it('a reset turns the blocking function off', async () => {
    await block(true)
    served.emulator.reset()
    expect(served.emulator.phoneSignUpsBlocked()).toBe(false)
    expect((await block('yes')).status).toBe(400)
  })
})

describe('changing the phone number', () => {
  it('a user with a password adds a number and uses it', async () => {
    const { user } = await createUserWithEmailAndPassword(auth, 'awa@example.com', 'secret1')
    now += HOUR_MS / 2
    await linkWithCredential(user, (await sendCode()).credential)
    expect(user.providerData.map(({ providerId }) => providerId)).toEqual(['password', 'phone'])
    expect((await user.getIdTokenResult()).claims).toMatchObject({
      email: 'awa@example.com',
      phone_number: NUMBER,
      firebase: { identities: { email: ['awa@example.com'], phone: [NUMBER] }, sign_in_provider: 'phone' },
    })
    expect((await signInByPhone(NUMBER, served.client())).uid).toBe(user.uid)
  })

  it('a changed phone number replaces the old one at sign-in', async () => {
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

  it('changing the phone number requires a recent login', async () => {
    const user = await signInByPhone()
    now += 5 * MINUTE_MS + 1000
    const wanted = await sendCode(OTHER)
    expect(await updateNumber(user, wanted)).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')

    await reauthenticateWithCredential(user, (await sendCode()).credential)
    expect((await user.getIdTokenResult()).claims.auth_time).toBe(now / 1000)
    expect(await updateNumber(user, wanted)).toMatchObject({ phoneNumber: OTHER })
  })

  it("refuses to link another account's phone number", async () => {
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

describe('re-authenticating by phone', () => {
  it('re-authenticating by phone creates no account, and requires the same number', async () => {
    const user = await signInByPhone()
    const reauthenticate = async (number: string) =>
      getErrorCode(reauthenticateWithCredential(user, (await sendCode(number)).credential))
    expect(await reauthenticate(OTHER)).toBe('auth/user-mismatch')
    expect(served.emulator.dump().accounts).toHaveLength(1)
    await signInByPhone(OTHER, served.client())
    expect(await reauthenticate(OTHER)).toBe('auth/user-mismatch')
    expect(await reauthenticate(NUMBER)).toBe('no error')
  })
})

describe('a phone account without an address', () => {
  it.each(['without', 'with'])(
    '%s enumeration protection, a phone account adds address and password',
    async (protection) => {
      served.emulator.setEmailEnumerationProtection(protection === 'with')
      const user = await signInByPhone()
      expect(await getErrorCode(sendEmailVerification(user))).toBe('auth/missing-email')
      expect(await getErrorCode(verifyBeforeUpdateEmail(user, 'awa@example.com'))).toBe('auth/missing-email')
      await createUserWithEmailAndPassword(served.client(), 'taken@example.com', 'secret1')
      const linked = (email: string) =>
        getErrorCode(linkWithCredential(user, EmailAuthProvider.credential(email, 'secret1')))
      expect(await linked('taken@example.com')).toBe('auth/email-already-in-use')
      now += 5 * MINUTE_MS + 1000
      expect(await linked('awa@example.com')).toBe('auth/requires-recent-login')
      await reauthenticateWithCredential(user, (await sendCode()).credential)
      expect(await linked('awa@example.com')).toBe('no error')

      const { user: again } = await signInWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
      expect([again.uid, again.phoneNumber, again.emailVerified]).toEqual([user.uid, NUMBER, false])
    },
  )

  it('a phone account adds an address, useless for signing in', async () => {
    const user = await signInByPhone()
    await updateEmail(user, 'awa@example.com')
    expect(user.providerData.map(({ providerId }) => providerId)).toEqual(['phone'])
    expect(
      await getErrorCode(signInWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')),
    ).toBe('auth/wrong-password')
  })

  it('enumeration protection refuses an address without a password', async () => {
    served.emulator.setEmailEnumerationProtection(true)
    const user = await signInByPhone()
    expect(await getErrorCode(updateEmail(user, 'awa@example.com'))).toBe('auth/operation-not-allowed')
    expect(await getErrorCode(verifyBeforeUpdateEmail(user, 'awa@example.com'))).toBe('auth/missing-email')
  })
})
