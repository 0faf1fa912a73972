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
 * Takes down a call that no stand-in understands. The test run fails when there is one: an SDK that
 * asks for something the sandbox does not have must never pass unnoticed.
 */
export type ReportUnknown = (service: string, what: string) => void

/** What stands in for one hosted service: its HTTP surface, and a way back to the empty state. */
export interface StandIn {
  readonly app: Hono
  reset(): void
}
