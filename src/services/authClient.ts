import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { toAuthFailure } from './authFailure.ts'
import { firebaseApp } from './firebase.ts'
import { settings } from './settings.ts'

export const auth = initializeAuth(firebaseApp, { persistence: browserLocalPersistence })
if (import.meta.env.VITE_FIREBASE_AUTH_EMULATOR_HOST && settings.authHost) {
  connectAuthEmulator(auth, `${location.protocol}//${settings.authHost}`, { disableWarnings: true })
  // Otherwise the SDK mocks the captcha, and a broken one would show only in production.
  auth.settings.appVerificationDisabledForTesting = false
}

export function getLocalizedAuth() {
  auth.languageCode = document.documentElement.lang
  return auth
}

/** @throws `requires-recent-login` after a sign-out. */
export async function getCurrentUser() {
  await auth.authStateReady()
  if (!auth.currentUser) throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' })
  return auth.currentUser
}

export async function withAuthErrors<T>(work: Promise<T>, failureFor = toAuthFailure): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(failureFor(error), { cause: error })
  }
}
