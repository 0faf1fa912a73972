import { err, ok, type Result } from '../common/result.ts'
import type { IdentityState } from './identity.ts'

/** The format of the setting `VITE_IDENTITY_REQUIRED_FROM`: whole EUR, below the monthly cap. */
export const IDENTITY_LIMIT_PATTERN = /^(0|[1-9]\d{0,2})$/

/** Converts the setting to EUR cents; null without a limit. */
export const parseIdentityLimit = (setting: string | undefined): number | null =>
  setting ? Number(setting) * 100 : null

export type IdentityRequiredProblem = {
  readonly kind: 'identityRequired'
  /** Maximum use of a month without an approved document, in EUR cents. */
  readonly limitCents: number
  /** The user's document, which does not count. */
  readonly document: Exclude<IdentityState['kind'], 'approved'>
}

/** Whether a month's use, including the next transfer, needs an approved document. Both in EUR cents. */
export const isIdentityRequired = (monthCents: number, limitCents: number | null): limitCents is number =>
  limitCents !== null && monthCents > limitCents

/** Checks that a user has an approved document. A pending, rejected or expired one does not count. */
export const checkIdentityApproved = (
  { kind }: IdentityState,
  limitCents: number,
): Result<void, IdentityRequiredProblem> =>
  kind === 'approved' ? ok(undefined) : err({ kind: 'identityRequired', limitCents, document: kind })
