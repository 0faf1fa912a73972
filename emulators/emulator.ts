import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'

/** Milliseconds since the epoch, UTC. One clock for the whole sandbox, so that a test can move time. */
export interface Clock {
  now(): number
}

/** Who a request speaks for, read from its Authorization header. */
export type Identity =
  | { kind: 'admin' }
  | { kind: 'user'; uid: string; token: Readonly<Record<string, unknown>> }
  | { kind: 'nobody' }
  | { kind: 'invalid'; reason: string }

export type Identify = (authorization: string | undefined) => Promise<Identity>

/**
 * Takes down a call that no emulator understands. The test run fails when there is one: an SDK that
 * asks for something the sandbox does not have must never pass unnoticed.
 */
export type ReportUnknown = (service: string, what: string) => void

/** What stands in for one hosted service: its HTTP surface, and a way back to the empty state. */
export interface Emulator {
  readonly app: Hono
  reset(): void
}

/** Under this name a request carries the error that Stripe's emulator is to answer it with, and to keep. */
export const KEPT_FAULT = 'keptFault'

export interface KeptFault {
  readonly status: number
  readonly message: string
}

/** What is wrong with the token of a captcha. */
export type CaptchaProblem = 'DUPE' | 'EXPIRED' | 'MALFORMED'

/** A token, a code or a key that nobody guesses. */
export const newSecret = () => randomBytes(40).toString('base64url')
