import {
  createUserWithEmailAndPassword,
  linkWithCredential,
  sendEmailVerification,
  signInWithCredential,
  type User,
  unlink,
  updateEmail,
} from 'firebase/auth'
import { DocumentReference, Firestore as ServerFirestore } from 'firebase-admin/firestore'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { crashMethods } from '../../testing/crashMethods.ts'
import {
  CONFIRMED_RESPONSE,
  createDevices,
  type Device,
  EMAIL_ADDRESS,
  GUESSED_PASSWORD,
  OWN_PASSWORD,
  PHONE_NUMBER,
  SIGN_IN_AGAIN_RESPONSE,
} from '../../testing/devices.ts'
import { createWorld, type World } from '../../testing/world.ts'

// A stranger signs up with another person's address, links a sign-in method of their own, and waits for the
// owner. These tests use the official SDK, as the browser does.

let world: World
const {
  device,
  codeFor,
  googleToken,
  makeProfile,
  getProfile,
  addIdentityDocument,
  readsDocument,
  ask,
  confirm,
  reset,
  signsIn,
  verify,
  listSignInMethods,
  squat,
  forget,
} = createDevices(() => world)
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
beforeEach(() => world.reset())
afterEach(async () => {
  expect(world.sandbox.unknownCalls).toEqual([])
  await forget()
})
afterAll(() => world.close())

