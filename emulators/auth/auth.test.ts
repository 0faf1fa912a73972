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
import type { AuthEmulator, AuthOptions } from './auth.ts'
import { createSigningKey } from './core.ts'
import {
  AWA,
  CONTINUE,
  codeOf,
  exchange,
  HOUR,
  latestMail,
  MINUTE,
  PASSWORD,
  type ServedAuth,
  serveAuth,
  signUpAwa,
  visit,
} from './testing.ts'

let now: number
let served: ServedAuth
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
  it('makes an account whose ID token anybody can verify with the public keys', async () => {
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
      email: AWA,
      email_verified: false,
      firebase: { identities: { email: [AWA] }, sign_in_provider: 'password' },
    })
    expect(user.uid).toMatch(/^[A-Za-z0-9]{28}$/)
    expect(await emulator.identify(`Bearer ${token}`)).toEqual({
      kind: 'user',
      uid: user.uid,
      token: payload,
    })
  })

  it('tells the SDK who the user is', async () => {
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
      email: AWA,
      emailVerified: false,
      isAnonymous: false,
      providerData: [
        {
          providerId: 'password',
          uid: AWA,
          email: AWA,
          displayName: null,
          phoneNumber: null,
          photoURL: null,
        },
      ],
    })
  })

  it('publishes no part of the private key', () => {
    expect(emulator.jwks().keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ])
  })

  it.each([
    ['an address in use', AWA, PASSWORD, 'auth/email-already-in-use'],
    ['an address in use, in capitals', 'AWA@Example.com', PASSWORD, 'auth/email-already-in-use'],
    ['a short password', 'new@example.com', '12345', 'auth/weak-password'],
    ['no password', 'new@example.com', '', 'auth/missing-password'],
    ['a bad address', 'new@example', PASSWORD, 'auth/invalid-email'],
    ['no address', '', PASSWORD, 'auth/missing-email'],
  ])('refuses %s', async (_, email, password, code) => {
    await signUpAwa(auth)
    expect(await codeOf(createUserWithEmailAndPassword(client(), email, password))).toBe(code)
    expect(emulator.dump().accounts).toHaveLength(1)
  })

  it('lets one of two have an address that both ask for at once', async () => {
    const codes = await Promise.all([codeOf(signUpAwa(client())), codeOf(signUpAwa(client()))])
    expect(codes.sort()).toEqual(['auth/email-already-in-use', 'no error'])
  })

  it('does not offer anonymous accounts', async () => {
    expect(await codeOf(signInAnonymously(auth))).toBe('auth/admin-restricted-operation')
  })
})

describe('signing in', () => {
  it.each([
    ['an unknown address', 'who@example.com', PASSWORD, 'auth/user-not-found', 'auth/invalid-credential'],
    ['a wrong password', AWA, 'secret2', 'auth/wrong-password', 'auth/invalid-credential'],
    ['no password', AWA, '', 'auth/missing-password', 'auth/missing-password'],
    ['a bad address', 'awa', PASSWORD, 'auth/invalid-email', 'auth/invalid-email'],
    ['no address', '', PASSWORD, 'auth/missing-email', 'auth/missing-email'],
    ['the right password', AWA, PASSWORD, 'no error', 'no error'],
    ['the address in capitals', 'AWA@EXAMPLE.COM', PASSWORD, 'no error', 'no error'],
  ])('with %s', async (_, email, password, plain, whenProtected) => {
    await signUpAwa(auth)
    expect(await codeOf(signInWithEmailAndPassword(client(), email, password))).toBe(plain)

    emulator.setEmailEnumerationProtection(true)
    expect(await codeOf(signInWithEmailAndPassword(client(), email, password))).toBe(whenProtected)
  })

  it('locks an account after ten wrong passwords, for a quarter of an hour', async () => {
    await signUpAwa(auth)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await codeOf(signInWithEmailAndPassword(auth, AWA, 'wrong!'))).toBe('auth/wrong-password')
    }
    const right = () => codeOf(signInWithEmailAndPassword(auth, AWA, PASSWORD))
    expect(await right()).toBe('auth/too-many-requests')
    now += 15 * MINUTE - 1
    expect(await right()).toBe('auth/too-many-requests')
    now += 1
    expect(await right()).toBe('no error')
    expect(await codeOf(signInWithEmailAndPassword(auth, AWA, 'wrong!'))).toBe('auth/wrong-password')
  })

  it('refuses a disabled account, also on its next call with old tokens', async () => {
    const user = await signUpAwa(auth)
    expect(emulator.setDisabled(user.uid, true)).toBe(true)
    expect(emulator.setDisabled('nobody', true)).toBe(false)

    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/user-disabled')
    expect(await codeOf(sendPasswordResetEmail(client(), AWA))).toBe('auth/user-disabled')
    expect(await codeOf(user.getIdToken(true))).toBe('auth/user-disabled')
    expect(await codeOf(reload(user))).toBe('auth/user-disabled')
  })
})

