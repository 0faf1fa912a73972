import { err, ok, type Result } from '../common/result.ts'

/** Specification, section 9. */
export const PASSWORD_MIN_LENGTH = 6

/** Recommended, not enforced. */
export const PASSWORD_RECOMMENDED_LENGTH = 8

export type PasswordProblem =
  | { readonly kind: 'passwordRequired' }
  | { readonly kind: 'passwordTooShort'; readonly min: number }

export type PasswordChangeProblem =
  | { readonly kind: 'passwordFieldsRequired' | 'passwordMismatch' }
  | { readonly kind: 'passwordTooShort'; readonly min: number }

/** Spaces are part of a password. Specification, section 5. */
export function checkPassword(password: string): Result<string, PasswordProblem> {
  if (password === '') return err({ kind: 'passwordRequired' })
  return countCharacters(password) >= PASSWORD_MIN_LENGTH
    ? ok(password)
    : err({ kind: 'passwordTooShort', min: PASSWORD_MIN_LENGTH })
}

/** Returns the new password. Specification, section 5. */
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
