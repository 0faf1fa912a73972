import {
  fetchSignInMethodsForEmail,
  onIdTokenChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut as signOutOfFirebase,
  type UserCredential,
} from 'firebase/auth'
import type { Account } from '../../domain/account/account.ts'
import { ServiceError, toFailure } from '../browser/failure.ts'
import { acquireLock } from '../browser/locks.ts'
import { serverNow, syncServerTime } from '../browser/serverTime.ts'
import { deviceStore } from '../browser/storage.ts'
import { auth, getLocalizedAuth, withAuthErrors } from './authClient.ts'
import { withPasswordPolicy } from './passwordPolicy.ts'
import { describeEndedSession, readSignInTime, toAccount } from './storedAccount.ts'
import { refreshStaleToken } from './token.ts'

/**
 * Without it, the code that watches the account, in any tab, would treat the new user as one whose profile is
 * missing.
 */
const SIGN_UP_LOCK = 'passerelle.signUp'

let signUps: Promise<unknown> = Promise.resolve()

/** Runs a sign-up after any other one, as far as possible in all tabs. */
export function runSignUp<T>(work: () => Promise<T>): Promise<T> {
  const run = async () => {
    const release = await acquireLock(SIGN_UP_LOCK)
    try {
      return await work()
    } finally {
      release()
    }
  }
  const running = signUps.then(run)
  signUps = running.catch(() => undefined)
  return running
}

/** Null for a signed-out user. */
export function watchAccount(listener: (account: Account | null) => void): () => void {
  return onIdTokenChanged(auth, async (user) => {
    // The SDK of a tab that was starting writes back the account that another tab has just signed out.
    if (user && readSignInTime() === (deviceStore.get('signedOut') ?? 0)) return signOutOfFirebase(auth)
    // In a debugged browser, as in every test, a window fails to open while a lock is granted.
    if (user) {
      await signUps
      const release = await acquireLock(SIGN_UP_LOCK, 'shared')
      release()
      // A later call that is refused for its token renews the token.
      await refreshStaleToken(user).catch(() => undefined)
    }
    listener(auth.currentUser && toAccount(auth.currentUser))
  })
}

export async function signIn(email: string, password: string): Promise<Account> {
  // A policy can be enforced on existing passwords, too.
  const signedIn = completeSignIn(signInWithEmailAndPassword(auth, email, password))
  const { user } = await withSignInMethods(withPasswordPolicy(signedIn, password), email)
  return toAccount(user)
}

/** A refused password's failure says if the address signs in with Google. Email enumeration protection hides that. */
async function withSignInMethods<T>(work: Promise<T>, email: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind !== 'auth' || failure.code !== 'wrong-password') throw error
    const methods = await fetchSignInMethodsForEmail(auth, email).catch((): string[] => [])
    if (!methods.includes('google.com')) throw error
    throw new ServiceError(
      { kind: 'googleAccount', hasPassword: methods.includes('password') },
      { cause: error },
    )
  }
}

/** Learns the server's time, to the second, from the token. */
export async function completeSignIn(work: Promise<UserCredential>): Promise<UserCredential> {
  const askedAt = performance.now()
  const signedIn = await withAuthErrors(work)
  const token = await signedIn.user.getIdTokenResult().catch(() => null)
  if (token) syncServerTime(Date.parse(token.issuedAtTime) + 500, performance.now() - askedAt + 1000)
  return signedIn
}

export async function signOut(): Promise<void> {
  const signedInAt = readSignInTime()
  await withAuthErrors(signOutOfFirebase(auth))
  deviceStore.set('signedOut', describeEndedSession(signedInAt, serverNow()))
}

/**
 * Specification, section 7. For an account with a phone the server sends the mail, because its link must
 * carry a proof that only a reader of the mail can know.
 */
export async function sendVerificationEmail(): Promise<void> {
  const user = getLocalizedAuth().currentUser
  if (!user) return
  if (user.phoneNumber) {
    const [{ callFunction }, { SEND_ADDRESS_LINK }] = await Promise.all([
      import('./functions.ts'),
      import('../../domain/api/account.ts'),
    ])
    await callFunction(SEND_ADDRESS_LINK, { language: document.documentElement.lang === 'en' ? 'en' : 'fr' })
    return
  }
  await withAuthErrors(sendEmailVerification(user, { url: `${location.origin}/?emailVerified=1` }))
}

export async function sendPasswordReset(email: string): Promise<void> {
  await withAuthErrors(sendPasswordResetEmail(getLocalizedAuth(), email, { url: location.origin }))
}

/** The link of the account's mail may have been opened elsewhere. */
export async function reloadAccount(): Promise<{ emailVerified: boolean }> {
  await auth.authStateReady()
  const user = auth.currentUser
  if (!user) return { emailVerified: false }
  await withAuthErrors(user.reload())
  await refreshStaleToken(user)
  return { emailVerified: user.emailVerified }
}
