/**
 * Signs in through a third party's own window: one popup at a time, and one sign-in for each redirect that comes back
 * from it. It exists because window and redirect tell of themselves in any order, twice or never: the redirect may come
 * before the popup is known to be loaded, or just after it was closed, and every tab hears the redirects of all. An app
 * without windows of its own leaves by its one window instead; what the third party answers is then brought to the next
 * start of the app. Specification, sections 4, 8 and 9. All times are UTC ms.
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
import { MINUTE } from '../domain/duration.ts'
import type { Failure } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'
import { granted, inPlace, refusalIn, unprovided, unprovidedAnswer, withAnswer } from './actors.ts'

/** For the actor `popup`. */
export const POPUP_SIZE = { width: 500, height: 600 }
/** For the actor `popup`: the pause between two looks at the window grows from one to the other. */
export const CLOSED_POLL_MIN = 2_000
export const CLOSED_POLL_MAX = 10_000

export const CLOSED_GRACE = 8_000
export const LOAD_TIMEOUT = 30_000
export const SLOW_LOAD_TIMEOUT = MINUTE
export const TOKEN_MAX_AGE = 5 * MINUTE
export const EVENT_CACHE_LIFETIME = 10 * MINUTE

export interface PopupRequest {
  /** Never used before. */
  readonly id: string
  readonly purpose: 'signIn' | 'signUp' | 'reauthenticate'
  /** Where the third party's page opens; 'own' in an app that stands alone, from whose popups nothing may come back. */
  readonly window: 'popup' | 'own'
}

export interface ProviderCredential {
  readonly idToken: string
}

/** What the third party sent back. */
export type Redirect = {
  readonly eventId: string
  readonly requestId: string
  /** When it was issued, by the clock of this device: one that goes wrong must not make every credential too old. */
  readonly issuedAt: number
} & (
  | { readonly credential: ProviderCredential }
  /** An error code of OAuth 2.0, such as `access_denied`. */
  | { readonly error: string }
)

export type PopupResult =
  | { readonly requestId: string; readonly outcome: 'signedIn'; readonly isNew: boolean }
  | { readonly requestId: string; readonly outcome: 'refused'; readonly failure: Failure }

export interface PopupQueueContext {
  readonly isSlow: boolean
  /** The one under way. */
  readonly request: PopupRequest | null
  /** Redirects that wait for their request. */
  readonly queued: readonly Redirect[]
  readonly processedIds: readonly string[]
  /** The one that is being processed. */
  readonly redirect: Redirect | null
  /** What to tell of the latest request. */
  readonly problem: Failure | null
  /** How the request that ended last has ended, for who awaits it. Each ending is one snapshot. */
  readonly result: PopupResult | null
}

export type PopupQueueEvent =
  | ({ type: 'popup.request' } & PopupRequest)
  /** From `popup`. `at`: now. */
  | { type: 'popup.blocked' }
  | { type: 'popup.loaded'; at: number }
  | { type: 'popup.closed'; at: number }
  /** From `listen`. `at`: now. */
  | { type: 'redirect.received'; at: number; redirect: Redirect }
  /** From `leave`. */
  | { type: 'departure.failed' }
  | { type: 'departure.undone' }
  /** At the start of the app, whose window is back. `at`: now. */
  | { type: 'redirect.brought'; at: number; request: PopupRequest; redirect: Redirect }
  | { type: 'problem.dismiss' }
  /** The machine's own. */
  | { type: 'events.forget' }

type FinishAnswer = Result<{ readonly isNew: boolean }, Failure>

const NO_ANSWER: Failure = { kind: 'authOther', message: '' }

const refused = (failure: Failure) =>
  ({ target: '#popupQueue.idle', actions: { type: 'refuse', params: failure } }) as const

/** A redirect is processed as soon as its request can have it, whichever of the two is there first. */
const processing = {
  guard: 'hasRedirect',
  target: '#popupQueue.processing',
  actions: ['takeRedirect', 'forgetEventsNoMore', 'forgetEventsLater'],
} as const

