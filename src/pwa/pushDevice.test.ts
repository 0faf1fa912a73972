import { beforeEach, expect, test, vi } from 'vitest'
import { deviceStore } from '../browser/storage.ts'
import { stubStorage } from '../browser/testing/stubStorage.ts'
import { savePushSubscription } from '../services/pushSubscriptions.ts'
import {
  refreshPushRegistration,
  repeatPushRegistration,
  subscribeDevice,
  unsubscribeDevice,
} from './pushDevice.ts'

// e2e/push.spec.ts tests the whole flow with a push service.
vi.mock('../services/pushSubscriptions.ts', () => ({ savePushSubscription: vi.fn() }))

const UID = 'awa'
const ENDPOINT = 'https://push.example/1'
const RENEWED = 'https://push.example/2'

let stored: Record<string, string> = {}
const note = (at: number) => deviceStore.set('push', { uid: UID, endpoint: ENDPOINT, language: 'fr', at })
const unsubscribe = vi.fn<() => Promise<boolean>>()
const subscribe = vi.fn()
let subscription: object | null = null
const countReports = () => vi.mocked(savePushSubscription).mock.calls.length

beforeEach(() => {
  vi.mocked(savePushSubscription).mockReset()
  unsubscribe.mockReset().mockResolvedValue(true)
  stored = stubStorage().entries
  vi.stubGlobal('Notification', { permission: 'granted' })
  const toJSON = () => ({ endpoint: ENDPOINT, keys: {} })
  subscription = { endpoint: ENDPOINT, options: {}, toJSON, unsubscribe }
  subscribe.mockReset()
  const registration = {
    pushManager: { getSubscription: async () => subscription, subscribe },
    getNotifications: async () => [],
  }
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  })
  return () => vi.unstubAllGlobals()
})

test('a device does not soon repeat the report of its subscription', async () => {
  note(Date.now())
  await refreshPushRegistration(UID, 'fr')
  expect(countReports()).toBe(0)
})

test('the next start reports another language', async () => {
  note(Date.now())
  await refreshPushRegistration(UID, 'en')
  expect(vi.mocked(savePushSubscription).mock.lastCall?.[1]).toBe('en')
})

test('the next start renews and reports a subscription that the browser has dropped', async () => {
  note(Date.now())
  const renewed = { ...subscription, endpoint: RENEWED, toJSON: () => ({ endpoint: RENEWED, keys: {} }) }
  subscription = null
  subscribe.mockResolvedValue(renewed)
  await refreshPushRegistration(UID, 'fr')
  expect(vi.mocked(savePushSubscription).mock.lastCall?.[0]).toMatchObject({ endpoint: RENEWED })
})

test('repeatPushRegistration reports at once, and the next start does not', async () => {
  note(Date.now())
  await repeatPushRegistration()
  expect(vi.mocked(savePushSubscription).mock.lastCall?.[0]).toMatchObject({ endpoint: ENDPOINT })
  expect(countReports()).toBe(1)
  await refreshPushRegistration(UID, 'fr')
  expect(countReports()).toBe(1)
})

test('the next start repeats a failed report of the subscription', async () => {
  note(Date.now())
  vi.mocked(savePushSubscription).mockRejectedValueOnce(new TypeError('no network'))
  await repeatPushRegistration()
  expect(countReports()).toBe(1)
  await refreshPushRegistration(UID, 'fr')
  expect(countReports()).toBe(2)
})

test('a device without a push subscription reports nothing', async () => {
  await repeatPushRegistration()
  expect(countReports()).toBe(0)
  expect(stored).toEqual({})
})

test('another user’s sign-in ends the previous user’s push subscription', async () => {
  note(Date.now())
  await refreshPushRegistration('binta', 'fr')
  expect(unsubscribe).toHaveBeenCalledTimes(1)
  expect([countReports(), stored]).toEqual([0, {}])
})

test.each([
  ['has no push service', 'AbortError', true, { ok: false, error: 'serviceOff' }],
  ['allows no push service', 'NotAllowedError', true, { ok: false, error: 'noService' }],
])('a browser that %s is told apart from a missing network', async (_, name, isOnline, answer) => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: isOnline ? 200 : 500 }))
  subscription = null
  subscribe.mockRejectedValue(new DOMException('Registration failed - push service error', name))
  expect(await subscribeDevice(UID, 'fr')).toEqual(answer)
})

test('a push service unreachable without a network is not called missing', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  subscription = null
  subscribe.mockRejectedValue(new DOMException('Registration failed - push service error', 'AbortError'))
  await expect(subscribeDevice(UID, 'fr')).rejects.toThrow('Registration failed')
})

test('a browser that never answers ends the wait, and the note stays', async () => {
  vi.useFakeTimers()
  note(Date.now())
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => new Promise(() => {}) } })
  const answer = unsubscribeDevice().catch(() => 'failed')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await Promise.race([answer, 'waiting'])).toBe('failed')
  expect(deviceStore.get('push')?.uid).toBe(UID)
  vi.useRealTimers()
})
