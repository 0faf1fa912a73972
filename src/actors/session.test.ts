import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ActorRefFrom, createActor } from 'xstate'
import type { Account } from '../../domain/account.ts'
import { deviceStore } from '../browser/storage.ts'
import { hasLeft } from '../cache/signedOutUsers.ts'
import { attemptUnderWay, noteUnderWay } from '../cache/underWay.ts'
import { session } from './session.ts'

const { sdk, forgetUser } = vi.hoisted(() => ({
  sdk: { tell: null as ((account: Account | null) => void) | null },
  forgetUser: vi.fn(),
}))
vi.mock('../services/auth.ts', () => ({
  watchAccount(listener: (account: Account | null) => void) {
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
vi.mock('../cache/database.ts', () => ({ forgetUser, withRows: async () => undefined }))

const account = (uid: string): Account => ({
  uid,
  email: null,
  phone: '+33600000000',
  emailVerified: false,
  usesPassword: false,
})

type Kept = Record<string, string>
const METHODS = {
  getItem(this: Kept, key: string) {
    return this[key] ?? null
  },
  setItem(this: Kept, key: string, text: string) {
    this[key] = text
  },
  removeItem(this: Kept, key: string) {
    delete this[key]
  },
}
/** A storage that lists what is in it, as that of a browser does. */
const storageOf = (kept: Kept): Storage => Object.assign(Object.create(METHODS), kept)

let app: ActorRefFrom<typeof session>

/** Who is shown to be in; null on the way in. */
const shown = () => {
  const snapshot = app.getSnapshot()
  if (snapshot.matches('signedOut')) return null
  const { session } = snapshot.context
  return session?.kind === 'ready' ? session.uid : JSON.stringify(snapshot.value)
}

beforeEach(async () => {
  // What can't be read says that somebody has signed in here, so the SDK is asked at once.
  vi.stubGlobal('localStorage', storageOf({ 'firebase:authUser:sandbox': '' }))
  vi.stubGlobal('sessionStorage', storageOf({}))
  vi.stubGlobal('location', { search: '' })
  forgetUser.mockReset().mockResolvedValue(undefined)
  app = createActor(session).start()
  await vi.waitFor(() => expect(sdk.tell).not.toBeNull())
  sdk.tell?.(account('awa'))
  await vi.waitFor(() => expect(shown()).toBe('awa'))
})
afterEach(() => {
  app.stop()
  sdk.tell = null
  vi.unstubAllGlobals()
})

/** All that can go on by itself has done so. */
async function settled() {
  await vi.dynamicImportSettled()
  await new Promise(setImmediate)
}

test.each(['awa', 'binta'])('%s is in who signs in elsewhere while awa is being forgotten', async (next) => {
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
  expect(hasLeft(next)).toBe(false)
})

describe('a sign-out while a payment is under way in this tab', () => {
  beforeEach(() => noteUnderWay('awa', 'attempt', { attemptId: 'a1', write: async () => undefined }))
  afterEach(() => expect(attemptUnderWay('awa')).toBeNull())

  const signOutElsewhere = async () => {
    deviceStore.set('leaving', 'awa')
    sdk.tell?.(null)
    await vi.waitFor(() => expect(shown()).toBeNull())
  }

  test('tells of a payment that may have gone through, when it was made in another tab', async () => {
    await signOutElsewhere()
    expect(deviceStore.get('ended')).toEqual({ uid: 'awa', payment: 'maybePaid', attemptId: 'a1' })
  })

  test('tells nothing of one whose card nobody had confirmed', async () => {
    deviceStore.set('unconfirmed', 'a1')
    await signOutElsewhere()
    expect(deviceStore.get('ended')).toBeNull()
  })

  test('tells nothing when it was made here', async () => {
    app.send({ type: 'session.signOut' })
    await vi.waitFor(() => expect(shown()).toBeNull())
    expect(deviceStore.get('ended')).toBeNull()
  })
})

test('a page that was closed while a user was forgotten leaves the rest to the next start', async () => {
  app.stop()
  vi.stubGlobal('localStorage', storageOf({}))
  vi.stubGlobal('window', { addEventListener: () => undefined })
  vi.stubGlobal('addEventListener', () => undefined)
  deviceStore.set('clearing', 'awa')
  forgetUser.mockReset().mockResolvedValue(undefined)
  app = createActor(session).start()
  expect(shown()).toBeNull()
  await vi.waitFor(() => expect(deviceStore.get('clearing')).toBeNull())
  expect(forgetUser).toHaveBeenCalledExactlyOnceWith('awa')
})
