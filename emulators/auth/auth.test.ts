import {
  type Auth,
  createUserWithEmailAndPassword,
  deleteUser,
  FacebookAuthProvider,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInAnonymously,
  signInWithCredential,
  signInWithEmailAndPassword,
  updateProfile,
} from 'firebase/auth'
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AuthTestServer,
  AWA_EMAIL,
  CONTINUE_URL,
  exchangeRefreshToken,
  getErrorCode,
  getLatestMail,
  HOUR_MS,
  MINUTE_MS,
  PASSWORD,
  serveAuth,
  signUpAwa,
  visitActionLink,
} from '../testing/auth.ts'
import type { AuthEmulator, AuthOptions } from './auth.ts'
import { createSigningKey } from './state.ts'

let now: number
let served: AuthTestServer
let emulator: AuthEmulator
let auth: Auth

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 12)
  await start()
})

afterEach(() => stop())

async function start(options: Partial<AuthOptions> = {}) {
  served = await serveAuth({ clock: { now: () => now }, ...options })
  emulator = served.emulator
  auth = client()
}

const stop = () => served.stop()
const client = () => served.client()

describe('signing up', () => {
  it('a sign-up returns an ID token that the public keys verify', async () => {
    const user = await signUpAwa(auth)
    const token = await user.getIdToken()
    const keys = createRemoteJWKSet(new URL(`${served.origin}/sandbox/auth/jwks`))

    const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: new Date(now) })

    expect(protectedHeader).toEqual({ alg: 'RS256', kid: emulator.jwks().keys[0]?.kid, typ: 'JWT' })
    expect(payload).toEqual({
      iss: 'https://securetoken.google.com/demo-test',
      aud: 'demo-test',
      auth_time: now / 1000,
      user_id: user.uid,
      sub: user.uid,
      iat: now / 1000,
      exp: now / 1000 + 3600,
      email: AWA_EMAIL,
      email_verified: false,
      firebase: { identities: { email: [AWA_EMAIL] }, sign_in_provider: 'password' },
    })
    expect(user.uid).toMatch(/^[A-Za-z0-9]{28}$/)
    expect(await emulator.identify(`Bearer ${token}`)).toEqual({
      kind: 'user',
      uid: user.uid,
      token: payload,
    })
  })

  it('a sign-up’s response has the user’s times, address and method', async () => {
    const user = await signUpAwa(auth)
    expect({
      ...user.metadata,
      email: user.email,
      emailVerified: user.emailVerified,
      isAnonymous: user.isAnonymous,
      providerData: user.providerData,
    }).toMatchObject({
      creationTime: new Date(now).toUTCString(),
      lastSignInTime: new Date(now).toUTCString(),
      email: AWA_EMAIL,
      emailVerified: false,
      isAnonymous: false,
      providerData: [
        {
          providerId: 'password',
          uid: AWA_EMAIL,
          email: AWA_EMAIL,
          displayName: null,
          phoneNumber: null,
          photoURL: null,
        },
      ],
    })
  })

  it('the published keys contain no part of the private key', () => {
    expect(emulator.jwks().keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ])
  })

  it.each([
    ['an address in use', AWA_EMAIL, PASSWORD, 'auth/email-already-in-use'],
    ['an address in use, in capitals', 'AWA@Example.com', PASSWORD, 'auth/email-already-in-use'],
    ['a short password', 'new@example.com', '12345', 'auth/weak-password'],
    ['no password', 'new@example.com', '', 'auth/missing-password'],
    ['a malformed address', 'new@example', PASSWORD, 'auth/invalid-email'],
    ['no address', '', PASSWORD, 'auth/missing-email'],
  ])('refuses a sign-up with %s', async (_, email, password, code) => {
    await signUpAwa(auth)
    expect(await getErrorCode(createUserWithEmailAndPassword(client(), email, password))).toBe(code)
    expect(emulator.dump().accounts).toHaveLength(1)
  })

  it('only one of two simultaneous sign-ups with the same email address succeeds', async () => {
    const codes = await Promise.all([getErrorCode(signUpAwa(client())), getErrorCode(signUpAwa(client()))])
    expect(codes.sort()).toEqual(['auth/email-already-in-use', 'no error'])
  })

  it('refuses to create an anonymous account', async () => {
    expect(await getErrorCode(signInAnonymously(auth))).toBe('auth/admin-restricted-operation')
  })
})

