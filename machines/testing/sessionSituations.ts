import type { ProfileSummary, Session } from '../../domain/account/session.ts'
import type { DeviceAccount } from '../session.ts'

const profile: ProfileSummary = { name: 'Awa', email: 'awa@example.com', phone: null }
export const knownAccount: DeviceAccount = {
  uid: 'u1',
  email: 'awa@example.com',
  phone: null,
  emailVerified: true,
  usesPassword: true,
  remembered: profile,
}
export const accountWithoutProfile: DeviceAccount = { ...knownAccount, remembered: null }
export const unverifiedAccount: DeviceAccount = { ...knownAccount, emailVerified: false, remembered: null }
export const otherAccount: DeviceAccount = { ...knownAccount, uid: 'u2', remembered: null }

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
