import { beforeEach, expect, test, vi } from 'vitest'
import { watchLock } from './appLock.ts'
import { deviceStore } from './storage.ts'

beforeEach(() => {
  vi.stubGlobal('document', new EventTarget())
  return () => vi.unstubAllGlobals()
})

test('reports a lock that was switched on between the first render and the subscription', () => {
  const listener = vi.fn()
  const stop = watchLock(listener)
  expect(listener).toHaveBeenCalledOnce()
  stop()
})

test('notices a lock without its message when the page is shown, but not its end', () => {
  const listener = vi.fn()
  const stop = watchLock(listener)
  deviceStore.set('lock', 'passkey')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(2)
  deviceStore.set('lock', null)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
})
