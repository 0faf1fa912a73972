/**
 * The session of a user from start to end: which screen is shown, and how the user's data leave the device.
 * It exists because answers can be late, from services that may fail or hang, and because a session can end
 * at any moment: by signing out here or in another tab, by a new password, by another user signing in. The
 * device is cleared of one user before the next one is admitted. A start that hangs ends on the error screen;
 * a failing network ends no session. Specification, sections 2 and 4.
 */
import {
  type AnyEventObject,
  assertEvent,
  assign,
  cancel,
  fromCallback,
  fromPromise,
  raise,
  setup,
} from 'xstate'
import type { Account } from '../domain/account/account.ts'
import { deriveSession, type ProfileSummary, type Session } from '../domain/account/session.ts'
import {
  assertDefined,
  rejectUnprovided,
  throwUnprovided,
  throwUnprovidedAction,
  withAnswer,
} from './actors.ts'

/** The profile as last seen by the device; null if never seen. */
export interface DeviceAccount extends Account {
  readonly remembered: ProfileSummary | null
}

/** `interrupted`: the page did not finish an earlier sign-out. */
export type EndReason = 'signOut' | 'interrupted' | 'profileMissing' | 'elsewhere' | 'expired' | 'otherUser'

/** `reason` is null while the session continues. */
export interface EndingSession {
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
  readonly account: DeviceAccount | null
  /** Shown until the device is cleared. */
  readonly session: Session | null
  /** Signed in while another account is being cleared. */
  readonly nextAccount: DeviceAccount | null
  /** The user of an earlier page whose data must still be cleared. */
  readonly unclearedUid: string | null
  readonly reason: EndReason | null
  readonly notice: SessionNotice | null
}

/** `signOutUid`: the user who is signing out, in any tab. */
interface DeviceFacts {
  readonly account: DeviceAccount | null
  readonly signOutUid: string | null
}

export type SessionEvent =
  /** Sent once, with the account remembered by the device. */
  | ({ type: 'device.read' } & DeviceFacts)
  /** Sent at the start, at each sign-in and sign-out in any tab, and when a token is renewed. */
  | ({ type: 'account.changed' } & DeviceFacts)
  /** The sign-in service's chunk did not load. */
  | { type: 'account.unreachable' }
  | { type: 'session.signOut' }
  /** The user states that the address is verified, or returns to this page. */
  | { type: 'verification.recheck' }
  | { type: 'start.retry' }
  /** Raised by the machine. */
  | { type: 'start.timedOut' }
  | { type: 'notice.dismiss' }

const END_NOTICES: Partial<Record<EndReason, SessionNotice>> = {
  signOut: 'signedOutSuccess',
  profileMissing: 'accountNotFound',
}

const beginEnding = (reason: EndReason) => ({ type: 'beginEnding', params: reason }) as const

const showNotice = (notice: SessionNotice) => ({ type: 'showNotice', params: notice }) as const

const withSession = <Name extends string>(type: Name) => ({
  type,
  params: ({ context }: { context: SessionContext }) => context.session,
})

const rememberedTransitions = {
  ready: { guard: 'isRememberedReady', actions: 'restoreSession' },
  unverified: { guard: 'isRememberedUnverified', target: '#session.unverified', actions: 'restoreSession' },
} as const

/** The sign-in service may report the end of the session before it answers the call. */
const endingTransitions = [
  { guard: 'isSameUser', actions: 'updateAccount' },
  { target: 'clearing', actions: 'setNextAccount' },
] as const

const profileTransitions = [
  { guard: withAnswer('isReady'), target: '#session.signedIn', actions: withAnswer('setSession') },
  {
    guard: withAnswer('isUnverified'),
    target: '#session.unverified',
    actions: withAnswer('setSession'),
  },
  {
    guard: withAnswer('isProfileMissing'),
    target: '#session.ending.leavingMissingProfile',
    actions: [withAnswer('setSession'), beginEnding('profileMissing')],
  },
] as const

