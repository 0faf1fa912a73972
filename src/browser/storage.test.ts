import { beforeEach, expect, test, vi } from 'vitest'
import { deviceStore, isStorageBlocked, readForeign } from './storage.ts'

const refuse = () => {
  throw new DOMException('The storage refuses', 'QuotaExceededError')
}

/** A storage that lists its entries, as a browser's does. */
function stubStorage(entries: Record<string, string> = {}) {
  const methods = {
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => void Object.assign(entries, { [key]: text }),
    removeItem: (key: string) => void delete entries[key],
  }
  const storage = new Proxy(entries, { get: (_, name) => methods[name as keyof typeof methods] })
  vi.stubGlobal('localStorage', storage)
  return { entries, methods }
}

beforeEach(() => {
  stubStorage()
  deviceStore.set('unconfirmed', null)
  return () => vi.unstubAllGlobals()
})

test('a value is kept for all tabs until it is deleted', () => {
  const { entries } = stubStorage()
  expect(deviceStore.set('unconfirmed', 'a1')).toBe(true)
  expect(deviceStore.get('unconfirmed')).toBe('a1')
  expect(entries).toEqual({ 'passerelle.unconfirmed': '"a1"' })
  deviceStore.set('unconfirmed', null)
  expect(deviceStore.get('unconfirmed')).toBeNull()
  expect(entries).toEqual({})
})

test('a full storage keeps its older value, and the page the newer one', () => {
  const { entries, methods } = stubStorage({ 'passerelle.unconfirmed': '"a1"' })
  vi.spyOn(methods, 'setItem').mockImplementationOnce(refuse)
  expect(deviceStore.set('unconfirmed', 'a2')).toBe(false)
  expect(deviceStore.get('unconfirmed')).toBe('a2')
  expect(entries).toEqual({ 'passerelle.unconfirmed': '"a1"' })
  expect(deviceStore.set('unconfirmed', 'a3')).toBe(true)
  expect(deviceStore.get('unconfirmed')).toBe('a3')
})

test('a blocked storage keeps values until the page is closed', () => {
  vi.stubGlobal('localStorage', undefined)
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse })
  expect(isStorageBlocked()).toBe(true)
  expect(deviceStore.set('unconfirmed', 'a1')).toBe(false)
  expect(deviceStore.get('unconfirmed')).toBe('a1')
  expect(deviceStore.set('unconfirmed', null)).toBe(false)
  expect(deviceStore.get('unconfirmed')).toBeNull()
  expect(readForeign('firebase:')).toBeNull()
})

test('a value that cannot be read counts as missing', () => {
  stubStorage({ 'passerelle.unconfirmed': 'a1' })
  expect(deviceStore.get('unconfirmed')).toBeNull()
})

test('the text of another library is found by the beginning of its key', () => {
  stubStorage({ other: '1', 'firebase:authUser:key': '{}' })
  expect(readForeign('firebase:')).toBe('{}')
  expect(readForeign('stripe:')).toBeNull()
  expect(isStorageBlocked()).toBe(false)
})

test('a change in another tab is announced, and so is a storage that was cleared', () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const listener = vi.fn()
  const stop = deviceStore.watch('language', listener)
  const change = (key: string | null) => page.dispatchEvent(Object.assign(new Event('storage'), { key }))
  change('passerelle.language')
  change('passerelle.muted')
  change(null)
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
  change('passerelle.language')
  expect(listener).toHaveBeenCalledTimes(2)
})
