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
import { getAccountName } from '../../domain/people/name.ts'
import { toFailure } from '../browser/failure.ts'
import { completeSignIn, runSignUp, sendVerificationEmail } from './auth.ts'
import { auth } from './authClient.ts'
import { withPasswordPolicy } from './passwordPolicy.ts'
import { createProfile, fetchProfile } from './profiles.ts'

// Only a sign-up needs this code, so a sign-in doesn't load it.

/**
 * Returns whether the verification mail was sent. If the profile can't be stored, the account is deleted; if
 * that fails too, the same sign-up can be resumed. Specification, section 4.
 */
export function signUp(details: SignUpDetails): Promise<{ mailSent: boolean }> {
  return runSignUp(() => createAccount(details))
}

interface SignUpDetails {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** An existing profile stays, so a second sign-up only signs in. Specification, section 4. */
export function signUpWithCredential(credential: AuthCredential, name: string): Promise<{ isNew: boolean }> {
  return runSignUp(async () => {
    const signedIn = await completeSignIn(signInWithCredential(auth, credential))
    const { user } = signedIn
    try {
      if (await fetchProfile(user.uid)) return { isNew: false }
      const { email, phoneNumber: phone } = user
      await createProfile(user.uid, { email, name: name || getAccountName(user), phone })
    } catch (error) {
      if (getAdditionalUserInfo(signedIn)?.isNewUser) await deleteUser(user).catch(() => undefined)
      if (auth.currentUser) await signOutOfFirebase(auth)
      throw error
    }
    if (name) await updateProfile(user, { displayName: name }).catch(() => undefined)
    return { isNew: true }
  })
}

async function createAccount({ name, email, password }: SignUpDetails) {
  const { user, isNew } = await createOrResumeAccount(email, password)
  try {
    await createProfile(user.uid, { email: user.email, name, phone: null })
  } catch (error) {
    if (isNew) await deleteUser(user).catch(() => undefined)
    if (auth.currentUser) await signOutOfFirebase(auth)
    throw error
  }
  // The user can request the mail again, and the profile has the name.
  const [mail] = await Promise.allSettled([
    sendVerificationEmail(),
    updateProfile(user, { displayName: name }),
  ])
  return { mailSent: mail.status === 'fulfilled' }
}

/**
 * A user who knows the password resumes an interrupted sign-up; any other reads that the address is taken.
 */
async function createOrResumeAccount(
  email: string,
  password: string,
): Promise<{ user: User; isNew: boolean }> {
  try {
    const created = completeSignIn(createUserWithEmailAndPassword(auth, email, password))
    const { user } = await withPasswordPolicy(created, password)
    return { user, isNew: true }
  } catch (error) {
    const failure = toFailure(error)
    if (failure.kind !== 'auth' || failure.code !== 'email-already-in-use') throw error
    const known = await signInWithEmailAndPassword(auth, email, password).catch(() => null)
    if (!known) throw error
    const isTaken = await fetchProfile(known.user.uid).catch(() => true)
    if (!isTaken) return { user: known.user, isNew: false }
    await signOutOfFirebase(auth)
    throw error
  }
}
