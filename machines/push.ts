/**
 * Lets a person choose whether this device is told with the app closed. It exists because four have a say in that: the browser may be unable
 * to, the person may refuse the permission or take it back in the browser's own settings, the browser's push service has to give an
 * address, and the server has to keep it. What is shown is what is true: 'on' only once the server has the address, and nothing is asked
 * of the person but by their own press. Specification, section 2: the settings' row for notifications.
 */
import { assign, fromPromise, setup } from 'xstate'
import type { Result } from '../domain/result.ts'
import { refusalIn, unprovidedAnswer, withAnswer } from './actors.ts'

/**
 * What the device can do. `notInstalled`: iOS tells nobody who has not put the app on the home screen. `blocked`: somebody forbade it in the
 * browser's settings, and only there it can be allowed.
 */
export type PushStanding = 'unsupported' | 'notInstalled' | 'blocked' | 'off' | 'on'

/** `dismissed`: the browser's question was left without an answer. `noService`: nobody can send to this browser. `failed`: no answer came. */
export type PushProblem = 'dismissed' | 'noService' | 'failed'

export type PushEvent =
  | { type: 'push.on' }
  | { type: 'push.off' }
  /** The person has come back to the page: the browser's settings may be others. */
  | { type: 'page.shown' }

interface PushContext {
  readonly uid: string
  readonly problem: PushProblem | null
}

const uidOf = ({ context: { uid } }: { context: PushContext }) => ({ uid })

export const pushMachine = setup({
  types: {
    context: {} as PushContext,
    events: {} as PushEvent,
    input: {} as { readonly uid: string },
    tags: {} as 'busy',
  },
  actors: {
    /** What the device can do, and whether it is told now. */
    look: fromPromise<PushStanding, { uid: string }>(unprovidedAnswer),
    /** Has the browser ask the person, or answers what they said before. */
    askPermission: fromPromise<NotificationPermission>(unprovidedAnswer),
    /** Rejects when there is no answer; then the device is not told. */
    subscribe: fromPromise<Result<null, PushProblem>, { uid: string }>(unprovidedAnswer),
    /** Rejects when the browser goes on. */
    unsubscribe: fromPromise<void>(unprovidedAnswer),
  },
  actions: {
    tell: assign({ problem: (_, problem: PushProblem) => problem }),
    tellRefusal: assign({ problem: (_, answer: Result<null, PushProblem>) => refusalIn(answer) }),
    forgetProblem: assign({ problem: null }),
  },
  guards: {
    isUnsupported: (_, standing: PushStanding) => standing === 'unsupported',
    isNotInstalled: (_, standing: PushStanding) => standing === 'notInstalled',
    isBlocked: (_, standing: PushStanding) => standing === 'blocked',
    isOn: (_, standing: PushStanding) => standing === 'on',
    isGranted: (_, permission: NotificationPermission) => permission === 'granted',
    isDenied: (_, permission: NotificationPermission) => permission === 'denied',
    isOk: (_, answer: Result<null, PushProblem>) => answer.ok,
  },
}).createMachine({
  id: 'push',
  context: ({ input: { uid } }) => ({ uid, problem: null }),
  initial: 'looking',
  states: {
    looking: {
      description:
        'The browser is asked what it can do, and whether this device is told already; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'look',
        input: uidOf,
        onDone: [
          { guard: withAnswer('isUnsupported'), target: 'unsupported' },
          { guard: withAnswer('isNotInstalled'), target: 'notInstalled' },
          { guard: withAnswer('isBlocked'), target: 'blocked' },
          { guard: withAnswer('isOn'), target: 'on' },
          { target: 'off' },
        ],
        onError: 'unsupported',
      },
    },

    unsupported: {
      description:
        'This browser is told nothing with the app closed; the person reads so, and can try another one.',
    },

    notInstalled: {
      description: 'On an iPhone the app has to be installed first; the person reads how.',
    },

    blocked: {
      description:
        'The browser forbids it; the person can allow it in the settings of the browser, and come back.',
      on: { 'page.shown': 'looking' },
    },

    off: {
      description: 'This device is told nothing with the app closed; the person can switch it on.',
      on: {
        'push.on': { target: 'asking', actions: 'forgetProblem' },
        'page.shown': 'looking',
      },
    },

    asking: {
      description:
        'The browser asks the person for permission; they allow it, refuse it, or leave the question.',
      tags: 'busy',
      invoke: {
        src: 'askPermission',
        onDone: [
          { guard: withAnswer('isGranted'), target: 'subscribing' },
          { guard: withAnswer('isDenied'), target: 'blocked' },
          { target: 'off', actions: { type: 'tell', params: 'dismissed' } },
        ],
        onError: { target: 'off', actions: { type: 'tell', params: 'failed' } },
      },
    },

    subscribing: {
      description: 'The browser and the server agree on how to tell this device; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'subscribe',
        input: uidOf,
        onDone: [
          { guard: withAnswer('isOk'), target: 'on' },
          { target: 'off', actions: withAnswer('tellRefusal') },
        ],
        onError: { target: 'off', actions: { type: 'tell', params: 'failed' } },
      },
    },

    on: {
      description: 'This device is told with the app closed; the person can switch it off.',
      on: {
        'push.off': { target: 'unsubscribing', actions: 'forgetProblem' },
        'page.shown': 'looking',
      },
    },

    unsubscribing: {
      description: 'The browser and the server are told to end it; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'unsubscribe',
        onDone: 'off',
        onError: { target: 'on', actions: { type: 'tell', params: 'failed' } },
      },
    },
  },
})
