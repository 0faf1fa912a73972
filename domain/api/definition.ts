import type { RefusalCode } from '../refusals.ts'
import type { Schema } from '../schema.ts'

/** Codes that any function refuses with. */
export const ANY = ['methodNotAllowed', 'invalidRequest', 'paymentUnavailable', 'unavailable'] as const
/** Codes of every function that a user signs in for. */
export const SIGNED_IN = [...ANY, 'unauthenticated', 'emailUnverified', 'tooManyRequests'] as const
/** Codes where a payment or a plan begins. */
export const MAY_PAY = ['userNotFound', 'paymentsPaused', 'paymentsClosed', 'tooManyDeclines'] as const

interface Definition {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** How often one user may call it in ten minutes. */
  readonly most?: number
  /** A payment or a plan begins with it, so the account of its caller has to be in order. */
  readonly beginsPayment?: true
  /** The guard of a function that needs no token. */
  readonly guardedBy?: string
  readonly request: Schema<object>
  readonly response: Schema<object>
  readonly refusals: readonly RefusalCode[]
}

/**
 * A function that the app calls. Registry, endpoint, browser client, tests and docs/api.md derive from its definition, whose
 * comment is its description there. Amounts are in minor units, instants in UTC milliseconds. Specification, section 7.
 */
export const defineFunction = <const D extends Definition>(definition: D): D => definition
