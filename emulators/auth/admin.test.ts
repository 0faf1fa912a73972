import { createUserWithEmailAndPassword, signInWithEmailAndPassword, unlink } from 'firebase/auth'
import { deleteApp, initializeApp } from 'firebase-admin/app'
import { getAuth } from 'firebase-admin/auth'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AuthTestServer, getErrorCode, serveAuth } from '../testing/auth.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const NUMBER = '+224620000000'

let served: AuthTestServer
let now: number

beforeEach(async () => {
  now = NOW
  served = await serveAuth({ clock: { now: () => now } })
  vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', new URL(served.origin).host)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  expect(served.unknownCalls).toEqual([])
  await served.stop()
})

async function signUpByPhone() {
  const { token } = (await served.post('/sandbox/recaptcha/token')).body
  await served.call('accounts:sendVerificationCode', { phoneNumber: NUMBER, recaptchaToken: token })
  const { sessionInfo, code } = served.emulator.dump().smsCodes[0] ?? {}
  return (await served.call('accounts:signInWithPhoneNumber', { sessionInfo, code })).localId as string
}

const LOOKUP = '/identitytoolkit.googleapis.com/v1/projects/demo-test/accounts:lookup'

it('the admin SDK finds accounts by ID or number, and deletes them', async () => {
  const app = initializeApp({ projectId: 'demo-test' })
  const admin = getAuth(app)
  await expect(admin.getUserByPhoneNumber(NUMBER)).rejects.toMatchObject({ code: 'auth/user-not-found' })

  const uid = await signUpByPhone()
  const device = served.client()
  const { user } = await createUserWithEmailAndPassword(device, 'awa@example.com', 'secret1')
  expect((await admin.getUserByPhoneNumber(NUMBER)).toJSON()).toMatchObject({
    uid,
    phoneNumber: NUMBER,
    disabled: false,
    emailVerified: false,
    metadata: { creationTime: new Date(NOW).toUTCString() },
    providerData: [{ providerId: 'phone', uid: NUMBER, phoneNumber: NUMBER }],
  })
  expect((await admin.getUser(uid)).phoneNumber).toBe(NUMBER)
  const { users } = await admin.getUsers([{ uid: user.uid }, { phoneNumber: NUMBER }])
  expect(users.map((one) => one.uid)).toEqual([user.uid, uid])

  await admin.deleteUser(uid)
  await expect(admin.deleteUser(uid)).rejects.toMatchObject({ code: 'auth/user-not-found' })
  await deleteApp(app)
})

it('the admin SDK revokes sessions, and the owner signs in again', async () => {
  const app = initializeApp({ projectId: 'demo-test' })
  const admin = getAuth(app)
  const [one, other] = [served.client(), served.client()]
  const { user } = await createUserWithEmailAndPassword(one, 'awa@example.com', 'secret1')
  await signInWithEmailAndPassword(other, 'awa@example.com', 'secret1')
  now += 2000
  // The admin SDK reads the machine's clock.
  vi.useFakeTimers({ toFake: ['Date'], now })
  await admin.revokeRefreshTokens(user.uid)
  vi.useRealTimers()
  expect((await admin.getUser(user.uid)).tokensValidAfterTime).toBe(new Date(now).toUTCString())
  for (const device of [one, other]) {
    expect(await getErrorCode(device.currentUser?.getIdToken(true) ?? Promise.resolve())).toBe(
      'auth/user-token-expired',
    )
    expect(device.currentUser).toBeNull()
  }
  const again = await signInWithEmailAndPassword(other, 'awa@example.com', 'secret1')
  expect(await getErrorCode(again.user.getIdToken(true))).toBe('no error')
  await expect(admin.revokeRefreshTokens('nobody')).rejects.toMatchObject({ code: 'auth/user-not-found' })
  await deleteApp(app)
})

