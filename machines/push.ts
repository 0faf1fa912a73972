/**
 * Lets a user choose whether this device receives notifications while the app is closed. It exists because
 * four parties decide: the browser may not support them, the user may refuse or withdraw the permission, the
 * browser's push service must issue an endpoint, and the server must store it. The screen shows the facts:
 * 'on' only once the server has the endpoint, and the browser asks the user only after a press.
 * Specification, section 2: the settings' row for notifications.
 */
import { assign, fromPromise, setup } from 'xstate'
import type { Result } from '../domain/common/result.ts'
import { rejectUnprovided, unwrapRefusal, withAnswer } from './actors.ts'

/**
 * `notInstalled`: iOS requires the app on the home screen. `blocked`: only the user can grant the permission,
 * in the browser's settings.
 */
export type PushState = 'unsupported' | 'notInstalled' | 'blocked' | 'off' | 'on'

/**
 * `dismissed`: the user closed the prompt. `noService`: this browser's push service is not supported.
 * `serviceOff`: the browser has none, or has switched it off. `failed`: no answer.
 */
export type PushProblem = 'dismissed' | 'noService' | 'serviceOff' | 'failed'

export type PushEvent =
  | { type: 'push.enable' }
  | { type: 'push.disable' }
  /** The user may have changed the browser's settings. */
  | { type: 'page.shown' }

interface PushContext {
  readonly uid: string
  readonly problem: PushProblem | null
}

const getUid = ({ context: { uid } }: { context: PushContext }) => ({ uid })

export const pushMachine = setup({
  types: {
    context: {} as PushContext,
    events: {} as PushEvent,
    input: {} as { readonly uid: string },
    tags: {} as 'busy',
  },
  actors: {
    readState: fromPromise<PushState, { uid: string }>(rejectUnprovided),
    /** Returns an earlier choice without asking. */
    askPermission: fromPromise<NotificationPermission>(rejectUnprovided),
    /** Rejects without an answer; the device is then not subscribed. */
    subscribe: fromPromise<Result<null, PushProblem>, { uid: string }>(rejectUnprovided),
    /** Rejects if the browser stays subscribed. */
    unsubscribe: fromPromise<void>(rejectUnprovided),
  },
  actions: {
    showProblem: assign({ problem: (_, problem: PushProblem) => problem }),
    showRefusal: assign({ problem: (_, answer: Result<null, PushProblem>) => unwrapRefusal(answer) }),
    clearProblem: assign({ problem: null }),
  },
  guards: {
    isUnsupported: (_, state: PushState) => state === 'unsupported',
    isNotInstalled: (_, state: PushState) => state === 'notInstalled',
    isBlocked: (_, state: PushState) => state === 'blocked',
    isOn: (_, state: PushState) => state === 'on',
    isGranted: (_, permission: NotificationPermission) => permission === 'granted',
    isDenied: (_, permission: NotificationPermission) => permission === 'denied',
    isOk: (_, answer: Result<null, PushProblem>) => answer.ok,
  },
}).createMachine({
  id: 'push',
  context: ({ input: { uid } }) => ({ uid, problem: null }),
  initial: 'checking',
  states: {
    checking: {
      description: 'The browser reports its support, and whether this device is subscribed; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'readState',
        input: getUid,
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
      description: 'This browser does not support notifications; the user reads so, and can try another one.',
    },

    notInstalled: {
      description: 'On an iPhone the app must be installed first; the user reads how.',
    },

    blocked: {
      description: 'The permission is denied; the user can grant it in the browser’s settings, and return.',
      on: { 'page.shown': 'checking' },
    },

    off: {
      description: 'Notifications are off on this device; the user can switch them on.',
      on: {
        'push.enable': { target: 'asking', actions: 'clearProblem' },
        'page.shown': 'checking',
      },
    },

    asking: {
      description: 'The browser asks for permission; the user grants it, refuses it, or closes the question.',
      tags: 'busy',
      invoke: {
        src: 'askPermission',
        onDone: [
          { guard: withAnswer('isGranted'), target: 'subscribing' },
          { guard: withAnswer('isDenied'), target: 'blocked' },
          { target: 'off', actions: { type: 'showProblem', params: 'dismissed' } },
        ],
        onError: { target: 'off', actions: { type: 'showProblem', params: 'failed' } },
      },
    },

    subscribing: {
      description: 'The browser subscribes this device, and the server stores it; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'subscribe',
        input: getUid,
        onDone: [
          { guard: withAnswer('isOk'), target: 'on' },
          { target: 'off', actions: withAnswer('showRefusal') },
        ],
        onError: { target: 'off', actions: { type: 'showProblem', params: 'failed' } },
      },
    },

    on: {
      description: 'Notifications are on on this device; the user can switch them off.',
      on: {
        'push.disable': { target: 'unsubscribing', actions: 'clearProblem' },
        'page.shown': 'checking',
      },
    },

    unsubscribing: {
      description: 'The browser unsubscribes this device; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'unsubscribe',
        onDone: 'off',
        onError: { target: 'on', actions: { type: 'showProblem', params: 'failed' } },
      },
    },
  },
})
