import type { ProfileSummary, Session } from '../../domain/account/session.ts'
import type { KnownAccount } from '../session.ts'

const profile: ProfileSummary = { name: 'Awa', email: 'awa@example.com', phone: null }
export const knownAccount: KnownAccount = {
  uid: 'u1',
  email: 'awa@example.com',
  phone: null,
  emailVerified: true,
  usesPassword: true,
  remembered: profile,
}
export const accountWithoutProfile: KnownAccount = { ...knownAccount, remembered: null }
export const unverifiedAccount: KnownAccount = { ...knownAccount, emailVerified: false, remembered: null }
export const otherAccount: KnownAccount = { ...knownAccount, uid: 'u2', remembered: null }

export const readySession: Session = { kind: 'ready', uid: 'u1', ...profile }
export const renamedSession: Session = { ...readySession, name: 'Awa B.' }
export const otherReadySession: Session = { ...readySession, uid: 'u2', name: 'Bob' }
export const unverifiedSession: Session = { kind: 'unverified', uid: 'u1', email: 'awa@example.com' }
export const heldSession: Session = {
  kind: 'held',
  uid: 'u1',
  email: 'awa@example.com',
  until: 'signedInAgain',
}
export const profileMissingSession: Session = { kind: 'profileMissing', uid: 'u1', phone: '+224620000000' }
