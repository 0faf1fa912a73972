import { err, ok, type Result } from './result.ts'

export type EmailProblem = { readonly kind: 'emailRequired' | 'emailInvalid' }

// The longest address that mail can be sent to.
const MAX_LENGTH = 254

/** Whether it looks like an email address; whether it is one, only a mail can tell. Specification, section 5. */
export function checkEmail(text: string): Result<string, EmailProblem> {
  const email = text.trim()
  if (email === '') return err({ kind: 'emailRequired' })
  const looksRight = email.length <= MAX_LENGTH && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)
  return looksRight ? ok(email) : err({ kind: 'emailInvalid' })
}

/** As much of an address as its owner needs to know it again, and nobody else can write to. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first}…${email.slice(email.lastIndexOf('@'))}`
}
