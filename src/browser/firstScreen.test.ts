import { expect, test, vi } from 'vitest'
import { reportFirstScreen, runWhenIdle } from './firstScreen.ts'

test('a never idle browser works two seconds after the first screen', async () => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'requestIdleCallback',
    (work: () => void, options?: IdleRequestOptions) => options?.timeout && setTimeout(work, options.timeout),
  )
  const work = vi.fn()
  runWhenIdle(work)
  reportFirstScreen()
  await vi.advanceTimersByTimeAsync(2000)
  expect(work).toHaveBeenCalledOnce()
})
