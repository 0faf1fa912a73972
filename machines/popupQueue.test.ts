import { afterEach, describe, expect, test } from 'vitest'
import { type AnyEventObject, fromCallback } from 'xstate'
import { MINUTE } from '../domain/common/duration.ts'
import { err, ok } from '../domain/common/result.ts'
import type { Failure } from '../domain/errors/failure.ts'
import {
  POPUP_CLOSED_GRACE,
  type PopupQueueEvent,
  type PopupRequest,
  popupQueueMachine,
  type SignInRedirect,
} from './popupQueue.ts'
import { flushQueue } from './testing/fakeActor.ts'
import {
  arrange,
  buildAuthFailure,
  buildRefusedSituation,
  createTestActor,
  credential,
  deniedRedirect,
  finishingSituation,
  initialContext,
  loadedSituation,
  loadingSituation,
  minuteMs,
  now,
  otherRedirect,
  otherRequest,
  ownWindowRequest,
  redirect,
  request,
  signedInSituation,
  stopTestActor,
  unansweredFailure,
} from './testing/popupQueueSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(stopTestActor)

test('a user signs in with a popup and its redirect', async () => {
  const { ask, signIn, isListening, open, opened, redirected, situation, tell } = createTestActor()
  expect(isListening()).toBe(true)
  expect(situation()).toEqual({ ...initialContext, value: 'idle' })

  ask()
  expect(situation()).toEqual(loadingSituation)
  expect(opened).toEqual([request])

  tell('popup.loaded')
  expect(situation()).toEqual(loadedSituation)
  expect(open()).toEqual(['r1'])

  redirected()
  expect(situation()).toEqual(finishingSituation)
  expect(signIn.asked).toEqual([{ requestId: 'r1', purpose: 'signIn', credential }])
  expect(open()).toEqual([])

  await signIn.answer(ok({ isNew: false }))
  expect(situation()).toEqual(signedInSituation)
})

describe('a popup', () => {
  test('a popup opens synchronously with its request', () => {
    const { ask, opened } = createTestActor()
    ask()
    expect(opened).toEqual([request])
  })

  test.each(['loading', 'loaded'] as const)('a popup that is blocked while %s is reported', (state) => {
    const { block, open, situation } = arrange[state]()
    block()
    expect(situation()).toEqual(buildRefusedSituation(buildAuthFailure('popup-blocked')))
    expect(open()).toEqual([])
  })

  test('a popup is reported as blocked if it can’t be opened', async () => {
    const openPopup = fromCallback<AnyEventObject, PopupRequest>(() => {
      throw new Error('no windows here')
    })
    const { ask, situation } = createTestActor({ openPopup })
    ask()
    await flushQueue()
    expect(situation()).toEqual(buildRefusedSituation(buildAuthFailure('popup-blocked')))
  })

  test.each([
    ['fast', 30_000],
    ['slow', MINUTE],
  ])('on a %s network, a popup not loaded within %d ms fails @spec-popup-timeout', (network, timeout) => {
    const isSlow = network === 'slow'
    const { ask, clock, open, situation } = createTestActor({}, { isSlow })
    ask()
    clock.increment(timeout - 1)
    expect(situation()).toEqual({ ...loadingSituation, isSlow })
    clock.increment(1)
    expect(situation()).toEqual({ ...buildRefusedSituation({ kind: 'network' }), isSlow })
    expect(open()).toEqual([])
  })

  test('a loaded popup waits for the user without a time limit', () => {
    const { clock, situation } = arrange.loaded()
    clock.increment(60 * minuteMs)
    expect(situation()).toEqual(loadedSituation)
  })

  test.each(['loading', 'loaded'] as const)(
    'a popup counts as canceled 8 s after closing while %s @spec-popup-closed @spec-popup-grace',
    (state) => {
      const { clock, situation, tell } = arrange[state]()
      tell('popup.closed')
      expect(situation()).toEqual({ ...initialContext, value: 'closed', request })
      clock.increment(7_999)
      expect(situation()).toEqual({ ...initialContext, value: 'closed', request })
      clock.increment(1)
      expect(situation()).toEqual(buildRefusedSituation(buildAuthFailure('popup-closed-by-user')))
    },
  )

  test('a redirect within 8 s after closing prevents the cancellation @spec-popup-grace', async () => {
    const { clock, signIn, redirected, situation } = arrange.closed()
    clock.increment(7_999)
    redirected()
    expect(situation()).toEqual(finishingSituation)
    clock.increment(8_000)
    await signIn.answer(ok({ isNew: false }))
    expect(situation()).toEqual(signedInSituation)
  })

  test.each(['loading', 'loaded', 'closed', 'finishing'] as const)(
    'a request for a popup replaces another one that is %s',
    async (state) => {
      const { ask, clock, signIn, open, opened, situation } = arrange[state]()
      const { processedIds } = situation()
      ask(otherRequest)
      const { result } = buildRefusedSituation(buildAuthFailure('cancelled-popup-request'))
      expect(situation()).toEqual({ ...loadingSituation, processedIds, request: otherRequest, result })
      expect(opened).toEqual([request, otherRequest])
      expect(open()).toEqual(['r2'])
      clock.increment(8_000)
      await signIn.answer(ok({ isNew: true }))
      expect(situation()).toEqual({ ...loadingSituation, processedIds, request: otherRequest, result })
    },
  )

  test('a request for a popup clears the problem of the previous one', () => {
    const { ask, block, situation } = arrange.loading()
    block()
    ask(otherRequest)
    expect(situation()).toEqual({ ...loadingSituation, request: otherRequest })
  })
})

