/**
 * The session of a user from its start to its end: which screen is shown, and how the user's data leave the device. It exists
 * because the answers come late, from services that may fail or hang, and because a session can end at any moment: by signing out
 * here or in another tab, by a new password, by another user who signs in. The device is cleared of one user before the next is let
 * in. A start that hangs ends on the error screen; a failing network ends no session. Specification, sections 2 and 4.
 */
import { type AnyEventObject, assertEvent, assign, fromCallback, fromPromise, setup } from 'xstate'
import type { Account } from '../domain/account.ts'
import { deriveSession, type ProfileSummary, type Session } from '../domain/session.ts'
import { inPlace, unprovided, unprovidedAction, unprovidedAnswer, withAnswer } from './actors.ts'

/** An account with its profile as the device last saw it; null if the device has seen none. */
export interface KnownAccount extends Account {
  readonly remembered: ProfileSummary | null
}

/** Why a session ends. `cutOff`: an earlier sign-out that the page did not finish. */
export type EndReason = 'signOut' | 'cutOff' | 'profileMissing' | 'elsewhere' | 'expired' | 'otherUser'

/** A user, and why the session of the last one ended. */
export interface Ending {
  readonly uid: string
  readonly reason: EndReason | null
}

export type SessionNotice =
  | 'accountNotFound'
  | 'signedOutSuccess'
  | 'signOutFailed'
  | 'stillUnverified'
  | 'recheckFailed'

export interface SessionContext {
  /** The user whose data may be on this page; null in the state `signedOut`. */
  readonly account: KnownAccount | null
  /** Shown by the screens. It stays until the device is cleared. */
  readonly session: Session | null
  /** The account that the sign-in service has named while another one is being cleared. */
  readonly next: KnownAccount | null
  /** The user of an earlier page whose data are still to be cleared. */
  readonly leftover: string | null
  /** Why the last session ended. */
  readonly reason: EndReason | null
  readonly notice: SessionNotice | null
}

/** `leaving`: the user who is signing out, in whichever tab. */
interface DeviceFacts {
  readonly account: KnownAccount | null
  readonly leaving: string | null
}

export type SessionEvent =
  /** Sent once, at the start, with the account that the device remembers. */
  | ({ type: 'device.read' } & DeviceFacts)
  /** Sent by the sign-in service: at the start, at each sign-in and sign-out in any tab, and when a token is renewed. */
  | ({ type: 'account.changed' } & DeviceFacts)
  /** The code of the sign-in service did not arrive. */
  | { type: 'account.unreachable' }
  | { type: 'session.signOut' }
  /** The user says that the address is verified now, or comes back to this page. */
  | { type: 'verification.recheck' }
  | { type: 'start.retry' }
  | { type: 'notice.dismiss' }

const FAREWELLS: Partial<Record<EndReason, SessionNotice>> = {
  signOut: 'signedOutSuccess',
  profileMissing: 'accountNotFound',
}

const begin = (reason: EndReason) => ({ type: 'beginEnding', params: reason }) as const

const tell = (notice: SessionNotice) => ({ type: 'tell', params: notice }) as const

const bySession = <Name extends string>(type: Name) => ({
  type,
  params: ({ context }: { context: SessionContext }) => context.session,
})

/** By what the device remembers of the account. */
const opened = {
  ready: { guard: 'isRemembered', actions: 'takeRemembered' },
  unproven: { guard: 'isUnproven', target: '#session.unverified', actions: 'takeRemembered' },
} as const

/** A session that the service ends before it answers the call that does so. */
const followed = [
  { guard: 'isSameUser', actions: 'rememberAccount' },
  { target: 'clearing', actions: 'rememberNext' },
] as const

/** By the profile. */
const answered = [
  { guard: withAnswer('isReady'), target: '#session.signedIn', actions: withAnswer('takeSession') },
  { guard: withAnswer('isHeld'), target: '#session.unverified', actions: withAnswer('takeSession') },
  {
    guard: withAnswer('isProfileMissing'),
    target: '#session.ending.leavingMissingProfile',
    actions: [withAnswer('takeSession'), begin('profileMissing')],
  },
] as const

