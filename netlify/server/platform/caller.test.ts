import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { serve } from 'service-emulators/serve'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/duration.ts'
import { callerVerifier } from './caller.ts'

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

const verifier = () => callerVerifier({ projectId, jwksUrl: new URL(server.origin) }, () => NOW)

const codeOf = async (authorization: string | null, verify = verifier()) => {
  const result = await verify(authorization)
  return result.ok ? result.value : result.error.code
}

describe('callers', () => {
  test('are who their ID token says', async () => {
    expect(await codeOf(`Bearer ${await signed(claims)}`)).toEqual(ADA)
  })

  test('without a token are nobody', async () => {
    for (const header of [null, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer nonsense'])
      expect(await codeOf(header)).toBe('unauthenticated')
  })

  test.each<[string, JWTPayload]>([
    ['expired', { ...claims, exp: seconds }],
    ['of another project', { ...claims, aud: 'another' }],
    ['of another issuer', { ...claims, iss: 'https://securetoken.google.com/another' }],
    ['without a subject', without('sub')],
    ['with an empty subject', { ...claims, sub: '' }],
    ['with a subject that is a path', { ...claims, sub: 'ada/private' }],
    ['without an expiry', without('exp')],
    ['without a time of sign-in', without('auth_time')],
    ['signed in in the future', { ...claims, auth_time: seconds + 61 }],
    ['issued in the future', { ...claims, iat: seconds + 61 }],
    ['not of a sign-in', without('firebase')],
  ])('with a token %s are refused', async (_, payload) => {
    expect(await codeOf(`Bearer ${await signed(payload)}`)).toBe('unauthenticated')
  })

  test('with a token that somebody else signed, or nobody, are refused', async () => {
    expect(await codeOf(`Bearer ${await signed(claims, foreign.privateKey)}`)).toBe('unauthenticated')
    expect(await codeOf(`Bearer ${await signed(claims, foreign.privateKey, 'two')}`)).toBe('unauthenticated')
    expect(await codeOf(`Bearer ${unsigned(claims)}`)).toBe('unauthenticated')
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(JSON.stringify(jwks.keys[0])))
    expect(await codeOf(`Bearer ${symmetric}`)).toBe('unauthenticated')
  })

  test('with a changed token are refused', async () => {
    const [header, , signature] = (await signed(claims)).split('.')
    const body = Buffer.from(JSON.stringify({ ...claims, sub: 'eve' })).toString('base64url')
    expect(await codeOf(`Bearer ${header}.${body}.${signature}`)).toBe('unauthenticated')
  })

  test('who signed in with a password have verified their address', async () => {
    const token = await signed({ ...claims, email_verified: false })
    expect(await codeOf(`Bearer ${token}`)).toBe('emailUnverified')
    expect(await codeOf(`Bearer ${await signed(without('email_verified'))}`)).toBe('emailUnverified')
    const byPhone = { ...without('email_verified'), firebase: { sign_in_provider: 'phone' } }
    expect(await codeOf(`Bearer ${await signed(byPhone)}`)).toEqual({ ...ADA, way: 'phone' })
    expect(await codeOf(`Bearer ${await signed({ ...byPhone, email: 'ada@example.com' })}`)).toEqual({
      ...ADA,
      way: 'phone',
      isUnverified: true,
    })
  })

  test('are not called liars when the signing keys are out of reach', async () => {
    const down = await serve(() => new Response(null, { status: 500 }))
    const verify = callerVerifier({ projectId, jwksUrl: new URL(down.origin) }, () => NOW)
    await expect(verify(`Bearer ${await signed(claims)}`)).rejects.toThrow()
    await down.close()
  })

  test('have unsigned tokens only with an issuer that signs none', async () => {
    const verify = callerVerifier({ projectId, jwksUrl: null }, () => NOW)
    expect(await codeOf(`Bearer ${unsigned(claims)}`, verify)).toEqual(ADA)
    expect(await codeOf(`Bearer ${unsigned({ ...claims, exp: seconds })}`, verify)).toBe('unauthenticated')
    expect(await codeOf(`Bearer ${unsigned({ ...claims, aud: 'another' })}`, verify)).toBe('unauthenticated')
    expect(await codeOf(`Bearer ${await signed(claims)}`, verify)).toBe('unauthenticated')
  })
})
