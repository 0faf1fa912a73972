import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { PASSWORD_MIN_LENGTH } from '../../domain/account/password.ts'
import type { PhoneProblem } from '../../domain/numbers/phone.ts'
import type { PhoneFormProblem } from '../../machines/phoneOtp.ts'

// Message descriptors follow a change of the language. Specification, section 5.
export const NAME_REQUIRED = msg`Saisissez votre nom complet`
export const EMAIL_INVALID = msg`Saisissez une adresse e-mail valide.`
export const PASSWORD_TOO_SHORT = msg`Le mot de passe doit contenir au moins ${PASSWORD_MIN_LENGTH} caractères.`

/** Specification, section 5. */
export function getPhoneProblemText(problem: PhoneProblem, i18n: I18n): string {
  if (problem.kind === 'phoneRequired') return i18n._(msg`Saisissez un numéro de téléphone`)
  const { example } = problem
  return i18n._(msg`Saisissez un numéro de téléphone valide (par exemple ${example})`)
}

/** Specification, section 5. */
export const getCodeProblemText = (
  { kind }: Extract<PhoneFormProblem, { field: 'code' }>,
  i18n: I18n,
): string =>
  kind === 'noCode'
    ? i18n._(msg`Aucun code à vérifier. Réessayez.`)
    : i18n._(msg`Saisissez le code reçu par SMS`)
