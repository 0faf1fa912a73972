import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { serve } from 'service-emulators/serve'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { createTokenVerifier, requireVerifiedEmail } from './caller.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const seconds = NOW / 1000
const projectId = 'demo-passerelle'

const claims = {
  iss: `https://securetoken.google.com/${projectId}`,
  aud: projectId,
  sub: 'ada',
  iat: seconds - 50,
  exp: seconds + 3540,
  auth_time: seconds - 60,
  email_verified: true,
  firebase: { sign_in_provider: 'password' },
}

const ADA = {
  uid: 'ada',
  way: 'password',
  isUnverified: false,
  issuedAt: NOW - 50_000,
  signedInAt: NOW - MINUTE,
}

const keys = await generateKeyPair('RS256')
const foreign = await generateKeyPair('RS256')
const ids = { kid: 'one', alg: 'RS256' }
const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), ...ids, use: 'sig' }] }

const signed = (payload: JWTPayload, key = keys.privateKey, kid = 'one') =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
const unsigned = (payload: JWTPayload) => new UnsecuredJWT(payload).encode()
const without = (claim: keyof typeof claims) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim))

let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(() => Response.json(jwks))
})
afterAll(() => server.close())

const callerVerifier = (...settings: Parameters<typeof createTokenVerifier>) =>
  requireVerifiedEmail(createTokenVerifier(...settings))
const verifier = () => callerVerifier({ projectId, jwksUrl: new URL(server.origin) }, () => NOW)

const verifyHeader = async (authorization: string | null, verify = verifier()) => {
  const result = await verify(authorization)
  return result.ok ? result.value : result.error.code
}

describe('verifying callers', () => {
  test('accepts the caller of a valid ID token', async () => {
    expect(await verifyHeader(`Bearer ${await signed(claims)}`)).toMatchObject(ADA)
  })

  test('refuses a missing or malformed token', async () => {
    for (const header of [null, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer nonsense'])
      expect(await verifyHeader(header)).toBe('unauthenticated')
  })

  test.each<[string, JWTPayload]>([
    ['that has expired', { ...claims, exp: seconds }],
    ['of another project', { ...claims, aud: 'another' }],
    ['of another issuer', { ...claims, iss: 'https://securetoken.google.com/another' }],
    ['without a subject', without('sub')],
    ['with an empty subject', { ...claims, sub: '' }],
    ['with a subject that is a path', { ...claims, sub: 'ada/private' }],
    ['without an expiry', without('exp')],
    ['without a time of sign-in', without('auth_time')],
    ['of a sign-in in the future', { ...claims, auth_time: seconds + 61 }],
    ['that is issued in the future', { ...claims, iat: seconds + 61 }],
    ['without a sign-in provider', without('firebase')],
  ])('refuses a token %s', async (_, payload) => {
    expect(await verifyHeader(`Bearer ${await signed(payload)}`)).toBe('unauthenticated')
  })

  test('a token without the right key and algorithm is refused', async () => {
    expect(await verifyHeader(`Bearer ${await signed(claims, foreign.privateKey)}`)).toBe('unauthenticated')
    expect(await verifyHeader(`Bearer ${await signed(claims, foreign.privateKey, 'two')}`)).toBe(
      'unauthenticated',
    )
    expect(await verifyHeader(`Bearer ${unsigned(claims)}`)).toBe('unauthenticated')
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(jwks.keys[0])))
    expect(await verifyHeader(`Bearer ${symmetric}`)).toBe('unauthenticated')
  })

  test('refuses a token whose payload was changed', async () => {
    const [header, , signature] = (await signed(claims)).split('.')
    const body = Buffer.from(JSON.stringify({ ...claims, sub: 'eve' })).toString('base64url')
    expect(await verifyHeader(`Bearer ${header}.${body}.${signature}`)).toBe('unauthenticated')
  })

  test('only a password’s session needs a verified address', async () => {
    const token = await signed({ ...claims, email_verified: false })
    expect(await verifyHeader(`Bearer ${token}`)).toBe('emailUnverified')
    expect(await verifyHeader(`Bearer ${await signed(without('email_verified'))}`)).toBe('emailUnverified')
    const byPhone = {
      ...without('email_verified'),
      phone_number: '+33612345678',
      firebase: { sign_in_provider: 'phone' },
    }
    expect(await verifyHeader(`Bearer ${await signed(byPhone)}`)).toMatchObject({ ...ADA, way: 'phone' })
    expect(
      await verifyHeader(`Bearer ${await signed({ ...byPhone, email: 'ada@example.com' })}`),
    ).toMatchObject({
      ...ADA,
      way: 'phone',
      isUnverified: true,
    })
  })

  test('refuses a session by phone whose number was unlinked', async () => {
    const byPhone = { ...claims, email: 'ada@example.com', firebase: { sign_in_provider: 'phone' } }
    expect(await verifyHeader(`Bearer ${await signed(byPhone)}`)).toBe('unauthenticated')
    const linked = { ...byPhone, phone_number: '+33612345678' }
    expect(await verifyHeader(`Bearer ${await signed(linked)}`)).toMatchObject({ way: 'phone' })
  })

  test('missing signing keys throw instead of refusing a token', async () => {
    const down = await serve(() => new Response(null, { status: 500 }))
    const verify = callerVerifier({ projectId, jwksUrl: new URL(down.origin) }, () => NOW)
    await expect(verify(`Bearer ${await signed(claims)}`)).rejects.toThrow()
    await down.close()
  })

  /** Serves the signing keys until `breakDown`. Only the date is fake. */
  async function serveKeys() {
    let isUp = true
    const flaky = await serve(() => (isUp ? Response.json(jwks) : new Response(null, { status: 500 })))
    onTestFinished(() => flaky.close())
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const breakDown = () => {
      isUp = false
    }
    const verify = callerVerifier({ projectId, jwksUrl: new URL(flaky.origin) }, () => NOW)
    return { verify, token: `Bearer ${await signed(claims)}`, breakDown }
  }

  test('cached signing keys verify tokens for a day', async () => {
    const { verify, token, breakDown } = await serveKeys()
    expect(await verifyHeader(token, verify)).toMatchObject(ADA)
    breakDown()
    vi.advanceTimersByTime(DAY - 1)
    expect(await verifyHeader(token, verify)).toMatchObject(ADA)
    vi.advanceTimersByTime(1)
    await expect(verify(token)).rejects.toThrow()
  })

  test('hourly refreshed keys survive an outage of a day', async () => {
    const { verify, token, breakDown } = await serveKeys()
    await verify(token)
    vi.advanceTimersByTime(23 * HOUR)
    await verify(token)
    breakDown()
    vi.advanceTimersByTime(DAY - 1)
    expect(await verifyHeader(token, verify)).toMatchObject(ADA)
  })

  test('accepts only unsigned tokens if no signing keys are configured', async () => {
    const verify = callerVerifier({ projectId, jwksUrl: null }, () => NOW)
    expect(await verifyHeader(`Bearer ${unsigned(claims)}`, verify)).toMatchObject(ADA)
    expect(await verifyHeader(`Bearer ${unsigned({ ...claims, exp: seconds })}`, verify)).toBe(
      'unauthenticated',
    )
    expect(await verifyHeader(`Bearer ${unsigned({ ...claims, aud: 'another' })}`, verify)).toBe(
      'unauthenticated',
    )
    expect(await verifyHeader(`Bearer ${await signed(claims)}`, verify)).toBe('unauthenticated')
  })
})