test('a stranger with another’s address is locked out by its owner', async () => {
  const stranger = await squat()
  const { uid } = stranger.user
  const byPhone = device()
  const { user } = await signInWithCredential(byPhone.auth, await codeFor(PHONE_NUMBER))
  expect(user.uid).toBe(uid)
  for (const one of [stranger.user, user])
    for (const name of ['confirm-address', 'lookup-invoice', 'delete-account'] as const)
      expect(await ask(name, await one.getIdToken(true))).toEqual([403, 'emailUnverified'])

  const owner = await reset()
  expect(await ask('lookup-invoice', await owner.user.getIdToken())).toEqual([403, 'emailUnverified'])
  const again = device()
  await signInWithCredential(again.auth, await codeFor(PHONE_NUMBER))
  const token = (await again.auth.currentUser?.getIdToken()) ?? ''
  expect((await again.auth.currentUser?.getIdTokenResult())?.claims.email_verified).toBe(true)
  expect(await ask('lookup-invoice', token)).toEqual([403, 'emailUnverified'])
  expect(await world.call('confirm-address', {}, token)).toMatchObject({
    status: 403,
    body: { code: 'otherWayIn', details: { way: 'address' } },
  })

  world.pass(MINUTE)
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
  expect(listSignInMethods(uid)).toEqual(['password'])
  expect(getProfile(uid)).toMatchObject({ verifiedAddress: null })
  const back = await signsIn()
  expect(await confirm(back.user)).toEqual(CONFIRMED_RESPONSE)
  await addIdentityDocument(uid)
  expect(await ask('lookup-invoice', await back.user.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
  expect(await readsDocument(back)).toBe(true)

  // The stranger still holds tokens for up to an hour, and a number that was unlinked.
  expect(await ask('lookup-invoice', token)).toEqual([403, 'emailUnverified'])
  expect(await ask('confirm-address', token)).toEqual([401, 'unauthenticated'])
  for (const one of [stranger, byPhone, again]) {
    await expect(one.auth.currentUser?.getIdToken(true)).rejects.toThrow()
    expect(await readsDocument(one)).toBe(false)
  }
  const elsewhere = await signInWithCredential(device().auth, await codeFor(PHONE_NUMBER))
  expect(elsewhere.user.uid).not.toBe(uid)
})

test('a mail scanner’s visit does not verify the address', async () => {
  const own = device()
  const { user } = await createUserWithEmailAndPassword(own.auth, EMAIL_ADDRESS, GUESSED_PASSWORD)
  await makeProfile(own, user)
  await sendEmailVerification(user)
  await fetch(world.sandbox.auth.mails()[0]?.link ?? '')
  expect(await confirm(user)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
})

test('a stranger’s token reads nothing after the owner’s confirmation', async () => {
  const stranger = await squat()
  const { uid } = stranger.user
  const owner = await reset()
  const kept = device()
  await signInWithCredential(kept.auth, await codeFor(PHONE_NUMBER))
  world.pass(MINUTE)
  await confirm(owner.user)
  const back = await signsIn()
  await confirm(back.user)
  await addIdentityDocument(uid)
  // Does not renew the token, so that the database gets the old one.
  const token = await kept.auth.currentUser?.getIdToken()
  const headers = { authorization: `Bearer ${token}` }
  const path = '/v1/projects/demo-passerelle/databases/(default)/documents/files/document-1'
  expect((await fetch(`${world.origin}${path}`, { headers })).status).toBe(403)
  const own = { authorization: `Bearer ${await back.user.getIdToken()}` }
  expect((await fetch(`${world.origin}${path}`, { headers: own })).status).toBe(200)
})

test('a profile created through a linked phone counts as address-made', async () => {
  const stranger = device()
  const { user } = await createUserWithEmailAndPassword(stranger.auth, EMAIL_ADDRESS, GUESSED_PASSWORD)
  await linkWithCredential(user, await codeFor(PHONE_NUMBER))
  const byPhone = device()
  const { user: again } = await signInWithCredential(byPhone.auth, await codeFor(PHONE_NUMBER))
  for (const lie of [
    { madeWith: 'phone' },
    { email: null, madeWith: 'phone' },
    { verifiedAddress: EMAIL_ADDRESS },
  ])
    await expect(makeProfile(byPhone, again, lie as object)).rejects.toThrow()
  await makeProfile(byPhone, again)
  expect(await ask('lookup-invoice', await again.getIdToken())).toEqual([403, 'emailUnverified'])

  const owner = await reset()
  await confirm(owner.user)
  const back = await signsIn()
  expect(await confirm(back.user)).toEqual(CONFIRMED_RESPONSE)
  expect(getProfile(user.uid)).toMatchObject({ phone: null, verifiedAddress: EMAIL_ADDRESS })
})

describe('a former address of another account', () => {
  const NEW = 'awa.diallo@example.org'

  async function signUp(address: string, password = OWN_PASSWORD) {
    const own = device()
    const { user } = await createUserWithEmailAndPassword(own.auth, address, password)
    await makeProfile(own, user)
    await verify(user)
    return user
  }

  async function createMovedAccount({ isConfirmed }: { isConfirmed: boolean }) {
    const user = await signUp(EMAIL_ADDRESS)
    await confirm(user)
    await updateEmail(user, NEW)
    await verify(user)
    if (isConfirmed) expect(await confirm(user)).toEqual(CONFIRMED_RESPONSE)
    return user
  }

  const again = async (user: User) =>
    world.call('confirm-address', { another: true }, await user.getIdToken(true))

  test.each([true, false])(
    'a former address opens a second account after notice (confirmed: %s)',
    async (isConfirmed) => {
      const first = await createMovedAccount({ isConfirmed })
      const second = await signUp(EMAIL_ADDRESS, GUESSED_PASSWORD)
      expect(await confirm(second)).toMatchObject({
        status: 403,
        body: { code: 'formerAddress', details: { address: 'a…@example.org' } },
      })
      expect(await ask('lookup-invoice', await second.getIdToken(true))).toEqual([403, 'emailUnverified'])
      expect(getProfile(second.uid)).toMatchObject({ verifiedAddress: null })

      expect(await again(second)).toEqual(CONFIRMED_RESPONSE)
      expect(await confirm(second)).toEqual(CONFIRMED_RESPONSE)
      expect(await ask('lookup-invoice', await second.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
      if (!isConfirmed) expect(await confirm(first)).toEqual(CONFIRMED_RESPONSE)
      expect(await ask('lookup-invoice', await first.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
    },
  )

  test('an unverified address reveals nothing about its former account', async () => {
    await createMovedAccount({ isConfirmed: true })
    const own = device()
    const { user } = await createUserWithEmailAndPassword(own.auth, EMAIL_ADDRESS, GUESSED_PASSWORD)
    await makeProfile(own, user)
    for (const one of [confirm, again])
      expect(await one(user)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
  })

  test('an account can take a former address back until deletion', async () => {
    const first = await createMovedAccount({ isConfirmed: true })
    await updateEmail(first, EMAIL_ADDRESS)
    await verify(first)
    expect(await confirm(first)).toEqual(CONFIRMED_RESPONSE)
    expect(getProfile(first.uid)).toMatchObject({ verifiedAddress: EMAIL_ADDRESS, formerAddresses: [NEW] })

    world.pass(MINUTE)
    const { user } = await signsIn()
    expect((await world.call('delete-account', {}, await user.getIdToken(true))).status).toBe(200)
    for (const address of [EMAIL_ADDRESS, NEW])
      expect(await confirm(await signUp(address))).toEqual(CONFIRMED_RESPONSE)
  })
})

test("confirming an address unlinks a stranger's Google account", async () => {
  const stranger = await squat()
  await linkWithCredential(stranger.user, await googleToken('1', 'stranger@gmail.com'))
  // Opens the link of the first mail, which ends no session and unlinks nothing.
  await verify(stranger.user)
  const byGoogle = device()
  await signInWithCredential(byGoogle.auth, await googleToken('1', 'stranger@gmail.com'))
  expect(await ask('confirm-address', (await byGoogle.auth.currentUser?.getIdToken()) ?? '')).toEqual([
    403,
    'otherWayIn',
  ])
  const owner = await signsIn(EMAIL_ADDRESS, GUESSED_PASSWORD)
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
  expect(listSignInMethods(owner.user.uid)).toEqual(['password'])
  await expect(byGoogle.auth.currentUser?.getIdToken(true)).rejects.toThrow()
})

test('an owner’s sign-in with Google keeps Google', async () => {
  const stranger = await squat()
  const owner = device()
  world.pass(MINUTE)
  // The sign-in service removes sign-in methods that were set up without a verified address.
  const { user } = await signInWithCredential(owner.auth, await googleToken('2', EMAIL_ADDRESS))
  expect([user.uid, listSignInMethods(user.uid)]).toEqual([stranger.user.uid, [EMAIL_ADDRESS]])
  expect(await ask('lookup-invoice', await user.getIdToken())).toEqual([403, 'emailUnverified'])
  // A sign-in method that the service has removed may have opened sessions.
  expect(await confirm(user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
  await expect(stranger.user.getIdToken(true)).rejects.toThrow()
  world.pass(MINUTE)
  const { user: back } = await signInWithCredential(owner.auth, await googleToken('2', EMAIL_ADDRESS))
  expect(await confirm(back)).toEqual(CONFIRMED_RESPONSE)
  expect(await ask('lookup-invoice', await back.getIdToken())).toEqual([404, 'invoiceNotFound'])
})

test('an address that replaces a confirmed one must be confirmed too', async () => {
  const stranger = device()
  const { user } = await createUserWithEmailAndPassword(
    stranger.auth,
    'stranger@example.com',
    GUESSED_PASSWORD,
  )
  await makeProfile(stranger, user)
  await verify(user)
  expect(await confirm(user)).toEqual(CONFIRMED_RESPONSE)
  await linkWithCredential(user, await codeFor(PHONE_NUMBER))
  await updateEmail(user, EMAIL_ADDRESS)
  const byPhone = device()
  await signInWithCredential(byPhone.auth, await codeFor(PHONE_NUMBER))
  const fetchPhoneToken = async () => (await byPhone.auth.currentUser?.getIdToken(true)) ?? ''
  expect(await ask('lookup-invoice', await fetchPhoneToken())).toEqual([403, 'emailUnverified'])

  const owner = await reset()
  world.pass(MINUTE)
  await signInWithCredential(byPhone.auth, await codeFor(PHONE_NUMBER))
  expect(await ask('lookup-invoice', await fetchPhoneToken())).toEqual([403, 'emailUnverified'])
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
  expect(listSignInMethods(user.uid)).toEqual(['password'])
})

describe('an ordinary sign-up', () => {
  async function signUp() {
    const own = device()
    const { user } = await createUserWithEmailAndPassword(own.auth, EMAIL_ADDRESS, OWN_PASSWORD)
    await makeProfile(own, user)
    return { ...own, user }
  }

  test('an ordinary sign-up is confirmed in one repeatable call', async () => {
    const own = await signUp()
    expect(await confirm(own.user)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
    await verify(own.user)
    // A token that was issued before the link was opened is refused.
    const claims = { email: EMAIL_ADDRESS, email_verified: false }
    const stale = await world.token(own.user.uid, { provider: 'password', claims })
    expect(await ask('confirm-address', stale)).toEqual([403, 'emailUnverified'])
    expect(await confirm(own.user)).toEqual(CONFIRMED_RESPONSE)
    expect(await confirm(own.user)).toEqual(CONFIRMED_RESPONSE)
    expect(await ask('lookup-invoice', await own.user.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
  })

  test('refuses to confirm the address of a user without a profile', async () => {
    const { user } = await createUserWithEmailAndPassword(device().auth, EMAIL_ADDRESS, OWN_PASSWORD)
    await verify(user)
    expect(await confirm(user)).toMatchObject({ status: 404, body: { code: 'userNotFound' } })
  })
})

test('a crash keeps the account closed until other methods are unlinked', async () => {
  for (const when of ['before', 'after'] as const) {
    let last = 0
    for (let at = 1; last === 0; at += 1) {
      world.reset()
      const { uid } = (await squat()).user
      const owner = await reset()
      const token = await owner.user.getIdToken(true)
      world.pass(MINUTE)
      crashMethods(
        at,
        when,
        [DocumentReference.prototype, 'get'],
        [DocumentReference.prototype, 'update'],
        [ServerFirestore.prototype, 'runTransaction'],
        [world.context.accounts, 'find'],
        [world.context.accounts, 'unlinkSignInMethods'],
      )
      const { status } = await world.call('confirm-address', {}, token)
      vi.restoreAllMocks()
      if (status === 200) last = at
      expect(getProfile(uid)).toMatchObject({ verifiedAddress: null })
      // After any crash, the user calls again, or signs in once more and calls.
      const next = await world.call('confirm-address', {}, token)
      expect(next.status === 401 || next.body.signInAgain).toBe(true)
      expect(listSignInMethods(uid)).toEqual(['password'])
      // The sessions may have ended without a record of it: then they end once more.
      const again = await confirm((await signsIn()).user)
      expect(again.status).toBe(200)
      if (again.body.signInAgain) expect(await confirm((await signsIn()).user)).toEqual(CONFIRMED_RESPONSE)
      expect(getProfile(uid)).toMatchObject({ verifiedAddress: EMAIL_ADDRESS, name: '' })
    }
    expect(last).toBeGreaterThan(3)
  }
})

test('an unlinked method’s token can’t be used', async () => {
  const stranger = await squat()
  const byPhone = device()
  await signInWithCredential(byPhone.auth, await codeFor(PHONE_NUMBER))
  const token = await byPhone.auth.currentUser?.getIdToken()
  await unlink(stranger.user, 'phone')
  const owner = await reset()
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
  expect(await confirm((await signsIn()).user)).toEqual(CONFIRMED_RESPONSE)
  expect(await ask('lookup-invoice', token ?? '')).toEqual([403, 'emailUnverified'])
})

describe('a stranger who unlinks their own method before the owner’s sign-in', () => {
  async function expectEnded(session: Device, token: string) {
    expect(await readsDocument(session)).toBe(false)
    const [status] = await ask('lookup-invoice', token)
    expect(status).toBeGreaterThanOrEqual(401)
    await expect(session.auth.currentUser?.getIdToken(true)).rejects.toThrow()
  }

  test('loses a linked phone’s session with nothing left to unlink', async () => {
    const stranger = await squat()
    const { uid } = stranger.user
    const owner = await reset()
    const byPhone = device()
    const { user } = await signInWithCredential(byPhone.auth, await codeFor(PHONE_NUMBER))
    await unlink(user, 'phone')
    expect(listSignInMethods(uid)).toEqual(['password'])
    world.pass(MINUTE)
    expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
    const token = await user.getIdToken()
    const own = await signsIn()
    expect(await confirm(own.user)).toEqual(CONFIRMED_RESPONSE)
    await addIdentityDocument(uid)
    expect(await readsDocument(own)).toBe(true)
    await expectEnded(byPhone, token)
  })

  test('loses a password’s session once the owner uses Google', async () => {
    const stranger = device()
    const { user } = await createUserWithEmailAndPassword(stranger.auth, EMAIL_ADDRESS, GUESSED_PASSWORD)
    await makeProfile(stranger, user, { phone: PHONE_NUMBER })
    await verify(user)
    await unlink(user, 'password')
    world.pass(MINUTE)
    const own = device()
    const signIn = async () =>
      (await signInWithCredential(own.auth, await googleToken('2', EMAIL_ADDRESS))).user
    const owner = await signIn()
    expect([owner.uid, listSignInMethods(user.uid)]).toEqual([user.uid, [EMAIL_ADDRESS]])
    expect(await confirm(owner)).toEqual(SIGN_IN_AGAIN_RESPONSE)
    expect(getProfile(user.uid)).toMatchObject({ name: '', phone: null, verifiedAddress: null })
    const token = await user.getIdToken()
    world.pass(MINUTE)
    expect(await confirm(await signIn())).toEqual(CONFIRMED_RESPONSE)
    await addIdentityDocument(user.uid)
    expect(await readsDocument(own)).toBe(true)
    await expectEnded(stranger, token)
  })
})

test('the sign-up’s password keeps the name, with one sign-in', async () => {
  const first = device()
  const { user } = await createUserWithEmailAndPassword(first.auth, EMAIL_ADDRESS, OWN_PASSWORD)
  await makeProfile(first, user)
  await verify(user)
  const own = await signsIn()
  expect(await confirm(own.user)).toEqual(CONFIRMED_RESPONSE)
  expect(getProfile(user.uid)).toMatchObject({ name: 'Awa Diallo', verifiedAddress: EMAIL_ADDRESS })
})
