import { createHash } from 'node:crypto'
import {
  type Auth,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  fetchSignInMethodsForEmail,
  getAdditionalUserInfo,
  linkWithCredential,
  OAuthProvider,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
} from 'firebase/auth'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthTestServer,
  getErrorCode,
  HOUR_MS,
  MINUTE_MS,
  serveAuth,
  TEST_GOOGLE_CLIENT_ID,
} from '../testing/auth.ts'

const MARIAMA = '100000000000000000001'
const RAW_NONCE = 'a-nonce-that-nobody-guesses'
const NONCE = createHash('sha256').update(RAW_NONCE).digest('hex')
const BACK = 'http://localhost:5173/google-sign-in.html'

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

const REQUEST = {
  client_id: TEST_GOOGLE_CLIENT_ID,
  redirect_uri: BACK,
  response_type: 'id_token',
  scope: 'openid email profile',
  nonce: NONCE,
  state: 'request-1',
  prompt: 'select_account',
}

const address = (request: Record<string, string> = REQUEST) =>
  `${served.origin}/sandbox/google/auth?${new URLSearchParams(request)}`

const choose = (form: Record<string, string>, request = REQUEST) =>
  fetch(address(request), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

const parseAnswer = (response: Response) => {
  const [page, fragment] = (response.headers.get('location') ?? '').split('#')
  return { page, ...Object.fromEntries(new URLSearchParams(fragment)) } as Record<string, string>
}

const tokenFor = async (account: Record<string, string> = { account: MARIAMA }) =>
  parseAnswer(await choose(account)).id_token ?? ''

const buildCredential = (idToken: string, rawNonce = RAW_NONCE) =>
  new OAuthProvider('google.com').credential({ idToken, rawNonce })

const signInWithGoogle = async (account?: Record<string, string>, on = auth) =>
  signInWithCredential(on, buildCredential(await tokenFor(account)))

const addAccount = (account: { name: string; email: string; emailVerified?: boolean }) =>
  served.post('/sandbox/google/accounts', account)

describe('the account chooser', () => {
  const fetchPage = async (request: Record<string, string>, language?: string) => {
    const response = await fetch(
      address(request),
      language ? { headers: { 'Accept-Language': language } } : {},
    )
    const page = await response.text()
    return {
      status: response.status,
      language: /<html lang="(\w+)"/.exec(page)?.[1],
      title: /<h1>(.*?)<\/h1>/.exec(page)?.[1],
      accounts: [...page.matchAll(/name="account" value="(\d+)"/g)].map(([, sub]) => sub),
      parameter: /<code>(.*?)<\/code>/.exec(page)?.[1],
    }
  }

  it.each([
    [{ ...REQUEST, hl: 'en' }, 'fr-FR', 'en', 'Choose a Google account'],
    [{ ...REQUEST, hl: 'fr' }, 'en-GB', 'fr', 'Choisissez un compte Google'],
    [REQUEST, 'en-GB', 'en', 'Choose a Google account'],
    [REQUEST, undefined, 'fr', 'Choisissez un compte Google'],
  ])(
    'the chooser uses the language of `hl`, the browser, or French',
    async (request, accepted, language, title) => {
      expect(await fetchPage(request, accepted)).toEqual({
        status: 200,
        language,
        title,
        accounts: served.emulator.googleAccounts().map(({ sub }) => sub),
        parameter: undefined,
      })
    },
  )

  it.each([
    ['client_id', 'other.apps.googleusercontent.com'],
    ['redirect_uri', 'https://evil.example/google-sign-in.html'],
    ['redirect_uri', 'http://localhost.evil.example/'],
    ['redirect_uri', 'nowhere'],
    ['response_type', 'code'],
    ['scope', 'profile'],
    ['nonce', ''],
    ['state', ''],
  ])('the account chooser refuses a request whose %s is "%s"', async (parameter, value) => {
    const request = { ...REQUEST, [parameter]: value }
    expect(await fetchPage(request)).toMatchObject({ status: 400, parameter, accounts: [] })
    const posted = await choose({ account: MARIAMA }, request)
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null])
  })

  it('the account chooser returns a token for the chosen account', async () => {
    const response = await choose({ account: MARIAMA })
    const { id_token: idToken = '', ...rest } = parseAnswer(response)
    expect([response.status, rest]).toEqual([303, { page: BACK, state: 'request-1', authuser: '0' }])
    expect(decodeJwt(idToken)).toEqual({
      iss: 'https://accounts.google.com',
      azp: TEST_GOOGLE_CLIENT_ID,
      aud: TEST_GOOGLE_CLIENT_ID,
      sub: MARIAMA,
      email: 'mariama.bah@gmail.com',
      email_verified: true,
      nonce: NONCE,
      name: 'Mariama Bah',
      iat: now / 1000,
      exp: now / 1000 + 3600,
    })
  })

  it('the account chooser returns the error access_denied when the user cancels', async () => {
    expect(parseAnswer(await choose({ cancel: '' }))).toEqual({
      page: BACK,
      error: 'access_denied',
      state: 'request-1',
    })
  })

  it('the account chooser adds one account for each new address', async () => {
    const first = decodeJwt(await tokenFor({ name: ' Awa Diallo ', email: 'Awa@Example.com' }))
    expect(first).toMatchObject({ name: 'Awa Diallo', email: 'awa@example.com', email_verified: true })
    const again = decodeJwt(await tokenFor({ name: 'Somebody', email: 'awa@example.com' }))
    expect(again).toMatchObject({ sub: first.sub, name: 'Awa Diallo' })
    expect(await addAccount({ name: 'Ibou', email: 'ibou@example.com', emailVerified: false })).toEqual({
      status: 200,
      body: {
        sub: expect.stringMatching(/^\d{21}$/),
        name: 'Ibou',
        email: 'ibou@example.com',
        emailVerified: false,
      },
    })
    expect(served.emulator.googleAccounts().map(({ email }) => email)).toEqual([
      'mariama.bah@gmail.com',
      'luc.tremblay@gmail.com',
      'awa@example.com',
      'ibou@example.com',
    ])
    expect((await addAccount({ name: '', email: 'x@example.com' })).status).toBe(400)
  })

  it.each([
    [{ name: '', email: 'awa@example.com' }],
    [{ name: 'Awa', email: 'awa' }],
    [{ account: 'unknown' }],
  ])('the chooser rejects %j and keeps the typed address', async (form: Record<string, string>) => {
    const response = await choose(form)
    const page = await response.text()
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(page).toContain('role="alert"')
    expect(page).toContain(`type="email" autocomplete="email" value="${form.email ?? ''}"`)
  })

  it('the account chooser escapes names in its HTML', async () => {
    await addAccount({ name: '<script>alert(1)</script>', email: 'x@example.com' })
    expect(await (await fetch(address())).text()).not.toContain('<script>')
  })
})

