import { beforeEach, expect, test, vi } from 'vitest'
import { watchLock } from './appLock.ts'
import { deviceStore } from './storage.ts'

beforeEach(() => {
  vi.stubGlobal('document', new EventTarget())
  return () => vi.unstubAllGlobals()
})

test('reports a lock switched on between first render and subscription', () => {
  const listener = vi.fn()
  const stop = watchLock(listener)
  expect(listener).toHaveBeenCalledOnce()
  stop()
})

test('showing the page notices another tab’s lock, but not its end', () => {
  const listener = vi.fn()
  const stop = watchLock(listener)
  deviceStore.set('lock', { uid: 'awa', passkey: 'key' })
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(2)
  deviceStore.set('lock', null)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
})