export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    tags: {} as 'busy' | 'failed',
  },
  actors: {
    /** Sends `device.read` immediately, then `account.changed`. */
    watchAccount: fromCallback<AnyEventObject>(throwUnprovided),
    /** Opens the device; after an expired session, also restores what the same user was doing. */
    admit: fromPromise<void, EndingSession>(rejectUnprovided),
    /** Null if the server can't be reached. Must not write for the user once stopped. */
    readProfile: fromPromise<Session | null, { account: Account }>(rejectUnprovided),
    /** If the address is verified, `account.changed` follows. */
    reloadAccount: fromPromise<{ emailVerified: boolean }, EndingSession>(rejectUnprovided),
    /** Needs no network. A failure changes nothing. */
    signOut: fromPromise<void, EndingSession>(rejectUnprovided),
    /** Makes the sign-up open next, then signs out. */
    leaveMissingProfile: fromPromise<void, EndingSession & { phone: string | null }>(rejectUnprovided),
    /** Tells the sign-in screen whether an open payment may have been paid. */
    recordOpenPayment: fromPromise<void, EndingSession>(rejectUnprovided),
    /** Deletes the user's data in every tab. */
    clearDevice: fromPromise<void, EndingSession>(rejectUnprovided),
  },
  actions: {
    reloadApp: throwUnprovidedAction,
    reportFailure: throwUnprovidedAction,
    setAccount: assign(({ context, event }) => {
      const { account } = getDeviceFacts(event)
      const isSame = context.account?.uid === account?.uid
      return { account, session: isSame ? context.session : null, notice: null }
    }),
    switchToNextAccount: assign(({ context }) => ({
      account: context.nextAccount,
      nextAccount: null,
      session: null,
    })),
    restoreSession: assign(({ context }) => ({
      session: deriveRememberedSession(assertDefined(context.account)),
    })),
    setSession: assign((_, session: Session | null) => ({ session })),
    updateAccount: assign(({ event }) => ({ account: getDeviceFacts(event).account })),
    setNextAccount: assign(({ event }) => ({ nextAccount: getDeviceFacts(event).account })),
    setUnclearedUid: assign(({ event }) => ({ unclearedUid: getDeviceFacts(event).signOutUid })),
    beginEnding: assign((_, reason: EndReason) => ({ reason, nextAccount: null, notice: null })),
    endSession: assign(({ context: { reason } }) => ({
      account: null,
      session: null,
      unclearedUid: null,
      notice: (reason && END_NOTICES[reason]) ?? null,
    })),
    showNotice: assign((_, notice: SessionNotice) => ({ notice })),
    clearNotice: assign({ notice: null }),
    startWaitTimer: raise({ type: 'start.timedOut' }, { id: 'wait', delay: 'startTimeout' }),
    cancelWaitTimer: cancel('wait'),
  },
  guards: {
    isSignOutInterrupted: ({ event }) => {
      const { account, signOutUid } = getDeviceFacts(event)
      return account !== null && account.uid === signOutUid
    },
    hasLeftover: ({ event }) =>
      getDeviceFacts(event).account === null && getDeviceFacts(event).signOutUid !== null,
    hasNoAccount: ({ event }) => getDeviceFacts(event).account === null,
    isSignedOutElsewhere: ({ context, event }) => {
      const { account, signOutUid } = getDeviceFacts(event)
      return account === null && context.account !== null && context.account.uid === signOutUid
    },
    isExpired: ({ context, event }) => getDeviceFacts(event).account === null && context.account !== null,
    isSameUser: ({ context, event }) => getDeviceFacts(event).account?.uid === context.account?.uid,
    isStillUnverified: ({ context, event }) => {
      const { account } = getDeviceFacts(event)
      return account?.uid === context.account?.uid && getRememberedKind(account) === 'unverified'
    },
    isOtherUser: ({ context, event }) => {
      const { account } = getDeviceFacts(event)
      return account !== null && context.account !== null && account.uid !== context.account.uid
    },
    isRememberedReady: ({ context }) => getRememberedKind(context.account) === 'ready',
    isRememberedUnverified: ({ context }) => getRememberedKind(context.account) === 'unverified',
    hasNext: ({ context }) => context.nextAccount !== null,
    isReady: (_, session: Session | null) => session?.kind === 'ready',
    isUnverified: (_, session: Session | null) => session?.kind === 'unverified' || session?.kind === 'held',
    isProfileMissing: (_, session: Session | null) => session?.kind === 'profileMissing',
    isVerified: (_, account: { emailVerified: boolean }) => account.emailVerified,
  },
  delays: {
    startTimeout: 20_000,
  },
}).createMachine({
  id: 'session',
  context: {
    account: null,
    session: null,
    nextAccount: null,
    unclearedUid: null,
    reason: null,
    notice: null,
  },
  invoke: { src: 'watchAccount', onError: '.failed' },
  initial: 'starting',
  on: {
    'account.changed': [
      {
        guard: 'isOtherUser',
        target: '.ending.clearing',
        actions: [beginEnding('otherUser'), 'setNextAccount'],
      },
      {
        guard: 'isSignedOutElsewhere',
        target: '.ending.recordingPayment',
        actions: beginEnding('elsewhere'),
      },
      { guard: 'isExpired', target: '.ending.recordingPayment', actions: beginEnding('expired') },
      { guard: 'hasNoAccount', target: '.signedOut' },
      { target: '.entering', actions: 'setAccount' },
    ],
    'notice.dismiss': { actions: 'clearNotice' },
  },
  states: {
    starting: {
      description:
        'It is not known yet whether a user is signed in; the user waits, and after 20 seconds reads that it failed.',
      tags: 'busy',
      after: { startTimeout: 'failed' },
      always: [{ ...rememberedTransitions.ready, target: 'signedIn' }, rememberedTransitions.unverified],
      on: {
        'device.read': [
          {
            guard: 'isSignOutInterrupted',
            target: 'ending.signingOut',
            actions: ['updateAccount', beginEnding('interrupted')],
          },
          {
            guard: 'hasLeftover',
            target: 'signedOut.clearingLeftover',
            actions: ['setUnclearedUid', beginEnding('interrupted')],
          },
          { guard: 'hasNoAccount', target: 'signedOut' },
          { actions: 'setAccount' },
        ],
        'account.unreachable': 'failed',
      },
    },

    failed: {
      tags: 'failed',
      entry: 'reportFailure',
      description: 'The start has failed or hangs; the user reads why, and can try again.',
      on: { 'start.retry': { actions: 'reloadApp' } },
    },

    signedOut: {
      description: 'No user is signed in; the user can sign in, sign up, or read about the product.',
      initial: 'idle',
      states: {
        idle: { description: 'The device holds no data of a user.' },
        clearingLeftover: {
          description:
            'The data of a user whose session ended on an earlier page leave the device meanwhile.',
          invoke: {
            src: 'clearDevice',
            input: getEndingSession,
            onDone: 'idle',
            onError: 'idle',
          },
          on: {
            'account.changed': [
              { guard: 'hasNoAccount' },
              { target: '#session.ending.clearing', actions: [beginEnding('interrupted'), 'setNextAccount'] },
            ],
          },
        },
      },
    },

    entering: {
      description: 'A user has just signed in, and their account is being opened; the user waits.',
      // An `after` here would stop the request, whose late answer still counts.
      entry: 'startWaitTimer',
      exit: 'cancelWaitTimer',
      on: { 'session.signOut': { target: 'ending.signingOut', actions: beginEnding('signOut') } },
      initial: 'admitting',
      states: {
        admitting: {
          description: 'The device is opened to the user, with the data of an expired session.',
          tags: 'busy',
          on: { 'start.timedOut': '#session.failed' },
          invoke: {
            src: 'admit',
            input: getEndingSession,
            onDone: 'admitted',
            onError: 'admitted',
          },
        },
        admitted: {
          description: 'The device may know the user well enough to open the app before the server answers.',
          always: [
            { ...rememberedTransitions.ready, target: '#session.signedIn.refreshing' },
            rememberedTransitions.unverified,
            { target: 'readingProfile' },
          ],
        },
        readingProfile: {
          description: 'The server is asked for the profile.',
          invoke: {
            src: 'readProfile',
            input: ({ context }) => ({ account: assertDefined(context.account) }),
            onDone: [...profileTransitions, { target: '#session.failed' }],
            onError: '#session.failed',
          },
          initial: 'waiting',
          states: {
            waiting: {
              description: 'The user waits, for 20 seconds at most since they signed in.',
              tags: 'busy',
              on: { 'start.timedOut': 'late' },
            },
            late: {
              description:
                'The user reads that it failed and can try again; a late answer still lets them in.',
              tags: 'failed',
              entry: 'reportFailure',
              on: { 'start.retry': { actions: 'reloadApp' } },
            },
          },
        },
      },
    },

    unverified: {
      description: 'The signed-in user’s address is not confirmed; the user sees only the page that says so.',
      initial: 'awaitingVerification',
      on: {
        'account.changed': { guard: 'isStillUnverified', actions: 'updateAccount' },
        'account.unreachable': 'failed',
        'session.signOut': { target: 'ending.signingOut', actions: beginEnding('signOut') },
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
            input: getEndingSession,
            onDone: [
              { guard: withAnswer('isVerified'), target: 'awaitingVerification' },
              { target: 'awaitingVerification', actions: showNotice('stillUnverified') },
            ],
            onError: { target: 'awaitingVerification', actions: showNotice('recheckFailed') },
          },
        },
      },
    },

    signedIn: {
      description: 'A user is signed in, and their profile is known.',
      initial: 'usingApp',
      on: {
        'account.changed': { guard: 'isSameUser', target: '.refreshing', actions: 'updateAccount' },
        'session.signOut': { target: 'ending.signingOut', actions: beginEnding('signOut') },
      },
      states: {
        usingApp: { description: 'The user uses the app, and can sign out at any time.' },
        refreshing: {
          description: 'The server is asked for the profile again; the user goes on using the app.',
          invoke: {
            src: 'readProfile',
            input: ({ context }) => ({ account: assertDefined(context.account) }),
            onDone: [...profileTransitions, { target: 'usingApp' }],
            onError: 'usingApp',
          },
        },
      },
    },

    ending: {
      description:
        'The session is over, or about to be; what the user sees stays until the device is cleared.',
      tags: 'busy',
      on: { 'account.changed': { actions: 'setNextAccount' } },
      initial: 'clearing',
      states: {
        signingOut: {
          description:
            'The user has asked to sign out, or had asked on an earlier page; the session is ended.',
          invoke: {
            src: 'signOut',
            input: getEndingSession,
            onDone: 'clearing',
            onError: [
              {
                guard: withSession('isReady'),
                target: '#session.signedIn',
                actions: showNotice('signOutFailed'),
              },
              {
                guard: withSession('isUnverified'),
                target: '#session.unverified',
                actions: showNotice('signOutFailed'),
              },
              { target: '#session.failed', actions: showNotice('signOutFailed') },
            ],
          },
          on: { 'account.changed': endingTransitions },
        },
        leavingMissingProfile: {
          description: 'There is a session without a profile; it ends, and the user is led to the sign-up.',
          invoke: {
            src: 'leaveMissingProfile',
            input: ({ context }) => ({
              ...getEndingSession({ context }),
              phone: getMissingProfilePhone(context),
            }),
            onDone: 'clearing',
            onError: { target: '#session.failed', actions: showNotice('signOutFailed') },
          },
          after: { startTimeout: '#session.failed' },
          on: { 'account.changed': endingTransitions },
        },
        recordingPayment: {
          description:
            'The session was ended in another tab or by a new password; a payment that was open is noted.',
          invoke: {
            src: 'recordOpenPayment',
            input: getEndingSession,
            onDone: 'clearing',
            onError: 'clearing',
          },
        },
        clearing: {
          description:
            'The data of the user leave the device, in every tab; the next user is let in only then.',
          invoke: {
            src: 'clearDevice',
            input: getEndingSession,
            onDone: [
              { guard: 'hasNext', target: '#session.entering', actions: 'switchToNextAccount' },
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

function getDeviceFacts(event: AnyEventObject): DeviceFacts {
  assertEvent(event as SessionEvent, ['device.read', 'account.changed'])
  return event as SessionEvent & DeviceFacts
}

const deriveRememberedSession = (account: DeviceAccount) =>
  deriveSession({ account, profile: 'unreachable', remembered: account.remembered })

const getRememberedKind = (account: DeviceAccount | null) => account && deriveRememberedSession(account)?.kind

function getEndingSession({
  context: { account, unclearedUid, reason },
}: {
  context: SessionContext
}): EndingSession {
  return { uid: assertDefined(account?.uid ?? unclearedUid), reason }
}

const getMissingProfilePhone = ({ session }: SessionContext): string | null =>
  session?.kind === 'profileMissing' ? session.phone : null
