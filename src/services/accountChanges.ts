import {
  EmailAuthProvider,
  linkWithCredential,
  reauthenticateWithCredential,
  type User,
  updateEmail,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
} from 'firebase/auth'
import { MINUTE } from '../../domain/duration.ts'
import { rememberChange } from '../browser/deviceSession.ts'
import { failureOf, ServiceError } from '../browser/failure.ts'
import { sendVerification } from './auth.ts'
import { asking, authInLanguage, currentUser } from './authClient.ts'
import { saveProfile } from './profiles.ts'

export type SignInMethod = 'password' | 'phone' | 'google.com'

/** How the person can prove who they are. */
export async function signInMethods(): Promise<SignInMethod[]> {
  return (await currentUser()).providerData.map(({ providerId }) => providerId as SignInMethod)
}

/** Changes the name in the profile and in the account. Fails with `updateProfile`. */
export async function changeName(name: string): Promise<void> {
  const user = await currentUser()
  await saveProfile(user.uid, { name })
  rememberChange(user.uid, { name })
  // The profile is what the app shows; the account's name only greets in mails.
  await updateProfile(user, { displayName: name }).catch(() => undefined)
  await tellChange(user)
}

/** Changes the number of somebody who does not sign in with it. Somebody who does proves the new number with a code. */
export async function changeContactPhone(phone: string | null): Promise<void> {
  const user = await currentUser()
  await saveProfile(user.uid, { phone })
  rememberChange(user.uid, { phone })
  await tellChange(user)
}

/**
 * Sends a link to the new address, which takes the place of the old one once it is opened: 'linkSent'. An account
 * without an address has it at once: 'changed'; where the service protects addresses it has none before there is a password
 * for it: 'passwordNeeded', see `addEmail`. Fails with `requires-recent-login` when the sign-in is too old.
 * Specification, sections 5 and 7.
 */
export async function changeEmail(email: string): Promise<'linkSent' | 'changed' | 'passwordNeeded'> {
  authInLanguage()
  const user = await currentUser()
  const back = new URLSearchParams({ emailVerified: '1', email })
  if (user.email) {
    await asking(verifyBeforeUpdateEmail(user, email, { url: `${location.origin}/?${back}` }))
    return 'linkSent'
  }
  try {
    await asking(updateEmail(user, email))
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'auth' && failure.code === 'operation-not-allowed') return 'passwordNeeded'
    throw error
  }
  await asking(user.getIdToken(true))
  await saveProfile(user.uid, { email })
  await tellChange(user)
  return 'changed'
}

/**
 * Gives an account without an address its first one, with a password, and sends the mail that confirms it; answers whether the
 * mail went. From then on this session is one by the address, which opens nothing before it is confirmed; the number
 * opens the account as before. Fails with `requires-recent-login` when the sign-in is too old.
 */
export async function addEmail(email: string, password: string): Promise<{ mailSent: boolean }> {
  await asking(linkWithCredential(await currentUser(), EmailAuthProvider.credential(email, password)))
  const [mail] = await Promise.allSettled([sendVerification()])
  return { mailSent: mail.status === 'fulfilled' }
}

/** Changes the password; the current one proves who asks. Specification, sections 5 and 7. */
export async function changePassword(current: string, next: string): Promise<void> {
  await reauthenticateWithPassword(current)
  await asking(updatePassword(await currentUser(), next))
}

/** How long the service takes a sign-in for recent, less the time that a person needs for the next steps, in milliseconds. */
const RECENT = 4 * MINUTE

/**
 * Fails with `requires-recent-login` when a code would be sent for nothing. The clock of this device does not matter: a token that the
 * service makes now has the time of the sign-in and its own time, both by the service's clock.
 */
export async function ensureRecentSignIn(): Promise<void> {
  const { authTime, issuedAtTime } = await asking((await currentUser()).getIdTokenResult(true))
  if (Date.parse(issuedAtTime) - Date.parse(authTime) > RECENT)
    throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' })
}

export async function reauthenticateWithPassword(password: string): Promise<void> {
  const user = await currentUser()
  await asking(reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password)))
}

/** Makes a new token. The code that watches the account then reads the profile again. */
async function tellChange(user: User): Promise<void> {
  await user.getIdToken(true).catch(() => undefined)
}
