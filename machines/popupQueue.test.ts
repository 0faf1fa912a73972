import { afterEach, describe, expect, test } from 'vitest'
import { type AnyEventObject, fromCallback } from 'xstate'
import { MINUTE } from '../domain/duration.ts'
import type { Failure } from '../domain/failure.ts'
import { err, ok } from '../domain/result.ts'
import { type PopupQueueEvent, type PopupRequest, popupQueueMachine, type Redirect } from './popupQueue.ts'
import { settle } from './testing/fakeActor.ts'
import {
  auth,
  createTestActor,
  credential,
  denied,
  finishing,
  idle,
  loaded,
  loading,
  minutes,
  now,
  other,
  otherRedirect,
  own,
  reach,
  redirect,
  refused,
  request,
  signedIn,
  stop,
  unanswered,
} from './testing/popupQueueSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(stop)

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
    [true, MINUTE],
  ])(
    'that does not load is given up (slow network: %s) after %d ms @spec-popup-timeout',
    (isSlow, timeout) => {
      const { ask, clock, open, situation } = createTestActor({}, { isSlow })
      ask()
      clock.increment(timeout - 1)
      expect(situation()).toEqual({ ...loading, isSlow })
      clock.increment(1)
      expect(situation()).toEqual({ ...refused({ kind: 'network' }), isSlow })
      expect(open()).toEqual([])
    },
  )

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

  test('that closed itself is not cancelled when its redirect comes within 8 s @spec-popup-grace', async () => {
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