describe('tokens', () => {
  it('renews an expired token without a new login', async () => {
    const user = await signUpAwa(auth)
    const old = await user.getIdToken()
    const signedInAt = now
    now += HOUR

    expect(await emulator.identify(`Bearer ${old}`)).toEqual({
      kind: 'invalid',
      reason: 'INVALID_ID_TOKEN : "exp" claim timestamp check failed',
    })
    expect(await codeOf(reload(user))).toBe('auth/invalid-user-token')

    const renewed = await emulator.identify(`Bearer ${await user.getIdToken(true)}`)
    expect(renewed).toMatchObject({
      kind: 'user',
      uid: user.uid,
      token: { auth_time: signedInAt / 1000, iat: now / 1000, exp: now / 1000 + 3600 },
    })
    expect(await codeOf(reload(user))).toBe('no error')
  })

  it('answers the refresh call in the form of the Secure Token service', async () => {
    const user = await signUpAwa(auth)
    const answer = await exchange(served, { grant_type: 'refresh_token', refresh_token: user.refreshToken })
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
  ])('refuses the refresh call %j', async (form, message) => {
    expect(await exchange(served, form as Record<string, string>)).toBe(message)
  })

  it('takes nothing but its own signed, unexpired tokens for this project', async () => {
    const user = await signUpAwa(auth)
    const token = await user.getIdToken()
    const claims = decodeJwt(token)
    const sign = (changed: Record<string, unknown>, key = emulator.dump().key) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .sign(key.privateJwk)
    const kindOf = async (header: string | undefined) => (await emulator.identify(header)).kind

    expect(await kindOf(undefined)).toBe('nobody')
    expect(await kindOf(`Bearer ${await sign({})}`)).toBe('user')
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
      expect([name, await kindOf(header)]).toEqual([name, 'invalid'])
  })
})

describe('the profile', () => {
  it('keeps the name, and tells it in the next token', async () => {
    const user = await signUpAwa(auth)
    await updateProfile(user, { displayName: 'Awa Diallo' })

    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA, PASSWORD)
    expect(elsewhere.displayName).toBe('Awa Diallo')
    expect((await user.getIdTokenResult()).claims).toMatchObject({ name: 'Awa Diallo' })

    await updateProfile(user, { displayName: '' })
    await reload(elsewhere)
    expect(elsewhere.displayName).toBeNull()
  })

  it('goes away with the account', async () => {
    const user = await signUpAwa(auth)
    const { user: elsewhere } = await signInWithEmailAndPassword(client(), AWA, PASSWORD)
    await deleteUser(user)

    expect(emulator.dump().accounts).toEqual([])
    expect(await codeOf(elsewhere.getIdToken(true))).toBe('auth/user-token-expired')
    expect(await codeOf(signInWithEmailAndPassword(client(), AWA, PASSWORD))).toBe('auth/user-not-found')
  })
})

describe('what it does not have', () => {
  it('answers 501 and reports the call', async () => {
    const user = await signUpAwa(auth)
    await codeOf(signInWithCredential(client(), FacebookAuthProvider.credential('token')))
    await codeOf(sendSignInLinkToEmail(auth, AWA, { url: CONTINUE, handleCodeInApp: true }))
    const lookup = '/identitytoolkit.googleapis.com/v1/accounts:lookup'
    expect(await served.post(`${lookup}?key=k`, { idToken: await user.getIdToken(), tenantId: 't' })).toEqual(
      {
        status: 501,
        body: {
          error: {
            code: 501,
            message: `NOT_IMPLEMENTED : The sandbox does not know POST ${lookup} (field tenantId)`,
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
      'auth: POST /identitytoolkit.googleapis.com/v1/accounts:signInWithIdp (field postBody, providerId, access_token)',
      'auth: POST /identitytoolkit.googleapis.com/v1/accounts:sendOobCode (field requestType)',
      `auth: POST ${lookup} (field tenantId)`,
      'auth: POST /identitytoolkit.googleapis.com/v1/projects/demo-test/accounts',
      'auth: POST /securetoken.googleapis.com/v2/token',
      'auth: POST /emulator/v1/projects/other/oobCodes',
      'auth: POST /emulator/auth/handler',
      'auth: POST /emulator/action (mode signIn)',
    ])
  })

  it('refuses a call without an API key, and one with a broken body', async () => {
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

describe('the stand-in itself', () => {
  it('forgets everything on reset, but keeps its key', async () => {
    const keys = emulator.jwks()
    await sendEmailVerification(await signUpAwa(client()))
    emulator.reset()
    expect(emulator.dump()).toEqual({ ...emulator.dump(), accounts: [], sessions: [], codes: [] })
    expect(emulator.jwks()).toEqual(keys)
  })

  it('goes on from a dump: accounts, sessions and tokens stay good', async () => {
    const user = await signUpAwa(auth)
    await sendEmailVerification(user)
    const token = await user.getIdToken()
    const dump = JSON.parse(JSON.stringify(emulator.dump()))

    await stop()
    await start()
    emulator.load(dump)
    expect((await emulator.identify(`Bearer ${token}`)).kind).toBe('user')
    expect(
      await exchange(served, { grant_type: 'refresh_token', refresh_token: user.refreshToken }),
    ).toMatchObject({
      user_id: user.uid,
    })
    // The emulator is at another address now, and its mails lead there.
    await visit(latestMail(emulator).link)
    const { user: again } = await signInWithEmailAndPassword(auth, AWA, PASSWORD)
    expect([again.uid, again.emailVerified]).toEqual([user.uid, true])
  })

  it('answers pages of other origins', async () => {
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
