import { describe, expect, test } from 'vitest'
import type { Account } from '../domain/account.ts'
import { isSameSession, type ProfileSummary, type Session, sessionOf } from './session.ts'

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

describe('where the session comes from @spec-session', () => {
  test.each<[name: string, facts: Parameters<typeof sessionOf>[0], session: Session]>([
    ['no account', { account: null, profile: 'missing', cachedProfile: null }, { kind: 'none' }],
    ['no account, whatever is cached', { account: null, profile, cachedProfile: profile }, { kind: 'none' }],
    ['an account with its profile', { account, profile, cachedProfile: null }, ready],
    ['the server is newer than the device', { account, profile, cachedProfile: older }, ready],
    ['no network, profile on the device', { account, profile: 'unreachable', cachedProfile: profile }, ready],
    [
      'no network, nothing on the device',
      { account, profile: 'unreachable', cachedProfile: null },
      { kind: 'failed', uid: 'u1' },
    ],
    [
      'the server knows no profile',
      { account, profile: 'missing', cachedProfile: null },
      { kind: 'profileMissing', uid: 'u1', phone: null },
    ],
    [
      'the server knows no profile, the device had one',
      { account: byPhone, profile: 'missing', cachedProfile: profile },
      { kind: 'profileMissing', uid: 'u1', phone: '+224620000000' },
    ],
    [
      'an unverified password account',
      { account: unverified, profile, cachedProfile: null },
      { kind: 'unverified', uid: 'u1', email: 'awa@example.com' },
    ],
    [
      'an unverified password account may not read its profile yet',
      { account: unverified, profile: 'unreachable', cachedProfile: null },
      { kind: 'unverified', uid: 'u1', email: 'awa@example.com' },
    ],
    ...(['signedInAgain', 'byAddress', 'byPhone'] as const).map(
      (until): [string, Parameters<typeof sessionOf>[0], Session] => [
        `a verified address that is not confirmed: ${until}`,
        { account, profile: until, cachedProfile: profile },
        { kind: 'held', uid: 'u1', email: 'awa@example.com', until },
      ],
    ),
    [
      'an address that was that of another account before',
      { account, profile: { present: 'd…@example.org' }, cachedProfile: profile },
      { kind: 'held', uid: 'u1', email: 'awa@example.com', until: 'another', present: 'd…@example.org' },
    ],
    [
      'a phone that was linked to an unverified address',
      {
        account: { ...unverified, phone: '+224620000000', usesPassword: false },
        profile: 'unverified',
        cachedProfile: profile,
      },
      { kind: 'unverified', uid: 'u1', email: 'awa@example.com' },
    ],
    [
      'an unverified address and a password that were added to a phone account',
      {
        account: { ...unverified, phone: '+224620000000' },
        profile: { name: 'Awa', email: null, phone: '+224620000000' },
        cachedProfile: null,
      },
      { kind: 'ready', uid: 'u1', name: 'Awa', email: 'awa@example.com', phone: '+224620000000' },
    ],
    [
      'verification does not apply to a phone account',
      { account: byPhone, profile: { name: 'Awa', email: null, phone: null }, cachedProfile: null },
      { kind: 'ready', uid: 'u1', name: 'Awa', email: null, phone: '+224620000000' },
    ],
  ])('%s', (_, facts, session) => {
    expect(sessionOf(facts)).toEqual(session)
  })
})

test('the same session is recognised by its fields', () => {
  expect(isSameSession(ready, { ...ready })).toBe(true)
  expect(isSameSession(ready, { ...ready, name: 'Awa B.' })).toBe(false)
  expect(isSameSession(ready, { kind: 'none' })).toBe(false)
  expect(isSameSession({ kind: 'none' }, ready)).toBe(false)
  expect(isSameSession(null, { kind: 'none' })).toBe(false)
})
