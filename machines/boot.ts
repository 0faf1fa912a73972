/**
 * Decides which of the app's screens a person is on: still loading, the error screen with its retry, signed out, let in,
 * held for an unverified address, or signed in. It exists because the answer comes late, from services that may fail
 * or hang, and can change at any moment: in another tab, by a mail link, by signing out. Specification, sections 2
 * and 4. A start that hangs ends on the error screen; a failing network signs nobody out.
 */
import { type AnyEventObject, assertEvent, assign, fromCallback, fromPromise, setup } from 'xstate'
import { inPlace, unprovided, unprovidedAction, unprovidedAnswer, withAnswer } from './actors.ts'
import { isSameSession, type Session } from './session.ts'

export type BootNotice =
  | 'accountNotFound'
  | 'signedOutSuccess'
  | 'signOutFailed'
  | 'stillUnverified'
  | 'recheckFailed'

export interface BootContext {
  /** Null until the first answer, and while that for somebody who has just signed in is awaited. Its kind agrees with the state once somebody is signed in or held. */
  readonly session: Session | null
  readonly notice: BootNotice | null
}

export type BootEvent =
  /** From `watchSession`, at the start and at each change of account or profile. */
  | { type: 'session.changed'; session: Session }
  /** From there too: somebody has just signed in, and what their session is takes more answers. */
  | { type: 'account.found' }
  | { type: 'session.signOut' }
  /** The person says that the address is verified now, or comes back to this page. */
  | { type: 'verification.recheck' }
  | { type: 'start.retry' }
  | { type: 'notice.dismiss' }

/** Signing out ends the same wherever it was asked for: by its own answer, or by the session that ends meanwhile. */
const signedOut = {
  byAnswer: {
    target: '#boot.signedOut',
    actions: ['forgetSession', { type: 'tell', params: 'signedOutSuccess' }],
  },
  bySession: {
    guard: 'isNobody',
    target: '#boot.signedOut',
    actions: ['rememberSession', { type: 'tell', params: 'signedOutSuccess' }],
  },
} as const

