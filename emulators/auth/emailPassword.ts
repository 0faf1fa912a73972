import { z } from 'zod'
import { mailActionCode } from './actionCodes.ts'
import { type Account, accountByEmail, type Core, canonicalEmail, createAccount } from './core.ts'
import { checkEmail, checkNewPassword, hashPassword, isPassword } from './credentials.ts'
import { done, isRefusal, type Operation, operation, type Refusal, refuse, text } from './reply.ts'
import { callerOf, checkRecentLogin, signIn } from './sessions.ts'

const WRONG_PASSWORDS_BEFORE_LOCK = 10
const LOCK_MS = 15 * 60_000

const credentials = {
  email: text,
  password: text,
  returnSecureToken: z.boolean().optional(),
  clientType: z.literal('CLIENT_TYPE_WEB').optional(),
}

/** A new account; with an ID token, an address and a password for the account that it speaks for. */
const signUp = operation(
  z.strictObject({ ...credentials, idToken: text }),
  async (core, { email, password, idToken }) => {
    // A request with neither asks for an anonymous account, which a project must allow first.
    if (!email && !password && !idToken) return refuse('ADMIN_ONLY_OPERATION')
    const problem = checkEmail(email) ?? checkNewPassword(password)
    if (problem) return problem
    const caller = idToken ? await callerOf(core, idToken) : null
    if (caller && isRefusal(caller)) return caller
    const tooOld = caller && checkRecentLogin(core, caller)
    if (tooOld) return tooOld
    const access = { email: canonicalEmail(email), password: await hashPassword(password, core.clock.now()) }
    const holder = accountByEmail(core, email)
    if (holder && holder !== caller?.account) return refuse('EMAIL_EXISTS')
    const account = caller
      ? Object.assign(caller.account, access, { emailVerified: holder?.emailVerified ?? false })
      : createAccount(core, access)
    return done({
      kind: 'identitytoolkit#SignupNewUserResponse',
      localId: account.localId,
      email: account.email,
      ...(await signIn(core, account, 'password')),
    })
  },
)

const signInWithPassword = operation(z.strictObject(credentials), async (core, { email, password }) => {
  const problem = checkEmail(email)
  if (problem) return problem
  if (!password) return refuse('MISSING_PASSWORD')
  const account = accountByEmail(core, email)
  if (!account) return refuse(unlessProtected(core, 'EMAIL_NOT_FOUND'))
  if (account.disabled) return refuse('USER_DISABLED')
  const wrong = await checkPassword(core, account, password)
  if (wrong) return wrong
  return done({
    kind: 'identitytoolkit#VerifyPasswordResponse',
    registered: true,
    localId: account.localId,
    email: account.email,
    displayName: account.displayName,
    ...(await signIn(core, account, 'password')),
  })
})

/** Too many wrong passwords in a row lock the account for a while, or until a reset. */
async function checkPassword(core: Core, account: Account, password: string): Promise<Refusal | null> {
  const now = core.clock.now()
  const { count, lastAt } = account.wrongPasswords
  if (count >= WRONG_PASSWORDS_BEFORE_LOCK && now - lastAt < LOCK_MS) {
    return refuse(
      'TOO_MANY_ATTEMPTS_TRY_LATER',
      'Access to this account has been temporarily disabled due to many failed login attempts.' +
        ' You can immediately restore it by resetting your password or you can try again later.',
    )
  }
  const right = account.password !== null && (await isPassword(account.password, password))
  account.wrongPasswords = right
    ? { count: 0, lastAt: 0 }
    : { count: account.wrongPasswords.count + 1, lastAt: now }
  if (right) return null
  return refuse(unlessProtected(core, 'INVALID_PASSWORD'))
}

const unlessProtected = (core: Core, code: string) =>
  core.data.emailEnumerationProtection ? 'INVALID_LOGIN_CREDENTIALS' : code

const mailSettings = {
  continueUrl: z.string().optional(),
  canHandleCodeInApp: z.boolean().optional(),
  clientType: z.literal('CLIENT_TYPE_WEB').optional(),
}

const mailRequest = z.discriminatedUnion('requestType', [
  z.strictObject({ requestType: z.literal('PASSWORD_RESET'), email: text, ...mailSettings }),
  z.strictObject({ requestType: z.literal('VERIFY_EMAIL'), idToken: text, ...mailSettings }),
  z.strictObject({
    requestType: z.literal('VERIFY_AND_CHANGE_EMAIL'),
    idToken: text,
    newEmail: text,
    ...mailSettings,
  }),
])

const sendOobCode = operation(mailRequest, async (core, request, call) => {
  const { requestType, continueUrl } = request
  if (continueUrl !== undefined && !isWebAddress(continueUrl)) return refuse('INVALID_CONTINUE_URI')
  if (requestType === 'PASSWORD_RESET') {
    const problem = checkEmail(request.email)
    if (problem) return problem
    const account = accountByEmail(core, request.email)
    if (account?.disabled) return refuse('USER_DISABLED')
    if (!account && !core.data.emailEnumerationProtection) return refuse('EMAIL_NOT_FOUND')
    if (account) mailActionCode(core, account, { requestType, email: request.email, continueUrl }, call)
    return sent(request.email)
  }
  const caller = await callerOf(core, request.idToken)
  if (isRefusal(caller)) return caller
  const { account } = caller
  const { email } = account
  if (email === null) return refuse('MISSING_EMAIL')
  if (requestType === 'VERIFY_EMAIL') {
    mailActionCode(core, account, { requestType, email, continueUrl }, call)
    return sent(email)
  }
  const { newEmail } = request
  const tooOld = checkRecentLogin(core, caller)
  if (tooOld) return tooOld
  const problem = newEmail ? checkEmail(newEmail) : refuse('MISSING_NEW_EMAIL')
  if (problem) return problem
  const isTaken = accountByEmail(core, newEmail) !== undefined
  if (isTaken && !core.data.emailEnumerationProtection) return refuse('EMAIL_EXISTS')
  if (!isTaken) mailActionCode(core, account, { requestType, email, newEmail, continueUrl }, call)
  return sent(email)
})

const sent = (email: string) => done({ kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email })

const isWebAddress = (address: string) => /^https?:$/.test(URL.parse(address)?.protocol ?? '')

/** Accounts with an address and a password: sign-up, sign-in and the mails. */
export const emailPasswordOperations: Readonly<Record<string, Operation>> = {
  'POST v1/accounts:signUp': signUp,
  'POST v1/accounts:signInWithPassword': signInWithPassword,
  'POST v1/accounts:sendOobCode': sendOobCode,
}
