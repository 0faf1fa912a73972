import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acquireLock } from './locks.ts'

let name = ''
let locks = 0
beforeEach(() => {
  locks += 1
  name = `lock ${locks}`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const listHeld = async () => (await navigator.locks.query()).held?.filter((lock) => lock.name === name) ?? []

test('a lock is held until it is released', async () => {
  const release = await acquireLock(name)
  expect(await listHeld()).toMatchObject([{ mode: 'exclusive' }])
  const second = acquireLock(name, 'shared')
  release()
  ;(await second)()
  await vi.waitFor(async () => expect(await listHeld()).toEqual([]))
})

test.each([
  ['has no locks', undefined],
  ['refuses them', { request: () => Promise.reject(new DOMException('Refused', 'SecurityError')) }],
])('the work goes on without its lock if the browser %s', async (_, missing) => {
  vi.stubGlobal('navigator', { locks: missing })
  ;(await acquireLock(name))()
})

test('work continues without its lock after ten seconds of waiting', async () => {
  const keep = await acquireLock(name)
  const waiting = acquireLock(name)
  await vi.advanceTimersByTimeAsync(10_000)
  ;(await waiting)()
  expect(await listHeld()).toHaveLength(1)
  keep()
  await vi.waitFor(async () => expect(await listHeld()).toEqual([]))
})
