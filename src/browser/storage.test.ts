import { beforeEach, expect, test, vi } from 'vitest'
import { deviceStore, isStorageBlocked, readForeignValue } from './storage.ts'
import { stubStorage } from './testing/stubStorage.ts'

const refuse = () => {
  throw new DOMException('The storage refuses', 'QuotaExceededError')
}

beforeEach(() => {
  stubStorage()
  deviceStore.set('unconfirmed', null)
  return () => vi.unstubAllGlobals()
})

test('deviceStore keeps a value for all tabs until it is deleted', () => {
  const { entries } = stubStorage()
  expect(deviceStore.set('unconfirmed', 'a1')).toBe(true)
  expect(deviceStore.get('unconfirmed')).toBe('a1')
  expect(entries).toEqual({ 'passerelle.unconfirmed': '"a1"' })
  deviceStore.set('unconfirmed', null)
  expect(deviceStore.get('unconfirmed')).toBeNull()
  expect(entries).toEqual({})
})

test('deviceStore returns the value that a full storage refused', () => {
  const { entries, methods } = stubStorage({ 'passerelle.unconfirmed': '"a1"' })
  vi.spyOn(methods, 'setItem').mockImplementationOnce(refuse)
  expect(deviceStore.set('unconfirmed', 'a2')).toBe(false)
  expect(deviceStore.get('unconfirmed')).toBe('a2')
  expect(entries).toEqual({ 'passerelle.unconfirmed': '"a1"' })
  expect(deviceStore.set('unconfirmed', 'a3')).toBe(true)
  expect(deviceStore.get('unconfirmed')).toBe('a3')
})

test('deviceStore keeps values in memory if the storage is blocked', () => {
  vi.stubGlobal('localStorage', undefined)
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse })
  expect(isStorageBlocked()).toBe(true)
  expect(deviceStore.set('unconfirmed', 'a1')).toBe(false)
  expect(deviceStore.get('unconfirmed')).toBe('a1')
  expect(deviceStore.set('unconfirmed', null)).toBe(false)
  expect(deviceStore.get('unconfirmed')).toBeNull()
  expect(readForeignValue('firebase:')).toBeNull()
})

test('deviceStore returns null for a value that cannot be parsed', () => {
  stubStorage({ 'passerelle.unconfirmed': 'a1' })
  expect(deviceStore.get('unconfirmed')).toBeNull()
})

test.each([
  ['language', '[]'],
  ['muted', '{}'],
  ['openPayments', '{}'],
  ['home', '{"uid":1}'],
  ['profile', '[]'],
  ['profile', '"awa"'],
  ['serverAhead', '"soon"'],
  ['wantedQuote', '3'],
  ['scheme', 'true'],
] as const)('deviceStore returns null for the invalid %s %s', (key, text) => {
  stubStorage({ [`passerelle.${key}`]: text })
  expect(deviceStore.get(key)).toBeNull()
})

test('readForeignValue finds another library’s value by its key’s prefix', () => {
  stubStorage({ other: '1', 'firebase:authUser:key': '{}' })
  expect(readForeignValue('firebase:')).toBe('{}')
  expect(readForeignValue('stripe:')).toBeNull()
  expect(isStorageBlocked()).toBe(false)
})

test('deviceStore.watch reports another tab’s change or clearing', () => {
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
