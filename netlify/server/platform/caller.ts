import { errors, jwtVerify, UnsecuredJWT } from 'jose'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber } from '../../../domain/common/schema.ts'
import { createKeySet } from './keySet.ts'
import { buildRefusal, type Refusal } from './refusals.ts'
import type { Settings } from './settings.ts'

/** Contains only verified data. */
export interface Caller {
  readonly uid: string
  /** E.164. */
  readonly phone?: string | undefined
  readonly email?: string | undefined
  /** Includes the keys of a number that was unlinked since. */
  readonly knownKeys?: readonly string[] | undefined
}

/** Times are UTC ms. */
export interface CallerSession extends Caller {
  /** The sign-in service's name, such as 'password' or 'phone'. */
  readonly way: string
  readonly token: string
  readonly isUnverified: boolean
  readonly issuedAt: number
  readonly signedInAt: number
}

export type VerifyCaller = (
  authorization: string | null,
) => Promise<Result<CallerSession, Refusal<'unauthenticated' | 'emailUnverified'>>>

const claims = v.object({
  sub: v.pipe(v.string(), v.regex(/^[^/]{1,128}$/)),
  iat: finiteNumber,
  exp: finiteNumber,
  auth_time: finiteNumber,
  email: v.exactOptional(v.string()),
  email_verified: v.exactOptional(v.boolean()),
  phone_number: v.exactOptional(v.string()),
  firebase: v.object({ sign_in_provider: v.string() }),
})

/** The issuer's clock may be a little ahead of ours. */
const CLOCK_SKEW_SECONDS = 60

/**
 * Verifies ID tokens. `requireVerifiedEmail` and `createCallerVerifier` check whether the address is verified
 * and whether the caller may use the account. Unsigned tokens are accepted only from the official emulator,
 * which signs none. @throws when the signing keys can't be fetched, which says nothing about the caller.
 */
export function createTokenVerifier(
  { projectId, jwksUrl }: Pick<Settings, 'projectId' | 'jwksUrl'>,
  now: () => number,
): VerifyCaller {
  const keys = jwksUrl && createKeySet(jwksUrl)
  const verify = async (token: string) => {
    const expected = {
      audience: projectId,
      issuer: `https://securetoken.google.com/${projectId}`,
      currentDate: new Date(now()),
    }
    if (!keys) return UnsecuredJWT.decode(token, expected).payload
    return (await jwtVerify(token, keys, { ...expected, algorithms: ['RS256'] })).payload
  }

  return async (authorization) => {
    const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
    if (!token) return err(buildRefusal('unauthenticated'))
    let payload: unknown
    try {
      payload = await verify(token)
    } catch (error) {
      if (isTokenError(error)) return err(buildRefusal('unauthenticated'))
      throw error
    }
    const { success, output: read } = v.safeParse(claims, payload)
    const latest = now() / 1000 + CLOCK_SKEW_SECONDS
    if (!success || read.iat > latest || read.auth_time > latest) return err(buildRefusal('unauthenticated'))
    const { sub, iat, auth_time, email, email_verified, phone_number: phone } = read
    const way = read.firebase.sign_in_provider
    // Unlinking a number does not end the session that it opened.
    if (way === 'phone' && phone === undefined) return err(buildRefusal('unauthenticated'))
    return ok({
      uid: sub,
      phone,
      email: email_verified ? email : undefined,
      way,
      token,
      isUnverified: email_verified !== true && (email !== undefined || way === 'password'),
      issuedAt: iat * 1000,
      signedInAt: auth_time * 1000,
    })
  }
}

/** Specification, section 6. */
export function requireVerifiedEmail(verifyToken: VerifyCaller): VerifyCaller {
  return async (authorization) => {
    const session = await verifyToken(authorization)
    const isRefused = session.ok && session.value.way === 'password' && session.value.isUnverified
    return isRefused ? err(buildRefusal('emailUnverified')) : session
  }
}

/** False if the token could not be checked. */
export function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey
  )
}
