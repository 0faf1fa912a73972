/**
 * Signs in through a third party's window: one popup at a time, and one sign-in per redirect. It exists
 * because window and redirect report in any order, twice or never: the redirect may arrive before the popup
 * has loaded or just after it was closed, and every tab receives every redirect. An app without popups leaves
 * in its only window instead; the answer then arrives at the next start of the app. Specification, sections
 * 4, 8 and 9. All times are UTC ms.
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
import { MINUTE } from '../domain/common/duration.ts'
import type { Result } from '../domain/common/result.ts'
import type { Failure } from '../domain/errors/failure.ts'
import {
  assertDefined,
  rejectUnprovided,
  throwUnprovided,
  unwrapOk,
  unwrapRefusal,
  withAnswer,
} from './actors.ts'

/** Pixels. */
export const POPUP_SIZE = { width: 500, height: 600 }
/** Limits, in milliseconds, of the growing interval between checks whether the window is closed. */
export const POPUP_POLL_MIN = 2_000
export const POPUP_POLL_MAX = 10_000

export const POPUP_CLOSED_GRACE = 8_000
export const POPUP_LOAD_TIMEOUT = 30_000
export const SLOW_POPUP_LOAD_TIMEOUT = MINUTE
export const TOKEN_MAX_AGE = 5 * MINUTE
export const EVENT_CACHE_LIFETIME = 10 * MINUTE

export interface PopupRequest {
  /** The redirect names it. */
  readonly id: string
  readonly purpose: 'signIn' | 'signUp' | 'reauthenticate'
  /** 'own' in a standalone app, whose popups may not be able to report back. */
  readonly window: 'popup' | 'own'
}

export interface ProviderCredential {
  readonly idToken: string
}

export type SignInRedirect = {
  readonly eventId: string
  readonly requestId: string
  /** By this device's clock: a wrong one must not make every credential too old. */
  readonly issuedAt: number
} & (
  | { readonly credential: ProviderCredential }
  /** An OAuth 2.0 code, such as `access_denied`. */
  | { readonly error: string }
)

export type PopupResult =
  | { readonly requestId: string; readonly outcome: 'signedIn'; readonly isNew: boolean }
  | { readonly requestId: string; readonly outcome: 'refused'; readonly failure: Failure }

export interface PopupQueueContext {
  readonly isSlow: boolean
  readonly request: PopupRequest | null
  /** Redirects that wait for their request. */
  readonly queued: readonly SignInRedirect[]
  readonly processedIds: readonly string[]
  readonly redirect: SignInRedirect | null
  readonly problem: Failure | null
  /** For the caller. Each request that ends sets its result in a separate snapshot. */
  readonly result: PopupResult | null
}

export type PopupQueueEvent =
  | ({ type: 'popup.request' } & PopupRequest)
  /** `popup.blocked` to `popup.closed`: sent by `openPopup`. `at`: now. */
  | { type: 'popup.blocked' }
  | { type: 'popup.loaded'; at: number }
  | { type: 'popup.closed'; at: number }
  /** Sent by `watchRedirects`. `at`: now. */
  | { type: 'redirect.received'; at: number; redirect: SignInRedirect }
  /** Sent by `leaveForProvider`. */
  | { type: 'departure.failed' }
  | { type: 'departure.canceled' }
  /** Sent at the start after the window has returned. `at`: now. */
  | { type: 'redirect.returned'; at: number; request: PopupRequest; redirect: SignInRedirect }
  /** Raised by the machine. */
  | { type: 'events.expire' }

type SignInAnswer = Result<{ readonly isNew: boolean }, Failure>

const NO_ANSWER: Failure = { kind: 'authOther', message: '' }

const refused = (failure: Failure) =>
  ({ target: '#popupQueue.idle', actions: { type: 'refuseRequest', params: failure } }) as const

/** Either the redirect or its request may arrive first. */
const processing = {
  guard: 'hasRedirect',
  target: '#popupQueue.processing',
  actions: ['dequeueRedirect', 'cancelCacheExpiry', 'scheduleCacheExpiry'],
} as const