describe('signing in', () => {
  it.each([
    ['an unknown address', 'who@example.com', PASSWORD, 'auth/user-not-found', 'auth/invalid-credential'],
    ['a wrong password', AWA_EMAIL, 'secret2', 'auth/wrong-password', 'auth/invalid-credential'],
    ['no password', AWA_EMAIL, '', 'auth/missing-password', 'auth/missing-password'],
    ['a malformed address', 'awa', PASSWORD, 'auth/invalid-email', 'auth/invalid-email'],
    ['no address', '', PASSWORD, 'auth/missing-email', 'auth/missing-email'],
    ['the right password', AWA_EMAIL, PASSWORD, 'no error', 'no error'],
    ['the address in capitals', 'AWA@EXAMPLE.COM', PASSWORD, 'no error', 'no error'],
  ])(
    'signing in with %s gives the real service’s result',
    async (_, email, password, plain, whenProtected) => {
      await signUpAwa(auth)
      expect(await getErrorCode(signInWithEmailAndPassword(client(), email, password))).toBe(plain)

      emulator.setEmailEnumerationProtection(true)
      expect(await getErrorCode(signInWithEmailAndPassword(client(), email, password))).toBe(whenProtected)
    },
  )

  it('ten wrong passwords lock an account for 15 minutes', async () => {
    await signUpAwa(auth)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await getErrorCode(signInWithEmailAndPassword(auth, AWA_EMAIL, 'wrong!'))).toBe(
        'auth/wrong-password',
      )
    }
    const right = () => getErrorCode(signInWithEmailAndPassword(auth, AWA_EMAIL, PASSWORD))
    expect(await right()).toBe('auth/too-many-requests')
    now += 15 * MINUTE_MS - 1
    expect(await right()).toBe('auth/too-many-requests')
    now += 1
    expect(await right()).toBe('no error')
    expect(await getErrorCode(signInWithEmailAndPassword(auth, AWA_EMAIL, 'wrong!'))).toBe(
      'auth/wrong-password',
    )
  })

  it('a disabled account can do nothing, even with its tokens', async () => {
    const user = await signUpAwa(auth)
    expect(emulator.setDisabled(user.uid, true)).toBe(true)
    expect(emulator.setDisabled('nobody', true)).toBe(false)

    expect(await getErrorCode(signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD))).toBe(
      'auth/user-disabled',
    )
    expect(await getErrorCode(sendPasswordResetEmail(client(), AWA_EMAIL))).toBe('auth/user-disabled')
    expect(await getErrorCode(user.getIdToken(true))).toBe('auth/user-disabled')
    expect(await getErrorCode(reload(user))).toBe('auth/user-disabled')
  })
})

