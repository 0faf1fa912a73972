import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'

const ENOUGH = 3
const PAUSE = 2000

let code: typeof import('./importWithRetry.ts')
let answers = true
const reportError = vi.fn()

beforeEach(async () => {
  vi.useFakeTimers()
  reportError.mockReset()
  vi.stubGlobal('window', { opening: { reportError } })
  vi.stubGlobal('fetch', () => (answers ? Promise.resolve({ ok: true }) : Promise.reject(new TypeError())))
  answers = true
  vi.resetModules()
  code = await import('./importWithRetry.ts')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function failing(times: number) {
  let left = times
  return () => {
    left -= 1
    return left < 0 ? Promise.resolve('code') : Promise.reject(new TypeError('not fetched'))
  }
}

const pass = (pauses: number) => vi.advanceTimersByTimeAsync(pauses * PAUSE)

describe('code that fails to load', () => {
  test('code that fails to load is requested again until it loads', async () => {
    const loaded = code.importWithRetry(failing(2))
    await pass(2)
    expect(await loaded).toBe('code')
    expect(code.missingCodeStore.get()).toBe(false)
  })

  test('code that fails three times is reported if the server responds', async () => {
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(ENOUGH - 2)
    expect(code.missingCodeStore.get()).toBe(false)
    await pass(1)
    expect(code.missingCodeStore.get()).toBe(true)
    expect(reportError).toHaveBeenCalledExactlyOnceWith('code', new TypeError('not fetched'))
  })

  test('code slower than 25 seconds is reported until it loads', async () => {
    const come = code.reportLateCode()
    await vi.advanceTimersByTimeAsync(24_000)
    expect(code.missingCodeStore.get()).toBe(false)
    await vi.advanceTimersByTimeAsync(1000)
    expect(code.missingCodeStore.get()).toBe(true)
    come()
    expect(code.missingCodeStore.get()).toBe(false)
    code.reportLateCode()()
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(code.missingCodeStore.get()).toBe(false)
  })

  test('failing code is not reported while the server does not respond', async () => {
    answers = false
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(10)
    expect(code.missingCodeStore.get()).toBe(false)
    answers = true
    await pass(1)
    expect(code.missingCodeStore.get()).toBe(true)
  })

  test('failing code is requested again if the server’s check gets no response', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    const loaded = code.importWithRetry(failing(4))
    await pass(10)
    expect(await loaded).toBe('code')
    expect(code.missingCodeStore.get()).toBe(false)
  })

  test('single failures of several simultaneous imports report no missing chunk', async () => {
    const parts = Array.from({ length: 5 }, () => code.importWithRetry(failing(1)))
    await pass(0)
    expect(code.missingCodeStore.get()).toBe(false)
    await pass(1)
    expect(await Promise.all(parts)).toHaveLength(5)
    expect(code.missingCodeStore.get()).toBe(false)
  })

  test('missing chunks are reported until all of them have loaded', async () => {
    const listener = vi.fn()
    code.missingCodeStore.subscribe(listener)
    const first = code.importWithRetry(failing(4))
    const second = code.importWithRetry(failing(6))
    await pass(3)
    expect(code.missingCodeStore.get()).toBe(true)
    await pass(1)
    expect(await first).toBe('code')
    expect(code.missingCodeStore.get()).toBe(true)
    await pass(2)
    expect(await second).toBe('code')
    expect(code.missingCodeStore.get()).toBe(false)
    expect(listener).toHaveBeenCalled()
  })

  test('a dismissed report returns only for a different missing chunk', async () => {
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(ENOUGH)
    code.missingCodeStore.set(false)
    await pass(10)
    expect(code.missingCodeStore.get()).toBe(false)
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(ENOUGH)
    expect(code.missingCodeStore.get()).toBe(true)
  })
})
