import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureOf } from './failure.ts'
import { withTimeout } from './withTimeout.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const after = <T>(milliseconds: number, answer: T) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(answer), milliseconds))

test('an answer in time is the answer', async () => {
  const answer = withTimeout(after(999, 'here'), 1000)
  await vi.advanceTimersByTimeAsync(999)
  expect(await answer).toBe('here')
  expect(vi.getTimerCount()).toBe(0)
})

test('one that comes later, or never, is none', async () => {
  const failed = withTimeout(after(1001, 'late'), 1000).catch(failureOf)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await failed).toEqual({ kind: 'network' })
})

test('a failure is passed on', async () => {
  await expect(withTimeout(Promise.reject(new TypeError('broken')), 1000)).rejects.toThrow('broken')
})
