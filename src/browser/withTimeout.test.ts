import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toFailure } from './failure.ts'
import { withTimeout } from './withTimeout.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const after = <T>(milliseconds: number, answer: T) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(answer), milliseconds))

test('a call with a timeout resolves with a response in time', async () => {
  const answer = withTimeout(after(999, 'here'), 1000)
  await vi.advanceTimersByTimeAsync(999)
  expect(await answer).toBe('here')
  expect(vi.getTimerCount()).toBe(0)
})

test('a call with a timeout rejects without a timely response', async () => {
  const failed = withTimeout(after(1001, 'late'), 1000).catch(toFailure)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await failed).toEqual({ kind: 'network' })
})

test('a call with a timeout rejects with the error of the call', async () => {
  await expect(withTimeout(Promise.reject(new TypeError('broken')), 1000)).rejects.toThrow('broken')
})
