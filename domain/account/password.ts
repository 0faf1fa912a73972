import { err, ok, type Result } from '../common/result.ts'

/** The enforced minimum, which the interface texts mention. Specification, section 9. */
export const PASSWORD_MIN_LENGTH = 6

/** The recommended minimum, not enforced. */
export const PASSWORD_RECOMMENDED_LENGTH = 8

export type PasswordProblem =
  | { readonly kind: 'passwordRequired' }
  | { readonly kind: 'passwordTooShort'; readonly min: number }

export type PasswordChangeProblem =
  | { readonly kind: 'passwordFieldsRequired' | 'passwordMismatch' }
  | { readonly kind: 'passwordTooShort'; readonly min: number }

/** Checks a new password. Spaces are part of it. Specification, section 5. */
export function checkPassword(password: string): Result<string, PasswordProblem> {
  if (password === '') return err({ kind: 'passwordRequired' })
  return countCharacters(password) >= PASSWORD_MIN_LENGTH
    ? ok(password)
    : err({ kind: 'passwordTooShort', min: PASSWORD_MIN_LENGTH })
}

/** Checks the three fields of a password change; returns the new password. Specification, section 5. */
export function checkPasswordChange({
  current,
  next,
  confirmation,
}: Readonly<Record<'current' | 'next' | 'confirmation', string>>): Result<string, PasswordChangeProblem> {
  if (!current || !next || !confirmation) return err({ kind: 'passwordFieldsRequired' })
  if (countCharacters(next) < PASSWORD_MIN_LENGTH)
    return err({ kind: 'passwordTooShort', min: PASSWORD_MIN_LENGTH })
  return next === confirmation ? ok(next) : err({ kind: 'passwordMismatch' })
}

function countCharacters(text: string): number {
  return [...text].length
}
