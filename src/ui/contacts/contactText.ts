import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { DataOperation, Failure } from '../../../domain/errors/failure.ts'
import type { ContactProblem } from '../../../domain/people/contact.ts'
import { getFailureText, OPERATION_FAILURE_TEXTS } from '../failureText.ts'
import { getPhoneProblemText } from '../fieldText.ts'

const SIGNED_OUT = msg`Connectez-vous pour gérer vos contacts.`
const OFFLINE = msg`Pas de réseau : voici les contacts gardés sur cet appareil.`
const NEEDS_NETWORK = msg`Pas de réseau : rien n’a été enregistré, et rien n’est perdu. Réessayez dès que le réseau revient.`

/** Specification, section 8. */
export const getContactLoadFailureText = (failure: Failure): MessageDescriptor =>
  failure.kind === 'network' ? OFFLINE : getContactFailureText(failure, 'fetchContacts')

/** Specification, section 8. */
export const contactChangeFailureText =
  (operation: 'addContact' | 'renameContact' | 'deleteContact') =>
  (failure: Failure): MessageDescriptor =>
    failure.kind === 'network' ? NEEDS_NETWORK : getContactFailureText(failure, operation)

function getContactFailureText(failure: Failure, operation: DataOperation): MessageDescriptor {
  // The rules let signed-in users change their own contacts, so this user is signed out.
  if (failure.kind === 'data' && failure.cause === 'denied') return SIGNED_OUT
  return getFailureText(failure, OPERATION_FAILURE_TEXTS[operation])
}

/** Specification, section 5. */
export function getContactProblemText(problem: ContactProblem, i18n: I18n): string {
  switch (problem.kind) {
    case 'nameRequired':
      return i18n._(msg`Saisissez le nom du contact`)
    case 'contactExists': {
      const { name } = problem
      return i18n._(msg`Ce numéro est déjà dans vos contacts : ${name}`)
    }
    case 'tooManyContacts': {
      const { most } = problem
      return i18n._(
        msg`Vous avez déjà ${most} contacts, le maximum. Supprimez-en un pour en ajouter un autre.`,
      )
    }
    case 'phoneRequired':
    case 'phoneInvalid':
      return getPhoneProblemText(problem, i18n)
  }
}
