import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import type { CaptchaProblem, Clock } from '../emulator.ts'

export type Language = 'fr' | 'en'

export type ActionRequest = 'VERIFY_EMAIL' | 'PASSWORD_RESET' | 'VERIFY_AND_CHANGE_EMAIL'

/** How somebody signs in, by the names that ID tokens use. */
export type Provider = 'password' | 'phone' | 'google.com'

export interface Password {
  readonly salt: string
  readonly hash: string
  readonly updatedAt: number
}

/** What Google tells about one of its accounts; `sub` never changes. */
export interface GoogleProfile {
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
}

/** All times are milliseconds since the epoch, UTC. */
export interface Account {
  readonly localId: string
  /** Null for somebody who came by phone only. */
  email: string | null
  emailVerified: boolean
  phoneNumber: string | null
  displayName: string
  /** Null as long as there is another way in and none was chosen. */
  password: Password | null
  google: GoogleProfile | null
  wrongPasswords: { count: number; lastAt: number }
  disabled: boolean
  /** ID tokens issued before are refused. */
  validSince: number
  readonly createdAt: number
  lastLoginAt: number
  lastRefreshAt: number
}

/** What a refresh token stands for. */
export interface Session {
  readonly refreshToken: string
  readonly localId: string
  readonly provider: Provider
  /** When the person proved who they are: what the recent-login rule looks at. */
  authTime: number
  revoked: boolean
}

/** A code that a mail carries out of band. */
export interface ActionCode {
  readonly oobCode: string
  readonly requestType: ActionRequest
  readonly localId: string
  readonly email: string
  readonly newEmail: string | null
  readonly continueUrl: string | null
  readonly apiKey: string
  readonly language: Language
  /** How the mail greets; empty as long as the account has no name. */
  readonly displayName: string
  readonly createdAt: number
  usedAt: number | null
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly requestType: ActionRequest
  readonly link: string
  readonly text: string
  readonly createdAt: number
}

/** A code that a text message carries. */
export interface SmsCode {
  readonly sessionInfo: string
  readonly phoneNumber: string
  readonly code: string
  readonly language: Language
  readonly createdAt: number
  wrongCodes: number
  usedAt: number | null
}

export interface Sms {
  readonly to: string
  readonly text: string
  readonly createdAt: number
}

export interface SigningKey {
  readonly kid: string
  readonly privateJwk: Readonly<
    { kty: 'RSA' } & Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string>
  >
}

/** Everything the emulator remembers, as plain data. */
export interface AuthData {
  key: SigningKey
  accounts: Account[]
  sessions: Session[]
  codes: ActionCode[]
  smsCodes: SmsCode[]
  /** The accounts that the emulator for Google offers. */
  googleAccounts: GoogleProfile[]
  /** What a blocking function of the project refuses. */
  blocking: { phoneSignUps: boolean }
  /**
   * On: sign-in, reset and change of address do not tell whether an address has an account, and an address changes only
   * through a mail. Real projects have it either way; newer ones have it on.
   */
  emailEnumerationProtection: boolean
}

/** Settings of the sign-in service that somebody chooses in the console, as its REST API has them; what is off is left out. */
export interface SignInSettings {
  readonly authorizedDomains: readonly string[]
  readonly signIn: {
    readonly email?: { readonly enabled: true }
    readonly phoneNumber?: { readonly enabled: true }
  }
  /** Empty where nobody chose. */
  readonly smsRegionConfig:
    | Readonly<Record<string, never>>
    | { readonly allowByDefault: { readonly disallowedRegions?: readonly string[] } }
    | { readonly allowlistOnly: { readonly allowedRegions?: readonly string[] } }
}

/** What every operation works on. */
export interface Core {
  readonly projectId: string
  readonly appName: string
  readonly clock: Clock
  readonly publicOrigin: () => string
  /** The OAuth client whose Google ID tokens the project accepts. */
  readonly googleClientId: string
  /** What was chosen in the console, for the administrator to read: nothing here goes by it. */
  readonly settings: () => SignInSettings
  /** Takes a captcha's token; what is wrong with it, or null. */
  readonly redeemCaptcha: (token: string) => CaptchaProblem | null
  data: AuthData
}

/** The empty state. The key outlives a reset, because those who verify tokens keep it in a cache. */
export const emptyData = (key: SigningKey): AuthData => ({
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
})

export function createSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    kid: randomBytes(20).toString('hex'),
    privateJwk: privateKey.export({ format: 'jwk' }) as SigningKey['privateJwk'],
  }
}

export const accountById = (core: Core, localId: string) =>
  core.data.accounts.find((account) => account.localId === localId)

export const accountByEmail = (core: Core, email: string) =>
  core.data.accounts.find((account) => account.email === canonicalEmail(email))

export const accountByPhone = (core: Core, phoneNumber: string) =>
  core.data.accounts.find((account) => account.phoneNumber === phoneNumber)

/** A new account with what its first way in tells about the person. */
export function createAccount(core: Core, known: Partial<Account>): Account {
  const now = core.clock.now()
  const account: Account = {
    localId: newLocalId(),
    email: null,
    emailVerified: false,
    phoneNumber: null,
    displayName: '',
    password: null,
    google: null,
    wrongPasswords: { count: 0, lastAt: 0 },
    disabled: false,
    validSince: now,
    createdAt: now,
    lastLoginAt: now,
    lastRefreshAt: now,
    ...known,
  }
  core.data.accounts.push(account)
  return account
}

/** Takes ways in from an account. The address stays when its password goes, as in the real service. */
export function unlink(account: Account, providers: readonly string[]): void {
  if (providers.includes('password')) account.password = null
  if (providers.includes('phone')) account.phoneNumber = null
  if (providers.includes('google.com')) account.google = null
}

/** Two addresses that differ only in case belong to one account, as in the real service. */
export const canonicalEmail = (email: string) => email.toLowerCase()

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 28 letters and digits, the form of the real service's user ids. */
const newLocalId = () =>
  Array.from({ length: 28 }, () => ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length))).join('')
