import type { ProfileSummary, Session } from '../../domain/session.ts'
import type { KnownAccount } from '../session.ts'

const profile: ProfileSummary = { name: 'Awa', email: 'awa@example.com', phone: null }
export const awa: KnownAccount = {
  uid: 'u1',
  email: 'awa@example.com',
  phone: null,
  emailVerified: true,
  usesPassword: true,
  remembered: profile,
}
export const stranger: KnownAccount = { ...awa, remembered: null }
export const unproven: KnownAccount = { ...awa, emailVerified: false, remembered: null }
export const bob: KnownAccount = { ...awa, uid: 'u2', remembered: null }

export const ready: Session = { kind: 'ready', uid: 'u1', ...profile }
export const renamed: Session = { ...ready, name: 'Awa B.' }
export const bobReady: Session = { ...ready, uid: 'u2', name: 'Bob' }
export const held: Session = { kind: 'unverified', uid: 'u1', email: 'awa@example.com' }
export const closed: Session = { kind: 'held', uid: 'u1', email: 'awa@example.com', until: 'signedInAgain' }
export const missing: Session = { kind: 'profileMissing', uid: 'u1', phone: '+224620000000' }
