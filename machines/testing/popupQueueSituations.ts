import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import { MINUTE } from '../../domain/duration.ts'
import type { AuthCode, Failure } from '../../domain/failure.ts'
import type { Result } from '../../domain/result.ts'
import {
  type PopupQueueContext,
  type PopupRequest,
  type ProviderCredential,
  popupQueueMachine,
  type Redirect,
} from '../popupQueue.ts'
import { fakeActor } from './fakeActor.ts'

export const now = Date.UTC(2026, 10, 20, 12)
export const minutes = MINUTE
export const request: PopupRequest = { id: 'r1', purpose: 'signIn', window: 'popup' }
export const other: PopupRequest = { id: 'r2', purpose: 'signUp', window: 'popup' }
export const own: PopupRequest = { ...request, window: 'own' }
export const credential: ProviderCredential = { idToken: 'token' }
export const redirect: Redirect = { eventId: 'e1', requestId: 'r1', issuedAt: now, credential }
export const otherRedirect: Redirect = {
  eventId: 'e2',
  requestId: 'r2',
  issuedAt: now,
  credential: { idToken: 'other token' },
}
export const denied: Redirect = { eventId: 'e3', requestId: 'r1', issuedAt: now, error: 'access_denied' }

let stopLast = () => {}

/** Ends what was started last; each file of tests does so after each of them. */
export const stop = () => stopLast()
type Finish = { requestId: string; purpose: PopupRequest['purpose']; credential: ProviderCredential }

export function createTestActor(
  overrides: Parameters<typeof popupQueueMachine.provide>[0]['actors'] = {},
  { isSlow = false } = {},
) {
  const clock = new SimulatedClock()
  const finish = fakeActor<Result<{ isNew: boolean }, Failure>, Finish>()
  const opened: PopupRequest[] = []
  const open = new Set<string>()
  const left: PopupRequest[] = []
  let isListening = false
  const actor = createActor(
    popupQueueMachine.provide({
      actors: {
        listen: fromCallback<AnyEventObject>(() => {
          isListening = true
          return () => {
            isListening = false
          }
        }),
        popup: fromCallback<AnyEventObject, PopupRequest>(({ input }) => {
          opened.push(input)
          open.add(input.id)
          return () => open.delete(input.id)
        }),
        leave: fromCallback<AnyEventObject, PopupRequest>(({ input }) => {
          left.push(input)
        }),
        finish: finish.logic,
        ...overrides,
      },
    }),
    { clock, input: { isSlow } },
  ).start()
  stopLast = () => actor.stop()
  return {
    actor,
    clock,
    finish,
    opened,
    left,
    open: () => [...open],
    isListening: () => isListening,
    ask: (asked: PopupRequest = request) => actor.send({ type: 'popup.request', ...asked }),
    tell: (type: 'popup.loaded' | 'popup.closed', at = now) => actor.send({ type, at }),
    block: () => actor.send({ type: 'popup.blocked' }),
    redirected: (back: Redirect = redirect, at = now) =>
      actor.send({ type: 'redirect.received', at, redirect: back }),
    bring: (back: Redirect = redirect, at = now) =>
      actor.send({ type: 'redirect.brought', at, request: own, redirect: back }),
    send: actor.send,
    situation: () => {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}

/** Everything the context holds while nothing has happened. */
export const idle: PopupQueueContext = {
  isSlow: false,
  request: null,
  queued: [],
  processedIds: [],
  redirect: null,
  problem: null,
  result: null,
}
export const loading = { ...idle, value: { open: 'loading' }, request }
export const loaded = { ...idle, value: { open: 'loaded' }, request }
export const finishing = { ...idle, value: 'finishing', request, redirect, processedIds: ['e1'] }
export const auth = (code: AuthCode) => ({ kind: 'auth', code }) as const
export const unanswered: Failure = { kind: 'authOther', message: '' }
export const refused = (failure: Failure) => ({
  ...idle,
  value: 'idle',
  problem: failure,
  result: { requestId: 'r1', outcome: 'refused', failure },
})
export const signedIn = {
  ...idle,
  value: 'idle',
  processedIds: ['e1'],
  result: { requestId: 'r1', outcome: 'signedIn', isNew: false },
}

export const reach = {
  idle: () => createTestActor(),
  loading() {
    const started = createTestActor()
    started.ask()
    return started
  },
  loaded() {
    const started = reach.loading()
    started.tell('popup.loaded')
    return started
  },
  closed() {
    const started = reach.loaded()
    started.tell('popup.closed')
    return started
  },
  leaving() {
    const started = createTestActor()
    started.ask(own)
    return started
  },
  finishing() {
    const started = reach.loaded()
    started.redirected()
    return started
  },
}
