import type { Account } from '../domain/account.ts'

/** What the greeting and the profile menu need of a stored profile. */
export interface ProfileSummary {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
}

/** Who is using the app. Plain, flat data: two sessions with equal fields are the same session. */
export type Session =
  | { readonly kind: 'none' }
  | { readonly kind: 'unverified'; readonly uid: string; readonly email: string }
  | { readonly kind: 'held'; readonly uid: string; readonly email: string; readonly until: Held }
  /** Until the person says that a second account is meant. `present`: enough of the first one's address to know it again. */
  | {
      readonly kind: 'held'
      readonly uid: string
      readonly email: string
      readonly until: 'another'
      readonly present: string
    }
  | ({ readonly kind: 'ready'; readonly uid: string } & ProfileSummary)
  | { readonly kind: 'profileMissing'; readonly uid: string; readonly phone: string | null }
  /** It can't be told. `uid` is null when not even the account is known. */
  | { readonly kind: 'failed'; readonly uid: string | null }

/**
 * What opens the account to somebody whose address is verified, and whom it is closed to as yet: to sign in once more, with the
 * address, or with the number that the account was made with. Why: domain/waysIn.ts.
 */
export type Held = 'signedInAgain' | 'byAddress' | 'byPhone'

/** The address of a new account was that of another one before, which has this one now, told in part. */
export interface FormerAddress {
  readonly present: string
}

export interface SessionFacts {
  readonly account: Account | null
  /** The answer of the server, which is sure, or the lack of one, which proves nothing. */
  readonly profile: ProfileSummary | 'missing' | 'unreachable' | 'unverified' | Held | FormerAddress
  /** This account's profile as this device saw it last. */
  readonly cachedProfile: ProfileSummary | null
}

/**
 * Decides who is using the app. A network failure signs nobody out: the cached profile stands in for an unreachable
 * one. An unverified password account is held whatever its profile says, and by any way in an account that was made with an
 * address that is not verified. Specification, sections 2, 4 and 6.
 */
export function sessionOf({ account, profile, cachedProfile }: SessionFacts): Session {
  if (!account) return { kind: 'none' }
  const { uid } = account
  const email = account.email ?? ''
  if (profile === 'unverified' || isUnproven(account)) return { kind: 'unverified', uid, email }
  if (profile === 'missing') return { kind: 'profileMissing', uid, phone: account.phone }
  if (profile === 'signedInAgain' || profile === 'byAddress' || profile === 'byPhone')
    return { kind: 'held', uid, email, until: profile }
  if (typeof profile === 'object' && 'present' in profile)
    return { kind: 'held', uid, email, until: 'another', present: profile.present }
  const known = profile === 'unreachable' ? cachedProfile : profile
  if (!known) return { kind: 'failed', uid }
  const { name, phone } = known
  return { kind: 'ready', uid, name, email: known.email ?? account.email, phone: phone ?? account.phone }
}

/** Whether nothing but an unverified address leads into the account. Where a phone does too, the profile says which came first. */
export const isUnproven = ({ usesPassword, emailVerified, phone }: Account): boolean =>
  usesPassword && !emailVerified && phone === null

/** Whether nothing has changed: a refreshed token says the same session again. Its kind says which fields there are. */
export function isSameSession(one: Session | null, other: Session): boolean {
  const fields: Record<string, unknown> = { ...one }
  return Object.entries(other).every(([name, value]) => fields[name] === value)
}
