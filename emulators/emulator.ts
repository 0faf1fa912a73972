import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'

/** Source of the current time, in UTC milliseconds. All emulators share one, so that a test can move time. */
export interface Clock {
  now(): number
}

/** The caller of a request, read from its Authorization header. */
export type CallerIdentity =
  | { kind: 'admin' }
  | { kind: 'user'; uid: string; token: Readonly<Record<string, unknown>> }
  | { kind: 'nobody' }
  | { kind: 'invalid'; reason: string }

export type IdentifyCaller = (authorization: string | undefined) => Promise<CallerIdentity>

/**
 * Records a call that no emulator supports. The test run then fails, so that no SDK depends on a call that
 * the emulators lack.
 */
export type ReportUnknown = (service: string, what: string) => void

/** An emulated service: its HTTP API, and a function that deletes its data. */
export interface Emulator {
  readonly app: Hono
  reset(): void
}

/**
 * Name of the Hono context variable with the error that Stripe's emulator returns and stores under the
 * idempotency key.
 */
export const STORED_FAULT_KEY = 'storedFault'

export interface StoredFault {
  readonly status: number
  readonly message: string
}

/** Why a captcha token is refused. */
export type CaptchaProblem = 'DUPE' | 'EXPIRED' | 'MALFORMED'

/** Creates an unguessable token, code or key. */
export const createSecret = () => randomBytes(40).toString('base64url')
