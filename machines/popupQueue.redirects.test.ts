import { afterEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { ok } from '../domain/result.ts'
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
  signedIn,
  stop,
} from './testing/popupQueueSituations.ts'

afterEach(stop)

describe('a redirect', () => {
  test('that is early waits until the popup is loaded @spec-early-redirect', () => {
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

  test('that comes twice is processed once @spec-redirect-once', async () => {
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

  test('may be 5 minutes old when it is processed, and no older @spec-redirect-age', () => {
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
    [true, MINUTE],
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
  test('is forgotten 10 minutes after the last one was processed @spec-redirect-memory', async () => {
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

test('redirects are heard until the end, whatever the popups do', () => {
  const { actor, ask, block, isListening } = reach.finishing()
  ask(other)
  block()
  expect(isListening()).toBe(true)
  actor.stop()
  expect(isListening()).toBe(false)
})
