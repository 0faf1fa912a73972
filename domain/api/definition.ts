import type * as v from 'valibot'

interface Definition {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Maximum calls per user in ten minutes. */
  readonly most?: number
  /** Begins a payment or a plan, so the caller's account must be in good standing. */
  readonly beginsPayment?: true
  /** How a function that needs no token is protected from abuse. */
  readonly guardedBy?: string
  readonly request: v.GenericSchema<unknown, object>
  readonly response: v.GenericSchema<unknown, object>
}

/**
 * Defines a function that the app calls. The registry, endpoint, browser client, tests and docs/api.md are
 * derived from its definition; docs/api.md takes its description from the comment. Amounts are in minor
 * units, instants in UTC milliseconds. Specification, section 7.
 */
export const defineFunction = <const D extends Definition>(definition: D): D => definition
