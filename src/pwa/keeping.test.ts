import { beforeEach, expect, test, vi } from 'vitest'
import { askToKeep, howKept, type Keeping } from './keeping.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  })
  return () => vi.unstubAllGlobals()
})

/** A browser that answers as it is told. */
function browser(answer: () => Promise<boolean>) {
  let isPersisted = false
  const persist = vi.fn(async () => {
    isPersisted = await answer()
    return isPersisted
  })
  vi.stubGlobal('navigator', { storage: { persist, persisted: async () => isPersisted } })
  return persist
}

test.each<[string, () => Promise<boolean>, Keeping]>([
  ['that agrees', async () => true, 'kept'],
  ['that refuses', async () => false, 'mayGo'],
  ['that keeps nothing at all', () => Promise.reject(new TypeError('no storage')), 'mayGo'],
])('a browser %s is asked once', async (_, answer, keeping) => {
  const persist = browser(answer)
  expect(await howKept()).toBe('notAsked')
  expect(persist).not.toHaveBeenCalled()
  await askToKeep()
  expect(await howKept()).toBe(keeping)
  await askToKeep()
  expect(persist).toHaveBeenCalledTimes(1)
})

test('a question that somebody leaves open is not put again', async () => {
  const persist = browser(() => new Promise(() => {}))
  void askToKeep()
  await askToKeep()
  expect(persist).toHaveBeenCalledTimes(1)
  expect(await howKept()).toBe('mayGo')
})

test('a browser that agrees by itself has never been asked', async () => {
  vi.stubGlobal('navigator', { storage: { persist: vi.fn(), persisted: async () => true } })
  expect(await howKept()).toBe('kept')
})

test.each([{}, { storage: {} }])('a browser that can not be asked: %j', async (navigator) => {
  vi.stubGlobal('navigator', navigator)
  await askToKeep()
  expect(await howKept()).toBe('mayGo')
})
