import { err, ok, type Result } from '../common/result.ts'
import type { IdentityState } from './identity.ts'

/** `VITE_IDENTITY_REQUIRED_FROM`: whole EUR, below the monthly cap. */
export const IDENTITY_LIMIT_PATTERN = /^(0|[1-9]\d{0,2})$/

/** Converts the setting to EUR cents; null without a limit. */
export const parseIdentityLimit = (setting: string | undefined): number | null =>
  setting ? Number(setting) * 100 : null

export type IdentityRequiredProblem = {
  readonly kind: 'identityRequired'
  /** EUR cents per month without an approved document. */
  readonly limitCents: number
  readonly document: Exclude<IdentityState['kind'], 'approved'>
}

/** `monthCents` (EUR cents) includes the next transfer. */
export const isIdentityRequired = (monthCents: number, limitCents: number | null): limitCents is number =>
  limitCents !== null && monthCents > limitCents

export const checkIdentityApproved = (
  { kind }: IdentityState,
  limitCents: number,
): Result<void, IdentityRequiredProblem> =>
  kind === 'approved' ? ok(undefined) : err({ kind: 'identityRequired', limitCents, document: kind })
