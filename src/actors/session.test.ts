import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ActorRefFrom, createActor, SimulatedClock } from 'xstate'
import type { Account } from '../../domain/account/account.ts'
import { reportFirstScreen } from '../browser/firstScreen.ts'
import { deviceStore } from '../browser/storage.ts'
import { stubStorage } from '../browser/testing/stubStorage.ts'
import { getOpenAttemptId, trackOpenWork } from '../cache/openWork.ts'
import { hasSignedOut, markSignedOut } from '../cache/signedOutUsers.ts'
import { sessionLogic } from './session.ts'

const { sdk, forgetUser } = vi.hoisted(() => ({
  sdk: { tell: null as ((account: Account | null) => void) | null, isMissing: false },
  forgetUser: vi.fn(),
}))
vi.mock('../services/auth.ts', () => ({
  watchAccount(listener: (account: Account | null) => void) {
    if (sdk.isMissing) throw new TypeError('Failed to fetch dynamically imported module')
    sdk.tell = listener
    return () => {}
  },
  signOut: async () => sdk.tell?.(null),
  reloadAccount: async () => ({ emailVerified: true }),
}))
vi.mock('../services/profiles.ts', () => ({
  fetchProfile: async (uid: string) => ({ uid, name: uid, email: null, phone: '+33600000000' }),
  saveProfile: async () => undefined,
}))
vi.mock('../pwa/pushDevice.ts', () => ({
  unsubscribeDevice: () => new Promise(() => {}),
  unsubscribeLocally: async () => undefined,
}))
vi.mock('../cache/database.ts', () => ({ forgetUser, withRows: async () => undefined }))

const account = (uid: string): Account => ({
  uid,
  email: null,
  phone: '+33600000000',
  emailVerified: false,
  usesPassword: false,
})

let app: ActorRefFrom<typeof sessionLogic>

const shown = () => {
  const snapshot = app.getSnapshot()
  if (snapshot.matches('signedOut')) return null
  const { session } = snapshot.context
  return session?.kind === 'ready' ? session.uid : JSON.stringify(snapshot.value)
}

beforeEach(async () => {
  // An unreadable account means that some user has signed in here.
  stubStorage({ 'firebase:authUser:sandbox': '' })
  stubStorage({}, 'sessionStorage')
  vi.stubGlobal('location', { search: '' })
  forgetUser.mockReset().mockResolvedValue(undefined)
  app = createActor(sessionLogic).start()
  await vi.waitFor(() => expect(sdk.tell).not.toBeNull())
  sdk.tell?.(account('awa'))
  await vi.waitFor(() => expect(shown()).toBe('awa'))
})
afterEach(() => {
  app.stop()
  sdk.tell = null
  vi.unstubAllGlobals()
})

async function settled() {
  await vi.dynamicImportSettled()
  await new Promise(setImmediate)
}

test.each(['awa', 'binta'])(
  'user %s, signing in elsewhere during awa’s deletion, opens the session',
  async (next) => {
    const { promise: forgotten, resolve } = Promise.withResolvers<void>()
    forgetUser.mockReturnValueOnce(forgotten)
    deviceStore.set('leaving', 'awa')
    sdk.tell?.(null)
    await vi.waitFor(() => expect(forgetUser).toHaveBeenCalledWith('awa'))
    sdk.tell?.(account(next))
    await settled()
    resolve()
    await settled()
    await vi.waitFor(() => expect(shown()).toBe(next))
    expect(hasSignedOut(next)).toBe(false)
  },
)

test('a tab that wakes late keeps the notes of the user who has signed in', async () => {
  const notes = {
    lock: { uid: 'binta', passkey: 'key' },
    push: { uid: 'binta', endpoint: 'e', language: 'fr', at: 1 },
  } as const
  deviceStore.set('lock', notes.lock)
  deviceStore.set('push', notes.push)
  deviceStore.set('profile', { uid: 'awa', name: 'Awa', email: null, phone: null })
  sdk.tell?.(account('binta'))
  await vi.waitFor(() => expect(shown()).toBe('binta'))
  expect([deviceStore.get('lock'), deviceStore.get('push')]).toEqual([notes.lock, notes.push])
  expect(deviceStore.get('profile')?.uid).not.toBe('awa')
})

