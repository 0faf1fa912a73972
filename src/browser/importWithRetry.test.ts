import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MINUTE } from '../../domain/duration.ts'

const ENOUGH = 3
const PAUSE = 2000

let code: typeof import('./importWithRetry.ts')
let answers = true

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => (answers ? Promise.resolve({ ok: true }) : Promise.reject(new TypeError())))
  answers = true
  vi.resetModules()
  code = await import('./importWithRetry.ts')
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Code that fails so many times before it comes. */
function failing(times: number) {
  let left = times
  return () => {
    left -= 1
    return left < 0 ? Promise.resolve('code') : Promise.reject(new TypeError('not fetched'))
  }
}

const pass = (pauses: number) => vi.advanceTimersByTimeAsync(pauses * PAUSE)

describe('code that does not come', () => {
  test('is asked for again until it is there', async () => {
    const loaded = code.importWithRetry(failing(2))
    await pass(2)
    expect(await loaded).toBe('code')
    expect(code.missingCodeShown.get()).toBe(false)
  })

  test('is told of after a few tries, when the server answers', async () => {
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(ENOUGH - 2)
    expect(code.missingCodeShown.get()).toBe(false)
    await pass(1)
    expect(code.missingCodeShown.get()).toBe(true)
  })

  test('is told of when somebody waits for it for long, until it is there', async () => {
    const come = code.sayWhenLate()
    await vi.advanceTimersByTimeAsync(24_000)
    expect(code.missingCodeShown.get()).toBe(false)
    await vi.advanceTimersByTimeAsync(1000)
    expect(code.missingCodeShown.get()).toBe(true)
    come()
    expect(code.missingCodeShown.get()).toBe(false)
    code.sayWhenLate()()
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(code.missingCodeShown.get()).toBe(false)
  })

  test('is not told of while the server does not answer: a reload would lead nowhere', async () => {
    answers = false
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(10)
    expect(code.missingCodeShown.get()).toBe(false)
    answers = true
    await pass(1)
    expect(code.missingCodeShown.get()).toBe(true)
  })

  test('is asked for again when the network swallows even that question', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}))
    const loaded = code.importWithRetry(failing(4))
    await pass(10)
    expect(await loaded).toBe('code')
    expect(code.missingCodeShown.get()).toBe(false)
  })

  test('is not told of when several parts fail once, all at the same time', async () => {
    const parts = Array.from({ length: 5 }, () => code.importWithRetry(failing(1)))
    await pass(0)
    expect(code.missingCodeShown.get()).toBe(false)
    await pass(1)
    expect(await Promise.all(parts)).toHaveLength(5)
    expect(code.missingCodeShown.get()).toBe(false)
  })

  test('is told of until all of it has come after all', async () => {
    const listener = vi.fn()
    code.missingCodeShown.subscribe(listener)
    const first = code.importWithRetry(failing(4))
    const second = code.importWithRetry(failing(6))
    await pass(3)
    expect(code.missingCodeShown.get()).toBe(true)
    await pass(1)
    expect(await first).toBe('code')
    expect(code.missingCodeShown.get()).toBe(true)
    await pass(2)
    expect(await second).toBe('code')
    expect(code.missingCodeShown.get()).toBe(false)
    expect(listener).toHaveBeenCalled()
  })

  test('is told of no more to who does not want to hear it, until other code is missing too', async () => {
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(ENOUGH)
    code.missingCodeShown.set(false)
    await pass(10)
    expect(code.missingCodeShown.get()).toBe(false)
    code.importWithRetry(failing(Number.POSITIVE_INFINITY))
    await pass(ENOUGH)
    expect(code.missingCodeShown.get()).toBe(true)
  })
})