describe('signing in with Google', () => {
  it('the first sign-in creates an account, and the next finds it', async () => {
    const first = await signInWithGoogle()
    const { user } = first
    expect(getAdditionalUserInfo(first)).toEqual({
      isNewUser: true,
      providerId: 'google.com',
      profile: {
        id: MARIAMA,
        email: 'mariama.bah@gmail.com',
        verified_email: true,
        name: 'Mariama Bah',
      },
    })
    expect(decodeJwt(await user.getIdToken())).toMatchObject({
      name: 'Mariama Bah',
      email: 'mariama.bah@gmail.com',
      email_verified: true,
      auth_time: now / 1000,
      firebase: {
        identities: { 'google.com': [MARIAMA], email: ['mariama.bah@gmail.com'] },
        sign_in_provider: 'google.com',
      },
    })
    expect(user.providerData).toEqual([
      {
        providerId: 'google.com',
        uid: MARIAMA,
        email: 'mariama.bah@gmail.com',
        displayName: 'Mariama Bah',
        phoneNumber: null,
        photoURL: null,
      },
    ])
    const second = await signInWithGoogle(undefined, served.client())
    expect([second.user.uid, getAdditionalUserInfo(second)?.isNewUser]).toEqual([user.uid, false])
  })

  it('a sign-in requires an unexpired token with the project’s client', async () => {
    const token = await tokenFor()
    const attempt = (idToken: string, rawNonce?: string) =>
      getErrorCode(signInWithCredential(auth, buildCredential(idToken, rawNonce)))
    expect(await attempt(token, 'another nonce')).toBe('auth/missing-or-invalid-nonce')
    expect(await attempt(token, '')).toBe('auth/missing-or-invalid-nonce')
    const invalid = 'auth/invalid-credential'
    expect(await attempt(`${token}x`)).toBe(invalid)
    const { user } = await createUserWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
    expect(await attempt(await user.getIdToken())).toBe(invalid)

    const elsewhere = await serveAuth({ clock: { now: () => now }, googleClientId: 'elsewhere' })
    elsewhere.emulator.load(served.emulator.dump())
    expect(await getErrorCode(signInWithCredential(elsewhere.client(), buildCredential(token)))).toBe(invalid)
    await elsewhere.stop()

    now += HOUR_MS
    expect(await attempt(token)).toBe(invalid)
    expect(served.emulator.dump().accounts).toHaveLength(1)
  })

  it('a Google ID token is not one of the project', async () => {
    expect((await served.emulator.identify(`Bearer ${await tokenFor()}`)).kind).toBe('invalid')
  })

  it('refuses a sign-in with Google to a disabled account', async () => {
    const { user } = await signInWithGoogle()
    served.emulator.setDisabled(user.uid, true)
    expect(await getErrorCode(signInWithGoogle(undefined, served.client()))).toBe('auth/user-disabled')
  })
})

