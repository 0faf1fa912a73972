import { createHash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import {
  type Account,
  accountByEmail,
  type Core,
  canonicalEmail,
  createAccount,
  type GoogleProfile,
} from './core.ts'
import { done, isRefusal, type Operation, operation, type Refusal, refuse, text } from './reply.ts'
import { callerOf, publicJwk, revokeSessions, signIn } from './sessions.ts'

const ISSUER = 'https://accounts.google.com'
const TOKEN_SECONDS = 3600

interface GoogleClaims extends JWTPayload {
  sub: string
  email: string
  email_verified: boolean
  name: string
  nonce?: string
}

/** The ID token that Google gives to a client for the account that somebody chose. */
export function signGoogleToken(core: Core, profile: GoogleProfile, nonce: string): Promise<string> {
  const issuedAt = Math.floor(core.clock.now() / 1000)
  const { kid, privateJwk } = core.data.key
  const { sub, email, emailVerified, name } = profile
  return new SignJWT({
    iss: ISSUER,
    azp: core.googleClientId,
    aud: core.googleClientId,
    sub,
    email,
    email_verified: emailVerified,
    nonce,
    name,
    iat: issuedAt,
    exp: issuedAt + TOKEN_SECONDS,
  })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .sign(privateJwk)
}

const assertion = z.strictObject({
  requestUri: text,
  postBody: z.preprocess(
    (form) => Object.fromEntries(new URLSearchParams(String(form ?? ''))),
    z.strictObject({ providerId: z.literal('google.com'), id_token: text, nonce: text }),
  ),
  idToken: text,
  autoCreate: z.boolean().default(true),
  returnSecureToken: z.boolean().optional(),
})

/** Signs in or up with a Google ID token; with an ID token of the project, links Google to that account. */
const signInWithIdp = operation(assertion, async (core, { postBody, idToken, autoCreate }) => {
  const claims = await readGoogleToken(core, postBody.id_token, postBody.nonce)
  if (isRefusal(claims)) return claims
  const caller = idToken ? await callerOf(core, idToken) : null
  if (caller && isRefusal(caller)) return caller
  const google: GoogleProfile = {
    sub: claims.sub,
    email: canonicalEmail(claims.email),
    emailVerified: claims.email_verified,
    name: claims.name,
  }
  const linked = core.data.accounts.find((account) => account.google?.sub === google.sub)
  const sameEmail = accountByEmail(core, google.email)
  if (caller) {
    if (linked) return refuse('FEDERATED_USER_ID_ALREADY_LINKED')
    if (sameEmail && sameEmail !== caller.account) return refuse('EMAIL_EXISTS')
    link(caller.account, google)
    return signedIn(core, caller.account, google, false)
  }
  const existing = linked ?? sameEmail
  if (existing?.disabled) return refuse('USER_DISABLED')
  if (linked) return signedIn(core, linked, google, false)
  if (sameEmail && !google.emailVerified)
    return done({
      ...about(google),
      localId: sameEmail.localId,
      needConfirmation: true,
      verifiedProvider: [],
    })
  if (sameEmail) {
    takeOver(core, sameEmail, google)
    return signedIn(core, sameEmail, google, false)
  }
  if (!autoCreate) return refuse('USER_NOT_FOUND')
  const { email, emailVerified, name } = google
  const account = createAccount(core, { email, emailVerified, displayName: name, google })
  return signedIn(core, account, google, true)
})

function link(account: Account, google: GoogleProfile) {
  account.google = google
  account.email ??= google.email
  if (account.email === google.email) account.emailVerified ||= google.emailVerified
}

/**
 * Google vouches for the address: the account of that address is its holder's. What somebody set up there
 * without ever confirming the address goes away.
 */
function takeOver(core: Core, account: Account, google: GoogleProfile) {
  if (!account.emailVerified) {
    account.password = null
    account.phoneNumber = null
    revokeSessions(core, account)
  }
  account.displayName = google.name
  link(account, google)
}

const signedIn = async (core: Core, account: Account, google: GoogleProfile, isNewUser: boolean) =>
  done({
    ...about(google),
    localId: account.localId,
    isNewUser,
    ...(await signIn(core, account, 'google.com')),
  })

const about = ({ sub, email, emailVerified, name }: GoogleProfile) => ({
  kind: 'identitytoolkit#VerifyAssertionResponse',
  providerId: 'google.com',
  federatedId: `${ISSUER}/${sub}`,
  email,
  emailVerified,
  displayName: name,
  fullName: name,
  rawUserInfo: JSON.stringify({ id: sub, email, verified_email: emailVerified, name }),
})

/** The claims of a Google ID token for this project's client, whose nonce is the hash of the request's. */
async function readGoogleToken(core: Core, token: string, rawNonce: string): Promise<GoogleClaims | Refusal> {
  try {
    const { payload } = await jwtVerify<GoogleClaims>(token, publicJwk(core.data.key), {
      algorithms: ['RS256'],
      issuer: ISSUER,
      audience: core.googleClientId,
      requiredClaims: ['sub', 'email'],
      currentDate: new Date(core.clock.now()),
    })
    return checkNonce(payload, rawNonce) ?? payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return refuse('INVALID_IDP_RESPONSE', error.message)
    throw error
  }
}

function checkNonce({ nonce }: GoogleClaims, rawNonce: string): Refusal | null {
  if (!nonce && !rawNonce) return null
  const isRight = createHash('sha256').update(rawNonce).digest('hex') === nonce
  return isRight ? null : refuse('MISSING_OR_INVALID_NONCE')
}

/** Accounts with Google: sign-up, sign-in and linking. */
export const googleOperations: Readonly<Record<string, Operation>> = {
  'POST v1/accounts:signInWithIdp': signInWithIdp,
}