export const popupQueueMachine = setup({
  types: {
    context: {} as PopupQueueContext,
    events: {} as PopupQueueEvent,
    input: {} as { isSlow: boolean },
    /** `waiting`: the user may also request another popup. */
    tags: {} as 'waiting' | 'busy',
  },
  actors: {
    watchRedirects: fromCallback<AnyEventObject>(throwUnprovided),
    /** Must open within the user's tap. Closes the window when stopped. */
    openPopup: fromCallback<AnyEventObject, PopupRequest>(throwUnprovided),
    /**
     * Stores the request and leaves the app's window, which ends the app. Sends `departure.failed` without a
     * network, which the return needs, and `departure.canceled` if the user returns without an answer. Throws
     * if nothing can be stored.
     */
    leaveForProvider: fromCallback<AnyEventObject, PopupRequest>(throwUnprovided),
    /** Rejects on unexpected errors. */
    signIn: fromPromise<
      SignInAnswer,
      { requestId: string; purpose: PopupRequest['purpose']; credential: ProviderCredential }
    >(rejectUnprovided),
  },
  actions: {
    startRequest: assign(({ context: { request }, event }) => {
      assertEvent(event, 'popup.request')
      return {
        request: { id: event.id, purpose: event.purpose, window: event.window },
        redirect: null,
        problem: null,
        result: request && buildRefusal(request, { kind: 'auth', code: 'cancelled-popup-request' }),
      }
    }),
    queueRedirect: assign(({ context, event }) => {
      assertEvent(event, 'redirect.received')
      return { queued: [...context.queued, event.redirect] }
    }),
    acceptReturn: assign(({ context: { processedIds }, event }) => {
      assertEvent(event, 'redirect.returned')
      const { request, redirect } = event
      return {
        request,
        redirect,
        processedIds: [...processedIds, redirect.eventId],
        problem: null,
        result: null,
      }
    }),
    dequeueRedirect: assign(({ context }) => {
      const redirect = assertDefined(findRedirect(context))
      return {
        redirect,
        queued: context.queued.filter((other) => other !== redirect),
        processedIds: [...context.processedIds, redirect.eventId],
      }
    }),
    refuseRequest: assign(({ context: { request } }, failure: Failure) =>
      request
        ? { request: null, redirect: null, problem: failure, result: buildRefusal(request, failure) }
        : {},
    ),
    completeRequest: assign(({ context: { request } }, answer: SignInAnswer) => ({
      request: null,
      redirect: null,
      result: {
        requestId: assertDefined(request).id,
        outcome: 'signedIn' as const,
        isNew: unwrapOk(answer).isNew,
      },
    })),
    cancelCacheExpiry: cancel('cacheExpiry'),
    scheduleCacheExpiry: raise({ type: 'events.expire' }, { id: 'cacheExpiry', delay: 'eventCacheLifetime' }),
    clearEventCache: assign({ queued: [], processedIds: [] }),
  },
  guards: {
    isOwnWindow: ({ event }) => {
      assertEvent(event, 'popup.request')
      return event.window === 'own'
    },
    isKnownRedirect: ({ context: { queued, processedIds }, event }) => {
      assertEvent(event, 'redirect.received')
      const { eventId } = event.redirect
      return processedIds.includes(eventId) || queued.some((other) => other.eventId === eventId)
    },
    hasRedirect: ({ context }) => findRedirect(context) !== null,
    isDenied: ({ context }) => getRedirectError(context) === 'access_denied',
    hasError: ({ context }) => getRedirectError(context) !== null,
    isTooOld: ({ context: { redirect }, event }) => {
      assertEvent(event, ['popup.loaded', 'popup.closed', 'redirect.received', 'redirect.returned'])
      return event.at - assertDefined(redirect).issuedAt > TOKEN_MAX_AGE
    },
    isRefused: (_, answer: SignInAnswer) => !answer.ok,
  },
  delays: {
    loadTimeout: ({ context }) => (context.isSlow ? SLOW_POPUP_LOAD_TIMEOUT : POPUP_LOAD_TIMEOUT),
    closedGrace: POPUP_CLOSED_GRACE,
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
  // Without redirects, a request ends when its window is closed.
  invoke: { src: 'watchRedirects', onError: {} },
  initial: 'idle',
  on: {
    'popup.request': [
      { guard: 'isOwnWindow', target: '.leaving', actions: 'startRequest' },
      { target: '.open', actions: 'startRequest' },
    ],
    'redirect.received': [
      { guard: 'isKnownRedirect' },
      { actions: ['queueRedirect', 'cancelCacheExpiry', 'scheduleCacheExpiry'] },
    ],
    'events.expire': { actions: 'clearEventCache' },
  },
  states: {
    idle: {
      description: 'No sign-in with Google is in progress; the user can begin one.',
      on: {
        'redirect.returned': {
          target: 'processing',
          actions: ['acceptReturn', 'cancelCacheExpiry', 'scheduleCacheExpiry'],
        },
      },
    },

    leaving: {
      description: 'The page leaves for Google in its own window; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'leaveForProvider',
        input: ({ context }) => assertDefined(context.request),
        onError: refused({ kind: 'auth', code: 'web-storage-unsupported' }),
      },
      after: { loadTimeout: refused({ kind: 'network' }) },
      on: {
        'departure.failed': refused({ kind: 'network' }),
        'departure.canceled': refused({ kind: 'auth', code: 'popup-closed-by-user' }),
      },
    },

    open: {
      description: 'A Google window is open; the user answers there, or closes it.',
      tags: 'waiting',
      invoke: {
        src: 'openPopup',
        input: ({ context }) => assertDefined(context.request),
        onError: refused({ kind: 'auth', code: 'popup-blocked' }),
      },
      initial: 'loading',
      on: {
        'popup.blocked': refused({ kind: 'auth', code: 'popup-blocked' }),
        'popup.closed': 'closed',
      },
      states: {
        loading: {
          description:
            'The window is open and has not loaded the app’s page, which goes on to Google; the user waits.',
          after: { loadTimeout: refused({ kind: 'network' }) },
          on: { 'popup.loaded': 'loaded' },
        },
        loaded: {
          description:
            'The window goes to Google or is there; the user chooses an account, or closes the window.',
          always: processing,
        },
      },
    },

    // The page closes itself after reporting its answer; the two events may arrive in either order.
    closed: {
      description: 'The window is closed, and its answer may still arrive for a moment.',
      tags: 'waiting',
      always: processing,
      after: { closedGrace: refused({ kind: 'auth', code: 'popup-closed-by-user' }) },
    },

    processing: {
      description:
        'The redirect is classified as refused, failed, too old or valid; this state is left at once.',
      always: [
        { guard: 'isDenied', ...refused({ kind: 'auth', code: 'popup-closed-by-user' }) },
        {
          guard: 'hasError',
          target: 'idle',
          actions: {
            type: 'refuseRequest',
            params: ({ context }) => ({
              kind: 'authOther',
              message: assertDefined(getRedirectError(context)),
            }),
          },
        },
        { guard: 'isTooOld', ...refused({ kind: 'auth', code: 'token-too-old' }) },
        { target: 'finishing' },
      ],
    },

    finishing: {
      description: 'The user is signed in with Google’s answer, and waits.',
      tags: 'busy',
      invoke: {
        src: 'signIn',
        input: ({ context }) => {
          const { id, purpose } = assertDefined(context.request)
          return { requestId: id, purpose, credential: assertDefined(getCredential(context)) }
        },
        onDone: [
          {
            guard: withAnswer('isRefused'),
            target: 'idle',
            actions: { type: 'refuseRequest', params: ({ event }) => unwrapRefusal(event.output) },
          },
          { target: 'idle', actions: withAnswer('completeRequest') },
        ],
        onError: refused(NO_ANSWER),
      },
    },
  },
})

function findRedirect({ request, queued }: PopupQueueContext): SignInRedirect | null {
  const { id } = assertDefined(request)
  return queued.find(({ requestId }) => requestId === id) ?? null
}

function getRedirectError({ redirect }: PopupQueueContext): string | null {
  return redirect && 'error' in redirect ? redirect.error : null
}

function buildRefusal(request: PopupRequest, failure: Failure): PopupResult {
  return { requestId: request.id, outcome: 'refused', failure }
}

function getCredential({ redirect }: PopupQueueContext): ProviderCredential | null {
  return redirect && 'credential' in redirect ? redirect.credential : null
}
