import { describe, expect, test } from 'vitest'
import type { Account } from './account.ts'
import { deriveSession, type ProfileSummary, type Session } from './session.ts'

const account: Account = {
  uid: 'u1',
  email: 'awa@example.com',
  phone: null,
  emailVerified: true,
  usesPassword: true,
}
const unverified: Account = { ...account, emailVerified: false }
const byPhone: Account = {
  uid: 'u1',
  email: null,
  phone: '+224620000000',
  emailVerified: false,
  usesPassword: false,
}
const profile: ProfileSummary = { name: 'Awa', email: 'awa@example.com', phone: null }
const older: ProfileSummary = { ...profile, name: 'Awa B.' }
const ready: Session = { kind: 'ready', uid: 'u1', name: 'Awa', email: 'awa@example.com', phone: null }

describe('deriveSession @spec-session', () => {
  test.each<[name: string, facts: Parameters<typeof deriveSession>[0], session: Session | null]>([
    ['an account with its profile', { account, profile, remembered: null }, ready],
    ['the server’s profile is newer than the device’s', { account, profile, remembered: older }, ready],
    ['no network, profile on the device', { account, profile: 'unreachable', remembered: profile }, ready],
    ['no network, nothing on the device', { account, profile: 'unreachable', remembered: null }, null],
    [
      'the server knows no profile',
      { account, profile: 'missing', remembered: null },
      { kind: 'profileMissing', uid: 'u1', phone: null },
    ],
    [
      'the server knows no profile, the device had one',
      { account: byPhone, profile: 'missing', remembered: profile },
      { kind: 'profileMissing', uid: 'u1', phone: '+224620000000' },
    ],
    [
      'an unverified password account',
      { account: unverified, profile, remembered: null },
      { kind: 'unverified', uid: 'u1', email: 'awa@example.com' },
    ],
    [
      'an unverified password account may not read its profile yet',
      { account: unverified, profile: 'unreachable', remembered: null },
      { kind: 'unverified', uid: 'u1', email: 'awa@example.com' },
    ],
    ...(['signedInAgain', 'byAddress', 'byPhone'] as const).map(
      (until): [string, Parameters<typeof deriveSession>[0], Session] => [
        `a verified address that is not confirmed: ${until}`,
        { account, profile: until, remembered: profile },
        { kind: 'held', uid: 'u1', email: 'awa@example.com', until },
      ],
    ),
    [
      'an address that formerly belonged to another account',
      { account, profile: { present: 'd…@example.org' }, remembered: profile },
      { kind: 'held', uid: 'u1', email: 'awa@example.com', until: 'another', present: 'd…@example.org' },
    ],
    [
      'a phone that was linked to an unverified address',
      {
        account: { ...unverified, phone: '+224620000000', usesPassword: false },
        profile: 'unverified',
        remembered: profile,
      },
      { kind: 'unverified', uid: 'u1', email: 'awa@example.com' },
    ],
    [
      'an unverified address and a password that were added to a phone account',
      {
        account: { ...unverified, phone: '+224620000000' },
        profile: { name: 'Awa', email: null, phone: '+224620000000' },
        remembered: null,
      },
      { kind: 'ready', uid: 'u1', name: 'Awa', email: 'awa@example.com', phone: '+224620000000' },
    ],
    [
      'verification does not apply to a phone account',
      { account: byPhone, profile: { name: 'Awa', email: null, phone: null }, remembered: null },
      { kind: 'ready', uid: 'u1', name: 'Awa', email: null, phone: '+224620000000' },
    ],
  ])('derives how an account may use the app: %s', (_, facts, session) => {
    expect(deriveSession(facts)).toEqual(session)
  })
})