test('a sign-out ends although the browser never unsubscribes from notifications', async () => {
  deviceStore.set('push', { uid: 'awa', endpoint: 'e', language: 'fr', at: 1 })
  vi.useFakeTimers()
  app.send({ type: 'session.signOut' })
  await vi.advanceTimersByTimeAsync(5000)
  vi.useRealTimers()
  await vi.waitFor(() => expect(shown()).toBeNull())
})

test('a user who signs out and in again in another tab is known here', async () => {
  markSignedOut('awa')
  sdk.tell?.(account('awa'))
  expect(hasSignedOut('awa')).toBe(false)
})

describe('a sign-out while a payment is open in this tab', () => {
  beforeEach(() => trackOpenWork('awa', 'transfer', { attemptId: 'a1', write: async () => undefined }))
  afterEach(() => expect(getOpenAttemptId('awa')).toBeNull())

  const signOutElsewhere = async () => {
    deviceStore.set('leaving', 'awa')
    sdk.tell?.(null)
    await vi.waitFor(() => expect(shown()).toBeNull())
  }

  test('another tab’s sign-out notes a payment that may have succeeded', async () => {
    await signOutElsewhere()
    expect(deviceStore.get('ended')).toEqual({ uid: 'awa', payment: 'maybePaid', attemptId: 'a1' })
  })

  test('another tab’s sign-out notes no payment without a confirmed card', async () => {
    deviceStore.set('unconfirmed', 'a1')
    await signOutElsewhere()
    expect(deviceStore.get('ended')).toBeNull()
  })

  test('this tab’s sign-out notes nothing about the payment it interrupts', async () => {
    app.send({ type: 'session.signOut' })
    await vi.waitFor(() => expect(shown()).toBeNull())
    expect(deviceStore.get('ended')).toBeNull()
  })
})

test('an expired session is noted until its user signs in again', async () => {
  sdk.tell?.(null)
  await vi.waitFor(() => expect(shown()).toBeNull())
  expect(deviceStore.get('ended')).toEqual({ uid: 'awa', payment: 'none', attemptId: null })
  sdk.tell?.(account('awa'))
  await vi.waitFor(() => expect(shown()).toBe('awa'))
  expect(deviceStore.get('ended')).toBeNull()
})

test('a payment of an ended session is not reported to another user', async () => {
  sdk.tell?.(null)
  await vi.waitFor(() => expect(shown()).toBeNull())
  deviceStore.set('ended', { uid: 'awa', payment: 'maybePaid', attemptId: 'a1' })
  sdk.tell?.(account('binta'))
  await vi.waitFor(() => expect(shown()).toBe('binta'))
  expect(deviceStore.get('ended')).toBeNull()
})

test('the next start finishes an interrupted deletion of a user’s data', async () => {
  app.stop()
  stubStorage()
  vi.stubGlobal('window', { addEventListener: () => undefined })
  vi.stubGlobal('addEventListener', () => undefined)
  deviceStore.set('clearing', 'awa')
  forgetUser.mockReset().mockResolvedValue(undefined)
  app = createActor(sessionLogic).start()
  expect(shown()).toBeNull()
  await vi.waitFor(() => expect(deviceStore.get('clearing')).toBeNull())
  expect(forgetUser).toHaveBeenCalledExactlyOnceWith('awa')
})

test('an open session is watched later if the sign-in code failed', async () => {
  app.stop()
  Object.assign(sdk, { tell: null, isMissing: true })
  const remembered = { ...account('awa'), phoneNumber: '+33600000000', providerData: [] }
  stubStorage({ 'firebase:authUser:sandbox': JSON.stringify(remembered) })
  deviceStore.set('profile', { uid: 'awa', name: 'Awa', email: null, phone: '+33600000000' })
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  reportFirstScreen()
  app = createActor(sessionLogic).start()
  await settled()
  expect(shown()).toBe('awa')
  sdk.isMissing = false
  page.dispatchEvent(new Event('pointerdown'))
  await vi.waitFor(() => expect(sdk.tell).not.toBeNull())
  deviceStore.set('leaving', 'awa')
  sdk.tell?.(null)
  await vi.waitFor(() => expect(shown()).toBeNull())
})

test('a start that gets no answer is reported', () => {
  app.stop()
  sdk.isMissing = true
  const reportError = vi.fn()
  vi.stubGlobal('window', { opening: { reportError } })
  const clock = new SimulatedClock()
  app = createActor(sessionLogic, { clock }).start()
  clock.increment(20_000)
  expect(reportError).toHaveBeenCalledExactlyOnceWith('start', { type: expect.any(String) })
  sdk.isMissing = false
})