it('an administrator removes sign-in methods and ends the sessions', async () => {
  const app = initializeApp({ projectId: 'demo-test' })
  const admin = getAuth(app)
  const device = served.client()
  const { user } = await createUserWithEmailAndPassword(device, 'awa@example.com', 'secret1')
  const { token } = (await served.post('/sandbox/recaptcha/token')).body
  await served.call('accounts:sendVerificationCode', { phoneNumber: NUMBER, recaptchaToken: token })
  const { sessionInfo = '', code = '' } = served.emulator.dump().smsCodes[0] ?? {}
  await served.call('accounts:signInWithPhoneNumber', { sessionInfo, code, idToken: await user.getIdToken() })
  const listProviders = async () =>
    (await admin.getUser(user.uid)).providerData.map(({ providerId }) => providerId)
  expect(await listProviders()).toEqual(['password', 'phone'])

  now += 2000
  const asOwner = { Authorization: 'Bearer owner' }
  const validSince = String(now / 1000)
  const UPDATE = '/identitytoolkit.googleapis.com/v1/projects/demo-test/accounts:update'
  await served.post(UPDATE, { localId: user.uid, deleteProvider: ['phone'], validSince }, asOwner)
  expect(await listProviders()).toEqual(['password'])
  expect(await getErrorCode(user.getIdToken(true))).toBe('auth/user-token-expired')
  await expect(admin.getUserByPhoneNumber(NUMBER)).rejects.toMatchObject({ code: 'auth/user-not-found' })

  const changed = await admin.updateUser(user.uid, { providersToUnlink: ['password'] })
  expect([changed.email, changed.providerData]).toEqual(['awa@example.com', []])
  expect(await getErrorCode(signInWithEmailAndPassword(device, 'awa@example.com', 'secret1'))).toBe(
    'auth/wrong-password',
  )
  await deleteApp(app)
})

it('a user removes a sign-in method from their own account', async () => {
  const { user } = await createUserWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
  expect(await getErrorCode(unlink(user, 'phone'))).toBe('auth/no-such-provider')
  expect((await unlink(user, 'password')).providerData).toEqual([])
})

it('only an administrator may look up accounts by phone number', async () => {
  await signUpByPhone()
  const user = await createUserWithEmailAndPassword(served.client(), 'awa@example.com', 'secret1')
  const headers = [{}, { Authorization: `Bearer ${await user.user.getIdToken()}` }]
  for (const one of headers)
    expect(await served.post(`${LOOKUP}?key=any-key`, { phoneNumber: [NUMBER] }, one)).toMatchObject({
      status: 401,
      body: { error: { status: 'UNAUTHENTICATED' } },
    })
  const asOwner = { Authorization: 'Bearer owner' }
  expect((await served.post(LOOKUP, { phoneNumber: [NUMBER] }, asOwner)).body.users).toHaveLength(1)
  expect((await served.post(LOOKUP, { phoneNumber: ['+33612345678'] }, asOwner)).body).toEqual({
    kind: 'identitytoolkit#GetAccountInfoResponse',
  })
})

it('the admin SDK switches email enumeration protection on and off', async () => {
  const app = initializeApp({ projectId: 'demo-test' })
  const settings = getAuth(app).projectConfigManager()
  const device = served.client()
  const signIn = () => getErrorCode(signInWithEmailAndPassword(device, 'who@example.com', 'secret1'))
  const isProtected = async () =>
    (await settings.getProjectConfig()).emailPrivacyConfig?.enableImprovedEmailPrivacy === true
  expect([await isProtected(), await signIn()]).toEqual([false, 'auth/user-not-found'])
  await settings.updateProjectConfig({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } })
  expect([await isProtected(), await signIn()]).toEqual([true, 'auth/invalid-credential'])
  await settings.updateProjectConfig({ emailPrivacyConfig: { enableImprovedEmailPrivacy: false } })
  expect([await isProtected(), await signIn()]).toEqual([false, 'auth/user-not-found'])
  await deleteApp(app)
})