describe('the end of a sign-in with a popup', () => {
  test('a sign-in with a popup reports that the account is new', async () => {
    const { signIn, situation } = arrange.finishing()
    await signIn.answer(ok({ isNew: true }))
    expect(situation()).toEqual({
      ...signedInSituation,
      result: { ...signedInSituation.result, isNew: true },
    })
  })

  test('a sign-in with a popup reports why it was refused', async () => {
    const { signIn, situation } = arrange.finishing()
    await signIn.answer(err(buildAuthFailure('user-disabled')))
    expect(situation()).toEqual({
      ...buildRefusedSituation(buildAuthFailure('user-disabled')),
      processedIds: ['e1'],
    })
  })

  test('a sign-in with a popup reports that it got no answer', async () => {
    const { signIn, situation } = arrange.finishing()
    await signIn.fail()
    expect(situation()).toEqual({ ...buildRefusedSituation(unansweredFailure), processedIds: ['e1'] })
  })
})

test('a popup whose redirects can’t be received ends its request when closed', async () => {
  const watchRedirects = fromCallback<AnyEventObject>(() => {
    throw new Error('no channel here')
  })
  const { ask, clock, situation, tell } = createTestActor({ watchRedirects })
  await flushQueue()
  ask()
  tell('popup.closed')
  clock.increment(POPUP_CLOSED_GRACE)
  expect(situation()).toEqual(buildRefusedSituation(buildAuthFailure('popup-closed-by-user')))
})

test('the popup queue accepts exactly the expected events in every state', () => {
  const events: PopupQueueEvent[] = [
    { type: 'popup.request', ...otherRequest },
    { type: 'popup.blocked' },
    { type: 'popup.loaded', at: now },
    { type: 'popup.closed', at: now },
    { type: 'redirect.received', at: now, redirect: otherRedirect },
    { type: 'redirect.returned', at: now, request: ownWindowRequest, redirect: otherRedirect },
    { type: 'departure.failed' },
    { type: 'departure.canceled' },
  ]
  const found: Record<string, { accepts: string[]; tags: string[] }> = {}
  for (const [state, start] of Object.entries(arrange)) {
    const snapshot = start().actor.getSnapshot()
    const accepts = events.filter((event) => snapshot.can(event)).map(({ type }) => type)
    found[state] = { accepts, tags: [...snapshot.tags] }
    stopTestActor()
  }
  const inEvery = ['popup.request', 'redirect.received']
  expect(found).toEqual({
    idle: { accepts: [...inEvery, 'redirect.returned'], tags: [] },
    loading: {
      accepts: ['popup.request', 'popup.blocked', 'popup.loaded', 'popup.closed', 'redirect.received'],
      tags: ['waiting'],
    },
    loaded: {
      accepts: ['popup.request', 'popup.blocked', 'popup.closed', 'redirect.received'],
      tags: ['waiting'],
    },
    closed: { accepts: inEvery, tags: ['waiting'] },
    leaving: { accepts: [...inEvery, 'departure.failed', 'departure.canceled'], tags: ['busy'] },
    finishing: { accepts: inEvery, tags: ['busy'] },
  })
})

