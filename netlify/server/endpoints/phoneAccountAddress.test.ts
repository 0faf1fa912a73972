import {
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  linkWithCredential,
  signInWithCredential,
  type User,
  unlink,
  updateEmail,
} from 'firebase/auth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import {
  CONFIRMED_RESPONSE,
  createDevices,
  EMAIL_ADDRESS,
  OWN_PASSWORD,
  PHONE_NUMBER,
  SIGN_IN_AGAIN_RESPONSE,
} from '../../testing/devices.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { ADDRESS_LINK_LIFETIME, createAddressProof, isAddressProof } from '../accounts/addressLink.ts'
import { createCallerVerifier } from '../accounts/callerVerifier.ts'
import { buildPersonKeys, fetchPersonKeys } from '../accounts/persons.ts'

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
  openProvenLink,
  confirmWith,
  listSignInMethods,
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

describe('an account that was created by phone', () => {
  async function signUpByPhone() {
    const own = device()
    const { user } = await signInWithCredential(own.auth, await codeFor(PHONE_NUMBER))
    await makeProfile(own, user)
    return { ...own, user }
  }

  test('an unconfirmed added address leaves the phone usable', async () => {
    const owner = await signUpByPhone()
    const opens = async () => ask('lookup-invoice', await owner.user.getIdToken(true))
    expect(await opens()).toEqual([404, 'invoiceNotFound'])
    await updateEmail(owner.user, EMAIL_ADDRESS)
    const again = device()
    await signInWithCredential(again.auth, await codeFor(PHONE_NUMBER))
    await addIdentityDocument(owner.user.uid)
    expect(await ask('lookup-invoice', (await again.auth.currentUser?.getIdToken()) ?? '')).toEqual([
      404,
      'invoiceNotFound',
    ])
    expect(await readsDocument(again)).toBe(true)
  })

  test('an added address opens nothing before the phone user’s confirmation', async () => {
    const owner = await signUpByPhone()
    await updateEmail(owner.user, EMAIL_ADDRESS)
    await addIdentityDocument(owner.user.uid)
    // The address may be mistyped or a stranger's, so its holder gets no access.
    const holder = await reset()
    expect(await ask('lookup-invoice', await holder.user.getIdToken())).toEqual([403, 'emailUnverified'])
    expect(await readsDocument(holder)).toBe(false)
    expect(await confirm(holder.user)).toMatchObject({
      status: 403,
      body: { code: 'otherWayIn', details: { way: 'phone' } },
    })

    world.pass(MINUTE)
    const own = device()
    const { user } = await signInWithCredential(own.auth, await codeFor(PHONE_NUMBER))
    expect(await readsDocument(own)).toBe(true)
    expect(await confirmWith(user, await openProvenLink(user))).toEqual(CONFIRMED_RESPONSE)
    expect(listSignInMethods(user.uid)).toEqual(['password', PHONE_NUMBER])
    expect(getProfile(user.uid)).toMatchObject({ phone: PHONE_NUMBER })
    expect(await ask('lookup-invoice', await holder.user.getIdToken())).toEqual([404, 'invoiceNotFound'])
  })

  test('a phone user can’t confirm an address that its owner verified', async () => {
    const stranger = await signUpByPhone()
    await updateEmail(stranger.user, EMAIL_ADDRESS)
    const owner = await reset()
    world.pass(MINUTE)
    const again = device()
    const { user } = await signInWithCredential(again.auth, await codeFor(PHONE_NUMBER))
    expect(await confirm(user)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
    expect(getProfile(user.uid)).toMatchObject({ verifiedAddress: null })
    expect(await ask('lookup-invoice', await owner.user.getIdToken())).toEqual([403, 'emailUnverified'])
  })

  test('an address’s owner removes it from a stranger’s account', async () => {
    const stranger = await signUpByPhone()
    const { uid } = stranger.user
    await updateEmail(stranger.user, EMAIL_ADDRESS)
    await world.context.db.doc(`users/${uid}`).update({ email: EMAIL_ADDRESS })
    const owner = await reset()
    const notMine = async (user: User) =>
      world.call('confirm-address', { notMine: true }, await user.getIdToken(true))
    expect(await notMine(owner.user)).toEqual(SIGN_IN_AGAIN_RESPONSE)
    expect([listSignInMethods(uid), getProfile(uid)?.email]).toEqual([[PHONE_NUMBER], null])
    await expect(owner.user.getIdToken(true)).rejects.toThrow()

    world.pass(MINUTE)
    const again = device()
    const { user } = await signInWithCredential(again.auth, await codeFor(PHONE_NUMBER))
    expect([user.uid, user.email]).toEqual([uid, null])
    const own = device()
    const { user: signedUp } = await createUserWithEmailAndPassword(own.auth, EMAIL_ADDRESS, OWN_PASSWORD)
    await makeProfile(own, signedUp)
    await verify(signedUp)
    expect(await confirm(signedUp)).toEqual(CONFIRMED_RESPONSE)
    expect(signedUp.uid).not.toBe(uid)
    expect(await notMine(signedUp)).toEqual(CONFIRMED_RESPONSE)
    expect(listSignInMethods(signedUp.uid)).toEqual(['password'])
  })

  test('only a link mailed for this account and address confirms', async () => {
    const stranger = await signUpByPhone()
    const first = 'stranger@example.com'
    await updateEmail(stranger.user, first)
    await signInWithCredential(stranger.auth, await codeFor(PHONE_NUMBER))
    const earlier = await openProvenLink(stranger.auth.currentUser as User)
    await updateEmail(stranger.auth.currentUser as User, EMAIL_ADDRESS)
    await reset()
    await signInWithCredential(stranger.auth, await codeFor(PHONE_NUMBER))
    const user = stranger.auth.currentUser as User
    const ofOther = createAddressProof(world.context, { uid: 'other', address: EMAIL_ADDRESS })
    const own = createAddressProof(world.context, { uid: user.uid, address: EMAIL_ADDRESS })
    const longer = own.replace(/^\d+/, String(world.now() + ADDRESS_LINK_LIFETIME + 1))
    for (const proof of ['', '.', 'nonsense', earlier, ofOther, longer])
      expect(await confirmWith(user, proof)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
    expect(await confirmWith(user, own)).toEqual(CONFIRMED_RESPONSE)
  })

  test('the proof in a mailed address link is valid for three days', () => {
    const link = { uid: 'ada', address: EMAIL_ADDRESS }
    const proof = createAddressProof(world.context, link)
    world.pass(ADDRESS_LINK_LIFETIME)
    expect(isAddressProof(world.context, link, proof)).toBe(true)
    world.pass(1)
    expect(isAddressProof(world.context, link, proof)).toBe(false)
  })

  test('an added password gets no access before the address’s verification', async () => {
    const own = await signUpByPhone()
    await linkWithCredential(own.user, EmailAuthProvider.credential(EMAIL_ADDRESS, OWN_PASSWORD))
    const byAddress = await signsIn()
    expect(await ask('lookup-invoice', await byAddress.user.getIdToken())).toEqual([403, 'emailUnverified'])
    expect(await ask('confirm-address', await byAddress.user.getIdToken())).toEqual([403, 'emailUnverified'])
    expect(await readsDocument(byAddress)).toBe(false)
    // The session by the new password is not verified yet, but may request the link.
    const proof = await openProvenLink(own.user)
    const { user } = await signInWithCredential(own.auth, await codeFor(PHONE_NUMBER))
    expect(await confirmWith(user, proof)).toEqual(CONFIRMED_RESPONSE)
    expect(listSignInMethods(user.uid)).toEqual(['password', PHONE_NUMBER])
    expect(await ask('lookup-invoice', await byAddress.user.getIdToken(true))).toEqual([
      404,
      'invoiceNotFound',
    ])
  })

  test('a verified and confirmed address opens the phone’s account', async () => {
    const { user, auth } = await signUpByPhone()
    await updateEmail(user, EMAIL_ADDRESS)
    await signInWithCredential(auth, await codeFor(PHONE_NUMBER))
    const proof = await openProvenLink(auth.currentUser as User)
    expect(await confirmWith(auth.currentUser as User, proof)).toEqual(CONFIRMED_RESPONSE)
    const byAddress = await reset()
    expect(await ask('lookup-invoice', await byAddress.user.getIdToken())).toEqual([404, 'invoiceNotFound'])
  })

  test('a session by phone counts for nothing once its number is unlinked', async () => {
    const own = await signUpByPhone()
    const { uid } = own.user
    await addIdentityDocument(uid)
    expect(await readsDocument(own)).toBe(true)
    await unlink(own.user, 'phone')
    const { claims } = await own.user.getIdTokenResult(true)
    expect(claims).toMatchObject({ firebase: { sign_in_provider: 'phone' } })
    expect(claims).not.toHaveProperty('phone_number')
    expect(await readsDocument(own)).toBe(false)
    for (const name of ['lookup-invoice', 'confirm-address', 'delete-account'] as const)
      expect(await ask(name, await own.user.getIdToken())).toEqual([401, 'unauthenticated'])
    const next = device()
    const { user } = await signInWithCredential(next.auth, await codeFor(PHONE_NUMBER))
    expect(user.uid).not.toBe(uid)
    await linkWithCredential(own.user, await codeFor('+33698765432'))
    expect(await ask('lookup-invoice', await own.user.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
  })

  test('the keys of a person stay when the number is replaced', async () => {
    const own = await signUpByPhone()
    const fetchKeys = () => fetchPersonKeys(world.context, own.user.uid)
    await ask('lookup-invoice', await own.user.getIdToken())
    const before = await fetchKeys()
    expect(before).toHaveLength(2)
    await unlink(own.user, 'phone')
    expect(await fetchKeys()).toEqual(before)
    await linkWithCredential(own.user, await codeFor('+33698765432'))
    const caller = await createCallerVerifier(world.context)(`Bearer ${await own.user.getIdToken(true)}`)
    const keys = caller.ok ? buildPersonKeys(world.context, caller.value) : []
    expect(keys).toEqual(expect.arrayContaining([...before]))
    expect(keys).toHaveLength(3)
  })

  test('an address’s owner never gets an account whose phone is unlinked', async () => {
    const stranger = await signUpByPhone()
    const { uid } = stranger.user
    await updateEmail(stranger.user, EMAIL_ADDRESS)
    await verify(stranger.user)
    await unlink(stranger.user, 'phone')
    world.pass(MINUTE)
    const own = device()
    const { user } = await signInWithCredential(own.auth, await googleToken('2', EMAIL_ADDRESS))
    expect(user.uid).toBe(uid)
    expect(await confirm(user)).toMatchObject({
      status: 403,
      body: { code: 'otherWayIn', details: { way: 'phone' } },
    })
    expect(await world.call('confirm-address', { notMine: true }, await user.getIdToken())).toEqual(
      SIGN_IN_AGAIN_RESPONSE,
    )
    await expect(stranger.user.getIdToken(true)).rejects.toThrow()
    world.pass(MINUTE)
    const fresh = await signInWithCredential(device().auth, await googleToken('2', EMAIL_ADDRESS))
    expect(fresh.user.uid).not.toBe(uid)
  })
})
