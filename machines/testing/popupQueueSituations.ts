import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import { MINUTE } from '../../domain/common/duration.ts'
import type { Result } from '../../domain/common/result.ts'
import type { AuthErrorCode, Failure } from '../../domain/errors/failure.ts'
import {
  type PopupQueueContext,
  type PopupRequest,
  type ProviderCredential,
  popupQueueMachine,
  type SignInRedirect,
} from '../popupQueue.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

export const now = Date.UTC(2026, 10, 20, 12)
export const minuteMs = MINUTE
export const request: PopupRequest = { id: 'r1', purpose: 'signIn', window: 'popup' }
export const otherRequest: PopupRequest = { id: 'r2', purpose: 'signUp', window: 'popup' }
export const ownWindowRequest: PopupRequest = { ...request, window: 'own' }
export const credential: ProviderCredential = { idToken: 'token' }
export const redirect: SignInRedirect = { eventId: 'e1', requestId: 'r1', issuedAt: now, credential }
export const otherRedirect: SignInRedirect = {
  eventId: 'e2',
  requestId: 'r2',
  issuedAt: now,
  credential: { idToken: 'other token' },
}
export const deniedRedirect: SignInRedirect = {
  eventId: 'e3',
  requestId: 'r1',
  issuedAt: now,
  error: 'access_denied',
}

let stopLast = () => {}

export const stopTestActor = () => stopLast()
type SignInInput = { requestId: string; purpose: PopupRequest['purpose']; credential: ProviderCredential }

export function createTestActor(
  overrides: Parameters<typeof popupQueueMachine.provide>[0]['actors'] = {},
  { isSlow = false } = {},
) {
  const clock = new SimulatedClock()
  const signIn = createFakeActor<Result<{ isNew: boolean }, Failure>, SignInInput>()
  const opened: PopupRequest[] = []
  const open = new Set<string>()
  const departures: PopupRequest[] = []
  let isListening = false
  const actor = createActor(
    popupQueueMachine.provide({
      actors: {
        watchRedirects: fromCallback<AnyEventObject>(() => {
          isListening = true
          return () => {
            isListening = false
          }
        }),
        openPopup: fromCallback<AnyEventObject, PopupRequest>(({ input }) => {
          opened.push(input)
          open.add(input.id)
          return () => open.delete(input.id)
        }),
        leaveForProvider: fromCallback<AnyEventObject, PopupRequest>(({ input }) => {
          departures.push(input)
        }),
        signIn: signIn.logic,
        ...overrides,
      },
    }),
    { clock, input: { isSlow }, inspect: recordTransition },
  ).start()
  stopLast = () => actor.stop()
  return {
    actor,
    clock,
    signIn,
    opened,
    departures,
    open: () => [...open],
    isListening: () => isListening,
    ask: (asked: PopupRequest = request) => actor.send({ type: 'popup.request', ...asked }),
    tell: (type: 'popup.loaded' | 'popup.closed', at = now) => actor.send({ type, at }),
    block: () => actor.send({ type: 'popup.blocked' }),
    redirected: (back: SignInRedirect = redirect, at = now) =>
      actor.send({ type: 'redirect.received', at, redirect: back }),
    bring: (back: SignInRedirect = redirect, at = now) =>
      actor.send({ type: 'redirect.returned', at, request: ownWindowRequest, redirect: back }),
    send: actor.send,
    situation: () => {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}

export const initialContext: PopupQueueContext = {
  isSlow: false,
  request: null,
  queued: [],
  processedIds: [],
  redirect: null,
  problem: null,
  result: null,
}
export const loadingSituation = { ...initialContext, value: { open: 'loading' }, request }
export const loadedSituation = { ...initialContext, value: { open: 'loaded' }, request }
export const finishingSituation = {
  ...initialContext,
  value: 'finishing',
  request,
  redirect,
  processedIds: ['e1'],
}
export const buildAuthFailure = (code: AuthErrorCode) => ({ kind: 'auth', code }) as const
export const unansweredFailure: Failure = { kind: 'authOther', message: '' }
export const buildRefusedSituation = (failure: Failure) => ({
  ...initialContext,
  value: 'idle',
  problem: failure,
  result: { requestId: 'r1', outcome: 'refused', failure },
})
export const signedInSituation = {
  ...initialContext,
  value: 'idle',
  processedIds: ['e1'],
  result: { requestId: 'r1', outcome: 'signedIn', isNew: false },
}

export const arrange = {
  idle: () => createTestActor(),
  loading() {
    const started = createTestActor()
    started.ask()
    return started
  },
  loaded() {
    const started = arrange.loading()
    started.tell('popup.loaded')
    return started
  },
  closed() {
    const started = arrange.loaded()
    started.tell('popup.closed')
    return started
  },
  leaving() {
    const started = createTestActor()
    started.ask(ownWindowRequest)
    return started
  },
  finishing() {
    const started = arrange.loaded()
    started.redirected()
    return started
  },
}
