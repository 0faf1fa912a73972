import { beforeEach, expect, test, vi } from 'vitest'
import { deviceStore } from '../browser/storage.ts'
import { keepPushSubscription } from '../services/pushSubscriptions.ts'
import { renewPush, tellPushAgain } from './pushDevice.ts'

// The whole way, with a push service, is tried in e2e/push.spec.ts.
vi.mock('../services/pushSubscriptions.ts', () => ({ keepPushSubscription: vi.fn() }))

const UID = 'awa'
const ENDPOINT = 'https://push.example/1'

const kept = new Map<string, string>()
const note = (at: number) => deviceStore.set('push', { uid: UID, endpoint: ENDPOINT, language: 'fr', at })
const unsubscribe = vi.fn<() => Promise<boolean>>()
const told = () => vi.mocked(keepPushSubscription).mock.calls.length

beforeEach(() => {
  kept.clear()
  vi.mocked(keepPushSubscription).mockReset()
  unsubscribe.mockReset().mockResolvedValue(true)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('Notification', { permission: 'granted' })
  const toJSON = () => ({ endpoint: ENDPOINT, keys: {} })
  const subscription = { endpoint: ENDPOINT, options: {}, toJSON, unsubscribe }
  const registration = {
    pushManager: { getSubscription: async () => subscription },
    getNotifications: async () => [],
  }
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  })
  return () => vi.unstubAllGlobals()
})

test('what the server was told a moment ago it is not told with each start', async () => {
  note(Date.now())
  await renewPush(UID, 'fr')
  expect(told()).toBe(0)
})

test('by a new session the server is told at once', async () => {
  note(Date.now())
  await tellPushAgain()
  expect(vi.mocked(keepPushSubscription).mock.lastCall?.[0]).toMatchObject({ endpoint: ENDPOINT })
  expect(told()).toBe(1)
  await renewPush(UID, 'fr')
  expect(told()).toBe(1)
})

test('or with the next start, when that fails', async () => {
  note(Date.now())
  vi.mocked(keepPushSubscription).mockRejectedValueOnce(new TypeError('no network'))
  await tellPushAgain()
  expect(told()).toBe(1)
  await renewPush(UID, 'fr')
  expect(told()).toBe(2)
})

test('where nobody is told, a new session changes nothing', async () => {
  await tellPushAgain()
  expect(told()).toBe(0)
  expect(kept.size).toBe(0)
})

test('what whoever was here before could not end, ends when the next person comes', async () => {
  note(Date.now())
  await renewPush('binta', 'fr')
  expect(unsubscribe).toHaveBeenCalledTimes(1)
  expect([told(), kept.size]).toEqual([0, 0])
})
