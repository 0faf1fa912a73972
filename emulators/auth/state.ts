import { generateKeyPairSync, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { type CaptchaProblem, type Clock, createRandomText } from '../emulator.ts'

export type Language = 'fr' | 'en'

export type ActionRequestType = 'VERIFY_EMAIL' | 'PASSWORD_RESET' | 'VERIFY_AND_CHANGE_EMAIL'

/** As named in ID tokens. */
export type Provider = 'password' | 'phone' | 'google.com'

export interface Password {
  readonly salt: string
  readonly hash: string
  readonly updatedAt: number
}

/** `sub` never changes. */
export interface GoogleProfile {
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
}

export type AuthAccount = ReturnType<typeof buildAccount>
/** `now`: UTC milliseconds, like all times. */
const buildAccount = (now: number) => ({
  localId: createRandomText(28),
  /** Null for users who signed up by phone only. */
  email: unset<string>(),
  emailVerified: false,
  phoneNumber: unset<string>(),
  displayName: '',
  password: unset<Password>(),
  google: unset<GoogleProfile>(),
  wrongPasswords: { count: 0, lastAt: 0 },
  disabled: false,
  /** ID tokens issued earlier are refused. */
  validSince: now,
  createdAt: now,
  lastLoginAt: now,
  lastRefreshAt: now,
})

const unset = <T>(): T | null => null

export interface AuthSession {
  readonly refreshToken: string
  readonly localId: string
  readonly provider: Provider
  /** For the recent-login rule. */
  authTime: number
  revoked: boolean
}

export interface ActionCode {
  readonly oobCode: string
  readonly requestType: ActionRequestType
  readonly localId: string
  readonly email: string
  readonly newEmail: string | null
  readonly continueUrl: string | null
  readonly apiKey: string
  readonly language: Language
  readonly displayName: string
  readonly createdAt: number
  usedAt: number | null
}

export interface SmsCode {
  readonly sessionInfo: string
  readonly phoneNumber: string
  readonly code: string
  readonly language: Language
  readonly createdAt: number
  wrongCodes: number
  usedAt: number | null
}

export interface SigningKey {
  readonly kid: string
  readonly privateJwk: Readonly<
    { kty: 'RSA' } & Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string>
  >
}

/** In the form of the REST API; requirements that are off are missing. */
export const passwordPolicySchema = v.strictObject({
  minPasswordLength: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(6), v.maxValue(30))),
  maxPasswordLength: v.optional(v.pipe(v.number(), v.safeInteger(), v.maxValue(4096))),
  containsLowercaseCharacter: v.optional(v.boolean()),
  containsUppercaseCharacter: v.optional(v.boolean()),
  containsNumericCharacter: v.optional(v.boolean()),
  containsNonAlphanumericCharacter: v.optional(v.boolean()),
})

export interface AuthData {
  key: SigningKey
  accounts: AuthAccount[]
  sessions: AuthSession[]
  codes: ActionCode[]
  smsCodes: SmsCode[]
  googleAccounts: GoogleProfile[]
  blocking: { phoneSignUps: boolean }
  /** Does not reveal whether an address has an account. On by default in newer real projects. */
  emailEnumerationProtection: boolean
  passwordPolicy: v.InferOutput<typeof passwordPolicySchema>
}

/** In the form of the REST API; settings that are off are missing. */
export interface SignInSettings {
  readonly authorizedDomains: readonly string[]
  readonly signIn: {
    readonly email?: { readonly enabled: true }
    readonly phoneNumber?: { readonly enabled: true }
  }
  /** Empty if never set. */
  readonly smsRegionConfig:
    | Readonly<Record<string, never>>
    | { readonly allowByDefault: { readonly disallowedRegions?: readonly string[] } }
    | { readonly allowlistOnly: { readonly allowedRegions?: readonly string[] } }
}

export interface AuthContext {
  readonly projectId: string
  readonly appName: string
  readonly clock: Clock
  readonly publicOrigin: () => string
  readonly googleClientId: string
  /** Only returned by the admin API, without an effect. */
  readonly settings: () => SignInSettings
  readonly redeemCaptcha: (token: string) => CaptchaProblem | null
  data: AuthData
}

/** The key outlives a reset because verifiers cache it. */
export const createEmptyAuthData = (key: SigningKey): AuthData => ({
  key,
  accounts: [],
  sessions: [],
  codes: [],
  smsCodes: [],
  googleAccounts: [
    {
      sub: '100000000000000000001',
      email: 'mariama.bah@gmail.com',
      emailVerified: true,
      name: 'Mariama Bah',
    },
    {
      sub: '100000000000000000002',
      email: 'luc.tremblay@gmail.com',
      emailVerified: true,
      name: 'Luc Tremblay',
    },
  ],
  blocking: { phoneSignUps: false },
  emailEnumerationProtection: false,
  passwordPolicy: {},
})

export function createSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    kid: randomBytes(20).toString('hex'),
    privateJwk: privateKey.export({ format: 'jwk' }) as SigningKey['privateJwk'],
  }
}

export const findAccountById = (core: AuthContext, localId: string) =>
  core.data.accounts.find((account) => account.localId === localId)

export const findAccountByEmail = (core: AuthContext, email: string) =>
  core.data.accounts.find((account) => account.email === normalizeEmail(email))

export const findAccountByPhone = (core: AuthContext, phoneNumber: string) =>
  core.data.accounts.find((account) => account.phoneNumber === phoneNumber)

export function createAccount(core: AuthContext, known: Partial<AuthAccount>): AuthAccount {
  const account = { ...buildAccount(core.clock.now()), ...known }
  core.data.accounts.push(account)
  return account
}

/** As in the real service, the email address stays when its password is removed. */
export function unlinkProviders(account: AuthAccount, providers: readonly string[]): void {
  if (providers.includes('password')) account.password = null
  if (providers.includes('phone')) account.phoneNumber = null
  if (providers.includes('google.com')) account.google = null
}

/** As in the real service, email addresses are case-insensitive. */
export const normalizeEmail = (email: string) => email.toLowerCase()
