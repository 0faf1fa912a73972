import type { Failure, SmsRefusalScope } from '../../domain/errors/failure.ts'
import { parseAuthError, toAuthFailure } from './authFailure.ts'

/** Codes about a missing or wrong setting of the project. */
const SET_UP =
  /^(api-key-|requests-|firebase-app-check-|(invalid|missing)-(recaptcha|client|req)-|recaptcha-)/

/** Only the project's owner can end these refusals. */
const OF_PROJECT: ReadonlySet<string> = new Set([
  'admin-restricted-operation',
  'app-not-authorized',
  'billing-not-enabled',
  'configuration-not-found',
  // Too many messages to a country whose codes are seldom entered. The service has no name for this code.
  'error-code:-39',
  'invalid-api-key',
  // The captcha's keys or the site's URL don't belong to the project, so a new captcha changes nothing.
  'invalid-app-credential',
  'invalid-app-id',
  'missing-app-credential',
  'operation-not-allowed',
  'project-not-found',
  'quota-exceeded',
  'unauthorized-domain',
])

export function toSmsFailure(error: unknown): Failure {
  const { code, message } = parseAuthError(error)
  const reason = findSmsRefusalScope(code, message)
  return reason ? { kind: 'noMessages', reason } : toAuthFailure(error)
}

/**
 * Null if the cause is the user's number, captcha or rate, or the network. `code` lacks the prefix `auth/`.
 */
function findSmsRefusalScope(code: string, message: string): SmsRefusalScope | null {
  if (/\bregion\b/i.test(message)) return 'country'
  // This limit is a few messages an hour for one number.
  if (/per phone number/i.test(message)) return null
  if (code === 'captcha-check-failed') return /hostname|site.?mismatch/i.test(message) ? 'project' : null
  if (code === 'internal-error') return /billing|quota|not.enabled/i.test(message) ? 'project' : null
  return OF_PROJECT.has(code) || SET_UP.test(code) ? 'project' : null
}
