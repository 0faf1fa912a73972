import * as v from 'valibot'
import { applyCode, findCode, resetPassword } from './actionCodes.ts'
import { checkEmail, checkNewPassword, hashPassword, PASSWORD_SYMBOLS } from './credentials.ts'
import { defineOperation, failAuth, type Operation, textField } from './reply.ts'
import { checkRecentLogin, findCaller, openSession, revokeSessions } from './sessions.ts'
import {
  type AuthAccount,
  type AuthContext,
  findAccountByEmail,
  normalizeEmail,
  unlinkProviders,
} from './state.ts'

const lookup = defineOperation(v.strictObject({ idToken: textField }), async (core, { idToken }) => {
  const caller = await findCaller(core, idToken)
  return {
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [buildUserInfo(caller.account)],
  }
})

const changes = v.strictObject({
  idToken: textField,
  oobCode: textField,
  email: textField,
  password: textField,
  displayName: v.nullish(v.string()),
  deleteProvider: v.optional(v.array(v.string()), []),
  returnSecureToken: v.optional(v.boolean()),
})

const update = defineOperation(changes, async (core, request) => {
  if (request.oobCode) {
    return buildUpdateResponse(applyCode(core, request.oobCode))
  }
  const caller = await findCaller(core, request.idToken)
  const { account } = caller
  const { email, password, displayName, deleteProvider } = request

  if (email || password) checkRecentLogin(core, caller)
  if (email) checkEmail(email)
  if (password) checkNewPassword(core, password)
  const newPassword = password && (await hashPassword(password, core.clock.now()))

  if (email && normalizeEmail(email) !== account.email) {
    if (core.data.emailEnumerationProtection) {
      return failAuth('OPERATION_NOT_ALLOWED', 'Please verify the new email before changing email.')
    }
    if (findAccountByEmail(core, email)) return failAuth('EMAIL_EXISTS')
    account.email = normalizeEmail(email)
    account.emailVerified = false
    revokeSessions(core, account)
  }
  if (newPassword) {
    account.password = newPassword
    revokeSessions(core, account)
  }
  unlinkProviders(account, deleteProvider)
  if (displayName !== undefined) account.displayName = displayName ?? ''
  return {
    ...buildUpdateResponse(account),
    ...(request.returnSecureToken && (await openSession(core, caller))),
  }
})

const remove = defineOperation(v.strictObject({ idToken: textField }), async (core, { idToken }) => {
  const caller = await findCaller(core, idToken)
  checkRecentLogin(core, caller)
  return removeAccount(core, caller.account)
})

export function removeAccount(core: AuthContext, account: AuthAccount): object {
  core.data.accounts = core.data.accounts.filter((one) => one !== account)
  return { kind: 'identitytoolkit#DeleteAccountResponse' }
}

const codeUse = v.strictObject({ oobCode: textField, newPassword: v.optional(v.string()) })

/** Without a new password, the call only returns the purpose of the code. */
const reset = defineOperation(codeUse, async (core, { oobCode, newPassword }) => {
  const { requestType, email, newEmail } = findCode(core, oobCode).code
  if (newPassword !== undefined) await resetPassword(core, oobCode, newPassword)
  return {
    kind: 'identitytoolkit#ResetPasswordResponse',
    requestType,
    email,
    ...(newEmail && { newEmail }),
  }
})

const recaptchaQuery = v.strictObject({ clientType: v.optional(v.string()), version: v.optional(v.string()) })

const recaptchaConfig = defineOperation(recaptchaQuery, (core) => ({
  recaptchaKey: `projects/${core.projectId}/keys/sandbox`,
  recaptchaEnforcementState: ['EMAIL_PASSWORD_PROVIDER', 'PHONE_PROVIDER'].map((provider) => ({
    provider,
    enforcementState: 'OFF',
  })),
}))

const passwordPolicy = defineOperation(v.strictObject({}), ({ data }) => ({
  customStrengthOptions: data.passwordPolicy,
  allowedNonAlphanumericCharacters: PASSWORD_SYMBOLS,
  enforcementState: Object.keys(data.passwordPolicy).length > 0 ? 'ENFORCE' : 'OFF',
  schemaVersion: 1,
}))

export const accountOperations: Readonly<Record<string, Operation>> = {
  'POST v1/accounts:lookup': lookup,
  'POST v1/accounts:update': update,
  'POST v1/accounts:delete': remove,
  'POST v1/accounts:resetPassword': reset,
  'GET v2/passwordPolicy': passwordPolicy,
  'GET v2/recaptchaConfig': recaptchaConfig,
}

/** The SDK checks that the field is present. */
const REDACTED = Buffer.from('REDACTED').toString('base64')

const profile = (account: AuthAccount) => ({
  localId: account.localId,
  ...(account.email && { email: account.email, emailVerified: account.emailVerified }),
  ...(account.phoneNumber && { phoneNumber: account.phoneNumber }),
  ...names(account),
  ...(account.password && { passwordHash: REDACTED }),
  providerUserInfo: [...listProviders(account)],
})

function* listProviders(account: AuthAccount) {
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

const names = ({ displayName }: AuthAccount) => ({ ...(displayName && { displayName }) })

const buildUpdateResponse = (account: AuthAccount) => ({
  kind: 'identitytoolkit#SetAccountInfoResponse',
  ...profile(account),
})

export const buildUserInfo = (account: AuthAccount) => ({
  ...profile(account),
  ...(account.password && { passwordUpdatedAt: account.password.updatedAt }),
  ...(account.disabled && { disabled: true }),
  validSince: String(Math.floor(account.validSince / 1000)),
  createdAt: String(account.createdAt),
  lastLoginAt: String(account.lastLoginAt),
  lastRefreshAt: new Date(account.lastRefreshAt).toISOString(),
})
