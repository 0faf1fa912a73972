import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toast, toasts } from './toast.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

const shown = () => toasts.get().map(({ message }) => message)

test.each([
  ['success', 2000],
  ['info', 4000],
  ['error', 4000],
] as const)('a toast of %s stays for %i ms @spec-toast-time', (kind, ms) => {
  toast(kind, 'Hello')
  vi.advanceTimersByTime(ms - 1)
  expect(shown()).toEqual(['Hello'])
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})

test('of more than 20 the oldest go, and each of the others when its own time is over @spec-toast-count', () => {
  for (let count = 1; count <= 25; count += 1) {
    toast('error', String(count))
    vi.advanceTimersByTime(10)
  }
  const newest = Array.from({ length: 20 }, (_, index) => String(index + 6))
  expect(shown()).toEqual(newest)
  // The tenth came 160 ms ago, since the twenty-fifth was followed by 10 ms.
  vi.advanceTimersByTime(4000 - 160)
  expect(shown()).toEqual(newest.slice(5))
})
