import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { newSecret } from '../emulator.ts'
import { accountByPhone, type Core, createAccount, type Language, type Sms, type SmsCode } from './core.ts'
import { done, isRefusal, type Operation, operation, type Refusal, refuse, text } from './reply.ts'
import { callerOf, checkRecentLogin, signIn } from './sessions.ts'

const CODE_VALID_MS = 10 * 60_000
const WRONG_CODES_BEFORE_LOCK = 5
const MESSAGES_AN_HOUR = 5
const HOUR_MS = 3_600_000

const recaptchaParams = operation(z.strictObject({}), () =>
  done({ kind: 'identitytoolkit#GetRecaptchaParamResponse', recaptchaSiteKey: 'sandbox' }),
)

const messageRequest = z.strictObject({
  phoneNumber: text,
  recaptchaToken: text,
  clientType: z.literal('CLIENT_TYPE_WEB').optional(),
  // What the SDK sends beside the token when the project has no reCAPTCHA Enterprise for phones.
  captchaResponse: z.literal('NO_RECAPTCHA').optional(),
  recaptchaVersion: z.literal('RECAPTCHA_ENTERPRISE').optional(),
})

const sendVerificationCode = operation(messageRequest, (core, request, { language }) => {
  const phoneNumber = request.phoneNumber.replace(/[\s().-]/g, '')
  const problem = checkNumber(phoneNumber) ?? checkCaptcha(core, request.recaptchaToken)
  if (problem) return problem
  const now = core.clock.now()
  const sentLately = core.data.smsCodes.filter(
    (sms) => sms.phoneNumber === phoneNumber && now - sms.createdAt < HOUR_MS,
  )
  if (sentLately.length >= MESSAGES_AN_HOUR) return refuse('TOO_MANY_ATTEMPTS_TRY_LATER')
  const sessionInfo = newSecret()
  core.data.smsCodes.push({
    sessionInfo,
    phoneNumber,
    code: String(randomInt(1_000_000)).padStart(6, '0'),
    language,
    createdAt: now,
    wrongCodes: 0,
    usedAt: null,
  })
  return done({ sessionInfo })
})

/** Digits after the country code, where the plan of a country says more than E.164. */
const NATIONAL_DIGITS: Readonly<Record<string, number>> = { '+1': 10, '+33': 9, '+224': 9 }

function checkNumber(phoneNumber: string): Refusal | null {
  if (!/^\+[1-9]\d*$/.test(phoneNumber)) return refuse('INVALID_PHONE_NUMBER', 'Invalid format.')
  const [prefix, national] =
    Object.entries(NATIONAL_DIGITS).find(([start]) => phoneNumber.startsWith(start)) ?? []
  const digits = phoneNumber.length - (prefix?.length ?? 1)
  if (digits < (national ?? 8)) return refuse('INVALID_PHONE_NUMBER', 'TOO_SHORT')
  return digits > (national ?? 15) ? refuse('INVALID_PHONE_NUMBER', 'TOO_LONG') : null
}

function checkCaptcha(core: Core, token: string): Refusal | null {
  if (!token) return refuse('MISSING_APP_CREDENTIAL')
  const problem = core.redeemCaptcha(token)
  return problem && refuse('CAPTCHA_CHECK_FAILED', `Recaptcha verification failed - ${problem}`)
}

const confirmation = z.strictObject({
  sessionInfo: text,
  code: text,
  idToken: text,
  operation: z.literal('REAUTH').optional(),
})

/** Signs in or up; with an ID token, gives the number to the account that it speaks for. */
const signInWithPhoneNumber = operation(confirmation, async (core, request) => {
  const caller = request.idToken ? await callerOf(core, request.idToken) : null
  if (caller && isRefusal(caller)) return caller
  const tooOld = caller?.account.phoneNumber ? checkRecentLogin(core, caller) : null
  if (tooOld) return tooOld

  const confirmed = redeemCode(core, request)
  if (isRefusal(confirmed)) return confirmed
  const { phoneNumber } = confirmed
  const holder = accountByPhone(core, phoneNumber)
  // The real proof signs in to the other account; the SDK only looks whether there is one.
  if (caller && holder && holder !== caller.account)
    return done({ temporaryProof: newSecret(), phoneNumber, temporaryProofExpiresIn: '3600' })
  if (holder?.disabled) return refuse('USER_DISABLED')
  if (!caller && !holder) {
    if (request.operation) return refuse('USER_NOT_FOUND')
    if (core.data.blocking.phoneSignUps) return BLOCKED
  }
  const account = caller?.account ?? holder ?? createAccount(core, {})
  account.phoneNumber = phoneNumber
  return done({
    localId: account.localId,
    phoneNumber,
    isNewUser: !caller && !holder,
    ...(await signIn(core, account, 'phone')),
  })
})

/** The words of the real service when a function before the creation of an account throws. */
const BLOCKED = refuse(
  'BLOCKING_FUNCTION_ERROR_RESPONSE',
  'HTTP Cloud Function returned an error:' +
    ' {"error":{"message":"Sign-ups by phone are closed.","status":"PERMISSION_DENIED"}}',
)

function redeemCode(
  core: Core,
  { sessionInfo, code }: { sessionInfo: string; code: string },
): { phoneNumber: string } | Refusal {
  if (!sessionInfo) return refuse('MISSING_SESSION_INFO')
  if (!code) return refuse('MISSING_CODE')
  const sms = core.data.smsCodes.find((one) => one.sessionInfo === sessionInfo)
  if (!sms) return refuse('INVALID_SESSION_INFO')
  if (!isOpen(core, sms)) return refuse('SESSION_EXPIRED')
  if (sms.wrongCodes >= WRONG_CODES_BEFORE_LOCK) return refuse('TOO_MANY_ATTEMPTS_TRY_LATER')
  if (sms.code !== code) {
    sms.wrongCodes += 1
    return refuse('INVALID_CODE')
  }
  sms.usedAt = core.clock.now()
  return sms
}

const isOpen = (core: Core, { usedAt, createdAt }: SmsCode) =>
  usedAt === null && core.clock.now() - createdAt <= CODE_VALID_MS

/** The codes that still sign somebody in, oldest first. */
export const openSmsCodes = (core: Core) => core.data.smsCodes.filter((sms) => isOpen(core, sms))

const TEXTS: Record<Language, (appName: string, code: string) => string> = {
  fr: (appName, code) => `Votre code ${appName} : ${code}`,
  en: (appName, code) => `Your ${appName} code: ${code}`,
}

/** The text message that carries a code, in the language of the request. */
export const smsOf = (core: Core, { phoneNumber, code, language, createdAt }: SmsCode): Sms => ({
  to: phoneNumber,
  text: TEXTS[language](core.appName, code),
  createdAt,
})

/** Accounts with a phone number: the code by text message, sign-up, sign-in and a change of number. */
export const phoneOperations: Readonly<Record<string, Operation>> = {
  'GET v1/recaptchaParams': recaptchaParams,
  'POST v1/accounts:sendVerificationCode': sendVerificationCode,
  'POST v1/accounts:signInWithPhoneNumber': signInWithPhoneNumber,
}