describe('tokens', () => {
  it('the SDK renews an expired ID token without a new login', async () => {
    const user = await signUpAwa(auth)
    const old = await user.getIdToken()
    const signedInAt = now
    now += HOUR_MS

    expect(await emulator.identify(`Bearer ${old}`)).toEqual({
      kind: 'invalid',
      reason: 'INVALID_ID_TOKEN : "exp" claim timestamp check failed',
    })
    expect(await getErrorCode(reload(user))).toBe('auth/invalid-user-token')

    const renewed = await emulator.identify(`Bearer ${await user.getIdToken(true)}`)
    expect(renewed).toMatchObject({
      kind: 'user',
      uid: user.uid,
      token: { auth_time: signedInAt / 1000, iat: now / 1000, exp: now / 1000 + 3600 },
    })
    expect(await getErrorCode(reload(user))).toBe('no error')
  })

  it('a token refresh returns the fields of the real Secure Token service', async () => {
    const user = await signUpAwa(auth)
    const answer = await exchangeRefreshToken(served, {
      grant_type: 'refresh_token',
      refresh_token: user.refreshToken,
    })
    expect(answer).toEqual({
      access_token: answer.id_token,
      id_token: expect.any(String),
      refresh_token: user.refreshToken,
      expires_in: '3600',
      token_type: 'Bearer',
      user_id: user.uid,
      project_id: 'demo-test',
    })
  })

  it.each([
    [{}, 'MISSING_GRANT_TYPE'],
    [{ grant_type: 'password' }, 'INVALID_GRANT_TYPE'],
    [{ grant_type: 'refresh_token' }, 'MISSING_REFRESH_TOKEN'],
    [{ grant_type: 'refresh_token', refresh_token: 'made-up' }, 'INVALID_REFRESH_TOKEN'],
  ])('refuses the token refresh %j with %s', async (form, message) => {
    expect(await exchangeRefreshToken(served, form as Record<string, string>)).toBe(message)
  })

  it('only tokens signed here for this project are accepted', async () => {
    const user = await signUpAwa(auth)
    const token = await user.getIdToken()
    const claims = decodeJwt(token)
    const sign = (changed: Record<string, unknown>, key = emulator.dump().key) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .sign(key.privateJwk)
    const identifyKind = async (header: string | undefined) => (await emulator.identify(header)).kind

    expect(await identifyKind(undefined)).toBe('nobody')
    expect(await identifyKind(`Bearer ${await sign({})}`)).toBe('user')
    const invalid = {
      empty: '',
      'no bearer': token,
      owner: 'Bearer owner',
      unsigned: `Bearer ${new UnsecuredJWT(claims).encode()}`,
      'another key': `Bearer ${await sign({}, createSigningKey())}`,
      'another project': `Bearer ${await sign({ aud: 'other' })}`,
      'another issuer': `Bearer ${await sign({ iss: 'https://securetoken.google.com/other' })}`,
      'changed claims': `Bearer ${token.replace(/\.[^.]+\./, `.${btoa(JSON.stringify({ ...claims, sub: 'x' }))}.`)}`,
    }
    for (const [name, header] of Object.entries(invalid))
      expect([name, await identifyKind(header)]).toEqual([name, 'invalid'])
  })
})

describe('changing and deleting an account', () => {
  it('a changed display name is stored, and in the next token', async () => {
    const user = await signUpAwa(auth)
    await updateProfile(user, { displayName: 'Awa Diallo' })

    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD)
    expect(elsewhere.displayName).toBe('Awa Diallo')
    expect((await user.getIdTokenResult()).claims).toMatchObject({ name: 'Awa Diallo' })

    await updateProfile(user, { displayName: '' })
    await reload(elsewhere)
    expect(elsewhere.displayName).toBeNull()
  })

  it('deleting an account ends its sessions and makes sign-in fail', async () => {
    const user = await signUpAwa(auth)
    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD)
    await deleteUser(user)

    expect(emulator.dump().accounts).toEqual([])
    expect(await getErrorCode(elsewhere.getIdToken(true))).toBe('auth/user-token-expired')
    expect(await getErrorCode(signInWithEmailAndPassword(client(), AWA_EMAIL, PASSWORD))).toBe(
      'auth/user-not-found',
    )
  })
})

