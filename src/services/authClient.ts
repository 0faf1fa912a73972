import { FirebaseError } from 'firebase/app'
import { browserLocalPersistence, connectAuthEmulator, initializeAuth } from 'firebase/auth'
import { AUTH_CODES, type AuthCode, type Failure } from '../domain/failure.ts'
import { ServiceError } from './failure.ts'
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

/** Who is signed in, for what only they can do. Fails with `requires-recent-login` when nobody is any more. */
export async function currentUser() {
  await auth.authStateReady()
  if (!auth.currentUser) throw new ServiceError({ kind: 'auth', code: 'requires-recent-login' })
  return auth.currentUser
}

/** Turns what the SDK throws into a failure. */
export async function asking<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError(authFailure(error), { cause: error })
  }
}

const isKnown = (code: string): code is AuthCode => (AUTH_CODES as readonly string[]).includes(code)

function authFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : ''
  const code = error instanceof FirebaseError ? error.code.replace(/^auth\//, '') : ''
  if (code === 'network-request-failed') return { kind: 'network' }
  // The SDK has no code of its own for what a blocking function of the project refuses: only its words come through, or
  // a number that it does not explain.
  if (code === 'error-code:-47' || (code === 'internal-error' && BLOCKED.test(message)))
    return { kind: 'auth', code: 'blocked-by-function' }
  if (code === 'invalid-phone-number') return { kind: 'auth', code: phoneCode(message) }
  if (isKnown(code)) return { kind: 'auth', code }
  return { kind: 'authOther', message }
}

const BLOCKED = /Cloud Function returned an error|HTTP request to \S+ returned HTTP error/

/** Which of the specification's three the number is. Section 8. */
function phoneCode(message: string): AuthCode {
  if (/TOO_SHORT/i.test(message)) return 'phone-number-too-short'
  if (/TOO_LONG/i.test(message)) return 'phone-number-too-long'
  return 'invalid-phone-number'
}
