import { afterEach, describe, expect, test } from 'vitest'
import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import type { AuthCode, Failure } from '../domain/failure.ts'
import { err, ok, type Result } from '../domain/result.ts'
import {
  type PopupQueueContext,
  type PopupQueueEvent,
  type PopupRequest,
  type ProviderCredential,
  popupQueueMachine,
  type Redirect,
} from './popupQueue.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'

const now = Date.UTC(2026, 10, 20, 12)
const minutes = 60_000
const request: PopupRequest = { id: 'r1', purpose: 'signIn', window: 'popup' }
const other: PopupRequest = { id: 'r2', purpose: 'signUp', window: 'popup' }
const own: PopupRequest = { ...request, window: 'own' }
const credential: ProviderCredential = { idToken: 'token' }
const redirect: Redirect = { eventId: 'e1', requestId: 'r1', issuedAt: now, credential }
const otherRedirect: Redirect = {
  eventId: 'e2',
  requestId: 'r2',
  issuedAt: now,
  credential: { idToken: 'other token' },
}
const denied: Redirect = { eventId: 'e3', requestId: 'r1', issuedAt: now, error: 'access_denied' }

let stop = () => {}
afterEach(() => stop())

type Finish = { requestId: string; purpose: PopupRequest['purpose']; credential: ProviderCredential }

