import type { Firestore } from 'firebase-admin/firestore'
import { createRemoteJWKSet, errors, jwtVerify, UnsecuredJWT } from 'jose'
import { z } from 'zod'
import { err, ok, type Result } from '../../../domain/result.ts'
import { isOpenTo } from '../../../domain/waysIn.ts'
import { ownershipOf, users } from './records.ts'
import { type Refusal, refusal } from './refusals.ts'
import type { Settings } from './settings.ts'

/** Who calls, proven by a Firebase ID token. What was never proven is not among it. */
export interface Caller {
  readonly uid: string
  /** The number (E.164) that a code was sent to. */
  readonly phone?: string | undefined
  /** The address, once it is verified. */
  readonly email?: string | undefined
}

/** With it, how its holder signed in and when, and when the token was issued; both in UTC ms. */
export interface Session extends Caller {
  /** The sign-in service's name for it. */
  readonly way: string
  /** Has an address that is not verified. */
  readonly isUnverified: boolean
  readonly issuedAt: number
  readonly signedInAt: number
}

export type VerifyCaller = (
  authorization: string | null,
) => Promise<Result<Session, Refusal<'unauthenticated' | 'emailUnverified'>>>

const claims = z.object({
  sub: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^/]+$/),
  iat: z.number(),
  exp: z.number(),
  auth_time: z.number(),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  phone_number: z.string().optional(),
  firebase: z.object({ sign_in_provider: z.string() }),
})

/** The issuer's clock may be a little ahead of ours. */
const CLOCK_SKEW_SECONDS = 60

/**
 * Checks ID tokens: signature (RS256), audience, issuer, expiry, subject and time of sign-in. A user who signed
 * in with a password must have verified the address (Specification, section 6), here as well as on the screen. Whether
 * the account is open to who holds it is another question: see `callersOf`.
 * Tokens without a signature pass only with the official emulator, which makes no others.
 *
 * @throws when the signing keys can't be fetched: that says nothing about the caller.
 */
export function callerVerifier(
  { projectId, jwksUrl }: Pick<Settings, 'projectId' | 'jwksUrl'>,
  now: () => number,
): VerifyCaller {
  const keys = jwksUrl && createRemoteJWKSet(jwksUrl)
  const payloadOf = async (token: string) => {
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
    if (!token) return err(refusal('unauthenticated'))
    let payload: unknown
    try {
      payload = await payloadOf(token)
    } catch (error) {
      if (isAboutToken(error)) return err(refusal('unauthenticated'))
      throw error
    }
    const read = claims.safeParse(payload)
    const latest = now() / 1000 + CLOCK_SKEW_SECONDS
    if (!read.success || read.data.iat > latest || read.data.auth_time > latest)
      return err(refusal('unauthenticated'))
    const { sub, iat, auth_time, email, email_verified, phone_number: phone, firebase } = read.data
    if (firebase.sign_in_provider === 'password' && email_verified !== true)
      return err(refusal('emailUnverified'))
    return ok({
      uid: sub,
      phone,
      email: email_verified ? email : undefined,
      way: firebase.sign_in_provider,
      isUnverified: email !== undefined && email_verified !== true,
      issuedAt: iat * 1000,
      signedInAt: auth_time * 1000,
    })
  }
}

/**
 * The callers whose account is open to them by our own record of it. An account without a profile holds nothing yet, or
 * nothing any more: there a verified address is enough, or none.
 *
 * @throws when the token or the profile can't be read: that says nothing about the caller.
 */
export function callersOf(verifySession: VerifyCaller, db: Firestore): VerifyCaller {
  return async (authorization) => {
    const session = await verifySession(authorization)
    if (!session.ok) return session
    const profile = await users(db).doc(session.value.uid).get()
    const isOpen = profile.exists
      ? isOpenTo(ownershipOf(profile.data()), session.value)
      : !session.value.isUnverified
    return isOpen ? session : err(refusal('emailUnverified'))
  }
}

function isAboutToken(error: unknown): boolean {
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
