import { randomBytes, randomInt } from 'node:crypto'

/** UTC milliseconds. All emulators share one clock, so that a test can move time. */
export interface Clock {
  now(): number
}

export type CallerIdentity =
  | { kind: 'admin' }
  | { kind: 'user'; uid: string; token: Readonly<Record<string, unknown>> }
  | { kind: 'nobody' }
  | { kind: 'invalid'; reason: string }

export type IdentifyCaller = (authorization: string | undefined) => Promise<CallerIdentity>

/** The test run then fails, so that no SDK depends on a call that the emulators lack. */
export type ReportUnknown = (service: string, what: string) => void

/** Hono context variable with the error that Stripe stores under the idempotency key. */
export const STORED_FAULT_KEY = 'storedFault'

export interface StoredFault {
  readonly status: number
  readonly message: string
}

export type CaptchaProblem = 'DUPE' | 'EXPIRED' | 'MALFORMED'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const createRandomText = (length: number) =>
  Array.from({ length }, () => ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length))).join('')

/** As in Google's APIs. */
export const buildGoogleError = (code: number, status: string, message: string) => ({
  error: { code, message, status },
})

export const createSecret = () => randomBytes(40).toString('base64url')
