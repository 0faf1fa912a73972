import { randomUUID } from 'node:crypto'
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  linkWithCredential,
  OAuthProvider,
  PhoneAuthCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  type User,
  unlink,
  updateEmail,
} from 'firebase/auth'
import {
  connectFirestoreEmulator,
  doc,
  type Firestore,
  getDoc,
  getFirestore,
  serverTimestamp,
  setDoc,
} from 'firebase/firestore/lite'
import { DocumentReference, Firestore as ServerFirestore } from 'firebase-admin/firestore'
import { importJWK, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MINUTE } from '../domain/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../domain/plans.ts'
import { GOOGLE_CLIENT_ID } from '../sandbox/sandbox.ts'
import { createWorld, type World } from './testing/world.ts'

// Who an account belongs to: somebody signs up with an address that is not theirs, links a way in of their own, and waits
// for its owner. All with the official SDK, as the browser has it.

const ADDRESS = 'awa@gmail.com'
const NUMBER = '+33612345678'
const GUESSED = 'of the stranger'
const OWN = 'of the owner'

let world: World
let apps: FirebaseApp[] = []
beforeAll(async () => {
  world = await createWorld({ sockets: true })
})
beforeEach(() => world.reset())
afterEach(async () => {
  expect(world.sandbox.unknownCalls).toEqual([])
  await Promise.all(apps.map(deleteApp))
  apps = []
})
afterAll(() => world.close())

interface Device {
  readonly auth: Auth
  readonly db: Firestore
}

function device(): Device {
  const app = initializeApp({ projectId: 'demo-passerelle', apiKey: 'sandbox' }, randomUUID())
  apps.push(app)
  const auth = initializeAuth(app, { persistence: inMemoryPersistence })
  connectAuthEmulator(auth, world.origin, { disableWarnings: true })
  const db = getFirestore(app)
  connectFirestoreEmulator(db, '127.0.0.1', Number(new URL(world.origin).port))
  return { auth, db }
}

