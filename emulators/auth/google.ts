import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import * as v from 'valibot'
import { defineOperation, failAuth, type Operation, textField } from './reply.ts'
import { findCaller, revokeSessions, signIn, signToken, verifyToken } from './sessions.ts'
import {
  type AuthAccount,
  type AuthContext,
  createAccount,
  findAccountByEmail,
  type GoogleProfile,
  normalizeEmail,
} from './state.ts'

const ISSUER = 'https://accounts.google.com'

interface GoogleClaims extends JWTPayload {
  sub: string
  email: string
  email_verified: boolean
  name: string
  nonce?: string
}

export const signGoogleToken = (core: AuthContext, profile: GoogleProfile, nonce: string): Promise<string> =>
  signToken(core, {
    iss: ISSUER,
    azp: core.googleClientId,
    aud: core.googleClientId,
    sub: profile.sub,
    email: profile.email,
    email_verified: profile.emailVerified,
    nonce,
    name: profile.name,
  })

const assertion = v.strictObject({
  requestUri: textField,
  postBody: v.pipe(
    v.string(),
    v.transform((form): unknown => Object.fromEntries(new URLSearchParams(form))),
    v.strictObject({ providerId: v.literal('google.com'), id_token: textField, nonce: textField }),
  ),
  idToken: textField,
  autoCreate: v.optional(v.boolean(), true),
  returnSecureToken: v.optional(v.boolean()),
})

/** With an ID token of the project, links Google to that token's account. */
const signInWithIdp = defineOperation(assertion, async (core, { postBody, idToken, autoCreate }) => {
  const claims = await verifyGoogleToken(core, postBody.id_token, postBody.nonce)
  const caller = idToken ? await findCaller(core, idToken) : null
  const google: GoogleProfile = {
    sub: claims.sub,
    email: normalizeEmail(claims.email),
    emailVerified: claims.email_verified,
    name: claims.name,
  }
  const linked = core.data.accounts.find((account) => account.google?.sub === google.sub)
  const sameEmail = findAccountByEmail(core, google.email)
  if (caller) {
    if (linked) return failAuth('FEDERATED_USER_ID_ALREADY_LINKED')
    if (sameEmail && sameEmail !== caller.account) return failAuth('EMAIL_EXISTS')
    link(caller.account, google)
    return signedIn(core, caller.account, google, false)
  }
  const existing = linked ?? sameEmail
  if (existing?.disabled) return failAuth('USER_DISABLED')
  if (linked) return signedIn(core, linked, google, false)
  if (sameEmail && !google.emailVerified)
    return {
      ...about(google),
      localId: sameEmail.localId,
      needConfirmation: true,
      verifiedProvider: [],
    }
  if (sameEmail) {
    takeOverAccount(core, sameEmail, google)
    return signedIn(core, sameEmail, google, false)
  }
  if (!autoCreate) return failAuth('USER_NOT_FOUND')
  const { email, emailVerified, name } = google
  const account = createAccount(core, { email, emailVerified, displayName: name, google })
  return signedIn(core, account, google, true)
})

function link(account: AuthAccount, google: GoogleProfile) {
  account.google = google
  account.email ??= google.email
  if (account.email === google.email) account.emailVerified ||= google.emailVerified
}

/** If the account never confirmed its address, its other sign-in methods are removed. */
function takeOverAccount(core: AuthContext, account: AuthAccount, google: GoogleProfile) {
  if (!account.emailVerified) {
    account.password = null
    account.phoneNumber = null
    revokeSessions(core, account)
  }
  account.displayName = google.name
  link(account, google)
}

const signedIn = async (
  core: AuthContext,
  account: AuthAccount,
  google: GoogleProfile,
  isNewUser: boolean,
) => ({
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

/** The token must be for this project's client and contain the hash of the request's nonce. */
async function verifyGoogleToken(core: AuthContext, token: string, rawNonce: string): Promise<GoogleClaims> {
  const expected = { issuer: ISSUER, audience: core.googleClientId, requiredClaims: ['sub', 'email'] }
  const claims = await verifyToken<GoogleClaims>(core, token, expected, 'INVALID_IDP_RESPONSE')
  const hash = createHash('sha256').update(rawNonce).digest('hex')
  if ((claims.nonce || rawNonce) && claims.nonce !== hash) failAuth('MISSING_OR_INVALID_NONCE')
  return claims
}

export const googleOperations: Readonly<Record<string, Operation>> = {
  'POST v1/accounts:signInWithIdp': signInWithIdp,
}