describe('signing in with Google at the address of a password account', () => {
  const EMAIL = 'mariama.bah@gmail.com'

  it('Google takes over an unconfirmed password account', async () => {
    const { user } = await createUserWithEmailAndPassword(served.client(), EMAIL, 'secret1')
    now += 1000
    const taken = await signInWithGoogle()
    expect([taken.user.uid, taken.user.emailVerified, taken.user.displayName]).toEqual([
      user.uid,
      true,
      'Mariama Bah',
    ])
    expect(getAdditionalUserInfo(taken)?.isNewUser).toBe(false)
    expect(taken.user.providerData.map(({ providerId }) => providerId)).toEqual(['google.com'])
    expect(await getErrorCode(signInWithEmailAndPassword(served.client(), EMAIL, 'secret1'))).toBe(
      'auth/wrong-password',
    )
    expect(await getErrorCode(user.getIdToken(true))).toBe('auth/user-token-expired')
  })

  it('Google is linked to a confirmed password account', async () => {
    const { user } = await createUserWithEmailAndPassword(served.client(), EMAIL, 'secret1')
    await sendEmailVerification(user)
    await fetch(served.emulator.mails()[0]?.link ?? '', { method: 'POST' })
    const linked = await signInWithGoogle()
    expect(linked.user.uid).toBe(user.uid)
    expect(linked.user.providerData.map(({ providerId }) => providerId)).toEqual(['password', 'google.com'])
    expect(await getErrorCode(signInWithEmailAndPassword(served.client(), EMAIL, 'secret1'))).toBe('no error')
    expect(await getErrorCode(user.getIdToken(true))).toBe('no error')
  })

  it('lists the sign-in methods of an address unless addresses are protected', async () => {
    const auth = served.client()
    expect(await fetchSignInMethodsForEmail(auth, EMAIL)).toEqual([])
    await createUserWithEmailAndPassword(auth, EMAIL, 'secret1')
    expect(await fetchSignInMethodsForEmail(auth, EMAIL)).toEqual(['password'])
    await signInWithGoogle()
    expect(await fetchSignInMethodsForEmail(auth, EMAIL)).toEqual(['google.com'])
    expect(await getErrorCode(fetchSignInMethodsForEmail(auth, 'mariama'))).toBe('auth/invalid-email')
    served.emulator.setEmailEnumerationProtection(true)
    expect(await fetchSignInMethodsForEmail(auth, EMAIL)).toEqual([])
  })

  it('a sign-in is refused if neither side has confirmed the address', async () => {
    await createUserWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
    await addAccount({ name: 'Awa', email: 'awa@example.com', emailVerified: false })
    const attempt = signInWithGoogle({ name: 'Awa', email: 'awa@example.com' })
    expect(await getErrorCode(attempt)).toBe('auth/account-exists-with-different-credential')
    expect(await getErrorCode(signInWithEmailAndPassword(auth, 'awa@example.com', 'secret1'))).toBe(
      'no error',
    )
  })
})