async function codeFor(phoneNumber: string) {
  const post = async (path: string, body: object) =>
    (await fetch(`${world.origin}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()
  const { token } = (await post('/sandbox/recaptcha/token', {})) as { token: string }
  const send = '/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=sandbox'
  await post(send, { phoneNumber, recaptchaToken: token })
  const sent = world.sandbox.auth.dump().smsCodes.at(-1)
  const credential = PhoneAuthCredential.fromJSON({
    verificationId: sent?.sessionInfo,
    verificationCode: sent?.code,
  })
  if (!credential) throw new Error('No code was sent')
  return credential
}

/** What Google gives to whoever is this account of its. */
async function googleToken(sub: string, email: string) {
  const { privateJwk, kid } = world.sandbox.auth.dump().key
  const claims = { sub, email, email_verified: true, name: 'Awa' }
  const idToken = await new SignJWT({ ...claims, iss: 'https://accounts.google.com', aud: GOOGLE_CLIENT_ID })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuedAt(world.now() / 1000)
    .setExpirationTime(world.now() / 1000 + 3600)
    .sign(await importJWK(privateJwk, 'RS256'))
  return new OAuthProvider('google.com').credential({ idToken })
}

interface Profile {
  readonly email?: string | null
  readonly phone?: string | null
  readonly madeWith?: 'address' | 'phone'
  readonly verifiedAddress?: string | null
}

const makeProfile = ({ db }: Device, { uid, email, phoneNumber }: User, other: Profile = {}) =>
  setDoc(doc(db, 'users', uid), {
    name: 'Awa Diallo',
    email,
    phone: phoneNumber,
    madeWith: email ? 'address' : 'phone',
    verifiedAddress: null,
    createdAt: serverTimestamp(),
    subscription: EMPTY_SUBSCRIPTION,
    ...other,
  })

const profileOf = (uid: string) => world.sandbox.firestore.documents()[`users/${uid}`]

/** What the owner of the account has there once it is in use. */
async function livedIn(uid: string) {
  await world.context.db.doc('files/document-1').set({ userId: uid, fullName: 'Awa Diallo' })
}

const readsDocument = ({ db }: Device) =>
  getDoc(doc(db, 'files', 'document-1')).then(
    () => true,
    () => false,
  )

const ask = async (name: 'confirm-address' | 'lookup-invoice' | 'delete-account', token: string) => {
  const body = name === 'lookup-invoice' ? { supplier: 'edf', reference: '6012-1001' } : {}
  const { status, body: answer } = await world.call(name, body, token)
  return [status, answer.code]
}

const confirm = async (user: User) => world.call('confirm-address', {}, await user.getIdToken(true))
const CONFIRMED = { status: 200, body: { signInAgain: false } }
const SIGN_IN_AGAIN = { status: 200, body: { signInAgain: true } }

/** The owner follows the mail that a new password is asked for with, and signs in. */
async function reset(address = ADDRESS, password = OWN) {
  world.pass(MINUTE)
  const own = device()
  await sendPasswordResetEmail(own.auth, address)
  const oobCode = new URL(world.sandbox.auth.mails()[0]?.link ?? '').searchParams.get('oobCode')
  await confirmPasswordReset(own.auth, oobCode ?? '', password)
  return signsIn(address, password, own)
}

async function signsIn(address = ADDRESS, password = OWN, own = device()) {
  world.pass(MINUTE)
  const { user } = await signInWithEmailAndPassword(own.auth, address, password)
  return { ...own, user }
}

/** Opens the link of the mail with which an address is verified. */
async function verify(user: User) {
  await sendEmailVerification(user)
  await fetch(world.sandbox.auth.mails()[0]?.link ?? '')
}

const waysIn = (uid: string) => {
  const account = world.sandbox.auth.dump().accounts.find(({ localId }) => localId === uid)
  return [account?.password && 'password', account?.phoneNumber, account?.google?.email].filter(Boolean)
}

/** Signs up with an address that is not theirs, and links a phone to it. */
async function squat() {
  const stranger = device()
  const { user } = await createUserWithEmailAndPassword(stranger.auth, ADDRESS, GUESSED)
  await makeProfile(stranger, user)
  await linkWithCredential(user, await codeFor(NUMBER))
  return { ...stranger, user }
}

test('the stranger who signed up first is let in by no way, and out for good once the owner is there', async () => {
  const stranger = await squat()
  const { uid } = stranger.user
  const byPhone = device()
  const { user } = await signInWithCredential(byPhone.auth, await codeFor(NUMBER))
  expect(user.uid).toBe(uid)
  for (const one of [stranger.user, user])
    for (const name of ['confirm-address', 'lookup-invoice', 'delete-account'] as const)
      expect(await ask(name, await one.getIdToken(true))).toEqual([403, 'emailUnverified'])

  const owner = await reset()
  expect(await ask('lookup-invoice', await owner.user.getIdToken())).toEqual([403, 'emailUnverified'])
  // The phone still signs in, to an account whose address is verified by now.
  const again = device()
  await signInWithCredential(again.auth, await codeFor(NUMBER))
  const token = (await again.auth.currentUser?.getIdToken()) ?? ''
  expect((await again.auth.currentUser?.getIdTokenResult())?.claims.email_verified).toBe(true)
  expect(await ask('lookup-invoice', token)).toEqual([403, 'emailUnverified'])
  expect(await world.call('confirm-address', {}, token)).toMatchObject({
    status: 403,
    body: { code: 'otherWayIn', details: { way: 'address' } },
  })

  world.pass(MINUTE)
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN)
  expect(waysIn(uid)).toEqual(['password'])
  expect(profileOf(uid)).toMatchObject({ verifiedAddress: null })
  const back = await signsIn()
  expect(await confirm(back.user)).toEqual(CONFIRMED)
  await livedIn(uid)
  expect(await ask('lookup-invoice', await back.user.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
  expect(await readsDocument(back)).toBe(true)

  // What the stranger still holds: tokens for the rest of their hour, and a number that is nobody's now.
  expect(await ask('lookup-invoice', token)).toEqual([403, 'emailUnverified'])
  expect(await ask('confirm-address', token)).toEqual([401, 'unauthenticated'])
  for (const one of [stranger, byPhone, again]) {
    await expect(one.auth.currentUser?.getIdToken(true)).rejects.toThrow()
    expect(await readsDocument(one)).toBe(false)
  }
  const elsewhere = await signInWithCredential(device().auth, await codeFor(NUMBER))
  expect(elsewhere.user.uid).not.toBe(uid)
})

test('a token that the stranger kept, with a claim that has become true, reads nothing', async () => {
  const stranger = await squat()
  const { uid } = stranger.user
  const owner = await reset()
  const kept = device()
  await signInWithCredential(kept.auth, await codeFor(NUMBER))
  world.pass(MINUTE)
  await confirm(owner.user)
  const back = await signsIn()
  await confirm(back.user)
  await livedIn(uid)
  // Not renewed, so that the database is asked with it as it is.
  const token = await kept.auth.currentUser?.getIdToken()
  const headers = { authorization: `Bearer ${token}` }
  const path = '/v1/projects/demo-passerelle/databases/(default)/documents/files/document-1'
  expect((await fetch(`${world.origin}${path}`, { headers })).status).toBe(403)
  const own = { authorization: `Bearer ${await back.user.getIdToken()}` }
  expect((await fetch(`${world.origin}${path}`, { headers: own })).status).toBe(200)
})

test('a profile that the stranger makes by the linked phone is that of an address', async () => {
  const stranger = device()
  const { user } = await createUserWithEmailAndPassword(stranger.auth, ADDRESS, GUESSED)
  await linkWithCredential(user, await codeFor(NUMBER))
  const byPhone = device()
  const { user: again } = await signInWithCredential(byPhone.auth, await codeFor(NUMBER))
  for (const lie of [{ madeWith: 'phone' }, { email: null, madeWith: 'phone' }, { verifiedAddress: ADDRESS }])
    await expect(makeProfile(byPhone, again, lie as Profile)).rejects.toThrow()
  await makeProfile(byPhone, again)
  expect(await ask('lookup-invoice', await again.getIdToken())).toEqual([403, 'emailUnverified'])

  const owner = await reset()
  await confirm(owner.user)
  const back = await signsIn()
  expect(await confirm(back.user)).toEqual(CONFIRMED)
  // The number that the profile was made with goes too.
  expect(profileOf(user.uid)).toMatchObject({ phone: null, verifiedAddress: ADDRESS })
})

describe('an address that was that of another account before', () => {
  const NEW = 'awa.diallo@example.org'

  async function signUp(address: string, password = OWN) {
    const own = device()
    const { user } = await createUserWithEmailAndPassword(own.auth, address, password)
    await makeProfile(own, user)
    await verify(user)
    return user
  }

  /** An account whose owner has changed its address, and come with the new one or not yet. */
  async function moved({ isConfirmed }: { isConfirmed: boolean }) {
    const user = await signUp(ADDRESS)
    await confirm(user)
    await updateEmail(user, NEW)
    await verify(user)
    if (isConfirmed) expect(await confirm(user)).toEqual(CONFIRMED)
    return user
  }

  const again = async (user: User) =>
    world.call('confirm-address', { another: true }, await user.getIdToken(true))

  test.each([true, false])(
    'opens no second one before its owner has read of the first (which came with the new address: %s), and then it may',
    async (isConfirmed) => {
      const first = await moved({ isConfirmed })
      const second = await signUp(ADDRESS, GUESSED)
      expect(await confirm(second)).toMatchObject({
        status: 403,
        body: { code: 'formerAddress', details: { address: 'a…@example.org' } },
      })
      expect(await ask('lookup-invoice', await second.getIdToken(true))).toEqual([403, 'emailUnverified'])
      expect(profileOf(second.uid)).toMatchObject({ verifiedAddress: null })

      expect(await again(second)).toEqual(CONFIRMED)
      expect(await confirm(second)).toEqual(CONFIRMED)
      expect(await ask('lookup-invoice', await second.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
      if (!isConfirmed) expect(await confirm(first)).toEqual(CONFIRMED)
      expect(await ask('lookup-invoice', await first.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
    },
  )

  test('says nothing to who has not verified it', async () => {
    await moved({ isConfirmed: true })
    const own = device()
    const { user } = await createUserWithEmailAndPassword(own.auth, ADDRESS, GUESSED)
    await makeProfile(own, user)
    for (const one of [confirm, again])
      expect(await one(user)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
  })

  test('is free again when that account is gone, or has taken it back', async () => {
    const first = await moved({ isConfirmed: true })
    await updateEmail(first, ADDRESS)
    await verify(first)
    expect(await confirm(first)).toEqual(CONFIRMED)
    expect(profileOf(first.uid)).toMatchObject({ verifiedAddress: ADDRESS, formerAddresses: [NEW] })

    world.pass(MINUTE)
    const { user } = await signsIn()
    expect((await world.call('delete-account', {}, await user.getIdToken(true))).status).toBe(200)
    for (const address of [ADDRESS, NEW]) expect(await confirm(await signUp(address))).toEqual(CONFIRMED)
  })
})

test('a Google account of the stranger is unlinked like a phone', async () => {
  const stranger = await squat()
  await linkWithCredential(stranger.user, await googleToken('1', 'stranger@gmail.com'))
  // The link of the first mail, which ends no session and unlinks nothing.
  await verify(stranger.user)
  const byGoogle = device()
  await signInWithCredential(byGoogle.auth, await googleToken('1', 'stranger@gmail.com'))
  expect(await ask('confirm-address', (await byGoogle.auth.currentUser?.getIdToken()) ?? '')).toEqual([
    403,
    'otherWayIn',
  ])
  const owner = await signsIn(ADDRESS, GUESSED)
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN)
  expect(waysIn(owner.user.uid)).toEqual(['password'])
  await expect(byGoogle.auth.currentUser?.getIdToken(true)).rejects.toThrow()
})

test('the owner who comes with Google stays by Google', async () => {
  const stranger = await squat()
  const owner = device()
  world.pass(MINUTE)
  // The sign-in service takes what was set up without a verified address.
  const { user } = await signInWithCredential(owner.auth, await googleToken('2', ADDRESS))
  expect([user.uid, waysIn(user.uid)]).toEqual([stranger.user.uid, [ADDRESS]])
  expect(await ask('lookup-invoice', await user.getIdToken())).toEqual([403, 'emailUnverified'])
  expect(await confirm(user)).toEqual(CONFIRMED)
  expect(await ask('lookup-invoice', await user.getIdToken())).toEqual([404, 'invoiceNotFound'])
  await expect(stranger.user.getIdToken(true)).rejects.toThrow()
})

test('an address that takes the place of a confirmed one has to be confirmed itself', async () => {
  const stranger = device()
  const { user } = await createUserWithEmailAndPassword(stranger.auth, 'stranger@example.com', GUESSED)
  await makeProfile(stranger, user)
  await verify(user)
  expect(await confirm(user)).toEqual(CONFIRMED)
  await linkWithCredential(user, await codeFor(NUMBER))
  await updateEmail(user, ADDRESS)
  const byPhone = device()
  await signInWithCredential(byPhone.auth, await codeFor(NUMBER))
  const tokenOf = async () => (await byPhone.auth.currentUser?.getIdToken(true)) ?? ''
  expect(await ask('lookup-invoice', await tokenOf())).toEqual([403, 'emailUnverified'])

  const owner = await reset()
  world.pass(MINUTE)
  await signInWithCredential(byPhone.auth, await codeFor(NUMBER))
  expect(await ask('lookup-invoice', await tokenOf())).toEqual([403, 'emailUnverified'])
  expect(await confirm(owner.user)).toEqual(SIGN_IN_AGAIN)
  expect(waysIn(user.uid)).toEqual(['password'])
})

describe('an account that was made with a phone', () => {
  async function signUpByPhone() {
    const own = device()
    const { user } = await signInWithCredential(own.auth, await codeFor(NUMBER))
    await makeProfile(own, user)
    return { ...own, user }
  }

  test('is open to it, whatever address is added, and needs nothing confirmed', async () => {
    const owner = await signUpByPhone()
    const opens = async () => ask('lookup-invoice', await owner.user.getIdToken(true))
    expect(await opens()).toEqual([404, 'invoiceNotFound'])
    await updateEmail(owner.user, ADDRESS)
    const again = device()
    await signInWithCredential(again.auth, await codeFor(NUMBER))
    await livedIn(owner.user.uid)
    expect(await ask('lookup-invoice', (await again.auth.currentUser?.getIdToken()) ?? '')).toEqual([
      404,
      'invoiceNotFound',
    ])
    expect(await readsDocument(again)).toBe(true)
  })

  test('is not open to whoever has the address, until the phone has confirmed it', async () => {
    const owner = await signUpByPhone()
    await updateEmail(owner.user, ADDRESS)
    await livedIn(owner.user.uid)
    // The address was mistyped, or is that of somebody who is to be watched: its holder is let into nothing.
    const holder = await reset()
    expect(await ask('lookup-invoice', await holder.user.getIdToken())).toEqual([403, 'emailUnverified'])
    expect(await readsDocument(holder)).toBe(false)
    expect(await confirm(holder.user)).toMatchObject({
      status: 403,
      body: { code: 'otherWayIn', details: { way: 'phone' } },
    })

    world.pass(MINUTE)
    const own = device()
    const { user } = await signInWithCredential(own.auth, await codeFor(NUMBER))
    expect(await readsDocument(own)).toBe(true)
    expect(await confirm(user)).toEqual(CONFIRMED)
    expect(waysIn(user.uid)).toEqual(['password', NUMBER])
    expect(profileOf(user.uid)).toMatchObject({ phone: NUMBER })
    expect(await ask('lookup-invoice', await holder.user.getIdToken())).toEqual([404, 'invoiceNotFound'])
  })

  test('holds a password that was added with an address until that is verified', async () => {
    const own = await signUpByPhone()
    await linkWithCredential(own.user, EmailAuthProvider.credential(ADDRESS, OWN))
    const byAddress = await signsIn()
    expect(await ask('lookup-invoice', await byAddress.user.getIdToken())).toEqual([403, 'emailUnverified'])
    expect(await ask('confirm-address', await byAddress.user.getIdToken())).toEqual([403, 'emailUnverified'])
    expect(await readsDocument(byAddress)).toBe(false)
    await verify(own.user)
    const { user } = await signInWithCredential(own.auth, await codeFor(NUMBER))
    expect(await confirm(user)).toEqual(CONFIRMED)
    expect(waysIn(user.uid)).toEqual(['password', NUMBER])
    expect(await ask('lookup-invoice', await byAddress.user.getIdToken(true))).toEqual([
      404,
      'invoiceNotFound',
    ])
  })

  test('opens by its address too once it was verified and confirmed', async () => {
    const { user, auth } = await signUpByPhone()
    await updateEmail(user, ADDRESS)
    await signInWithCredential(auth, await codeFor(NUMBER))
    await verify(auth.currentUser as User)
    expect(await confirm(auth.currentUser as User)).toEqual(CONFIRMED)
    const byAddress = await reset()
    expect(await ask('lookup-invoice', await byAddress.user.getIdToken())).toEqual([404, 'invoiceNotFound'])
  })
})

describe('an ordinary sign-up', () => {
  async function signUp() {
    const own = device()
    const { user } = await createUserWithEmailAndPassword(own.auth, ADDRESS, OWN)
    await makeProfile(own, user)
    return { ...own, user }
  }

  test('is confirmed with one call, which ends no session and can be repeated', async () => {
    const own = await signUp()
    expect(await confirm(own.user)).toMatchObject({ status: 403, body: { code: 'emailUnverified' } })
    await verify(own.user)
    // A token from before the link was opened proves nothing.
    const stale = await world.token(own.user.uid, { claims: { email: ADDRESS, email_verified: false } })
    expect(await ask('confirm-address', stale)).toEqual([403, 'emailUnverified'])
    expect(await confirm(own.user)).toEqual(CONFIRMED)
    expect(await confirm(own.user)).toEqual(CONFIRMED)
    expect(await ask('lookup-invoice', await own.user.getIdToken(true))).toEqual([404, 'invoiceNotFound'])
  })

  test('without a profile is asked to make one first', async () => {
    const { user } = await createUserWithEmailAndPassword(device().auth, ADDRESS, OWN)
    await verify(user)
    expect(await confirm(user)).toMatchObject({ status: 404, body: { code: 'userNotFound' } })
  })
})

test('a process may die at any step: nothing is open before all else is unlinked', async () => {
  /** The process ends at the `at`th step that it awaits, before the step or after it with the answer lost. */
  function dieAt(at: number, when: 'before' | 'after') {
    let steps = 0
    const mortal = (target: object, name: string) => {
      const work = Reflect.get(target, name)
      vi.spyOn(target as Record<string, () => unknown>, name).mockImplementation(async function (
        this: unknown,
        ...args: unknown[]
      ) {
        steps += 1
        if (steps > at || (steps === at && when === 'before')) throw new Error('dead')
        const result = await Reflect.apply(work, this, args)
        if (steps >= at) throw new Error('dead')
        return result
      })
    }
    for (const name of ['get', 'update']) mortal(DocumentReference.prototype, name)
    mortal(ServerFirestore.prototype, 'runTransaction')
    for (const name of ['find', 'closeWays']) mortal(world.context.accounts, name)
  }

  for (const when of ['before', 'after'] as const) {
    let last = 0
    for (let at = 1; last === 0; at += 1) {
      world.reset()
      const { uid } = (await squat()).user
      const owner = await reset()
      const token = await owner.user.getIdToken(true)
      world.pass(MINUTE)
      dieAt(at, when)
      const { status } = await world.call('confirm-address', {}, token)
      vi.restoreAllMocks()
      if (status === 200) last = at
      expect(profileOf(uid)).toMatchObject({ verifiedAddress: null })
      // Whatever came of it: the person calls again, or signs in once more and does.
      const next = await world.call('confirm-address', {}, token)
      expect(next.status === 401 || next.body.signInAgain).toBe(true)
      expect(waysIn(uid)).toEqual(['password'])
      expect(await confirm((await signsIn()).user)).toEqual(CONFIRMED)
    }
    expect(last).toBeGreaterThan(3)
  }
})

test('a way in that somebody took away again leaves no token behind that opens the account', async () => {
  const stranger = await squat()
  const byPhone = device()
  await signInWithCredential(byPhone.auth, await codeFor(NUMBER))
  const token = await byPhone.auth.currentUser?.getIdToken()
  await unlink(stranger.user, 'phone')
  const owner = await reset()
  expect(await confirm(owner.user)).toEqual(CONFIRMED)
  expect(await ask('lookup-invoice', token ?? '')).toEqual([403, 'emailUnverified'])
})
