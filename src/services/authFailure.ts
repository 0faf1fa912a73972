import { FirebaseError } from 'firebase/app'
import { AUTH_CODES, type AuthCode, type Failure } from '../../domain/failure.ts'

/** The library's code, without the `auth/` in front, and its words. */
export function saidBy(error: unknown) {
  return {
    message: error instanceof Error ? error.message : '',
    code: error instanceof FirebaseError ? error.code.replace(/^auth\//, '') : '',
  }
}

const isKnown = (code: string): code is AuthCode => (AUTH_CODES as readonly string[]).includes(code)

/** What the library threw, as a failure. */
export function authFailure(error: unknown): Failure {
  const { code, message } = saidBy(error)
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

/** The code of the specification's three that the number stands for. Section 8. */
function phoneCode(message: string): AuthCode {
  if (/TOO_SHORT/i.test(message)) return 'phone-number-too-short'
  if (/TOO_LONG/i.test(message)) return 'phone-number-too-long'
  return 'invalid-phone-number'
}
