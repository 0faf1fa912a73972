import { cleanCode } from '../common/clean.ts'
import { err, ok, type Result } from '../common/result.ts'

export type EmailProblem = { readonly kind: 'emailRequired' | 'emailInvalid' }

// The maximum of an SMTP envelope.
const MAX_LENGTH = 254

/** Some browsers convert an international domain to ASCII in the field, so it always gets that form. */
export function cleanEmail(text: string): string {
  const email = cleanCode(text).replace(/^mailto:/i, '')
  const [, domain = ''] = /@([^@/?#:\\]*[^\0-\x7f][^@/?#:\\]*)$/.exec(email) ?? []
  if (domain === '') return email
  try {
    return email.slice(0, -domain.length) + new URL(`https://${domain}`).hostname
  } catch {
    return email
  }
}

/** The sign-in service stores addresses in lower case. */
export const isSameEmail = (address: string, stored: string | null): boolean =>
  address.toLowerCase() === stored?.toLowerCase()

/** Checks that a text looks like an email address. Specification, section 5. */
export function checkEmail(text: string): Result<string, EmailProblem> {
  const email = cleanEmail(text)
  if (email === '') return err({ kind: 'emailRequired' })
  const looksRight = email.length <= MAX_LENGTH && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)
  return looksRight ? ok(email) : err({ kind: 'emailInvalid' })
}

/** Masks an address so that only its owner recognizes it. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first}…${email.slice(email.lastIndexOf('@'))}`
}
