import type { Account } from './account.ts'

export interface ProfileSummary {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

export type Session =
  | { readonly kind: 'unverified'; readonly uid: string; readonly email: string }
  | { readonly kind: 'held'; readonly uid: string; readonly email: string; readonly until: UnlockStep }
  /** Held until the user confirms a second account. `present`: the first account's masked address. */
  | {
      readonly kind: 'held'
      readonly uid: string
      readonly email: string
      readonly until: 'another'
      readonly present: string
    }
  | ({ readonly kind: 'ready'; readonly uid: string } & ProfileSummary)
  | { readonly kind: 'profileMissing'; readonly uid: string; readonly phone: string | null }

/** The step that unlocks a verified account; domain/account/ownership.ts has the reasons. */
export type UnlockStep = 'signedInAgain' | 'byAddress' | 'byPhone'

/** The address formerly belonged to another account. `present`: that account's masked address now. */
export interface FormerAddressNotice {
  readonly present: string
}

export interface SessionFacts {
  readonly account: Account
  /** The server's answer; 'unreachable' proves nothing. */
  readonly profile:
    | ProfileSummary
    | 'missing'
    | 'unreachable'
    | 'unverified'
    | UnlockStep
    | FormerAddressNotice
  readonly remembered: ProfileSummary | null
}

/**
 * Null if unknown. After a network failure the remembered profile counts. An unverified password account is
 * held whatever its profile says; an account created with an unverified address is held for every sign-in
 * method. Specification, sections 2, 4 and 6.
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

/** An account that also has a phone is decided by its profile, which says which came first. */
export const hasOnlyUnverifiedEmail = ({ usesPassword, emailVerified, phone }: Account): boolean =>
  usesPassword && !emailVerified && phone === null
