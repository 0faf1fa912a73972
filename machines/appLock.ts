/**
 * Hides the app from another person who holds the user's device: at its start, and after a time in the
 * background, the device must first recognize its user. It exists because the user may refuse, the device may
 * hang or have lost the passkey, and a user who comes back soon should not be asked at all. It only covers
 * the screen: the app goes on beneath it, so that a payment is neither interrupted nor lost.
 */
import { type AnyEventObject, assign, fromCallback, fromPromise, setup } from 'xstate'
import { isLockDue, type Moment } from '../domain/account/appLock.ts'
import { assertDefined, rejectUnprovided, throwUnprovided } from './actors.ts'

export type AppLockEvent =
  | { type: 'unlock.request' }
  | { type: 'page.hidden'; at: Moment }
  | { type: 'page.shown'; at: Moment }

interface AppLockContext {
  /** Switched on in this page, whose user is therefore known. */
  readonly isOpen: boolean
  readonly hiddenAt: Moment | null
}

export const appLockMachine = setup({
  types: {
    context: {} as AppLockContext,
    events: {} as AppLockEvent,
    input: {} as { readonly isOpen: boolean },
  },
  actors: {
    /** Rejects if the device has not recognized its user. */
    recognizeUser: fromPromise<void>(rejectUnprovided),
    /** Sends `page.hidden` or `page.shown`, immediately and at each change. */
    watchPage: fromCallback<AnyEventObject>(throwUnprovided),
  },
  actions: {
    recordHiding: assign({ hiddenAt: (_, at: Moment) => at }),
  },
  guards: {
    isOpen: ({ context }) => context.isOpen,
    isLockDue: ({ context }, at: Moment) => isLockDue(assertDefined(context.hiddenAt), at),
  },
  delays: {
    /** Longer than the minute that the browser gives the user. */
    answerTimeout: 90_000,
  },
}).createMachine({
  id: 'appLock',
  context: ({ input: { isOpen } }) => ({ isOpen, hiddenAt: null }),
  initial: 'deciding',
  states: {
    deciding: {
      description: 'The app locks when it starts, but not when its user switches the lock on.',
      always: [{ guard: 'isOpen', target: 'open' }, { target: 'locked' }],
    },

    locked: {
      description: 'The app is covered; the user can unlock it, or sign in another way.',
      on: { 'unlock.request': 'asking' },
    },

    asking: {
      description: 'The device asks its user for a fingerprint, a face or a code; the app stays covered.',
      invoke: { src: 'recognizeUser', onDone: 'open', onError: 'failed' },
      after: { answerTimeout: 'failed' },
    },

    failed: {
      description: 'The user was not recognized; they can try again, or sign in another way.',
      on: { 'unlock.request': 'asking' },
    },

    open: {
      description: 'The user sees the app.',
      invoke: { src: 'watchPage', onError: 'locked' },
      on: {
        'page.hidden': {
          target: 'away',
          actions: { type: 'recordHiding', params: ({ event }) => event.at },
        },
      },
    },

    away: {
      description: 'The app is in the background, and covered; coming back soon opens it again.',
      invoke: { src: 'watchPage', onError: 'locked' },
      on: {
        'page.shown': [
          { guard: { type: 'isLockDue', params: ({ event }) => event.at }, target: 'locked' },
          { target: 'open' },
        ],
      },
    },
  },
})
