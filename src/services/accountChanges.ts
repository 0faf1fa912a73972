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

export async function listSignInMethods(): Promise<SignInMethod[]> {
  return (await getCurrentUser()).providerData.map(({ providerId }) => providerId as SignInMethod)
}

/** @throws a failure of the operation `updateProfile`. */
export async function changeName(name: string): Promise<void> {
  const user = await getCurrentUser()
  await saveProfile(user.uid, { name })
  rememberProfileChange(user.uid, { name })
  // The account's name only appears in mails.
  await updateProfile(user, { displayName: name }).catch(() => undefined)
  await renewTokenAfterChange(user)
}

/** A user who signs in with a number must prove a new one with a code instead. */
export async function changeContactPhone(phone: string | null): Promise<void> {
  const user = await getCurrentUser()
  await saveProfile(user.uid, { phone })
  rememberProfileChange(user.uid, { phone })
  await renewTokenAfterChange(user)
}

/**
 * 'linkSent': opening the mailed link replaces the address. 'changed': an account without an address has it
 * immediately. 'passwordNeeded': the account first needs a password (`addEmail`). Specification, sections 5
 * and 7. @throws `requires-recent-login` when the sign-in is too old.
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
  // The mail can be requested again.
  await sendVerificationEmail().catch(() => undefined)
  // The service changes capitals, and the rules compare the profile with its form.
  await saveProfile(user.uid, { email: user.email })
  await renewTokenAfterChange(user)
  return 'changed'
}

/**
 * This session then belongs to the address, which grants no access until it is confirmed; a sign-in by phone
 * still does. @throws `requires-recent-login` when the sign-in is too old.
 */
export async function addEmail(email: string, password: string): Promise<{ mailSent: boolean }> {
  const credential = EmailAuthProvider.credential(email, password)
  await withPasswordPolicy(linkWithCredential(await getCurrentUser(), credential), password)
  const [mail] = await Promise.allSettled([sendVerificationEmail()])
  return { mailSent: mail.status === 'fulfilled' }
}

/** Specification, sections 5 and 7. */
export async function changePassword(current: string, next: string): Promise<void> {
  await reauthenticateWithPassword(current)
  await withPasswordPolicy(updatePassword(await getCurrentUser(), next), next)
}

/** The service's limit less the time for the user's next steps, in milliseconds. */
const RECENT = 4 * MINUTE

/**
 * Compares two times of a new token, both by the service's clock. @throws `requires-recent-login` when the
 * sign-in is too old.
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

/** The code that watches the account then reads the profile again. */
async function renewTokenAfterChange(user: User): Promise<void> {
  await user.getIdToken(true).catch(() => undefined)
}
