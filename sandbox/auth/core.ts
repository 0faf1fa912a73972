import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import type { Clock } from '../standin.ts'

export type Language = 'fr' | 'en'

export type ActionRequest = 'VERIFY_EMAIL' | 'PASSWORD_RESET' | 'VERIFY_AND_CHANGE_EMAIL'

/** All times are milliseconds since the epoch, UTC. */
export interface Account {
  readonly localId: string
  email: string
  emailVerified: boolean
  displayName: string
  photoUrl: string
  password: { salt: string; hash: string; updatedAt: number }
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
  readonly provider: string
  /** When the person proved who they are: what the recent-login rule looks at. */
  readonly authTime: number
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
  readonly oobLink: string
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

export interface SigningKey {
  readonly kid: string
  readonly privateJwk: Readonly<
    { kty: 'RSA' } & Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', string>
  >
}

/** Everything the stand-in remembers, as plain data. */
export interface AuthData {
  key: SigningKey
  accounts: Account[]
  sessions: Session[]
  codes: ActionCode[]
  mails: Mail[]
}

/** What every operation works on. */
export interface Core {
  readonly projectId: string
  readonly appName: string
  readonly clock: Clock
  readonly publicOrigin: () => string
  readonly emailEnumerationProtection: boolean
  data: AuthData
}

/** The empty state. The key outlives a reset, because those who verify tokens keep it in a cache. */
export const emptyData = (key: SigningKey): AuthData => ({
  key,
  accounts: [],
  sessions: [],
  codes: [],
  mails: [],
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

/** Two addresses that differ only in case belong to one account, as in the real service. */
export const canonicalEmail = (email: string) => email.toLowerCase()

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 28 letters and digits, the form of the real service's user ids. */
export const newLocalId = () =>
  Array.from({ length: 28 }, () => ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length))).join('')

export const newSecret = () => randomBytes(40).toString('base64url')
