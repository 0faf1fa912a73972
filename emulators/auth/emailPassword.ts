import * as v from 'valibot'
import { mailActionCode } from './actionCodes.ts'
import { checkEmail, checkNewPassword, hashPassword, isEmail, verifyPassword } from './credentials.ts'
import { defineOperation, failAuth, type Operation, textField } from './reply.ts'
import { checkRecentLogin, findCaller, signIn } from './sessions.ts'
import {
  type AuthAccount,
  type AuthContext,
  createAccount,
  findAccountByEmail,
  normalizeEmail,
} from './state.ts'

const WRONG_PASSWORDS_BEFORE_LOCK = 10
const LOCK_MS = 15 * 60_000

const credentials = {
  email: textField,
  password: textField,
  returnSecureToken: v.optional(v.boolean()),
  clientType: v.optional(v.literal('CLIENT_TYPE_WEB')),
}

/** With an ID token, adds an address and a password to the token's account. */
const signUp = defineOperation(
  v.strictObject({ ...credentials, idToken: textField }),
  async (core, { email, password, idToken }) => {
    // An empty request asks for an anonymous account, which this project does not allow.
    if (!email && !password && !idToken) return failAuth('ADMIN_ONLY_OPERATION')
    checkEmail(email)
    checkNewPassword(core, password)
    const caller = idToken ? await findCaller(core, idToken) : null
    if (caller) checkRecentLogin(core, caller)
    const access = { email: normalizeEmail(email), password: await hashPassword(password, core.clock.now()) }
    const holder = findAccountByEmail(core, email)
    if (holder && holder !== caller?.account) return failAuth('EMAIL_EXISTS')
    const account = caller
      ? Object.assign(caller.account, access, { emailVerified: holder?.emailVerified ?? false })
      : createAccount(core, access)
    return {
      kind: 'identitytoolkit#SignupNewUserResponse',
      localId: account.localId,
      email: account.email,
      ...(await signIn(core, account, 'password')),
    }
  },
)

const signInWithPassword = defineOperation(v.strictObject(credentials), async (core, { email, password }) => {
  checkEmail(email)
  if (!password) return failAuth('MISSING_PASSWORD')
  const account = findAccountByEmail(core, email)
  if (!account) return failAuth(unlessProtected(core, 'EMAIL_NOT_FOUND'))
  if (account.disabled) return failAuth('USER_DISABLED')
  await checkPassword(core, account, password)
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    registered: true,
    localId: account.localId,
    email: account.email,
    displayName: account.displayName,
    ...(await signIn(core, account, 'password')),
  }
})

/** Ten wrong passwords in a row lock the account for 15 minutes, or until a reset. */
async function checkPassword(core: AuthContext, account: AuthAccount, password: string): Promise<void> {
  const now = core.clock.now()
  const { count, lastAt } = account.wrongPasswords
  if (count >= WRONG_PASSWORDS_BEFORE_LOCK && now - lastAt < LOCK_MS) {
    failAuth(
      'TOO_MANY_ATTEMPTS_TRY_LATER',
      'Access to this account has been temporarily disabled due to many failed login attempts.' +
        ' You can immediately restore it by resetting your password or you can try again later.',
    )
  }
  const right = account.password !== null && (await verifyPassword(account.password, password))
  account.wrongPasswords = right
    ? { count: 0, lastAt: 0 }
    : { count: account.wrongPasswords.count + 1, lastAt: now }
  if (!right) failAuth(unlessProtected(core, 'INVALID_PASSWORD'))
}

const unlessProtected = (core: AuthContext, code: string) =>
  core.data.emailEnumerationProtection ? 'INVALID_LOGIN_CREDENTIALS' : code

const methodsQuery = v.strictObject({ identifier: textField, continueUri: textField })

/** Email enumeration protection hides the methods. A phone number signs in without the address. */
const createAuthUri = defineOperation(methodsQuery, (core, { identifier }) => {
  if (!isEmail(identifier)) return failAuth('INVALID_IDENTIFIER')
  const kind = 'identitytoolkit#CreateAuthUriResponse'
  if (core.data.emailEnumerationProtection) return { kind }
  const account = findAccountByEmail(core, identifier)
  const signinMethods = [account?.password && 'password', account?.google && 'google.com'].filter(Boolean)
  return { kind, registered: account !== undefined, allProviders: signinMethods, signinMethods }
})

const mailSettings = {
  continueUrl: v.optional(v.string()),
  canHandleCodeInApp: v.optional(v.boolean()),
  clientType: v.optional(v.literal('CLIENT_TYPE_WEB')),
}

const mailRequest = v.variant('requestType', [
  v.strictObject({ requestType: v.literal('PASSWORD_RESET'), email: textField, ...mailSettings }),
  v.strictObject({ requestType: v.literal('VERIFY_EMAIL'), idToken: textField, ...mailSettings }),
  v.strictObject({
    requestType: v.literal('VERIFY_AND_CHANGE_EMAIL'),
    idToken: textField,
    newEmail: textField,
    ...mailSettings,
  }),
])

export const sendOobCode = defineOperation(mailRequest, async (core, request, call) => {
  const { requestType, continueUrl } = request
  if (continueUrl !== undefined && !isWebAddress(continueUrl)) return failAuth('INVALID_CONTINUE_URI')
  if (requestType === 'PASSWORD_RESET') {
    checkEmail(request.email)
    const account = findAccountByEmail(core, request.email)
    if (account?.disabled) return failAuth('USER_DISABLED')
    if (!account && !core.data.emailEnumerationProtection) return failAuth('EMAIL_NOT_FOUND')
    if (account) mailActionCode(core, account, { requestType, email: request.email, continueUrl }, call)
    return sent(request.email)
  }
  const caller = await findCaller(core, request.idToken)
  const { account } = caller
  const { email } = account
  if (email === null) return failAuth('MISSING_EMAIL')
  if (requestType === 'VERIFY_EMAIL') {
    mailActionCode(core, account, { requestType, email, continueUrl }, call)
    return sent(email)
  }
  const { newEmail } = request
  checkRecentLogin(core, caller)
  if (!newEmail) return failAuth('MISSING_NEW_EMAIL')
  checkEmail(newEmail)
  const isTaken = findAccountByEmail(core, newEmail) !== undefined
  if (isTaken && !core.data.emailEnumerationProtection) return failAuth('EMAIL_EXISTS')
  if (!isTaken) mailActionCode(core, account, { requestType, email, newEmail, continueUrl }, call)
  return sent(email)
})

const sent = (email: string) => ({ kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email })

const isWebAddress = (address: string) => /^https?:$/.test(URL.parse(address)?.protocol ?? '')

export const emailPasswordOperations: Readonly<Record<string, Operation>> = {
  'POST v1/accounts:signUp': signUp,
  'POST v1/accounts:signInWithPassword': signInWithPassword,
  'POST v1/accounts:sendOobCode': sendOobCode,
  'POST v1/accounts:createAuthUri': createAuthUri,
}
