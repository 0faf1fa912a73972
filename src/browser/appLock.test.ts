import { expect, test, vi } from 'vitest'
import { watchLock } from './appLock.ts'

test('reports a lock that was switched on between the first render and the subscription', () => {
  const listener = vi.fn()
  const stop = watchLock(listener)
  expect(listener).toHaveBeenCalledOnce()
  stop()
})