export const bootMachine = setup({
  types: {
    context: {} as BootContext,
    events: {} as BootEvent,
    tags: {} as 'busy',
  },
  actors: {
    /**
     * Sends `session.changed` for as long as the app lives. An answer that comes late, for an account that is no
     * longer the current one, must not be sent.
     */
    watchSession: fromCallback<AnyEventObject>(unprovided),
    /**
     * Signs out and removes the person's data from the device. The session that ends is taken as the proof that both
     * are done: `watchSession` tells of it after them.
     */
    signOut: fromPromise<void, { uid: string }>(unprovidedAnswer),
    /** Sets the flag that opens the sign-up, then signs out; in that order, for the same reason. */
    leaveMissingProfile: fromPromise<void, { uid: string; phone: string | null }>(unprovidedAnswer),
    /** Asks the sign-in service anew. When the address turns out verified, `watchSession` tells the new session. */
    reloadAccount: fromPromise<{ emailVerified: boolean }, { uid: string }>(unprovidedAnswer),
  },
  actions: {
    reloadApp: unprovidedAction,
    rememberSession: assign(({ event }) => {
      assertEvent(event, 'session.changed')
      return { session: event.session }
    }),
    forgetSession: assign({ session: { kind: 'none' } }),
    awaitSession: assign({ session: null, notice: null }),
    tell: assign((_, notice: BootNotice) => ({ notice })),
    clearNotice: assign({ notice: null }),
  },
  guards: {
    isSameSessionAgain: ({ context, event }) => isSameSession(context.session, changedTo(event)),
    isSamePersonReady: ({ context, event }) => {
      const session = changedTo(event)
      return session.kind === 'ready' && session.uid === uidOf(context)
    },
    isNewsOfFailureOnly: ({ context, event }) => {
      const session = changedTo(event)
      return session.kind === 'failed' && (session.uid === null || session.uid === uidOf(context))
    },
    isNobody: ({ event }) => changedTo(event).kind === 'none',
    isHeld: ({ event }) => ['unverified', 'held'].includes(changedTo(event).kind),
    isReady: ({ event }) => changedTo(event).kind === 'ready',
    isProfileMissing: ({ event }) => changedTo(event).kind === 'profileMissing',
    isVerified: (_, account: { emailVerified: boolean }) => account.emailVerified,
  },
  delays: {
    startTimeout: 20_000,
  },
}).createMachine({
  id: 'boot',
  context: { session: null, notice: null },
  invoke: { src: 'watchSession', onError: '.authError' },
  initial: 'loading',
  on: {
    'session.changed': [
      { guard: 'isSameSessionAgain' },
      { guard: 'isNobody', target: '.signedOut', actions: ['rememberSession', 'clearNotice'] },
      { guard: 'isHeld', target: '.unverified', actions: ['rememberSession', 'clearNotice'] },
      { guard: 'isReady', target: '.signedIn', actions: ['rememberSession', 'clearNotice'] },
      {
        guard: 'isProfileMissing',
        target: '.leavingMissingProfile',
        actions: ['rememberSession', 'clearNotice'],
      },
      { target: '.authError', actions: ['rememberSession', 'clearNotice'] },
    ],
    'notice.dismiss': { actions: 'clearNotice' },
  },
  states: {
    loading: {
      description:
        'Nobody knows yet whether somebody is signed in; the person waits, and after 20 seconds is told that it failed.',
      tags: 'busy',
      after: { startTimeout: 'authError' },
    },

    authError: {
      description: 'The start has failed or hangs; the person reads why, and can try again.',
      on: { 'start.retry': { actions: 'reloadApp' } },
    },

    signedOut: {
      description: 'Nobody is signed in; the person can sign in, sign up, or read what the product is.',
      on: { 'account.found': { target: 'opening', actions: 'awaitSession' } },
    },

    // The form has done its part: on a slow network it would stand there as if nothing were going on.
    opening: {
      description: 'Somebody has just signed in, and their account is being opened; the person waits.',
      tags: 'busy',
      after: { startTimeout: 'authError' },
    },

    unverified: {
      description:
        'Somebody is signed in whose address nobody has confirmed; they see no more than the page that says so.',
      initial: 'awaitingVerification',
      states: {
        awaitingVerification: {
          description:
            'The person opens the link of the mail, says that they have, asks for another mail, or signs out.',
          on: {
            'verification.recheck': { target: 'rechecking', actions: 'clearNotice' },
            'session.signOut': { target: 'signingOut', actions: 'clearNotice' },
          },
        },
        rechecking: {
          description:
            'The sign-in service is asked whether the address is confirmed by now; the person waits, or signs out.',
          tags: 'busy',
          invoke: {
            src: 'reloadAccount',
            input: ({ context }) => ({ uid: uidOf(context) }),
            onDone: [
              {
                guard: withAnswer('isVerified'),
                target: 'awaitingVerification',
              },
              { target: 'awaitingVerification', actions: { type: 'tell', params: 'stillUnverified' } },
            ],
            onError: { target: 'awaitingVerification', actions: { type: 'tell', params: 'recheckFailed' } },
          },
          on: { 'session.signOut': { target: 'signingOut', actions: 'clearNotice' } },
        },
        signingOut: {
          description: 'The person is being signed out, and their data leave the device; they wait.',
          tags: 'busy',
          invoke: {
            src: 'signOut',
            input: ({ context }) => ({ uid: uidOf(context) }),
            onDone: signedOut.byAnswer,
            onError: { target: 'awaitingVerification', actions: { type: 'tell', params: 'signOutFailed' } },
          },
          on: { 'session.changed': signedOut.bySession },
        },
      },
    },

    signedIn: {
      description: 'Somebody is signed in, and their profile is known.',
      initial: 'usingApp',
      on: {
        'session.changed': [
          { guard: 'isSameSessionAgain' },
          { guard: 'isSamePersonReady', actions: 'rememberSession' },
          { guard: 'isNewsOfFailureOnly' },
        ],
      },
      states: {
        usingApp: {
          description: 'The person uses the app, and can sign out at any time.',
          on: { 'session.signOut': { target: 'signingOut', actions: 'clearNotice' } },
        },
        signingOut: {
          description:
            'The person is being signed out, and their data leave the device; what they see stays until it is done.',
          tags: 'busy',
          invoke: {
            src: 'signOut',
            input: ({ context }) => ({ uid: uidOf(context) }),
            onDone: signedOut.byAnswer,
            onError: { target: 'usingApp', actions: { type: 'tell', params: 'signOutFailed' } },
          },
          on: { 'session.changed': signedOut.bySession },
        },
      },
    },

    leavingMissingProfile: {
      description: 'There is a session without an account; it ends, and the person is led to the sign-up.',
      tags: 'busy',
      invoke: {
        src: 'leaveMissingProfile',
        input: ({ context }) => ({ uid: uidOf(context), phone: phoneOf(context) }),
        onDone: {
          target: 'signedOut',
          actions: ['forgetSession', { type: 'tell', params: 'accountNotFound' }],
        },
        onError: { target: 'authError', actions: { type: 'tell', params: 'signOutFailed' } },
      },
      after: { startTimeout: 'authError' },
      on: {
        'session.changed': {
          guard: 'isNobody',
          target: 'signedOut',
          actions: ['rememberSession', { type: 'tell', params: 'accountNotFound' }],
        },
      },
    },
  },
})

function changedTo(event: BootEvent): Session {
  assertEvent(event, 'session.changed')
  return event.session
}

function uidOf({ session }: BootContext): string {
  return inPlace(session && 'uid' in session ? session.uid : null)
}

function phoneOf({ session }: BootContext): string | null {
  return session?.kind === 'profileMissing' ? session.phone : null
}
