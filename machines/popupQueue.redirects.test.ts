import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/common/duration.ts'
import { ok } from '../domain/common/result.ts'
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
  signedInSituation,
  stopTestActor,
} from './testing/popupQueueSituations.ts'

afterEach(stopTestActor)

describe('a redirect', () => {
  test('an early redirect waits until the popup has loaded @spec-early-redirect', () => {
    const { signIn, redirected, situation, tell } = arrange.loading()
    redirected()
    expect(situation()).toEqual({ ...loadingSituation, queued: [redirect] })
    expect(signIn.asked).toEqual([])
    tell('popup.loaded')
    expect(situation()).toEqual(finishingSituation)
  })

  test('an early redirect waits at most until the popup is closed', () => {
    const { redirected, situation, tell } = arrange.loading()
    redirected()
    tell('popup.closed')
    expect(situation()).toEqual(finishingSituation)
  })

  test('a redirect that arrives before its request waits for it', () => {
    const { ask, redirected, situation, tell } = arrange.idle()
    redirected()
    expect(situation()).toEqual({ ...initialContext, value: 'idle', queued: [redirect] })
    ask()
    expect(situation()).toEqual({ ...loadingSituation, queued: [redirect] })
    tell('popup.loaded')
    expect(situation()).toEqual(finishingSituation)
  })

  test('a redirect for another tab’s request is queued, but not processed', () => {
    const { signIn, redirected, situation } = arrange.loaded()
    redirected(otherRedirect)
    expect(situation()).toEqual({ ...loadedSituation, queued: [otherRedirect] })
    redirected()
    expect(situation()).toEqual({ ...finishingSituation, queued: [otherRedirect] })
    expect(signIn.asked).toHaveLength(1)
  })

  test('a redirect is processed once, however often it arrives @spec-redirect-once', async () => {
    const { signIn, redirected, situation, tell } = arrange.loading()
    redirected()
    redirected()
    expect(situation()).toEqual({ ...loadingSituation, queued: [redirect] })
    tell('popup.loaded')
    redirected()
    expect(situation()).toEqual(finishingSituation)
    await signIn.answer(ok({ isNew: false }))
    redirected()
    expect(situation()).toEqual(signedInSituation)
    expect(signIn.asked).toHaveLength(1)
  })

  test('a redirect is not processed if another request has replaced its own', () => {
    const { ask, signIn, redirected, situation, tell } = arrange.loaded()
    ask(otherRequest)
    tell('popup.loaded')
    redirected()
    expect(situation()).toMatchObject({
      value: { open: 'loaded' },
      request: otherRequest,
      queued: [redirect],
    })
    expect(signIn.asked).toEqual([])
  })

  test('a redirect that denies access counts as canceled by the user', () => {
    const { redirected, situation } = arrange.loaded()
    redirected(deniedRedirect)
    expect(situation()).toEqual({
      ...buildRefusedSituation(buildAuthFailure('popup-closed-by-user')),
      processedIds: ['e3'],
    })
  })

  test('a redirect with any other error is refused with that error', () => {
    const { redirected, situation } = arrange.loaded()
    redirected({ ...deniedRedirect, error: 'temporarily_unavailable' })
    const failure = { kind: 'authOther', message: 'temporarily_unavailable' } as const
    expect(situation()).toEqual({ ...buildRefusedSituation(failure), processedIds: ['e3'] })
  })

  const tooOld = { ...buildRefusedSituation(buildAuthFailure('token-too-old')), processedIds: ['e1'] }

  test('a processed redirect is at most 5 minutes old @spec-redirect-age', () => {
    const inTime = arrange.loaded()
    inTime.redirected(redirect, now + 5 * minuteMs)
    expect(inTime.situation()).toEqual(finishingSituation)
    stopTestActor()
    const late = arrange.loaded()
    late.redirected(redirect, now + 5 * minuteMs + 1)
    expect(late.situation()).toEqual(tooOld)
    expect(late.signIn.asked).toEqual([])
  })

  test.each(['popup.loaded', 'popup.closed'] as const)(
    'refuses a queued redirect that becomes too old before %s',
    (type) => {
      const { signIn, redirected, situation, tell } = arrange.loading()
      redirected()
      tell(type, now + 5 * minuteMs + 1)
      expect(situation()).toEqual(tooOld)
      expect(signIn.asked).toEqual([])
    },
  )
})

