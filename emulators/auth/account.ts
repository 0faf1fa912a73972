import { z } from 'zod'
import { applyCode, findCode, resetPassword } from './actionCodes.ts'
import { type Account, accountByEmail, type Core, canonicalEmail, unlink } from './core.ts'
import { checkEmail, checkNewPassword, hashPassword } from './credentials.ts'
import { done, isRefusal, type Operation, operation, type Reply, refuse, text } from './reply.ts'
import { callerOf, checkRecentLogin, openSession, revokeSessions } from './sessions.ts'

const lookup = operation(z.strictObject({ idToken: text }), async (core, { idToken }) => {
  const caller = await callerOf(core, idToken)
  if (isRefusal(caller)) return caller
  return done({ kind: 'identitytoolkit#GetAccountInfoResponse', users: [userInfo(caller.account)] })
})

const changes = z.strictObject({
  idToken: text,
  oobCode: text,
  email: text,
  password: text,
  displayName: z.string().nullish(),
  deleteProvider: z.array(z.string()).default([]),
  returnSecureToken: z.boolean().optional(),
})

const update = operation(changes, async (core, request) => {
  if (request.oobCode) {
    const applied = applyCode(core, request.oobCode)
    return isRefusal(applied) ? applied : done(updated(applied.account))
  }
  const caller = await callerOf(core, request.idToken)
  if (isRefusal(caller)) return caller
  const { account } = caller
  const { email, password, displayName, deleteProvider } = request

  const problem =
    (email || password ? checkRecentLogin(core, caller) : null) ??
    (email ? checkEmail(email) : null) ??
    (password ? checkNewPassword(password) : null)
  if (problem) return problem
  const hashed = password && (await hashPassword(password, core.clock.now()))

  if (email && canonicalEmail(email) !== account.email) {
    if (core.data.emailEnumerationProtection) {
      return refuse('OPERATION_NOT_ALLOWED', 'Please verify the new email before changing email.')
    }
    if (accountByEmail(core, email)) return refuse('EMAIL_EXISTS')
    account.email = canonicalEmail(email)
    account.emailVerified = false
    revokeSessions(core, account)
  }
  if (hashed) {
    account.password = hashed
    revokeSessions(core, account)
  }
  unlink(account, deleteProvider)
  if (displayName !== undefined) account.displayName = displayName ?? ''
  return done({ ...updated(account), ...(request.returnSecureToken && (await openSession(core, caller))) })
})

const remove = operation(z.strictObject({ idToken: text }), async (core, { idToken }) => {
  const caller = await callerOf(core, idToken)
  if (isRefusal(caller)) return caller
  const tooOld = checkRecentLogin(core, caller)
  return tooOld ?? removeAccount(core, caller.account)
})

export function removeAccount(core: Core, account: Account): Reply {
  core.data.accounts = core.data.accounts.filter((one) => one !== account)
  return done({ kind: 'identitytoolkit#DeleteAccountResponse' })
}

const codeUse = z.strictObject({ oobCode: text, newPassword: z.string().optional() })

/** Without a new password it only tells what a code is for. */
const reset = operation(codeUse, async (core, { oobCode, newPassword }) => {
  const found = findCode(core, oobCode)
  if (isRefusal(found)) return found
  const { requestType, email, newEmail } = found.code
  if (newPassword !== undefined) {
    const changed = await resetPassword(core, oobCode, newPassword)
    if (isRefusal(changed)) return changed
  }
  return done({
    kind: 'identitytoolkit#ResetPasswordResponse',
    requestType,
    email,
    ...(newEmail && { newEmail }),
  })
})

const recaptchaQuery = z.strictObject({ clientType: z.string().optional(), version: z.string().optional() })

const recaptchaConfig = operation(recaptchaQuery, (core) =>
  done({
    recaptchaKey: `projects/${core.projectId}/keys/sandbox`,
    recaptchaEnforcementState: ['EMAIL_PASSWORD_PROVIDER', 'PHONE_PROVIDER'].map((provider) => ({
      provider,
      enforcementState: 'OFF',
    })),
  }),
)

/** What any account can do, however it signs in. */
export const accountOperations: Readonly<Record<string, Operation>> = {
  'POST v1/accounts:lookup': lookup,
  'POST v1/accounts:update': update,
  'POST v1/accounts:delete': remove,
  'POST v1/accounts:resetPassword': reset,
  'GET v2/recaptchaConfig': recaptchaConfig,
}

/** The real service never tells a hash, but the SDK looks whether there is one. */
const REDACTED = Buffer.from('REDACTED').toString('base64')

const profile = (account: Account) => ({
  localId: account.localId,
  ...(account.email && { email: account.email, emailVerified: account.emailVerified }),
  ...(account.phoneNumber && { phoneNumber: account.phoneNumber }),
  ...names(account),
  ...(account.password && { passwordHash: REDACTED }),
  providerUserInfo: [...waysIn(account)],
})

function* waysIn(account: Account) {
  const { email, phoneNumber, google } = account
  if (account.password && email)
    yield { providerId: 'password', federatedId: email, rawId: email, email, ...names(account) }
  if (phoneNumber) yield { providerId: 'phone', rawId: phoneNumber, phoneNumber }
  if (google)
    yield {
      providerId: 'google.com',
      federatedId: google.sub,
      rawId: google.sub,
      email: google.email,
      displayName: google.name,
    }
}

const names = ({ displayName }: Account) => ({ ...(displayName && { displayName }) })

const updated = (account: Account) => ({
  kind: 'identitytoolkit#SetAccountInfoResponse',
  ...profile(account),
})

export const userInfo = (account: Account) => ({
  ...profile(account),
  ...(account.password && { passwordUpdatedAt: account.password.updatedAt }),
  ...(account.disabled && { disabled: true }),
  validSince: String(Math.floor(account.validSince / 1000)),
  createdAt: String(account.createdAt),
  lastLoginAt: String(account.lastLoginAt),
  lastRefreshAt: new Date(account.lastRefreshAt).toISOString(),
})
