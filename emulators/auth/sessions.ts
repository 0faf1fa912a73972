import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { newSecret } from '../emulator.ts'
import { type Account, accountById, type Core, type Provider, type Session, type SigningKey } from './core.ts'
import { isRefusal, type Refusal, refuse } from './reply.ts'

const TOKEN_SECONDS = 3600
const RECENT_LOGIN_MS = 5 * 60_000

/** The account that an ID token speaks for, and how its owner signed in. */
export interface Caller {
  readonly account: Account
  readonly provider: Provider
  readonly authTime: number
}

export interface Tokens {
  readonly idToken: string
  readonly refreshToken: string
  readonly expiresIn: string
}

/** Signs an account in: every way of signing in ends here. */
export async function signIn(core: Core, account: Account, provider: Provider): Promise<Tokens> {
  const now = core.clock.now()
  account.lastLoginAt = now
  return openSession(core, { account, provider, authTime: now })
}

/** New tokens for somebody who is signed in already; it does not count as a fresh login. */
export async function openSession(core: Core, { account, provider, authTime }: Caller): Promise<Tokens> {
  const session: Session = {
    refreshToken: newSecret(),
    localId: account.localId,
    provider,
    authTime,
    revoked: false,
  }
  core.data.sessions.push(session)
  return renew(core, account, session)
}

/** Tokens for the holder of a refresh token. */
export async function refreshSession(
  core: Core,
  refreshToken: string,
): Promise<(Tokens & { localId: string }) | Refusal> {
  const session = core.data.sessions.find((one) => one.refreshToken === refreshToken)
  if (!session) return refuse('INVALID_REFRESH_TOKEN')
  const account = accountById(core, session.localId)
  if (!account) return refuse('USER_NOT_FOUND')
  if (account.disabled) return refuse('USER_DISABLED')
  if (session.revoked) return refuse('TOKEN_EXPIRED')
  return { ...(await renew(core, account, session)), localId: account.localId }
}

/** Ends everything that was signed in before, as with the old password or address. */
export function revokeSessions(core: Core, account: Account, validSince = core.clock.now()): void {
  account.validSince = validSince
  for (const session of core.data.sessions) {
    if (session.localId === account.localId) session.revoked = true
  }
}

/** Makes it so long since the account's owner signed in, in milliseconds: what a token that is made from now on says. */
export function ageSessions(core: Core, localId: string, byMs: number): void {
  for (const session of core.data.sessions) {
    if (session.localId === localId) session.authTime -= byMs
  }
}

/** Whom an ID token speaks for, as of now. */
export async function callerOf(core: Core, idToken: string): Promise<Caller | Refusal> {
  if (!idToken) return refuse('MISSING_ID_TOKEN')
  const claims = await verifyIdToken(core, idToken)
  if (isRefusal(claims)) return refuse('INVALID_ID_TOKEN')
  const account = accountById(core, claims.sub)
  if (!account) return refuse('USER_NOT_FOUND')
  if (account.disabled) return refuse('USER_DISABLED')
  if (claims.iat < seconds(account.validSince)) return refuse('TOKEN_EXPIRED')
  return { account, provider: claims.firebase.sign_in_provider, authTime: claims.auth_time * 1000 }
}

/** Changing what an account is reached by needs somebody who signed in within five minutes. */
export const checkRecentLogin = (core: Core, { authTime }: Caller): Refusal | null =>
  core.clock.now() - authTime > RECENT_LOGIN_MS ? refuse('CREDENTIAL_TOO_OLD_LOGIN_AGAIN') : null

export interface IdTokenClaims extends JWTPayload {
  sub: string
  iat: number
  auth_time: number
  firebase: { identities: Record<string, string[]>; sign_in_provider: Provider }
}

/** The claims of an ID token of this project; refused with the reason when it is not one or is expired. */
export async function verifyIdToken(core: Core, idToken: string): Promise<IdTokenClaims | Refusal> {
  try {
    const { payload } = await jwtVerify<IdTokenClaims>(idToken, publicJwk(core.data.key), {
      algorithms: ['RS256'],
      issuer: issuerOf(core),
      audience: core.projectId,
      requiredClaims: ['sub', 'iat', 'exp', 'auth_time', 'firebase'],
      currentDate: new Date(core.clock.now()),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return refuse('INVALID_ID_TOKEN', error.message)
    throw error
  }
}

export const publicJwk = ({ kid, privateJwk: { kty, n, e } }: SigningKey) =>
  ({ kty, n, e, kid, alg: 'RS256', use: 'sig' }) as const

async function renew(core: Core, account: Account, session: Session): Promise<Tokens> {
  account.lastRefreshAt = core.clock.now()
  return {
    idToken: await signIdToken(core, account, session),
    refreshToken: session.refreshToken,
    expiresIn: String(TOKEN_SECONDS),
  }
}

function signIdToken(core: Core, account: Account, session: Session): Promise<string> {
  const issuedAt = seconds(core.clock.now())
  const { kid, privateJwk } = core.data.key
  return new SignJWT({
    ...(account.displayName && { name: account.displayName }),
    iss: issuerOf(core),
    aud: core.projectId,
    auth_time: seconds(session.authTime),
    user_id: account.localId,
    sub: account.localId,
    iat: issuedAt,
    exp: issuedAt + TOKEN_SECONDS,
    ...(account.email && { email: account.email, email_verified: account.emailVerified }),
    ...(account.phoneNumber && { phone_number: account.phoneNumber }),
    firebase: { identities: identities(account), sign_in_provider: session.provider },
  })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .sign(privateJwk)
}

const identities = ({ google, email, phoneNumber }: Account) => ({
  ...(google && { 'google.com': [google.sub] }),
  ...(email && { email: [email] }),
  ...(phoneNumber && { phone: [phoneNumber] }),
})

const issuerOf = ({ projectId }: Core) => `https://securetoken.google.com/${projectId}`

const seconds = (ms: number) => Math.floor(ms / 1000)
