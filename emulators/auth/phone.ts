import { randomInt } from 'node:crypto'
import * as v from 'valibot'
import { createSecret } from '../emulator.ts'
import { defineOperation, failAuth, type Operation, textField } from './reply.ts'
import { checkRecentLogin, findCaller, signIn } from './sessions.ts'
import { type AuthContext, createAccount, findAccountByPhone, type Language, type SmsCode } from './state.ts'

const CODE_VALID_MS = 10 * 60_000
const WRONG_CODES_BEFORE_LOCK = 5
const MESSAGES_AN_HOUR = 5
const HOUR_MS = 3_600_000

const recaptchaParams = defineOperation(v.strictObject({}), () => ({
  kind: 'identitytoolkit#GetRecaptchaParamResponse',
  recaptchaSiteKey: 'sandbox',
}))

const messageRequest = v.strictObject({
  phoneNumber: textField,
  recaptchaToken: textField,
  clientType: v.optional(v.literal('CLIENT_TYPE_WEB')),
  // The SDK sends this if the project has no reCAPTCHA Enterprise for phones.
  captchaResponse: v.optional(v.literal('NO_RECAPTCHA')),
  recaptchaVersion: v.optional(v.literal('RECAPTCHA_ENTERPRISE')),
})

const sendVerificationCode = defineOperation(messageRequest, (core, request, { language }) => {
  const phoneNumber = request.phoneNumber.replace(/[\s().-]/g, '')
  checkNumber(phoneNumber)
  checkCaptcha(core, request.recaptchaToken)
  const now = core.clock.now()
  const sentLately = core.data.smsCodes.filter(
    (sms) => sms.phoneNumber === phoneNumber && now - sms.createdAt < HOUR_MS,
  )
  if (sentLately.length >= MESSAGES_AN_HOUR) return failAuth('TOO_MANY_ATTEMPTS_TRY_LATER')
  const sessionInfo = createSecret()
  core.data.smsCodes.push({
    sessionInfo,
    phoneNumber,
    code: String(randomInt(1_000_000)).padStart(6, '0'),
    language,
    createdAt: now,
    wrongCodes: 0,
    usedAt: null,
  })
  return { sessionInfo }
})

/** These numbering plans are stricter than E.164. */
const NATIONAL_DIGITS: Readonly<Record<string, number>> = { '+1': 10, '+33': 9, '+224': 9 }

function checkNumber(phoneNumber: string): void {
  if (!/^\+[1-9]\d*$/.test(phoneNumber)) failAuth('INVALID_PHONE_NUMBER', 'Invalid format.')
  const [prefix, national] =
    Object.entries(NATIONAL_DIGITS).find(([start]) => phoneNumber.startsWith(start)) ?? []
  const digits = phoneNumber.length - (prefix?.length ?? 1)
  if (digits < (national ?? 8)) failAuth('INVALID_PHONE_NUMBER', 'TOO_SHORT')
  if (digits > (national ?? 15)) failAuth('INVALID_PHONE_NUMBER', 'TOO_LONG')
}

function checkCaptcha(core: AuthContext, token: string): void {
  if (!token) failAuth('MISSING_APP_CREDENTIAL')
  const problem = core.redeemCaptcha(token)
  if (problem) failAuth('CAPTCHA_CHECK_FAILED', `Recaptcha verification failed - ${problem}`)
}

const confirmation = v.strictObject({
  sessionInfo: textField,
  code: textField,
  idToken: textField,
  operation: v.optional(v.literal('REAUTH')),
})

/** With an ID token, sets the phone number of the token's account. */
const signInWithPhoneNumber = defineOperation(confirmation, async (core, request) => {
  const caller = request.idToken ? await findCaller(core, request.idToken) : null
  if (caller?.account.phoneNumber) checkRecentLogin(core, caller)

  const { phoneNumber } = redeemCode(core, request)
  const holder = findAccountByPhone(core, phoneNumber)
  // The SDK only checks that `temporaryProof` is present.
  if (caller && holder && holder !== caller.account)
    return { temporaryProof: createSecret(), phoneNumber, temporaryProofExpiresIn: '3600' }
  if (holder?.disabled) return failAuth('USER_DISABLED')
  if (!caller && !holder) {
    if (request.operation) return failAuth('USER_NOT_FOUND')
    if (core.data.blocking.phoneSignUps) return failAuth('BLOCKING_FUNCTION_ERROR_RESPONSE', BLOCKED)
  }
  const account = caller?.account ?? holder ?? createAccount(core, {})
  account.phoneNumber = phoneNumber
  return {
    localId: account.localId,
    phoneNumber,
    isNewUser: !caller && !holder,
    ...(await signIn(core, account, 'phone')),
  }
})

/** The real service's message when a blocking function throws. */
const BLOCKED =
  'HTTP Cloud Function returned an error:' +
  ' {"error":{"message":"Sign-ups by phone are closed.","status":"PERMISSION_DENIED"}}'

function redeemCode(
  core: AuthContext,
  { sessionInfo, code }: { sessionInfo: string; code: string },
): { phoneNumber: string } {
  if (!sessionInfo) return failAuth('MISSING_SESSION_INFO')
  if (!code) return failAuth('MISSING_CODE')
  const sms = core.data.smsCodes.find((one) => one.sessionInfo === sessionInfo)
  if (!sms) return failAuth('INVALID_SESSION_INFO')
  if (!isOpen(core, sms)) return failAuth('SESSION_EXPIRED')
  if (sms.wrongCodes >= WRONG_CODES_BEFORE_LOCK) return failAuth('TOO_MANY_ATTEMPTS_TRY_LATER')
  if (sms.code !== code) {
    sms.wrongCodes += 1
    return failAuth('INVALID_CODE')
  }
  sms.usedAt = core.clock.now()
  return sms
}

const isOpen = (core: AuthContext, { usedAt, createdAt }: SmsCode) =>
  usedAt === null && core.clock.now() - createdAt <= CODE_VALID_MS

/** Oldest first. */
export const listPendingSmsCodes = (core: AuthContext) =>
  core.data.smsCodes.filter((sms) => isOpen(core, sms))

const TEXTS: Record<Language, (appName: string, code: string) => string> = {
  fr: (appName, code) => `Votre code ${appName} : ${code}`,
  en: (appName, code) => `Your ${appName} code: ${code}`,
}

export const buildSms = (core: AuthContext, { phoneNumber, code, language, createdAt }: SmsCode) => ({
  to: phoneNumber,
  text: TEXTS[language](core.appName, code),
  createdAt,
})

export const phoneOperations: Readonly<Record<string, Operation>> = {
  'GET v1/recaptchaParams': recaptchaParams,
  'POST v1/accounts:sendVerificationCode': sendVerificationCode,
  'POST v1/accounts:signInWithPhoneNumber': signInWithPhoneNumber,
}
