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
  | { readonly kind: 'held'; readonly uid: string; readonly email: string; readonly until: Held }
  /** Until the user says that a second account is meant. `present`: enough of the first account's address to recognise it. */
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
 * The step that opens an account whose address is verified, but which is still closed to this user: to sign in again, or to sign in
 * with the address or the number that the account was made with. The reasons are in domain/waysIn.ts.
 */
export type Held = 'signedInAgain' | 'byAddress' | 'byPhone'

/** The address of a new account was that of another one before, which has this one now, told in part. */
export interface FormerAddress {
  readonly present: string
}

export interface SessionFacts {
  readonly account: Account
  /** The server's answer, which is certain, or the lack of one, which proves nothing. */
  readonly profile: ProfileSummary | 'missing' | 'unreachable' | 'unverified' | Held | FormerAddress
  /** This account's profile as the device last saw it. */
  readonly remembered: ProfileSummary | null
}

/**
 * Decides how an account may use the app; null if that is not known. After a network failure the user stays signed in: the
 * remembered profile replaces an unreachable one. An unverified password account is held whatever its profile says, and an account that was made with
 * an unverified address is held for every way in. Specification, sections 2, 4 and 6.
 */
export function deriveSession({ account, profile, remembered }: SessionFacts): Session | null {
  const { uid } = account
  const email = account.email ?? ''
  if (profile === 'unverified' || isUnproven(account)) return { kind: 'unverified', uid, email }
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

/** Whether only an unverified address leads into the account. Where a phone does too, the profile says which came first. */
export const isUnproven = ({ usesPassword, emailVerified, phone }: Account): boolean =>
  usesPassword && !emailVerified && phone === null
