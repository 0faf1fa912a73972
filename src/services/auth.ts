import {
  onIdTokenChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut as signOutOfFirebase,
  type UserCredential,
} from 'firebase/auth'
import type { Account } from '../../domain/account.ts'
import { noteServerTime } from '../browser/serverTime.ts'
import { accountOf } from '../browser/storedAccount.ts'
import { asking, auth, authInLanguage } from './authClient.ts'
import { bringTokenUpToDate } from './token.ts'

/**
 * The account exists before its profile does. The code that watches the account, in this tab or another, must not see that moment: it
 * would take the new person for one whose profile is missing.
 */
export const SIGN_UP_LOCK = 'passerelle.signUp'

/** Calls back with the account at the start and at each change of it; null when nobody is signed in. */
export function watchAccount(listener: (account: Account | null) => void): () => void {
  return onIdTokenChanged(auth, async (user) => {
    // The signed-out page asks for no lock. A browser under a debugger, as in every test, can't grant a lock while a window
    // opens, and the window then fails to open.
    if (user) {
      await navigator.locks.request(SIGN_UP_LOCK, { mode: 'shared' }, () => undefined)
      // Without an answer the account stays as it is. When something is refused because of the token, a new one is asked for.
      await bringTokenUpToDate(user).catch(() => undefined)
    }
    listener(auth.currentUser && accountOf(auth.currentUser))
  })
}

export async function signIn(email: string, password: string): Promise<Account> {
  const { user } = await signingIn(signInWithEmailAndPassword(auth, email, password))
  return accountOf(user)
}

/** A token that was made just now tells the server's time, to the second. */
export async function signingIn(work: Promise<UserCredential>): Promise<UserCredential> {
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