function createTestActor(
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
  stop = () => actor.stop()
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
const idle: PopupQueueContext = {
  isSlow: false,
  request: null,
  queued: [],
  processedIds: [],
  redirect: null,
  problem: null,
  result: null,
}
const loading = { ...idle, value: { open: 'loading' }, request }
const loaded = { ...idle, value: { open: 'loaded' }, request }
const finishing = { ...idle, value: 'finishing', request, redirect, processedIds: ['e1'] }
const auth = (code: AuthCode) => ({ kind: 'auth', code }) as const
const unanswered: Failure = { kind: 'authOther', message: '' }
const refused = (failure: Failure) => ({
  ...idle,
  value: 'idle',
  problem: failure,
  result: { requestId: 'r1', outcome: 'refused', failure },
})
const signedIn = {
  ...idle,
  value: 'idle',
  processedIds: ['e1'],
  result: { requestId: 'r1', outcome: 'signedIn', isNew: false },
}

const reach = {
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

test('a sign-in from the tap to the end', async () => {
  const { ask, finish, isListening, open, opened, redirected, situation, tell } = createTestActor()
  expect(isListening()).toBe(true)
  expect(situation()).toEqual({ ...idle, value: 'idle' })

  ask()
  expect(situation()).toEqual(loading)
  expect(opened).toEqual([request])

  tell('popup.loaded')
  expect(situation()).toEqual(loaded)
  expect(open()).toEqual(['r1'])

  redirected()
  expect(situation()).toEqual(finishing)
  expect(finish.asked).toEqual([{ requestId: 'r1', purpose: 'signIn', credential }])
  expect(open()).toEqual([])

  await finish.answer(ok({ isNew: false }))
  expect(situation()).toEqual(signedIn)
})

describe('a popup', () => {
  test('opens in the same turn as the tap, or browsers block it', () => {
    const { ask, opened } = createTestActor()
    ask()
    expect(opened).toEqual([request])
  })

  test.each(['loading', 'loaded'] as const)('that is blocked while %s is told', (state) => {
    const { block, open, situation } = reach[state]()
    block()
    expect(situation()).toEqual(refused(auth('popup-blocked')))
    expect(open()).toEqual([])
  })

  test('that can not be opened at all is told as blocked', async () => {
    const popup = fromCallback<AnyEventObject, PopupRequest>(() => {
      throw new Error('no windows here')
    })
    const { ask, situation } = createTestActor({ popup })
    ask()
    await settle()
    expect(situation()).toEqual(refused(auth('popup-blocked')))
  })

  test.each([
    [false, 30_000],
    [true, 60_000],
  ])('that does not load is given up (slow network: %s) after %d ms', (isSlow, timeout) => {
    const { ask, clock, open, situation } = createTestActor({}, { isSlow })
    ask()
    clock.increment(timeout - 1)
    expect(situation()).toEqual({ ...loading, isSlow })
    clock.increment(1)
    expect(situation()).toEqual({ ...refused({ kind: 'network' }), isSlow })
    expect(open()).toEqual([])
  })

  test('that has loaded waits for the person', () => {
    const { clock, situation } = reach.loaded()
    clock.increment(60 * minutes)
    expect(situation()).toEqual(loaded)
  })

  test.each(['loading', 'loaded'] as const)(
    'that is closed while %s counts as cancelled after 8 s',
    (state) => {
      const { clock, situation, tell } = reach[state]()
      tell('popup.closed')
      expect(situation()).toEqual({ ...idle, value: 'closed', request })
      clock.increment(7_999)
      expect(situation()).toEqual({ ...idle, value: 'closed', request })
      clock.increment(1)
      expect(situation()).toEqual(refused(auth('popup-closed-by-user')))
    },
  )

  test('that closed itself is not cancelled when its redirect comes within 8 s', async () => {
    const { clock, finish, redirected, situation } = reach.closed()
    clock.increment(7_999)
    redirected()
    expect(situation()).toEqual(finishing)
    clock.increment(8_000)
    await finish.answer(ok({ isNew: false }))
    expect(situation()).toEqual(signedIn)
  })

  test.each(['loading', 'loaded', 'closed', 'finishing'] as const)(
    'that is asked for while another one is %s cancels it',
    async (state) => {
      const { ask, clock, finish, open, opened, situation } = reach[state]()
      const { processedIds } = situation()
      ask(other)
      const { result } = refused(auth('cancelled-popup-request'))
      expect(situation()).toEqual({ ...loading, processedIds, request: other, result })
      expect(opened).toEqual([request, other])
      expect(open()).toEqual(['r2'])
      clock.increment(8_000)
      await finish.answer(ok({ isNew: true }))
      expect(situation()).toEqual({ ...loading, processedIds, request: other, result })
    },
  )

  test('takes back what was said of the one before', () => {
    const { ask, block, situation } = reach.loading()
    block()
    ask(other)
    expect(situation()).toEqual({ ...loading, request: other })
  })
})

describe('a redirect', () => {
  test('that is early waits until the popup is loaded', () => {
    const { finish, redirected, situation, tell } = reach.loading()
    redirected()
    expect(situation()).toEqual({ ...loading, queued: [redirect] })
    expect(finish.asked).toEqual([])
    tell('popup.loaded')
    expect(situation()).toEqual(finishing)
  })

  test('that is early waits until the popup is closed, at the latest', () => {
    const { redirected, situation, tell } = reach.loading()
    redirected()
    tell('popup.closed')
    expect(situation()).toEqual(finishing)
  })

  test('that comes while nobody waits is there when its request is', () => {
    const { ask, redirected, situation, tell } = reach.idle()
    redirected()
    expect(situation()).toEqual({ ...idle, value: 'idle', queued: [redirect] })
    ask()
    expect(situation()).toEqual({ ...loading, queued: [redirect] })
    tell('popup.loaded')
    expect(situation()).toEqual(finishing)
  })

  test('of another tab is left alone', () => {
    const { finish, redirected, situation } = reach.loaded()
    redirected(otherRedirect)
    expect(situation()).toEqual({ ...loaded, queued: [otherRedirect] })
    redirected()
    expect(situation()).toEqual({ ...finishing, queued: [otherRedirect] })
    expect(finish.asked).toHaveLength(1)
  })

  test('that comes twice is processed once', async () => {
    const { finish, redirected, situation, tell } = reach.loading()
    redirected()
    redirected()
    expect(situation()).toEqual({ ...loading, queued: [redirect] })
    tell('popup.loaded')
    redirected()
    expect(situation()).toEqual(finishing)
    await finish.answer(ok({ isNew: false }))
    redirected()
    expect(situation()).toEqual(signedIn)
    expect(finish.asked).toHaveLength(1)
  })

  test('of a request that was cancelled is not processed', () => {
    const { ask, finish, redirected, situation, tell } = reach.loaded()
    ask(other)
    tell('popup.loaded')
    redirected()
    expect(situation()).toMatchObject({ value: { open: 'loaded' }, request: other, queued: [redirect] })
    expect(finish.asked).toEqual([])
  })

  test('that says no is the person’s own will', () => {
    const { redirected, situation } = reach.loaded()
    redirected(denied)
    expect(situation()).toEqual({ ...refused(auth('popup-closed-by-user')), processedIds: ['e3'] })
  })

  test('that tells any other error passes it on', () => {
    const { redirected, situation } = reach.loaded()
    redirected({ ...denied, error: 'temporarily_unavailable' })
    const failure = { kind: 'authOther', message: 'temporarily_unavailable' } as const
    expect(situation()).toEqual({ ...refused(failure), processedIds: ['e3'] })
  })

  const tooOld = { ...refused(auth('token-too-old')), processedIds: ['e1'] }

  test('may be 5 minutes old when it is processed, and no older', () => {
    const inTime = reach.loaded()
    inTime.redirected(redirect, now + 5 * minutes)
    expect(inTime.situation()).toEqual(finishing)
    stop()
    const late = reach.loaded()
    late.redirected(redirect, now + 5 * minutes + 1)
    expect(late.situation()).toEqual(tooOld)
    expect(late.finish.asked).toEqual([])
  })

  test.each(['popup.loaded', 'popup.closed'] as const)('may grow too old until %s', (type) => {
    const { finish, redirected, situation, tell } = reach.loading()
    redirected()
    tell(type, now + 5 * minutes + 1)
    expect(situation()).toEqual(tooOld)
    expect(finish.asked).toEqual([])
  })
})

describe('by the one window of an app that stands alone', () => {
  const leaving = { ...idle, value: 'leaving', request: own }

  test('the app leaves, and opens no other', () => {
    const { left, opened, situation } = reach.leaving()
    expect(situation()).toEqual(leaving)
    expect([left, opened]).toEqual([[own], []])
  })

  test.each([
    ['departure.failed', { kind: 'network' }],
    ['departure.undone', auth('popup-closed-by-user')],
  ] as const)('it stays after %s, and can leave again', (type, failure) => {
    const { ask, left, send, situation } = reach.leaving()
    send({ type })
    expect(situation()).toEqual(refused(failure))
    ask({ ...own, id: 'r2' })
    expect(situation()).toMatchObject({ value: 'leaving', problem: null })
    expect(left.map(({ id }) => id)).toEqual(['r1', 'r2'])
  })

  test.each([
    [false, 30_000],
    [true, 60_000],
  ])('it is given up (slow network: %s) when it is still here after %d ms', (isSlow, timeout) => {
    const { ask, clock, situation } = createTestActor({}, { isSlow })
    ask(own)
    clock.increment(timeout - 1)
    expect(situation()).toEqual({ ...leaving, isSlow })
    clock.increment(1)
    expect(situation()).toEqual({ ...refused({ kind: 'network' }), isSlow })
  })

  test('what it brings back is a sign-in like any, once', async () => {
    const { bring, finish, redirected, situation } = reach.idle()
    bring()
    expect(situation()).toEqual({ ...finishing, request: own })
    expect(finish.asked).toEqual([{ requestId: 'r1', purpose: 'signIn', credential }])
    redirected()
    await finish.answer(ok({ isNew: false }))
    expect(situation()).toEqual(signedIn)
    expect(finish.asked).toHaveLength(1)
  })

  test('what it brings back may be a refusal, or an error', () => {
    const no = reach.idle()
    no.bring(denied)
    expect(no.situation()).toEqual({ ...refused(auth('popup-closed-by-user')), processedIds: ['e3'] })
    stop()
    const wrong = reach.idle()
    wrong.bring({ ...denied, error: 'server_error' })
    const failure = { kind: 'authOther', message: 'server_error' } as const
    expect(wrong.situation()).toEqual({ ...refused(failure), processedIds: ['e3'] })
  })

  test('what it brings back may be 5 minutes old, and no older', () => {
    const inTime = reach.idle()
    inTime.bring(redirect, now + 5 * minutes)
    expect(inTime.situation()).toMatchObject({ value: 'finishing' })
    stop()
    const late = reach.idle()
    late.bring(redirect, now + 5 * minutes + 1)
    expect(late.situation()).toEqual({ ...refused(auth('token-too-old')), processedIds: ['e1'] })
    expect(late.finish.asked).toEqual([])
  })

  test('what it brings back is forgotten after 10 minutes', async () => {
    const { bring, clock, finish, situation } = reach.idle()
    bring()
    await finish.answer(ok({ isNew: false }))
    clock.increment(10 * minutes)
    expect(situation()).toEqual({ ...signedIn, processedIds: [] })
  })
})

describe('what is kept of redirects', () => {
  test('is forgotten 10 minutes after the last one was processed', async () => {
    const { clock, finish, redirected, situation } = reach.loaded()
    redirected(otherRedirect)
    clock.increment(9 * minutes)
    redirected()
    await finish.answer(ok({ isNew: false }))
    const kept = { ...signedIn, queued: [otherRedirect] }
    clock.increment(10 * minutes - 1)
    expect(situation()).toEqual(kept)
    clock.increment(1)
    expect(situation()).toEqual({ ...signedIn, processedIds: [] })
  })

  test('counts from the processing of an early one', async () => {
    const { clock, finish, redirected, situation, tell } = reach.loading()
    redirected()
    clock.increment(29_000)
    tell('popup.loaded')
    await finish.answer(ok({ isNew: false }))
    clock.increment(10 * minutes - 1)
    expect(situation()).toEqual(signedIn)
    clock.increment(1)
    expect(situation()).toEqual({ ...signedIn, processedIds: [] })
  })

  test('is forgotten even if it was never processed', () => {
    const { clock, redirected, situation } = reach.idle()
    redirected()
    clock.increment(10 * minutes - 1)
    expect(situation()).toEqual({ ...idle, value: 'idle', queued: [redirect] })
    clock.increment(1)
    expect(situation()).toEqual({ ...idle, value: 'idle' })
  })
})

describe('finishing', () => {
  test('tells of a new account', async () => {
    const { finish, situation } = reach.finishing()
    await finish.answer(ok({ isNew: true }))
    expect(situation()).toEqual({ ...signedIn, result: { ...signedIn.result, isNew: true } })
  })

  test('tells why it was refused', async () => {
    const { finish, situation } = reach.finishing()
    await finish.answer(err(auth('user-disabled')))
    expect(situation()).toEqual({ ...refused(auth('user-disabled')), processedIds: ['e1'] })
  })

  test('tells when there was no answer', async () => {
    const { finish, situation } = reach.finishing()
    await finish.fail()
    expect(situation()).toEqual({ ...refused(unanswered), processedIds: ['e1'] })
  })
})

test('a problem can be dismissed, the result stays', () => {
  const { block, send, situation } = reach.loading()
  block()
  send({ type: 'problem.dismiss' })
  expect(situation()).toEqual({ ...refused(auth('popup-blocked')), problem: null })
})

test('where no redirect can be heard of, no popup opens', async () => {
  const listen = fromCallback<AnyEventObject>(() => {
    throw new Error('no channel here')
  })
  const { ask, opened, situation } = createTestActor({ listen })
  await settle()
  expect(situation()).toEqual({ ...idle, value: 'unsupported' })
  ask()
  expect(situation()).toEqual({ ...refused(auth('web-storage-unsupported')), value: 'unsupported' })
  expect(opened).toEqual([])
})

test('redirects are heard until the end, whatever the popups do', () => {
  const { actor, ask, block, isListening } = reach.finishing()
  ask(other)
  block()
  expect(isListening()).toBe(true)
  actor.stop()
  expect(isListening()).toBe(false)
})

test('every state accepts its own events and ignores the others, and tells whom it waits for', () => {
  const events: PopupQueueEvent[] = [
    { type: 'popup.request', ...other },
    { type: 'popup.blocked' },
    { type: 'popup.loaded', at: now },
    { type: 'popup.closed', at: now },
    { type: 'redirect.received', at: now, redirect: otherRedirect },
    { type: 'redirect.brought', at: now, request: own, redirect: otherRedirect },
    { type: 'departure.failed' },
    { type: 'departure.undone' },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(reach)) {
    const snapshot = start().actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags] }
    stop()
  }
  const inEvery = ['popup.request', 'redirect.received']
  expect(found).toEqual({
    idle: { accepts: [...inEvery, 'redirect.brought'], tags: [] },
    loading: {
      accepts: ['popup.request', 'popup.blocked', 'popup.loaded', 'popup.closed', 'redirect.received'],
      tags: ['waiting'],
    },
    loaded: {
      accepts: ['popup.request', 'popup.blocked', 'popup.closed', 'redirect.received'],
      tags: ['waiting'],
    },
    closed: { accepts: inEvery, tags: ['waiting'] },
    leaving: { accepts: [...inEvery, 'departure.failed', 'departure.undone'], tags: ['busy'] },
    finishing: { accepts: inEvery, tags: ['busy'] },
  })
})

