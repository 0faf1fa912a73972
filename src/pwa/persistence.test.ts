import { beforeEach, expect, test, vi } from 'vitest'
import { stubStorage } from '../browser/testing/stubStorage.ts'
import { type Persistence, readPersistence, requestPersistence } from './persistence.ts'

beforeEach(() => {
  stubStorage()
  return () => vi.unstubAllGlobals()
})

function browser(answer: () => Promise<boolean>) {
  let isPersisted = false
  const persist = vi.fn(async () => {
    isPersisted = await answer()
    return isPersisted
  })
  vi.stubGlobal('navigator', { storage: { persist, persisted: async () => isPersisted } })
  return persist
}

test.each<[string, () => Promise<boolean>, Persistence]>([
  ['agrees', async () => true, 'kept'],
  ['refuses', async () => false, 'mayGo'],
  ['has no storage', () => Promise.reject(new TypeError('no storage')), 'mayGo'],
])('requestPersistence asks only once if the browser %s', async (_, answer, keeping) => {
  const persist = browser(answer)
  expect(await readPersistence()).toBe('notAsked')
  expect(persist).not.toHaveBeenCalled()
  await requestPersistence()
  expect(await readPersistence()).toBe(keeping)
  await requestPersistence()
  expect(persist).toHaveBeenCalledTimes(1)
})

test('requestPersistence does not repeat a prompt that the user left open', async () => {
  const persist = browser(() => new Promise(() => {}))
  void requestPersistence()
  await requestPersistence()
  expect(persist).toHaveBeenCalledTimes(1)
  expect(await readPersistence()).toBe('mayGo')
})

test('readPersistence reports storage that is already persistent as kept', async () => {
  vi.stubGlobal('navigator', { storage: { persist: vi.fn(), persisted: async () => true } })
  expect(await readPersistence()).toBe('kept')
})

test.each([{}, { storage: {} }])(
  'without the API, readPersistence reports storage as not persistent: %j',
  async (navigator) => {
    vi.stubGlobal('navigator', navigator)
    await requestPersistence()
    expect(await readPersistence()).toBe('mayGo')
  },
)
