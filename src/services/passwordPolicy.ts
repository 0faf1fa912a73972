import { validatePassword } from 'firebase/auth'
import { ServiceError } from '../browser/failure.ts'
import { auth, withAuthErrors } from './authClient.ts'
import { parseAuthError } from './authFailure.ts'

/** If the project's password policy refuses the password, the failure says what the policy asks for. */
export async function withPasswordPolicy<T>(work: Promise<T>, password: string): Promise<T> {
  try {
    return await withAuthErrors(work)
  } catch (error) {
    const cause = error instanceof ServiceError && error.cause
    if (parseAuthError(cause).code !== 'password-does-not-meet-requirements') throw error
    // The SDK does not report the requirements with the refusal.
    const { passwordPolicy } = await withAuthErrors(validatePassword(auth, password))
    const asked = passwordPolicy.customStrengthOptions
    throw new ServiceError({
      kind: 'passwordPolicy',
      policy: {
        minLength: asked.minPasswordLength ?? 0,
        maxLength: asked.maxPasswordLength ?? 0,
        lowercase: asked.containsLowercaseLetter ?? false,
        uppercase: asked.containsUppercaseLetter ?? false,
        digit: asked.containsNumericCharacter ?? false,
        symbol: asked.containsNonAlphanumericCharacter ?? false,
      },
    })
  }
}
