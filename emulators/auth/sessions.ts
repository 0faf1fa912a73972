import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { createSecret } from '../emulator.ts'
import { failAuth } from './reply.ts'
import {
  type AuthAccount,
  type AuthContext,
  type AuthSession,
  findAccountById,
  type Provider,
  type SigningKey,
} from './state.ts'

const TOKEN_SECONDS = 3600
const RECENT_LOGIN_MS = 5 * 60_000

export interface AuthCaller {
  readonly account: AuthAccount
  readonly provider: Provider
  readonly authTime: number
}

export interface Tokens {
  readonly idToken: string
  readonly refreshToken: string
  readonly expiresIn: string
}

/** Every sign-in method calls this. */
export async function signIn(core: AuthContext, account: AuthAccount, provider: Provider): Promise<Tokens> {
  const now = core.clock.now()
  account.lastLoginAt = now
  return openSession(core, { account, provider, authTime: now })
}

/** `authTime` stays the time of the last login. */
export async function openSession(
  core: AuthContext,
  { account, provider, authTime }: AuthCaller,
): Promise<Tokens> {
  const session: AuthSession = {
    refreshToken: createSecret(),
    localId: account.localId,
    provider,
    authTime,
    revoked: false,
  }
  core.data.sessions.push(session)
  return issueTokens(core, account, session)
}

export async function refreshSession(
  core: AuthContext,
  refreshToken: string,
): Promise<Tokens & { localId: string }> {
  const session = core.data.sessions.find((one) => one.refreshToken === refreshToken)
  if (!session) return failAuth('INVALID_REFRESH_TOKEN')
  const account = findAccountById(core, session.localId)
  if (!account) return failAuth('USER_NOT_FOUND')
  if (account.disabled) return failAuth('USER_DISABLED')
  if (session.revoked) return failAuth('TOKEN_EXPIRED')
  return { ...(await issueTokens(core, account, session)), localId: account.localId }
}

export function revokeSessions(core: AuthContext, account: AuthAccount, validSince = core.clock.now()): void {
  account.validSince = validSince
  for (const session of core.data.sessions) {
    if (session.localId === account.localId) session.revoked = true
  }
}

/** Tokens issued from now on contain the earlier time. */
export function backdateLastLogin(core: AuthContext, localId: string, byMs: number): void {
  for (const session of core.data.sessions) {
    if (session.localId === localId) session.authTime -= byMs
  }
}

export async function findCaller(core: AuthContext, idToken: string): Promise<AuthCaller> {
  if (!idToken) return failAuth('MISSING_ID_TOKEN')
  const claims = await verifyIdToken(core, idToken)
  const account = findAccountById(core, claims.sub)
  if (!account) return failAuth('USER_NOT_FOUND')
  if (account.disabled) return failAuth('USER_DISABLED')
  if (claims.iat < seconds(account.validSince)) return failAuth('TOKEN_EXPIRED')
  return { account, provider: claims.firebase.sign_in_provider, authTime: claims.auth_time * 1000 }
}

/** A sensitive change requires a login within the last five minutes. */
export function checkRecentLogin(core: AuthContext, { authTime }: AuthCaller): void {
  if (core.clock.now() - authTime > RECENT_LOGIN_MS) failAuth('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
}

export interface IdTokenClaims extends JWTPayload {
  sub: string
  iat: number
  auth_time: number
  firebase: { identities: Record<string, string[]>; sign_in_provider: Provider }
}

export const verifyIdToken = (core: AuthContext, idToken: string): Promise<IdTokenClaims> =>
  verifyToken(
    core,
    idToken,
    {
      issuer: buildIssuer(core),
      audience: core.projectId,
      requiredClaims: ['sub', 'iat', 'exp', 'auth_time', 'firebase'],
    },
    'INVALID_ID_TOKEN',
  )

/** Refuses an invalid token with `code`. */
export async function verifyToken<Claims extends JWTPayload>(
  { clock, data }: AuthContext,
  token: string,
  expected: Required<Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'>>,
  code: string,
): Promise<Claims> {
  const options = { ...expected, algorithms: ['RS256'], currentDate: new Date(clock.now()) }
  try {
    return (await jwtVerify<Claims>(token, buildPublicJwk(data.key), options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return failAuth(code, error.message)
    throw error
  }
}

/** Valid for an hour. Firebase's and Google's tokens share one key. */
export function signToken({ clock, data }: AuthContext, claims: JWTPayload): Promise<string> {
  const issuedAt = seconds(clock.now())
  const { kid, privateJwk } = data.key
  return new SignJWT({ ...claims, iat: issuedAt, exp: issuedAt + TOKEN_SECONDS })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .sign(privateJwk)
}

export const buildPublicJwk = ({ kid, privateJwk: { kty, n, e } }: SigningKey) =>
  ({ kty, n, e, kid, alg: 'RS256', use: 'sig' }) as const

async function issueTokens(core: AuthContext, account: AuthAccount, session: AuthSession): Promise<Tokens> {
  account.lastRefreshAt = core.clock.now()
  return {
    idToken: await signIdToken(core, account, session),
    refreshToken: session.refreshToken,
    expiresIn: String(TOKEN_SECONDS),
  }
}

const signIdToken = (core: AuthContext, account: AuthAccount, session: AuthSession): Promise<string> =>
  signToken(core, {
    ...(account.displayName && { name: account.displayName }),
    iss: buildIssuer(core),
    aud: core.projectId,
    auth_time: seconds(session.authTime),
    user_id: account.localId,
    sub: account.localId,
    ...(account.email && { email: account.email, email_verified: account.emailVerified }),
    ...(account.phoneNumber && { phone_number: account.phoneNumber }),
    firebase: { identities: identities(account), sign_in_provider: session.provider },
  })

const identities = ({ google, email, phoneNumber }: AuthAccount) => ({
  ...(google && { 'google.com': [google.sub] }),
  ...(email && { email: [email] }),
  ...(phoneNumber && { phone: [phoneNumber] }),
})

const buildIssuer = ({ projectId }: AuthContext) => `https://securetoken.google.com/${projectId}`

const seconds = (ms: number) => Math.floor(ms / 1000)
