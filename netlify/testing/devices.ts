import { randomUUID } from 'node:crypto'
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
  linkWithCredential,
  OAuthProvider,
  PhoneAuthCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  type User,
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
import { importJWK, SignJWT } from 'jose'
import { expect } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { GOOGLE_CLIENT_ID } from '../../sandbox/sandbox.ts'
import type { World } from './world.ts'

export const EMAIL_ADDRESS = 'awa@gmail.com'
export const PHONE_NUMBER = '+33612345678'
export const GUESSED_PASSWORD = 'of the stranger'
export const OWN_PASSWORD = 'of the owner'

export const CONFIRMED_RESPONSE = { status: 200, body: { signInAgain: false } }
export const SIGN_IN_AGAIN_RESPONSE = { status: 200, body: { signInAgain: true } }

export interface Device {
  readonly auth: Auth
  readonly db: Firestore
}

interface Profile {
  readonly email?: string | null
  readonly phone?: string | null
  readonly madeWith?: 'address' | 'phone'
  readonly verifiedAddress?: string | null
}

export function createDevices(world: () => World) {
  let apps: FirebaseApp[] = []

  function device(): Device {
    const app = initializeApp({ projectId: 'demo-passerelle', apiKey: 'sandbox' }, randomUUID())
    apps.push(app)
    const auth = initializeAuth(app, { persistence: inMemoryPersistence })
    connectAuthEmulator(auth, world().origin, { disableWarnings: true })
    const db = getFirestore(app)
    connectFirestoreEmulator(db, '127.0.0.1', Number(new URL(world().origin).port))
    return { auth, db }
  }

  async function codeFor(phoneNumber: string) {
    const post = async (path: string, body: object) =>
      (await fetch(`${world().origin}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()
    const { token } = (await post('/sandbox/recaptcha/token', {})) as { token: string }
    const send = '/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=sandbox'
    await post(send, { phoneNumber, recaptchaToken: token })
    const sent = world().sandbox.auth.dump().smsCodes.at(-1)
    const credential = PhoneAuthCredential.fromJSON({
      verificationId: sent?.sessionInfo,
      verificationCode: sent?.code,
    })
    if (!credential) throw new Error('No code was sent')
    return credential
  }

  async function googleToken(sub: string, email: string) {
    const { privateJwk, kid } = world().sandbox.auth.dump().key
    const claims = { sub, email, email_verified: true, name: 'Awa' }
    const idToken = await new SignJWT({
      ...claims,
      iss: 'https://accounts.google.com',
      aud: GOOGLE_CLIENT_ID,
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuedAt(world().now() / 1000)
      .setExpirationTime(world().now() / 1000 + 3600)
      .sign(await importJWK(privateJwk, 'RS256'))
    return new OAuthProvider('google.com').credential({ idToken })
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

  const getProfile = (uid: string) => world().sandbox.firestore.documents()[`users/${uid}`]

  async function addIdentityDocument(uid: string) {
    await world().context.db.doc('files/document-1').set({ userId: uid, fullName: 'Awa Diallo' })
  }

  const readsDocument = ({ db }: Device) =>
    getDoc(doc(db, 'files', 'document-1')).then(
      () => true,
      () => false,
    )

  const ask = async (name: 'confirm-address' | 'lookup-invoice' | 'delete-account', token: string) => {
    const body = name === 'lookup-invoice' ? { supplier: 'edf', reference: '6012-1001' } : {}
    const { status, body: answer } = await world().call(name, body, token)
    return [status, answer.code]
  }

  const confirm = async (user: User) => world().call('confirm-address', {}, await user.getIdToken(true))

  async function reset(address = EMAIL_ADDRESS, password = OWN_PASSWORD) {
    world().pass(MINUTE)
    const own = device()
    await sendPasswordResetEmail(own.auth, address)
    const oobCode = new URL(world().sandbox.auth.mails()[0]?.link ?? '').searchParams.get('oobCode')
    await confirmPasswordReset(own.auth, oobCode ?? '', password)
    return signsIn(address, password, own)
  }

  async function signsIn(address = EMAIL_ADDRESS, password = OWN_PASSWORD, own = device()) {
    world().pass(MINUTE)
    const { user } = await signInWithEmailAndPassword(own.auth, address, password)
    return { ...own, user }
  }

  async function verify(user: User) {
    await sendEmailVerification(user)
    await fetch(world().sandbox.auth.mails()[0]?.link ?? '', { method: 'POST' })
  }

  async function openProvenLink(user: User) {
    const { status } = await world().call(
      'send-address-link',
      { language: 'fr' },
      await user.getIdToken(true),
    )
    expect(status).toBe(200)
    const link = world().sandbox.auth.mails()[0]?.link ?? ''
    await fetch(link, { method: 'POST' })
    const back = new URL(new URL(link).searchParams.get('continueUrl') ?? '')
    expect([back.origin, back.searchParams.get('emailVerified')]).toEqual([world().origin, '1'])
    return back.searchParams.get('proof') ?? ''
  }

  const confirmWith = async (user: User, proof: string) =>
    world().call('confirm-address', { proof }, await user.getIdToken(true))

  const listSignInMethods = (uid: string) => {
    const account = world()
      .sandbox.auth.dump()
      .accounts.find(({ localId }) => localId === uid)
    return [account?.password && 'password', account?.phoneNumber, account?.google?.email].filter(Boolean)
  }

  /** Signs up with another person's email address, and links a phone to it. */
  async function squat() {
    const stranger = device()
    const { user } = await createUserWithEmailAndPassword(stranger.auth, EMAIL_ADDRESS, GUESSED_PASSWORD)
    await makeProfile(stranger, user)
    await linkWithCredential(user, await codeFor(PHONE_NUMBER))
    return { ...stranger, user }
  }

  const forget = async () => {
    await Promise.all(apps.map(deleteApp))
    apps = []
  }
  return {
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
    squat,
    forget,
  }
}
