import type { Account } from './account.ts'

/** The fields of a profile that the greeting and the profile menu show. */
export interface ProfileSummary {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** How an account may use the app. */
export type Session =
  | { readonly kind: 'unverified'; readonly uid: string; readonly email: string }
  | { readonly kind: 'held'; readonly uid: string; readonly email: string; readonly until: UnlockStep }
  /**
   * Held until the user confirms that a second account is intended. `present`: the first account's address,
   * masked.
   */
  | {
      readonly kind: 'held'
      readonly uid: string
      readonly email: string
      readonly until: 'another'
      readonly present: string
    }
  | ({ readonly kind: 'ready'; readonly uid: string } & ProfileSummary)
  | { readonly kind: 'profileMissing'; readonly uid: string; readonly phone: string | null }

/**
 * The step after which this user can use a verified account: signing in again, or signing in with the address
 * or number that created the account. domain/account/ownership.ts has the reasons.
 */
export type UnlockStep = 'signedInAgain' | 'byAddress' | 'byPhone'

/**
 * The new account's address formerly belonged to another account. `present`: that account's address now,
 * masked.
 */
export interface FormerAddressNotice {
  readonly present: string
}

export interface SessionFacts {
  readonly account: Account
  /** The server's answer, which is certain, or 'unreachable', which proves nothing. */
  readonly profile:
    | ProfileSummary
    | 'missing'
    | 'unreachable'
    | 'unverified'
    | UnlockStep
    | FormerAddressNotice
  /** This account's profile as last seen by the device. */
  readonly remembered: ProfileSummary | null
}

/**
 * Decides how an account may use the app; null if unknown. After a network failure the user stays signed in
 * with the remembered profile. An unverified password account is held whatever its profile says, and an
 * account created with an unverified address is held for every sign-in method. Specification, sections 2, 4
 * and 6.
 */
export function deriveSession({ account, profile, remembered }: SessionFacts): Session | null {
  const { uid } = account
  const email = account.email ?? ''
  if (profile === 'unverified' || hasOnlyUnverifiedEmail(account)) return { kind: 'unverified', uid, email }
  if (profile === 'missing') return { kind: 'profileMissing', uid, phone: account.phone }
  if (profile === 'signedInAgain' || profile === 'byAddress' || profile === 'byPhone')
    return { kind: 'held', uid, email, until: profile }
  if (typeof profile === 'object' && 'present' in profile)
    return { kind: 'held', uid, email, until: 'another', present: profile.present }
  const known = profile === 'unreachable' ? remembered : profile
  if (!known) return null
  const { name, phone } = known
  return { kind: 'ready', uid, name, email: known.email ?? account.email, phone: phone ?? account.phone }
}

/**
 * Whether an unverified address is the account's only sign-in method. If it has a phone too, the profile says
 * which came first.
 */
export const hasOnlyUnverifiedEmail = ({ usesPassword, emailVerified, phone }: Account): boolean =>
  usesPassword && !emailVerified && phone === null