export const popupQueueMachine = setup({
  types: {
    context: {} as PopupQueueContext,
    events: {} as PopupQueueEvent,
    input: {} as { isSlow: boolean },
    /** `waiting`: for the person, who may also ask for another popup. */
    tags: {} as 'waiting' | 'busy',
  },
  actors: {
    /** Sends `redirect.received` for as long as the app lives. Throws where the browser has no means to hear of them. */
    listen: fromCallback<AnyEventObject>(unprovided),
    /**
     * Opens the window at once, in the tap that asked for it, and sends `popup.blocked`, or `popup.loaded` when the
     * page of this request says so and `popup.closed` when it finds the window closed. Closes the window when stopped.
     */
    popup: fromCallback<AnyEventObject, PopupRequest>(unprovided),
    /**
     * Keeps the request and takes the app's window to the third party's page, which ends the app. Sends `departure.failed`
     * when there is no network that would lead back, and `departure.undone` when the person comes back to this page without an
     * answer. Throws where nothing can be kept.
     */
    leave: fromCallback<AnyEventObject, PopupRequest>(unprovided),
    /** Signs in with the credential. Rejects on the unforeseen. */
    finish: fromPromise<
      FinishAnswer,
      { requestId: string; purpose: PopupRequest['purpose']; credential: ProviderCredential }
    >(unprovidedAnswer),
  },
  actions: {
    startRequest: assign(({ context: { request }, event }) => {
      assertEvent(event, 'popup.request')
      return {
        request: { id: event.id, purpose: event.purpose, window: event.window },
        redirect: null,
        problem: null,
        result: request && refusalOf(request, { kind: 'auth', code: 'cancelled-popup-request' }),
      }
    }),
    queueRedirect: assign(({ context, event }) => {
      assertEvent(event, 'redirect.received')
      return { queued: [...context.queued, event.redirect] }
    }),
    takeBrought: assign(({ context: { processedIds }, event }) => {
      assertEvent(event, 'redirect.brought')
      const { request, redirect } = event
      return {
        request,
        redirect,
        processedIds: [...processedIds, redirect.eventId],
        problem: null,
        result: null,
      }
    }),
    takeRedirect: assign(({ context }) => {
      const redirect = inPlace(redirectFor(context))
      return {
        redirect,
        queued: context.queued.filter((other) => other !== redirect),
        processedIds: [...context.processedIds, redirect.eventId],
      }
    }),
    refuse: assign(({ context: { request } }, failure: Failure) =>
      request ? { request: null, redirect: null, problem: failure, result: refusalOf(request, failure) } : {},
    ),
    showSignedIn: assign(({ context: { request } }, answer: FinishAnswer) => ({
      request: null,
      redirect: null,
      result: {
        requestId: inPlace(request).id,
        outcome: 'signedIn' as const,
        isNew: granted(answer).isNew,
      },
    })),
    clearProblem: assign({ problem: null }),
    forgetEventsNoMore: cancel('forget'),
    forgetEventsLater: raise({ type: 'events.forget' }, { id: 'forget', delay: 'eventCacheLifetime' }),
    forgetEvents: assign({ queued: [], processedIds: [] }),
  },
  guards: {
    hasOneWindow: ({ event }) => {
      assertEvent(event, 'popup.request')
      return event.window === 'own'
    },
    isKnown: ({ context: { queued, processedIds }, event }) => {
      assertEvent(event, 'redirect.received')
      const { eventId } = event.redirect
      return processedIds.includes(eventId) || queued.some((other) => other.eventId === eventId)
    },
    hasRedirect: ({ context }) => redirectFor(context) !== null,
    isDenied: ({ context }) => errorOf(context) === 'access_denied',
    isError: ({ context }) => errorOf(context) !== null,
    isTooOld: ({ context: { redirect }, event }) => {
      assertEvent(event, ['popup.loaded', 'popup.closed', 'redirect.received', 'redirect.brought'])
      return event.at - inPlace(redirect).issuedAt > TOKEN_MAX_AGE
    },
    isRefused: (_, answer: FinishAnswer) => !answer.ok,
  },
  delays: {
    loadTimeout: ({ context }) => (context.isSlow ? SLOW_LOAD_TIMEOUT : LOAD_TIMEOUT),
    closedGrace: CLOSED_GRACE,
    eventCacheLifetime: EVENT_CACHE_LIFETIME,
  },
}).createMachine({
  id: 'popupQueue',
  context: ({ input: { isSlow } }) => ({
    isSlow,
    request: null,
    queued: [],
    processedIds: [],
    redirect: null,
    problem: null,
    result: null,
  }),
  invoke: {
    src: 'listen',
    onError: {
      target: '.unsupported',
      actions: { type: 'refuse', params: { kind: 'auth', code: 'web-storage-unsupported' } },
    },
  },
  initial: 'idle',
  on: {
    'popup.request': [
      { guard: 'hasOneWindow', target: '.leaving', actions: 'startRequest' },
      { target: '.open', actions: 'startRequest' },
    ],
    'redirect.received': [
      { guard: 'isKnown' },
      { actions: ['queueRedirect', 'forgetEventsNoMore', 'forgetEventsLater'] },
    ],
    'events.forget': { actions: 'forgetEvents' },
    'problem.dismiss': { actions: 'clearProblem' },
  },
  states: {
    idle: {
      description: 'No sign-in with Google is under way; the person can begin one.',
      on: {
        'redirect.brought': {
          target: 'processing',
          actions: ['takeBrought', 'forgetEventsNoMore', 'forgetEventsLater'],
        },
      },
    },

    leaving: {
      description: 'The page leaves for Google in its own window; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'leave',
        input: ({ context }) => inPlace(context.request),
        onError: refused({ kind: 'auth', code: 'web-storage-unsupported' }),
      },
      after: { loadTimeout: refused({ kind: 'network' }) },
      on: {
        'departure.failed': refused({ kind: 'network' }),
        'departure.undone': refused({ kind: 'auth', code: 'popup-closed-by-user' }),
      },
    },

    open: {
      description: 'A window of Google is open; the person answers there, or closes it.',
      tags: 'waiting',
      invoke: {
        src: 'popup',
        input: ({ context }) => inPlace(context.request),
        onError: refused({ kind: 'auth', code: 'popup-blocked' }),
      },
      initial: 'loading',
      on: {
        'popup.blocked': refused({ kind: 'auth', code: 'popup-blocked' }),
        'popup.closed': 'closed',
      },
      states: {
        loading: {
          description: 'The window is open and has not answered yet; the person waits.',
          after: { loadTimeout: refused({ kind: 'network' }) },
          on: { 'popup.loaded': 'loaded' },
        },
        loaded: {
          description: 'Google’s page is there; the person chooses an account in it, or closes it.',
          always: processing,
        },
      },
    },

    // The page closes itself once it has said what came back, and either may be noticed first.
    closed: {
      description: 'The window is closed, and its answer may still come for a moment.',
      tags: 'waiting',
      always: processing,
      after: { closedGrace: refused({ kind: 'auth', code: 'popup-closed-by-user' }) },
    },

    processing: {
      description: 'What came back is looked at: refused, failed, too old or good; nobody ever sees it here.',
      always: [
        { guard: 'isDenied', ...refused({ kind: 'auth', code: 'popup-closed-by-user' }) },
        {
          guard: 'isError',
          target: 'idle',
          actions: {
            type: 'refuse',
            params: ({ context }) => ({ kind: 'authOther', message: inPlace(errorOf(context)) }),
          },
        },
        { guard: 'isTooOld', ...refused({ kind: 'auth', code: 'token-too-old' }) },
        { target: 'finishing' },
      ],
    },

    finishing: {
      description: 'The session begins with what Google has said; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'finish',
        input: ({ context }) => {
          const { id, purpose } = inPlace(context.request)
          return { requestId: id, purpose, credential: inPlace(credentialOf(context)) }
        },
        onDone: [
          {
            guard: withAnswer('isRefused'),
            target: 'idle',
            actions: { type: 'refuse', params: ({ event }) => refusalIn(event.output) },
          },
          { target: 'idle', actions: withAnswer('showSignedIn') },
        ],
        onError: refused(NO_ANSWER),
      },
    },

    unsupported: {
      description:
        'This browser could tell nothing back, so each try is refused with words; the other ways in are there.',
      on: {
        'popup.request': {
          actions: [
            'startRequest',
            { type: 'refuse', params: { kind: 'auth', code: 'web-storage-unsupported' } },
          ],
        },
      },
    },
  },
})

function redirectFor({ request, queued }: PopupQueueContext): Redirect | null {
  const { id } = inPlace(request)
  return queued.find(({ requestId }) => requestId === id) ?? null
}

function errorOf({ redirect }: PopupQueueContext): string | null {
  return redirect && 'error' in redirect ? redirect.error : null
}

function refusalOf(request: PopupRequest, failure: Failure): PopupResult {
  return { requestId: request.id, outcome: 'refused', failure }
}

function credentialOf({ redirect }: PopupQueueContext): ProviderCredential | null {
  return redirect && 'credential' in redirect ? redirect.credential : null
}
