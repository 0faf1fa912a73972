import {
  type AuthCredential,
  createUserWithEmailAndPassword,
  deleteUser,
  getAdditionalUserInfo,
  signInWithCredential,
  signInWithEmailAndPassword,
  signOut as signOutOfFirebase,
  type User,
  updateProfile,
} from 'firebase/auth'
import { nameOfAccount } from '../../domain/name.ts'
import type { ServiceError } from '../browser/failure.ts'
import { SIGN_UP_LOCK, sendVerification, signingIn } from './auth.ts'
import { auth } from './authClient.ts'
import { createProfile, fetchProfile } from './profiles.ts'

// Only a new person needs this code, so a sign-in does not wait for it.

/**
 * Creates the account and its profile, and sends the verification mail; answers whether the mail went. An account
 * whose profile can't be stored is taken back, and where that fails too the same sign-up can be taken up again.
 * Specification, section 4.
 */
export function signUp(details: NewPerson): Promise<{ mailSent: boolean }> {
  return navigator.locks.request(SIGN_UP_LOCK, () => createAccount(details))
}

interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

/**
 * Signs in with what proves a number or a Google account, and stores the profile when there is none. A profile that
 * exists stays as it is: whoever signs up again is signed in. Specification, section 4.
 */
export function signUpWith(credential: AuthCredential, name: string): Promise<{ isNew: boolean }> {
  return navigator.locks.request(SIGN_UP_LOCK, async () => {
    const signedIn = await signingIn(signInWithCredential(auth, credential))
    const { user } = signedIn
    try {
      if (await fetchProfile(user.uid)) return { isNew: false }
      const { email, phoneNumber: phone } = user
      await createProfile(user.uid, { email, name: name || nameOfAccount(user), phone })
    } catch (error) {
      if (getAdditionalUserInfo(signedIn)?.isNewUser) await deleteUser(user).catch(() => undefined)
      if (auth.currentUser) await signOutOfFirebase(auth)
      throw error
    }
    if (name) await updateProfile(user, { displayName: name }).catch(() => undefined)
    return { isNew: true }
  })
}

async function createAccount({ name, email, password }: NewPerson) {
  const { user, isNew } = await accountFor(email, password)
  try {
    await createProfile(user.uid, { email: user.email, name, phone: null })
  } catch (error) {
    if (isNew) await deleteUser(user).catch(() => undefined)
    if (auth.currentUser) await signOutOfFirebase(auth)
    throw error
  }
  // Neither of these undoes a sign-up: the mail can be asked for again, the name stands in the profile.
  const [mail] = await Promise.allSettled([sendVerification(), updateProfile(user, { displayName: name })])
  return { mailSent: mail.status === 'fulfilled' }
}

/**
 * The new account. A sign-up that was cut off after the account was made has left an account without a profile. Somebody who knows its
 * password goes on with it. Anybody else is told that the address is taken.
 */
async function accountFor(email: string, password: string): Promise<{ user: User; isNew: boolean }> {
  try {
    const { user } = await signingIn(createUserWithEmailAndPassword(auth, email, password))
    return { user, isNew: true }
  } catch (error) {
    const { failure } = error as ServiceError
    if (failure.kind !== 'auth' || failure.code !== 'email-already-in-use') throw error
    const known = await signInWithEmailAndPassword(auth, email, password).catch(() => null)
    if (!known) throw error
    const isTaken = await fetchProfile(known.user.uid).catch(() => true)
    if (!isTaken) return { user: known.user, isNew: false }
    await signOutOfFirebase(auth)
    throw error
  }
}
