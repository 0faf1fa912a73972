import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { PASSWORD_MIN_LENGTH } from '../../domain/password.ts'
import type { PhoneProblem } from '../../domain/phone.ts'

// Kept as messages, not as texts: they follow when the language changes. Specification, section 5.
export const NAME_REQUIRED = msg`Saisissez votre nom complet`
export const EMAIL_INVALID = msg`Saisissez une adresse e-mail valide.`
export const PASSWORD_TOO_SHORT = msg`Le mot de passe doit contenir au moins ${PASSWORD_MIN_LENGTH} caractères.`

/** What is wrong with a number, in words. Specification, section 5. */
export function phoneText(problem: PhoneProblem, i18n: I18n): string {
  if (problem.kind === 'phoneRequired') return i18n._(msg`Saisissez un numéro de téléphone`)
  const { example } = problem
  return i18n._(msg`Saisissez un numéro de téléphone valide (par exemple ${example})`)
}
