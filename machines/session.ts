import type { Account } from '../src/domain/account.ts'

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
  | ({ readonly kind: 'ready'; readonly uid: string } & ProfileSummary)
  | { readonly kind: 'profileMissing'; readonly uid: string; readonly phone: string | null }
  /** It can't be told. `uid` is null when not even the account is known. */
  | { readonly kind: 'failed'; readonly uid: string | null }

export interface SessionFacts {
  readonly account: Account | null
  /** The answer of the server, which is sure, or the lack of one, which proves nothing. */
  readonly profile: ProfileSummary | 'missing' | 'unreachable'
  /** This account's profile as this device saw it last. */
  readonly cachedProfile: ProfileSummary | null
}

/**
 * Decides who is using the app. A network failure signs nobody out: the cached profile stands in for an unreachable
 * one. An unverified password account is held whatever its profile, which it may not read yet. Specification,
 * sections 2, 4 and 6.
 */
export function sessionOf({ account, profile, cachedProfile }: SessionFacts): Session {
  if (!account) return { kind: 'none' }
  const { uid } = account
  if (account.usesPassword && !account.emailVerified)
    return { kind: 'unverified', uid, email: account.email ?? '' }
  if (profile === 'missing') return { kind: 'profileMissing', uid, phone: account.phone }
  const known = profile === 'unreachable' ? cachedProfile : profile
  if (!known) return { kind: 'failed', uid }
  const { name, email, phone } = known
  return { kind: 'ready', uid, name, email: email ?? account.email, phone: phone ?? account.phone }
}

/** Whether nothing has changed: a refreshed token says the same session again. */
export function isSameSession(one: Session | null, other: Session): boolean {
  if (!one) return false
  const fields: Record<string, unknown> = { ...one }
  const others = Object.entries(other)
  return (
    others.length === Object.keys(fields).length && others.every(([name, value]) => fields[name] === value)
  )
}
