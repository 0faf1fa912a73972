import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { authFailure } from './authFailure.ts'
import { firebaseApp } from './firebase.ts'
import { settings } from './settings.ts'

export const auth = initializeAuth(firebaseApp, { persistence: browserLocalPersistence })
if (import.meta.env.VITE_FIREBASE_AUTH_EMULATOR_HOST && settings.authHost) {
  connectAuthEmulator(auth, `${location.protocol}//${settings.authHost}`, { disableWarnings: true })
  // The SDK would put a mock in the place of the captcha, and nobody would see it fail before production.
  auth.settings.appVerificationDisabledForTesting = false
}

/** The service, asked to write its mails and messages in the language of the page. */
export function authInLanguage() {
  auth.languageCode = document.documentElement.lang
  return auth
}

/** The person who is signed in, for what only they can do. Fails with `requires-recent-login` when nobody is signed in any more. */
export async function currentUser() {
  await auth.authStateReady()
  if (!auth.currentUser) throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' })
  return auth.currentUser
}

/** Turns what the SDK throws into a failure. */
export async function asking<T>(work: Promise<T>, failureFor = authFailure): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(failureFor(error), { cause: error })
  }
}
