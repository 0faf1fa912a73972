import { afterEach, expect, test, vi } from 'vitest'
import { LOCK_DELAY } from '../domain/account/appLock.ts'
import { type AppLockEvent, appLockMachine } from './appLock.ts'
import { arrange, stopTestActor } from './testing/appLockSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(() => {
  stopTestActor()
  vi.useRealTimers()
})

const after = (duration: number) => ({ wall: duration, running: duration })

test('the app opens once the device has recognized its user', async () => {
  const { recognizeUser, send, value } = arrange.locked()
  expect(value()).toBe('locked')
  expect(recognizeUser.asked).toHaveLength(0)
  send({ type: 'unlock.request' })
  expect(value()).toBe('asking')
  await recognizeUser.answer()
  expect(value()).toBe('open')
})

test('the app stays open when its user switches the lock on', () => {
  expect(arrange.open().value()).toBe('open')
})

test('an app that didn’t recognize its user stays locked and asks again', async () => {
  const { recognizeUser, send, value } = await arrange.failed()
  expect(value()).toBe('failed')
  send({ type: 'unlock.request' })
  expect(recognizeUser.asked).toHaveLength(2)
  await recognizeUser.answer()
  expect(value()).toBe('open')
})

test('a device that answers late leaves the app locked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { recognizeUser, value } = arrange.asking()
  vi.advanceTimersByTime(90_000)
  expect(value()).toBe('failed')
  await recognizeUser.answer()
  expect(value()).toBe('failed')
})

test('the app reopens after a short absence, and locks after a long', () => {
  const soon = arrange.away()
  soon.send({ type: 'page.shown', at: after(LOCK_DELAY - 1) })
  expect(soon.value()).toBe('open')
  const late = arrange.away()
  late.send({ type: 'page.shown', at: after(LOCK_DELAY) })
  expect(late.value()).toBe('locked')
})

test('each absence counts from its own beginning', () => {
  const { send, value } = arrange.away()
  send({ type: 'page.shown', at: after(LOCK_DELAY - 1) })
  send({ type: 'page.hidden', at: after(LOCK_DELAY) })
  send({ type: 'page.shown', at: after(LOCK_DELAY + 1) })
  expect(value()).toBe('open')
})

test('leaving the app during the device’s prompt does not unlock it', () => {
  const { send, value } = arrange.asking()
  send({ type: 'page.hidden', at: after(0) })
  send({ type: 'page.shown', at: after(1) })
  expect(value()).toBe('asking')
})

test.each([false, true])('a locked app opens only for its recognized user (here: %s)', (isOpen) => {
  const events: AppLockEvent[] = [
    { type: 'unlock.request' },
    ...[0, LOCK_DELAY].flatMap((passed) => [
      { type: 'page.hidden' as const, at: after(passed) },
      { type: 'page.shown' as const, at: after(passed) },
    ]),
  ]
  const { untaken } = walk({
    machine: appLockMachine,
    input: { isOpen },
    events: () => events,
    answers: { recognizeUser: [undefined], watchPage: [] },
    invariant: ({ event, before, after, at }) => {
      if (!after.matches('open') || before.matches('open')) return
      if (before.matches('away')) expect(event.type, at).toBe('page.shown')
      else expect(event.type, at).toMatch(/^xstate\.done\.actor\..*asking$/)
    },
  })
  // Each walk takes one of the two first transitions.
  expect(untaken.filter(({ from }) => !from.includes('deciding'))).toEqual([])
})
