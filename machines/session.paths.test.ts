import { expect, test } from 'vitest'
import { type SessionEvent, sessionMachine } from './session.ts'
import { awa, bob, held, missing, ready, stranger, unproven } from './testing/sessions.ts'
import { walk } from './testing/walk.ts'

test('on every path a user is let in by the device or the server, and leaves only a cleared device', async () => {
  const facts = [
    ...[null, awa, unproven, bob].map((account) => ({ account, leaving: null })),
    { account: null, leaving: 'u1' },
  ]
  const remembered = [...facts, { account: stranger, leaving: null }, { account: awa, leaving: 'u1' }]
  const events: SessionEvent[] = [
    ...facts.map((fact) => ({ type: 'account.changed' as const, ...fact })),
    { type: 'account.unreachable' },
    { type: 'session.signOut' },
    { type: 'verification.recheck' },
    { type: 'start.retry' },
    { type: 'notice.dismiss' },
  ]
  const { untaken } = await walk({
    machine: sessionMachine.provide({ actions: { reloadApp: () => {} } }),
    input: undefined,
    events: ({ value, context }) =>
      value === 'starting' && context.account === null
        ? [...events, ...remembered.map((fact) => ({ type: 'device.read' as const, ...fact }))]
        : events,
    // The reason of an end and its notice change no transition; the next user comes to the same states as the first one.
    blur: ({ account, session, next }) => [
      account?.uid,
      account?.emailVerified,
      session?.kind,
      next !== null,
    ],
    answers: {
      admit: [undefined],
      readProfile: [ready, held, missing, null],
      reloadAccount: [{ emailVerified: true }, { emailVerified: false }],
      signOut: [undefined],
      leaveMissingProfile: [undefined],
      noteOpenPayment: [undefined],
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