describe('an actor that was not provided', () => {
  const { actors } = popupQueueMachine.implementations

  test.each<[keyof typeof actors, Failure]>([
    ['openPopup', buildAuthFailure('popup-blocked')],
    ['leaveForProvider', buildAuthFailure('web-storage-unsupported')],
    ['signIn', unansweredFailure],
  ])('an actor that was not provided never counts as success: %s', async (name, failure) => {
    const { ask, redirected, situation, tell } = createTestActor({ [name]: actors[name] })
    ask(name === 'leaveForProvider' ? ownWindowRequest : request)
    tell('popup.loaded')
    redirected()
    await flushQueue()
    expect(situation()).toMatchObject({
      problem: failure,
      result: { requestId: 'r1', outcome: 'refused', failure },
    })
  })
})

test('every path has one popup and one sign-in per redirect at most', () => {
  const redirects: SignInRedirect[] = [
    redirect,
    deniedRedirect,
    { ...deniedRedirect, eventId: 'e4', error: 'server_error' },
    { ...redirect, eventId: 'e5', issuedAt: now - 5 * minuteMs - 1, credential: { idToken: 'old token' } },
    otherRedirect,
  ]
  const popupEvents: PopupQueueEvent[] = [
    { type: 'popup.blocked' },
    { type: 'popup.loaded', at: now },
    { type: 'popup.closed', at: now },
    { type: 'departure.failed' },
    { type: 'departure.canceled' },
  ]
  const { untaken } = walk({
    machine: popupQueueMachine,
    input: { isSlow: false },
    events: (snapshot) => {
      const { processedIds, queued, request: current, result } = snapshot.context
      const known = [...processedIds, ...queued.map(({ eventId }) => eventId)]
      // Two requests are sent, one after the other; each has one redirect, which may be repeated.
      const isFirst = current === null && result === null
      const isOther = current?.id === 'r2' || result?.requestId === 'r2'
      const isAnswered = (requestId: string) =>
        redirects.some((received) => received.requestId === requestId && known.includes(received.eventId))
      return [
        ...(isOther ? [] : [{ type: 'popup.request' as const, ...(isFirst ? request : otherRequest) }]),
        // The app's own window leaves or returns only before anything else happens.
        ...(isFirst && known.length === 0
          ? [
              { type: 'popup.request' as const, ...ownWindowRequest },
              ...redirects
                .filter(({ requestId }) => requestId === ownWindowRequest.id)
                .map((received) => ({
                  type: 'redirect.returned' as const,
                  at: now,
                  request: ownWindowRequest,
                  redirect: received,
                })),
            ]
          : []),
        ...popupEvents.filter((event) => snapshot.can(event)),
        ...redirects
          .filter(({ eventId, requestId }) => known.includes(eventId) || !isAnswered(requestId))
          .map((received) => ({ type: 'redirect.received' as const, at: now, redirect: received })),
      ]
    },
    answers: { signIn: [ok({ isNew: false }), err(unansweredFailure)] },
    blur: ({ request: current, queued, processedIds, ...context }) => ({
      ...context,
      request: current?.id,
      queued: queued.map(({ eventId }) => eventId).sort(),
      processedIds: processedIds.toSorted(),
    }),
    invariant: ({ event, before, after, asked, at }) => {
      const { context } = after
      const running = Object.values(after.children).map((child) => child?.src)
      expect(running.includes('openPopup'), at).toBe(after.matches('open'))
      expect(running.includes('leaveForProvider'), at).toBe(after.matches('leaving'))
      expect(running.includes('signIn'), at).toBe(after.matches('finishing'))
      const isUnderWay = after.hasTag('waiting') || after.hasTag('busy')
      expect(context.request !== null, at).toBe(isUnderWay)
      expect(context.redirect !== null, at).toBe(after.matches('finishing'))
      if (isUnderWay) expect(context.problem, at).toBe(null)

      // Each redirect has its own token, so processing one twice would repeat it.
      const finished = asked.filter(({ src }) => src === 'signIn').map(({ input }) => JSON.stringify(input))
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