describe('unsupported and malformed calls', () => {
  it('the Auth emulator answers an unsupported call with 501 and reports it', async () => {
    const user = await signUpAwa(auth)
    await getErrorCode(signInWithCredential(client(), FacebookAuthProvider.credential('token')))
    await getErrorCode(sendSignInLinkToEmail(auth, AWA_EMAIL, { url: CONTINUE_URL, handleCodeInApp: true }))
    const lookup = '/identitytoolkit.googleapis.com/v1/accounts:lookup'
    expect(await served.post(`${lookup}?key=k`, { idToken: await user.getIdToken(), tenantId: 't' })).toEqual(
      {
        status: 501,
        body: {
          error: {
            code: 501,
            message: `NOT_IMPLEMENTED : The sandbox does not implement POST ${lookup} (field tenantId)`,
            status: 'UNIMPLEMENTED',
            errors: [expect.objectContaining({ domain: 'global' })],
          },
        },
      },
    )
    const others = [
      '/identitytoolkit.googleapis.com/v1/projects/demo-test/accounts',
      '/securetoken.googleapis.com/v2/token',
      '/emulator/v1/projects/other/oobCodes',
      '/emulator/auth/handler',
      '/emulator/action?mode=signIn',
    ]
    for (const path of others) expect((await served.post(path, {})).status).toBe(501)

    expect(served.unknownCalls).toEqual([
      'auth: POST /identitytoolkit.googleapis.com/v1/accounts:signInWithIdp (field postBody.access_token, postBody.providerId)',
      'auth: POST /identitytoolkit.googleapis.com/v1/accounts:sendOobCode (field requestType)',
      `auth: POST ${lookup} (field tenantId)`,
      'auth: POST /identitytoolkit.googleapis.com/v1/projects/demo-test/accounts',
      'auth: POST /securetoken.googleapis.com/v2/token',
      'auth: POST /emulator/v1/projects/other/oobCodes',
      'auth: POST /emulator/auth/handler',
      'auth: POST /emulator/action (mode signIn)',
    ])
  })

  it('a call without an API key or with bad body is refused', async () => {
    const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp'
    expect(await served.post(path, {})).toMatchObject({
      status: 403,
      body: { error: { status: 'PERMISSION_DENIED' } },
    })
    expect(await served.post(`${path}?key=k`, { email: 1 })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^INVALID_ARGUMENT : /) } },
    })
    expect(served.unknownCalls).toEqual([])
  })
})

describe('state and CORS of the emulator', () => {
  it('resetting the Auth emulator deletes everything except its signing key', async () => {
    const keys = emulator.jwks()
    await sendEmailVerification(await signUpAwa(client()))
    emulator.reset()
    expect(emulator.dump()).toEqual({ ...emulator.dump(), accounts: [], sessions: [], codes: [] })
    expect(emulator.jwks()).toEqual(keys)
  })

  it('the Auth emulator restores accounts, sessions and tokens from a dump', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    const token = await user.getIdToken()
    const dump = JSON.parse(JSON.stringify(emulator.dump()))

    await stop()
    await start()
    emulator.load(dump)
    expect((await emulator.identify(`Bearer ${token}`)).kind).toBe('user')
    expect(
      await exchangeRefreshToken(served, { grant_type: 'refresh_token', refresh_token: user.refreshToken }),
    ).toMatchObject({
      user_id: user.uid,
    })
    // The emulator now has another origin.
    await visitActionLink(getLatestMail(emulator).link)
    const { user: again } = await signInWithEmailAndPassword(auth, AWA_EMAIL, PASSWORD)
    expect([again.uid, again.emailVerified]).toEqual([user.uid, true])
  })

  it('the Auth emulator allows requests from another origin', async () => {
    const response = await fetch(`${served.origin}/identitytoolkit.googleapis.com/v1/accounts:signUp`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-client-version,x-firebase-locale',
      },
    })
    expect({
      status: response.status,
      origin: response.headers.get('Access-Control-Allow-Origin'),
      headers: response.headers.get('Access-Control-Allow-Headers'),
    }).toEqual({
      status: 204,
      origin: 'http://localhost:5173',
      headers: 'content-type,x-client-version,x-firebase-locale',
    })
  })
})
