import { err, ok, type Result } from './result.ts'

/** What is enforced. Texts that name a length are made from it. Specification, section 9. */
export const PASSWORD_MIN_LENGTH = 6

/** What the hint recommends, without enforcing it. */
export const PASSWORD_RECOMMENDED_LENGTH = 8

export type PasswordProblem =
  | { readonly kind: 'passwordRequired' }
  | { readonly kind: 'passwordTooShort'; readonly min: number }

export type PasswordChangeProblem =
  | { readonly kind: 'passwordFieldsRequired' | 'passwordMismatch' }
  | { readonly kind: 'passwordTooShort'; readonly min: number }

/** A new password. Spaces are part of it. Specification, section 5. */
export function checkPassword(password: string): Result<string, PasswordProblem> {
  if (password === '') return err({ kind: 'passwordRequired' })
  return lengthOf(password) >= PASSWORD_MIN_LENGTH
    ? ok(password)
    : err({ kind: 'passwordTooShort', min: PASSWORD_MIN_LENGTH })
}

/** The three fields of a password change; answers the new password. Specification, section 5. */
export function checkPasswordChange({
  current,
  next,
  confirmation,
}: Readonly<Record<'current' | 'next' | 'confirmation', string>>): Result<string, PasswordChangeProblem> {
  if (!current || !next || !confirmation) return err({ kind: 'passwordFieldsRequired' })
  if (lengthOf(next) < PASSWORD_MIN_LENGTH) return err({ kind: 'passwordTooShort', min: PASSWORD_MIN_LENGTH })
  return next === confirmation ? ok(next) : err({ kind: 'passwordMismatch' })
}

function lengthOf(text: string): number {
  return [...text].length
}
