import { beforeEach, expect, test, vi } from 'vitest'

let firstScreen: typeof import('./firstScreen.ts')

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  vi.stubGlobal(
    'requestIdleCallback',
    (work: () => void, options?: IdleRequestOptions) => options?.timeout && setTimeout(work, options.timeout),
  )
  firstScreen = await import('./firstScreen.ts')
})

test('a never idle browser works two seconds after the first screen', async () => {
  const work = vi.fn()
  firstScreen.runWhenIdle(work)
  firstScreen.reportFirstScreen()
  await vi.advanceTimersByTimeAsync(2000)
  expect(work).toHaveBeenCalledOnce()
})

test('idle work waits for a first screen that takes nine seconds', async () => {
  const work = vi.fn()
  firstScreen.runWhenIdle(work)
  await vi.advanceTimersByTimeAsync(9000)
  expect(work).not.toHaveBeenCalled()
})

test('idle work begins although no first screen ever comes', async () => {
  const work = vi.fn()
  firstScreen.runWhenIdle(work)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(work).toHaveBeenCalledOnce()
})
