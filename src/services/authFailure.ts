import { FirebaseError } from 'firebase/app'
import { AUTH_ERROR_CODES, type AuthErrorCode, type Failure } from '../../domain/errors/failure.ts'

/** Drops the prefix `auth/` of the code. */
export function parseAuthError(error: unknown) {
  return {
    message: error instanceof Error ? error.message : '',
    code: error instanceof FirebaseError ? error.code.replace(/^auth\//, '') : '',
  }
}

const isKnown = (code: string): code is AuthErrorCode =>
  (AUTH_ERROR_CODES as readonly string[]).includes(code)

export function toAuthFailure(error: unknown): Failure {
  const { code, message } = parseAuthError(error)
  if (code === 'network-request-failed') return { kind: 'network' }
  // The SDK has no code for a refusal of the project's blocking function.
  if (code === 'error-code:-47' || (code === 'internal-error' && BLOCKED.test(message)))
    return { kind: 'auth', code: 'blocked-by-function' }
  if (code === 'invalid-phone-number') return { kind: 'auth', code: toPhoneCode(message) }
  if (isKnown(code)) return { kind: 'auth', code }
  return { kind: 'authOther', message }
}

const BLOCKED = /Cloud Function returned an error|HTTP request to \S+ returned HTTP error/

/** Specification, section 8. */
function toPhoneCode(message: string): AuthErrorCode {
  if (/TOO_SHORT/i.test(message)) return 'phone-number-too-short'
  if (/TOO_LONG/i.test(message)) return 'phone-number-too-long'
  return 'invalid-phone-number'
}
