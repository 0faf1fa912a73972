import {
  type AuthCredential,
  createUserWithEmailAndPassword,
  deleteUser,
  getAdditionalUserInfo,
  onIdTokenChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signOut as signOutOfFirebase,
  type User,
  type UserCredential,
  updateProfile,
} from 'firebase/auth'
import type { Account } from '../domain/account.ts'
import { nameOfAccount } from '../domain/name.ts'
import { asking, auth, authInLanguage } from './authClient.ts'
import { accountOf } from './deviceSession.ts'
import type { ServiceError } from './failure.ts'
import { noteServerTime } from './serverTime.ts'
import { bringTokenUpToDate } from './token.ts'

/**
 * The account exists before its profile does. Whoever watches, in this tab or another, must not see that moment, or it
 * would take the new person for one whose profile is missing.
 */
const SIGN_UP_LOCK = 'passerelle.signUp'

/** Calls back with the account at the start and at each change of it; null when nobody is signed in. */
export function watchAccount(listener: (account: Account | null) => void): () => void {
  return onIdTokenChanged(auth, async (user) => {
    // The signed-out page asks for no lock. A browser under a debugger, as in every test, can not grant one in the moment
    // in which a window opens: opening it fails.
    if (user) {
      await navigator.locks.request(SIGN_UP_LOCK, { mode: 'shared' }, () => undefined)
      // Without an answer the account is what it is; what the token lacks is asked for again when something is refused for it.
      await bringTokenUpToDate(user).catch(() => undefined)
    }
    listener(auth.currentUser && accountOf(auth.currentUser))
  })
}

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
    const { createProfile, fetchProfile } = await import('./profiles.ts')
    const signedIn = await signingIn(signInWithCredential(auth, credential))
    const { user } = signedIn
    try {
      if (await fetchProfile(user.uid)) return { isNew: false }
      const { email, phoneNumber: phone, emailVerified } = user
      const isGoogleAlone = credential.providerId === 'google.com' && emailVerified && !phone
      const verifiedAddress = isGoogleAlone ? email : null
      await createProfile(user.uid, { email, name: name || nameOfAccount(user), phone, verifiedAddress })
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
  // Only a new person needs the database here; who signs in does not wait for its SDK.
  const { createProfile, fetchProfile } = await import('./profiles.ts')
  const { user, isNew } = await accountFor(email, password, fetchProfile)
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
 * The new account. A sign-up that was cut off between account and profile left one without a profile: who knows its
 * password goes on with it. Anybody else is told that the address is taken.
 */
async function accountFor(
  email: string,
  password: string,
  fetchProfile: (uid: string) => Promise<unknown>,
): Promise<{ user: User; isNew: boolean }> {
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

export async function signIn(email: string, password: string): Promise<Account> {
  const { user } = await signingIn(signInWithEmailAndPassword(auth, email, password))
  return accountOf(user)
}

/** A token that was made just now tells the server's time, to the second. */
async function signingIn(work: Promise<UserCredential>): Promise<UserCredential> {
  const askedAt = performance.now()
  const signedIn = await asking(work)
  const token = await signedIn.user.getIdTokenResult().catch(() => null)
  if (token) noteServerTime(Date.parse(token.issuedAtTime) + 500, performance.now() - askedAt + 1000)
  return signedIn
}

export async function signOut(): Promise<void> {
  await asking(signOutOfFirebase(auth))
}

/** Sends the verification mail; its link comes back to this page with `emailVerified=1`. Section 7. */
export async function sendVerification(): Promise<void> {
  const user = authInLanguage().currentUser
  if (!user) return
  await asking(sendEmailVerification(user, { url: `${location.origin}/?emailVerified=1` }))
}

export async function sendPasswordReset(email: string): Promise<void> {
  await asking(sendPasswordResetEmail(authInLanguage(), email, { url: location.origin }))
}

/** Asks the service anew about the account, for a mail link that was opened elsewhere. */
export async function reloadAccount(): Promise<{ emailVerified: boolean }> {
  await auth.authStateReady()
  const user = auth.currentUser
  if (!user) return { emailVerified: false }
  await asking(user.reload())
  await bringTokenUpToDate(user)
  return { emailVerified: user.emailVerified }
}
