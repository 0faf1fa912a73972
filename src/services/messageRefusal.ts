import type { Failure, NoMessages } from '../../domain/failure.ts'
import { authFailure, saidBy } from './authFailure.ts'

/** A code that begins like this is made of a sentence of the service: it misses a setting of the project, or does not take one. */
const SET_UP =
  /^(api-key-|requests-|firebase-app-check-|(invalid|missing)-(recaptcha|client|req)-|recaptcha-)/

/** The refusals that only the project's owner can end, by the codes that the library makes of the service's answers. */
const OF_PROJECT: ReadonlySet<string> = new Set([
  'admin-restricted-operation',
  'app-not-authorized',
  'billing-not-enabled',
  'configuration-not-found',
  // Too many messages to a country whose codes are seldom entered; the service gives it no name.
  'error-code:-39',
  'invalid-api-key',
  // The captcha's keys or the site's address are not the project's; a new captcha changes nothing.
  'invalid-app-credential',
  'invalid-app-id',
  'missing-app-credential',
  'operation-not-allowed',
  'project-not-found',
  'quota-exceeded',
  'unauthorized-domain',
])

/** The failure in what the library threw when it had to send a text message. The reason may lie with the project, too. */
export function messageFailure(error: unknown): Failure {
  const { code, message } = saidBy(error)
  const reason = whyNoMessages(code, message)
  return reason ? { kind: 'noMessages', reason } : authFailure(error)
}

/**
 * Why no text message can be sent whoever asks: the service refuses the project, not the person. Null when it is about the
 * person's number, captcha or haste, or about the network.
 *
 * @param code the library's, without the `auth/` in front.
 * @param message the service's own words.
 */
function whyNoMessages(code: string, message: string): NoMessages | null {
  if (/\bregion\b/i.test(message)) return 'country'
  // This limit is the number's own, a few messages an hour. Another number helps, or a wait.
  if (/per phone number/i.test(message)) return null
  if (code === 'captcha-check-failed') return /hostname|site.?mismatch/i.test(message) ? 'project' : null
  if (code === 'internal-error') return /billing|quota|not.enabled/i.test(message) ? 'project' : null
  return OF_PROJECT.has(code) || SET_UP.test(code) ? 'project' : null
}
