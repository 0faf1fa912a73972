import { expect, test } from 'vitest'
import { type SessionEvent, sessionMachine } from './session.ts'
import {
  accountWithoutProfile,
  knownAccount,
  otherAccount,
  profileMissingSession,
  readySession,
  unverifiedAccount,
  unverifiedSession,
} from './testing/sessionSituations.ts'
import { walk } from './testing/walk.ts'

test('only device or server admit, and sessions end on cleared devices', () => {
  const facts = [
    ...[null, knownAccount, unverifiedAccount, otherAccount].map((account) => ({
      account,
      signOutUid: null,
    })),
    { account: null, signOutUid: 'u1' },
  ]
  const remembered = [
    ...facts,
    { account: accountWithoutProfile, signOutUid: null },
    { account: knownAccount, signOutUid: 'u1' },
  ]
  const events: SessionEvent[] = [
    ...facts.map((fact) => ({ type: 'account.changed' as const, ...fact })),
    { type: 'account.unreachable' },
    { type: 'session.signOut' },
    { type: 'verification.recheck' },
    { type: 'start.retry' },
    { type: 'notice.dismiss' },
  ]
  const { untaken } = walk({
    machine: sessionMachine,
    input: undefined,
    events: ({ value, context }) =>
      value === 'starting' && context.account === null
        ? [...events, ...remembered.map((fact) => ({ type: 'device.read' as const, ...fact }))]
        : events,
    // The reason of an end and its notice change no transition; the next user is like the first one.
    blur: ({ account, session, nextAccount }) => [
      account?.uid,
      account?.emailVerified,
      session?.kind,
      nextAccount !== null,
    ],
    answers: {
      admit: [undefined],
      readProfile: [readySession, unverifiedSession, profileMissingSession, null],
      reloadAccount: [{ emailVerified: true }, { emailVerified: false }],
      signOut: [undefined],
      leaveMissingProfile: [undefined],
      recordOpenPayment: [undefined],
      clearDevice: [undefined],
    },
    invariant: ({ event, before, after, at }) => {
      const { account, session } = after.context
      if (after.matches('signedIn')) expect(session?.kind, at).toBe('ready')
      if (after.matches('unverified')) expect(session?.kind, at).toMatch(/^(unverified|held)$/)
      if (after.matches('signedOut')) expect([account, session], at).toEqual([null, null])
      // While the device holds the data of one user, no other account is shown.
      const last = before.context.account
      if (last && account?.uid !== last.uid) expect(event.type, at).toMatch(/^xstate\.done\..*clearing$/)
    },
  })
  expect(untaken).toEqual([])
})
