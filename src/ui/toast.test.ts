import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showToast, toasts } from './toast.ts'

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
] as const)('a toast of kind %s is shown for %i ms @spec-toast-time', (kind, ms) => {
  showToast(kind, 'Hello')
  vi.advanceTimersByTime(ms - 1)
  expect(shown()).toEqual(['Hello'])
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})

test('the twenty-first toast removes the oldest, and each ends in time @spec-toast-count', () => {
  for (let count = 1; count <= 25; count += 1) {
    showToast('error', String(count))
    vi.advanceTimersByTime(10)
  }
  const newest = Array.from({ length: 20 }, (_, index) => String(index + 6))
  expect(shown()).toEqual(newest)
  vi.advanceTimersByTime(4000 - 160)
  expect(shown()).toEqual(newest.slice(5))
})