describe('an actor that nobody provided', () => {
  const { actors } = popupQueueMachine.implementations

  test.each<[keyof typeof actors, Failure]>([
    ['listen', auth('web-storage-unsupported')],
    ['popup', auth('popup-blocked')],
    ['leave', auth('web-storage-unsupported')],
    ['finish', unanswered],
  ])('%s: no success', async (name, failure) => {
    const { ask, redirected, situation, tell } = createTestActor({ [name]: actors[name] })
    ask(name === 'leave' ? own : request)
    tell('popup.loaded')
    redirected()
    await settle()
    expect(situation()).toMatchObject({
      problem: failure,
      result: { requestId: 'r1', outcome: 'refused', failure },
    })
  })
})

test('on every path there is at most one popup, and one sign-in for each redirect', async () => {
  const redirects: Redirect[] = [
    redirect,
    denied,
    { ...denied, eventId: 'e4', error: 'server_error' },
    { ...redirect, eventId: 'e5', issuedAt: now - 5 * minutes - 1, credential: { idToken: 'old token' } },
    otherRedirect,
  ]
  const popupEvents: PopupQueueEvent[] = [
    { type: 'popup.blocked' },
    { type: 'popup.loaded', at: now },
    { type: 'popup.closed', at: now },
    { type: 'departure.failed' },
    { type: 'departure.undone' },
  ]
  const { untaken } = await walk({
    machine: popupQueueMachine,
    input: { isSlow: false },
    events: (snapshot) => {
      const { problem, processedIds, queued, request: current, result } = snapshot.context
      const known = [...processedIds, ...queued.map(({ eventId }) => eventId)]
      // The first request once, then the other one once; and each has one redirect, which may be told again.
      const isFirst = current === null && result === null
      const isOther = current?.id === 'r2' || result?.requestId === 'r2'
      const isAnswered = (requestId: string) =>
        redirects.some((told) => told.requestId === requestId && known.includes(told.eventId))
      return [
        ...(isOther ? [] : [{ type: 'popup.request' as const, ...(isFirst ? request : other) }]),
        // The window has left or is back before anything else happens.
        ...(isFirst && known.length === 0
          ? [
              { type: 'popup.request' as const, ...own },
              ...redirects
                .filter(({ requestId }) => requestId === own.id)
                .map((told) => ({
                  type: 'redirect.brought' as const,
                  at: now,
                  request: own,
                  redirect: told,
                })),
            ]
          : []),
        ...popupEvents.filter((event) => snapshot.can(event)),
        ...redirects
          .filter(({ eventId, requestId }) => known.includes(eventId) || !isAnswered(requestId))
          .map((told) => ({ type: 'redirect.received' as const, at: now, redirect: told })),
        ...(problem ? [{ type: 'problem.dismiss' as const }] : []),
      ]
    },
    answers: { finish: [ok({ isNew: false }), err(unanswered)] },
    blur: ({ request: current, queued, processedIds, ...context }) => ({
      ...context,
      request: current?.id,
      queued: queued.map(({ eventId }) => eventId).sort(),
      processedIds: processedIds.toSorted(),
    }),
    invariant: ({ event, before, after, asked, at }) => {
      const { context } = after
      const running = Object.values(after.children).map((child) => child?.src)
      expect(running.includes('popup'), at).toBe(after.matches('open'))
      expect(running.includes('leave'), at).toBe(after.matches('leaving'))
      expect(running.includes('finish'), at).toBe(after.matches('finishing'))
      const isUnderWay = after.hasTag('waiting') || after.hasTag('busy')
      expect(context.request !== null, at).toBe(isUnderWay)
      expect(context.redirect !== null, at).toBe(after.matches('finishing'))
      if (isUnderWay) expect(context.problem, at).toBe(null)

      // Each of these redirects has its own token.
      const finished = asked.filter(({ src }) => src === 'finish').map(({ input }) => JSON.stringify(input))
      expect(finished, at).toEqual([...new Set(finished)])
      expect(finished.join(), at).not.toContain('old token')
      if (context.result?.outcome === 'signedIn' && before.context.result?.outcome !== 'signedIn')
        expect([before.value, event.output], at).toEqual(['finishing', ok({ isNew: false })])
      if (before.context.request && before.context.request.id !== context.request?.id)
        expect(context.result?.requestId, at).toBe(before.context.request.id)
    },
  })
  expect(untaken).toEqual([])
})