describe('linking Google to an account', () => {
  it('a user links Google unless another account has it', async () => {
    const { user } = await createUserWithEmailAndPassword(auth, 'awa@example.com', 'secret1')
    await linkWithCredential(user, buildCredential(await tokenFor()))
    expect([user.email, user.providerData.map(({ providerId }) => providerId)]).toEqual([
      'awa@example.com',
      ['password', 'google.com'],
    ])
    expect((await signInWithGoogle(undefined, served.client())).user.uid).toBe(user.uid)

    const { user: other } = await createUserWithEmailAndPassword(served.client(), 'o@example.com', 'secret1')
    expect(await getErrorCode(linkWithCredential(other, buildCredential(await tokenFor())))).toBe(
      'auth/credential-already-in-use',
    )
    await addAccount({ name: 'Awa', email: 'awa@example.com' })
    const samePlace = await tokenFor({ name: 'Awa', email: 'awa@example.com' })
    expect(await getErrorCode(linkWithCredential(other, buildCredential(samePlace)))).toBe(
      'auth/email-already-in-use',
    )
  })

  it('resetting the password by mail unlinks Google and keeps the phone number', async () => {
    const { user } = await createUserWithEmailAndPassword(auth, 'awa@example.com', 'secret1')
    await linkWithCredential(user, buildCredential(await tokenFor()))
    const { token } = (await served.post('/sandbox/recaptcha/token')).body
    await served.call('accounts:sendVerificationCode', {
      phoneNumber: '+224620000000',
      recaptchaToken: token,
    })
    const { sessionInfo = '', code = '' } = served.emulator.dump().smsCodes[0] ?? {}
    await served.call('accounts:signInWithPhoneNumber', {
      sessionInfo,
      code,
      idToken: await user.getIdToken(),
    })
    await sendPasswordResetEmail(auth, 'awa@example.com')
    const oobCode = new URL(served.emulator.mails()[0]?.link ?? '').searchParams.get('oobCode')
    await confirmPasswordReset(auth, oobCode ?? '', 'secret2')
    const signedIn = await signInWithEmailAndPassword(auth, 'awa@example.com', 'secret2')
    expect(signedIn.user.providerData.map(({ providerId }) => providerId)).toEqual(['password', 'phone'])
    expect(signedIn.user.emailVerified).toBe(true)
  })

  it('re-authenticating requires the same Google account', async () => {
    const { user } = await signInWithGoogle()
    now += 10 * MINUTE_MS
    await reauthenticateWithCredential(user, buildCredential(await tokenFor()))
    expect((await user.getIdTokenResult()).claims.auth_time).toBe(now / 1000)

    const luc = { account: '100000000000000000002' }
    // The SDK treats USER_NOT_FOUND as a deleted account, and signs the user out.
    expect(await getErrorCode(reauthenticateWithCredential(user, buildCredential(await tokenFor(luc))))).toBe(
      'auth/user-token-expired',
    )
    expect(served.emulator.dump().accounts).toHaveLength(1)
    await signInWithGoogle(luc, served.client())
    expect(await getErrorCode(reauthenticateWithCredential(user, buildCredential(await tokenFor(luc))))).toBe(
      'auth/user-mismatch',
    )
  })
})
