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
import { MINUTE } from '../../domain/common/duration.ts'
import { rememberProfileChange } from '../browser/deviceSession.ts'
import { ServiceError, toFailure } from '../browser/failure.ts'
import { sendVerificationEmail } from './auth.ts'
import { getCurrentUser, getLocalizedAuth, withAuthErrors } from './authClient.ts'
import { withPasswordPolicy } from './passwordPolicy.ts'
import { saveProfile } from './profiles.ts'

export type SignInMethod = 'password' | 'phone' | 'google.com'

/** Lists the methods by which the user can sign in again. */
export async function listSignInMethods(): Promise<SignInMethod[]> {
  return (await getCurrentUser()).providerData.map(({ providerId }) => providerId as SignInMethod)
}

/** Changes the name in the profile and the account. @throws a failure of the operation `updateProfile`. */
export async function changeName(name: string): Promise<void> {
  const user = await getCurrentUser()
  await saveProfile(user.uid, { name })
  rememberProfileChange(user.uid, { name })
  // The app shows the profile's name; the account's only appears in mails.
  await updateProfile(user, { displayName: name }).catch(() => undefined)
  await renewTokenAfterChange(user)
}

/**
 * Changes the contact number of a user who signs in without a number. A user who signs in with one must prove
 * the new number with a code instead.
 */
export async function changeContactPhone(phone: string | null): Promise<void> {
  const user = await getCurrentUser()
  await saveProfile(user.uid, { phone })
  rememberProfileChange(user.uid, { phone })
  await renewTokenAfterChange(user)
}

/**
 * Changes the email address. 'linkSent': opening the link that was mailed to the new address replaces the old
 * one. 'changed': an account without an address has it immediately. 'passwordNeeded': with email enumeration
 * protection, the account first needs a password (`addEmail`). Specification, sections 5 and 7. @throws
 * `requires-recent-login` when the sign-in is too old.
 */
export async function changeEmail(email: string): Promise<'linkSent' | 'changed' | 'passwordNeeded'> {
  getLocalizedAuth()
  const user = await getCurrentUser()
  const back = new URLSearchParams({ emailVerified: '1', email })
  if (user.email) {
    await withAuthErrors(verifyBeforeUpdateEmail(user, email, { url: `${location.origin}/?${back}` }))
    return 'linkSent'
  }
  try {
    await withAuthErrors(updateEmail(user, email))
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind === 'auth' && failure.code === 'operation-not-allowed') return 'passwordNeeded'
    throw error
  }
  await withAuthErrors(user.getIdToken(true))
  // An unconfirmed address grants no access, and the mail can be requested again.
  await sendVerificationEmail().catch(() => undefined)
  // The service changes capitals, and the rules compare the profile with its form.
  await saveProfile(user.uid, { email: user.email })
  await renewTokenAfterChange(user)
  return 'changed'
}

/**
 * Gives an account its first address, with a password, and sends the confirmation mail; returns whether the
 * mail was sent. This session then belongs to the address, which grants no access until it is confirmed; a
 * sign-in by phone still does.
 *
 * @throws `requires-recent-login` when the sign-in is too old.
 */
export async function addEmail(email: string, password: string): Promise<{ mailSent: boolean }> {
  const credential = EmailAuthProvider.credential(email, password)
  await withPasswordPolicy(linkWithCredential(await getCurrentUser(), credential), password)
  const [mail] = await Promise.allSettled([sendVerificationEmail()])
  return { mailSent: mail.status === 'fulfilled' }
}

/** Changes the password. The current one proves the user's identity. Specification, sections 5 and 7. */
export async function changePassword(current: string, next: string): Promise<void> {
  await reauthenticateWithPassword(current)
  await withPasswordPolicy(updatePassword(await getCurrentUser(), next), next)
}

/**
 * How long the service counts a sign-in as recent, less the time for the user's next steps, in milliseconds.
 */
const RECENT = 4 * MINUTE

/**
 * Checks that the sign-in is recent, so that no code is sent for a change that will be refused. Compares two
 * times of a new token, both by the service's clock.
 *
 * @throws `requires-recent-login` when the sign-in is too old.
 */
export async function ensureRecentSignIn(): Promise<void> {
  const { authTime, issuedAtTime } = await withAuthErrors((await getCurrentUser()).getIdTokenResult(true))
  if (Date.parse(issuedAtTime) - Date.parse(authTime) > RECENT)
    throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' })
}

export async function reauthenticateWithPassword(password: string): Promise<void> {
  const user = await getCurrentUser()
  await withAuthErrors(
    reauthenticateWithCredential(user, EmailAuthProvider.credential(user.email ?? '', password)),
  )
}

/** Renews the token, so that the code that watches the account reads the profile again. */
async function renewTokenAfterChange(user: User): Promise<void> {
  await user.getIdToken(true).catch(() => undefined)
}