export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    tags: {} as 'busy' | 'failed',
  },
  actors: {
    /** Sends `device.read` at once, and `account.changed` for as long as the app is open. */
    watchAccount: fromCallback<AnyEventObject>(unprovided),
    /** Opens the device to the user again. After an expired session, it restores what the same user was doing. */
    admit: fromPromise<void, Ending>(unprovidedAnswer),
    /** Answers null if the server can't be reached. When it is stopped, it must not write for the user any more. */
    readProfile: fromPromise<Session | null, { account: Account }>(unprovidedAnswer),
    /** Asks the sign-in service again. If the address is verified, `account.changed` follows. */
    reloadAccount: fromPromise<{ emailVerified: boolean }, Ending>(unprovidedAnswer),
    /** Ends the session at the sign-in service, which needs no network. If it fails, everything stays as it was. */
    signOut: fromPromise<void, Ending>(unprovidedAnswer),
    /** Makes the sign-up open next, then signs out. */
    leaveMissingProfile: fromPromise<void, Ending & { phone: string | null }>(unprovidedAnswer),
    /** Notes for the sign-in screen how the session ended, and what may have happened to a payment that was open. */
    noteOpenPayment: fromPromise<void, Ending>(unprovidedAnswer),
    /** Deletes the user's data from the device, in every tab. */
    clearDevice: fromPromise<void, Ending>(unprovidedAnswer),
  },
  actions: {
    reloadApp: unprovidedAction,
    takeAccount: assign(({ context, event }) => {
      const { account } = factsOf(event)
      const isSame = context.account?.uid === account?.uid
      return { account, session: isSame ? context.session : null, notice: null }
    }),
    takeNext: assign(({ context }) => ({ account: context.next, next: null, session: null })),
    takeRemembered: assign(({ context }) => ({ session: sessionAtHand(inPlace(context.account)) })),
    takeSession: assign((_, session: Session | null) => ({ session })),
    rememberAccount: assign(({ event }) => ({ account: factsOf(event).account })),
    rememberNext: assign(({ event }) => ({ next: factsOf(event).account })),
    rememberLeftover: assign(({ event }) => ({ leftover: factsOf(event).leaving })),
    beginEnding: assign((_, reason: EndReason) => ({ reason, next: null, notice: null })),
    endSession: assign(({ context: { reason } }) => ({
      account: null,
      session: null,
      leftover: null,
      notice: (reason && FAREWELLS[reason]) ?? null,
    })),
    tell: assign((_, notice: SessionNotice) => ({ notice })),
    clearNotice: assign({ notice: null }),
  },
  guards: {
    isSignOutCutOff: ({ event }) => {
      const { account, leaving } = factsOf(event)
      return account !== null && account.uid === leaving
    },
    hasLeftover: ({ event }) => factsOf(event).account === null && factsOf(event).leaving !== null,
    isNobody: ({ event }) => factsOf(event).account === null,
    isSignedOutElsewhere: ({ context, event }) => {
      const { account, leaving } = factsOf(event)
      return account === null && context.account !== null && context.account.uid === leaving
    },
    isExpired: ({ context, event }) => factsOf(event).account === null && context.account !== null,
    isSameUser: ({ context, event }) => factsOf(event).account?.uid === context.account?.uid,
    isStillUnproven: ({ context, event }) => {
      const { account } = factsOf(event)
      return account?.uid === context.account?.uid && kindAtHand(account) === 'unverified'
    },
    isOtherUser: ({ context, event }) => {
      const { account } = factsOf(event)
      return account !== null && context.account !== null && account.uid !== context.account.uid
    },
    isRemembered: ({ context }) => kindAtHand(context.account) === 'ready',
    isUnproven: ({ context }) => kindAtHand(context.account) === 'unverified',
    hasNext: ({ context }) => context.next !== null,
    isReady: (_, session: Session | null) => session?.kind === 'ready',
    isHeld: (_, session: Session | null) => session?.kind === 'unverified' || session?.kind === 'held',
    isProfileMissing: (_, session: Session | null) => session?.kind === 'profileMissing',
    isVerified: (_, account: { emailVerified: boolean }) => account.emailVerified,
  },
  delays: {
    startTimeout: 20_000,
  },
}).createMachine({
  id: 'session',
  context: { account: null, session: null, next: null, leftover: null, reason: null, notice: null },
  invoke: { src: 'watchAccount', onError: '.failed' },
  initial: 'starting',
  on: {
    'account.changed': [
      { guard: 'isOtherUser', target: '.ending.clearing', actions: [begin('otherUser'), 'rememberNext'] },
      { guard: 'isSignedOutElsewhere', target: '.ending.notingPayment', actions: begin('elsewhere') },
      { guard: 'isExpired', target: '.ending.notingPayment', actions: begin('expired') },
      { guard: 'isNobody', target: '.signedOut' },
      { target: '.entering', actions: 'takeAccount' },
    ],
    'notice.dismiss': { actions: 'clearNotice' },
  },
  states: {
    starting: {
      description:
        'Whether a user is signed in is not known yet; the user waits, and after 20 seconds reads that it failed.',
      tags: 'busy',
      after: { startTimeout: 'failed' },
      always: [{ ...opened.ready, target: 'signedIn' }, opened.unproven],
      on: {
        'device.read': [
          {
            guard: 'isSignOutCutOff',
            target: 'ending.signingOut',
            actions: ['rememberAccount', begin('cutOff')],
          },
          {
            guard: 'hasLeftover',
            target: 'signedOut.clearingLeftover',
            actions: ['rememberLeftover', begin('cutOff')],
          },
          { guard: 'isNobody', target: 'signedOut' },
          { actions: 'takeAccount' },
        ],
        'account.unreachable': 'failed',
      },
    },

    failed: {
      tags: 'failed',
      description: 'The start has failed or hangs; the user reads why, and can try again.',
      on: { 'start.retry': { actions: 'reloadApp' } },
    },

    signedOut: {
      description: 'Nobody is signed in; the user can sign in, sign up, or read what the product is.',
      initial: 'idle',
      states: {
        idle: { description: 'The device holds no data of a user.' },
        clearingLeftover: {
          description:
            'The data of a user whose session ended on an earlier page leave the device meanwhile.',
          invoke: {
            src: 'clearDevice',
            input: readEnding,
            onDone: 'idle',
            onError: 'idle',
          },
          on: {
            'account.changed': [
              { guard: 'isNobody' },
              { target: '#session.ending.clearing', actions: [begin('cutOff'), 'rememberNext'] },
            ],
          },
        },
      },
    },

    entering: {
      description: 'A user has just signed in, and their account is being opened; the user waits.',
      on: { 'session.signOut': { target: 'ending.signingOut', actions: begin('signOut') } },
      initial: 'admitting',
      states: {
        admitting: {
          description: 'The device is opened to the user, with what an expired session has left.',
          tags: 'busy',
          after: { startTimeout: '#session.failed' },
          invoke: {
            src: 'admit',
            input: readEnding,
            onDone: 'admitted',
            onError: 'admitted',
          },
        },
        admitted: {
          description: 'The device may know enough of the user to open the app before the server answers.',
          always: [
            { ...opened.ready, target: '#session.signedIn.refreshing' },
            opened.unproven,
            { target: 'readingProfile' },
          ],
        },
        readingProfile: {
          description: 'The server is asked for the profile.',
          invoke: {
            src: 'readProfile',
            input: ({ context }) => ({ account: inPlace(context.account) }),
            onDone: [...answered, { target: '#session.failed' }],
            onError: '#session.failed',
          },
          initial: 'waiting',
          states: {
            waiting: {
              description: 'The user waits, for 20 seconds at most.',
              tags: 'busy',
              after: { startTimeout: 'late' },
            },
            late: {
              description:
                'The user reads that it failed and can try again; a late answer still lets them in.',
              tags: 'failed',
              on: { 'start.retry': { actions: 'reloadApp' } },
            },
          },
        },
      },
    },

    unverified: {
      description:
        'A user is signed in whose address is not confirmed; they see no more than the page that says so.',
      initial: 'awaitingVerification',
      on: {
        'account.changed': { guard: 'isStillUnproven', actions: 'rememberAccount' },
        'account.unreachable': 'failed',
        'session.signOut': { target: 'ending.signingOut', actions: begin('signOut') },
      },
      states: {
        awaitingVerification: {
          description:
            'The user opens the link of the mail, says that they have, asks for another mail, or signs out.',
          on: { 'verification.recheck': { target: 'rechecking', actions: 'clearNotice' } },
        },
        rechecking: {
          description:
            'The sign-in service is asked whether the address is confirmed by now; the user waits, or signs out.',
          tags: 'busy',
          invoke: {
            src: 'reloadAccount',
            input: readEnding,
            onDone: [
              { guard: withAnswer('isVerified'), target: 'awaitingVerification' },
              { target: 'awaitingVerification', actions: tell('stillUnverified') },
            ],
            onError: { target: 'awaitingVerification', actions: tell('recheckFailed') },
          },
        },
      },
    },

    signedIn: {
      description: 'A user is signed in, and their profile is known.',
      initial: 'usingApp',
      on: {
        'account.changed': { guard: 'isSameUser', target: '.refreshing', actions: 'rememberAccount' },
        'session.signOut': { target: 'ending.signingOut', actions: begin('signOut') },
      },
      states: {
        usingApp: { description: 'The user uses the app, and can sign out at any time.' },
        refreshing: {
          description: 'The server is asked for the profile again; the user goes on using the app.',
          invoke: {
            src: 'readProfile',
            input: ({ context }) => ({ account: inPlace(context.account) }),
            onDone: [...answered, { target: 'usingApp' }],
            onError: 'usingApp',
          },
        },
      },
    },

    ending: {
      description:
        'The session is over, or about to be; what the user sees stays until the device is cleared.',
      tags: 'busy',
      on: { 'account.changed': { actions: 'rememberNext' } },
      initial: 'clearing',
      states: {
        signingOut: {
          description:
            'The user has asked to sign out, or had asked on an earlier page; the session is ended.',
          invoke: {
            src: 'signOut',
            input: readEnding,
            onDone: 'clearing',
            onError: [
              { guard: bySession('isReady'), target: '#session.signedIn', actions: tell('signOutFailed') },
              { guard: bySession('isHeld'), target: '#session.unverified', actions: tell('signOutFailed') },
              { target: '#session.failed', actions: tell('signOutFailed') },
            ],
          },
          on: { 'account.changed': followed },
        },
        leavingMissingProfile: {
          description: 'There is a session without a profile; it ends, and the user is led to the sign-up.',
          invoke: {
            src: 'leaveMissingProfile',
            input: ({ context }) => ({ ...readEnding({ context }), phone: phoneOf(context) }),
            onDone: 'clearing',
            onError: { target: '#session.failed', actions: tell('signOutFailed') },
          },
          after: { startTimeout: '#session.failed' },
          on: { 'account.changed': followed },
        },
        notingPayment: {
          description:
            'The session was ended in another tab or by a new password; a payment that was open is noted.',
          invoke: { src: 'noteOpenPayment', input: readEnding, onDone: 'clearing', onError: 'clearing' },
        },
        clearing: {
          description:
            'The data of the user leave the device, in every tab; the next user is let in only then.',
          invoke: {
            src: 'clearDevice',
            input: readEnding,
            onDone: [
              { guard: 'hasNext', target: '#session.entering', actions: 'takeNext' },
              { target: '#session.signedOut', actions: 'endSession' },
            ],
            onError: '#session.failed',
          },
          after: { startTimeout: '#session.failed' },
        },
      },
    },
  },
})

function factsOf(event: AnyEventObject): DeviceFacts {
  assertEvent(event as SessionEvent, ['device.read', 'account.changed'])
  return event as SessionEvent & DeviceFacts
}

/** The session that the device can derive before the server answers. */
const sessionAtHand = (account: KnownAccount) =>
  deriveSession({ account, profile: 'unreachable', remembered: account.remembered })

const kindAtHand = (account: KnownAccount | null) => account && sessionAtHand(account)?.kind

function readEnding({ context: { account, leftover, reason } }: { context: SessionContext }): Ending {
  return { uid: inPlace(account?.uid ?? leftover), reason }
}

const phoneOf = ({ session }: SessionContext): string | null =>
  session?.kind === 'profileMissing' ? session.phone : null