describe('a standalone app with one window', () => {
  const leaving = { ...initialContext, value: 'leaving', request: ownWindowRequest }

  test('a standalone app leaves in its own window, and opens no popup', () => {
    const { departures, opened, situation } = arrange.leaving()
    expect(situation()).toEqual(leaving)
    expect([departures, opened]).toEqual([[ownWindowRequest], []])
  })

  test.each([
    ['departure.failed', { kind: 'network' }],
    ['departure.canceled', buildAuthFailure('popup-closed-by-user')],
  ] as const)('a standalone app shows a problem after %s, and can leave again', (type, failure) => {
    const { ask, departures, send, situation } = arrange.leaving()
    send({ type })
    expect(situation()).toEqual(buildRefusedSituation(failure))
    ask({ ...ownWindowRequest, id: 'r2' })
    expect(situation()).toMatchObject({ value: 'leaving', problem: null })
    expect(departures.map(({ id }) => id)).toEqual(['r1', 'r2'])
  })

  test.each([
    ['fast', 30_000],
    ['slow', MINUTE],
  ])('on a %s network, a standalone app reports failure after %d ms', (network, timeout) => {
    const isSlow = network === 'slow'
    const { ask, clock, situation } = createTestActor({}, { isSlow })
    ask(ownWindowRequest)
    clock.increment(timeout - 1)
    expect(situation()).toEqual({ ...leaving, isSlow })
    clock.increment(1)
    expect(situation()).toEqual({ ...buildRefusedSituation({ kind: 'network' }), isSlow })
  })

  test('a standalone app signs in once with a redirect received at startup', async () => {
    const { bring, signIn, redirected, situation } = arrange.idle()
    bring()
    expect(situation()).toEqual({ ...finishingSituation, request: ownWindowRequest })
    expect(signIn.asked).toEqual([{ requestId: 'r1', purpose: 'signIn', credential }])
    redirected()
    await signIn.answer(ok({ isNew: false }))
    expect(situation()).toEqual(signedInSituation)
    expect(signIn.asked).toHaveLength(1)
  })

  test('a standalone app shows a startup redirect’s refusal or error', () => {
    const no = arrange.idle()
    no.bring(deniedRedirect)
    expect(no.situation()).toEqual({
      ...buildRefusedSituation(buildAuthFailure('popup-closed-by-user')),
      processedIds: ['e3'],
    })
    stopTestActor()
    const wrong = arrange.idle()
    wrong.bring({ ...deniedRedirect, error: 'server_error' })
    const failure = { kind: 'authOther', message: 'server_error' } as const
    expect(wrong.situation()).toEqual({ ...buildRefusedSituation(failure), processedIds: ['e3'] })
  })

  test('a standalone app accepts a startup redirect for 5 minutes only', () => {
    const inTime = arrange.idle()
    inTime.bring(redirect, now + 5 * minuteMs)
    expect(inTime.situation()).toMatchObject({ value: 'finishing' })
    stopTestActor()
    const late = arrange.idle()
    late.bring(redirect, now + 5 * minuteMs + 1)
    expect(late.situation()).toEqual({
      ...buildRefusedSituation(buildAuthFailure('token-too-old')),
      processedIds: ['e1'],
    })
    expect(late.signIn.asked).toEqual([])
  })

  test('a standalone app forgets a startup redirect 10 minutes after processing', async () => {
    const { bring, clock, signIn, situation } = arrange.idle()
    bring()
    await signIn.answer(ok({ isNew: false }))
    clock.increment(10 * minuteMs)
    expect(situation()).toEqual({ ...signedInSituation, processedIds: [] })
  })
})

describe('the memory of redirects', () => {
  test('redirects are forgotten 10 minutes after the last one was processed @spec-redirect-memory', async () => {
    const { clock, signIn, redirected, situation } = arrange.loaded()
    redirected(otherRedirect)
    clock.increment(9 * minuteMs)
    redirected()
    await signIn.answer(ok({ isNew: false }))
    const kept = { ...signedInSituation, queued: [otherRedirect] }
    clock.increment(10 * minuteMs - 1)
    expect(situation()).toEqual(kept)
    clock.increment(1)
    expect(situation()).toEqual({ ...signedInSituation, processedIds: [] })
  })

  test('an early redirect is forgotten 10 minutes after it was processed', async () => {
    const { clock, signIn, redirected, situation, tell } = arrange.loading()
    redirected()
    clock.increment(29_000)
    tell('popup.loaded')
    await signIn.answer(ok({ isNew: false }))
    clock.increment(10 * minuteMs - 1)
    expect(situation()).toEqual(signedInSituation)
    clock.increment(1)
    expect(situation()).toEqual({ ...signedInSituation, processedIds: [] })
  })

  test('a redirect that was never processed is forgotten after 10 minutes', () => {
    const { clock, redirected, situation } = arrange.idle()
    redirected()
    clock.increment(10 * minuteMs - 1)
    expect(situation()).toEqual({ ...initialContext, value: 'idle', queued: [redirect] })
    clock.increment(1)
    expect(situation()).toEqual({ ...initialContext, value: 'idle' })
  })
})

test('the popup queue listens for redirects until it is stopped', () => {
  const { actor, ask, block, isListening } = arrange.finishing()
  ask(otherRequest)
  block()
  expect(isListening()).toBe(true)
  actor.stop()
  expect(isListening()).toBe(false)
})
