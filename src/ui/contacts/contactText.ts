import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ContactProblem } from '../../../domain/contact.ts'
import type { Failure, Operation } from '../../../domain/failure.ts'
import { BY_OPERATION, failureText } from '../failureText.ts'
import { phoneText } from '../fieldText.ts'

const SIGNED_OUT = msg`Connectez-vous pour gérer vos contacts.`
const OFFLINE = msg`Pas de réseau : voici les contacts gardés sur cet appareil.`
const NEEDS_NETWORK = msg`Pas de réseau : rien n’a été enregistré, et rien n’est perdu. Réessayez dès que le réseau revient.`

/** Why the list may not be up to date. Specification, section 8. */
export const loadText = (failure: Failure): MessageDescriptor =>
  failure.kind === 'network' ? OFFLINE : textOf(failure, 'fetchContacts')

/** Why a change came to nothing. Specification, section 8. */
export const changeText =
  (operation: 'addContact' | 'renameContact' | 'deleteContact') =>
  (failure: Failure): MessageDescriptor =>
    failure.kind === 'network' ? NEEDS_NETWORK : textOf(failure, operation)

function textOf(failure: Failure, operation: Operation): MessageDescriptor {
  // The rules let everybody who is signed in change the own contacts, so a refusal is not about rights.
  if (failure.kind === 'data' && failure.cause === 'denied') return SIGNED_OUT
  return failureText(failure, BY_OPERATION[operation])
}

/** What is wrong with a field, in words. Specification, section 5. */
export function contactFieldText(problem: ContactProblem, i18n: I18n): string {
  switch (problem.kind) {
    case 'nameRequired':
      return i18n._(msg`Saisissez le nom du contact`)
    case 'contactExists': {
      const { name } = problem
      return i18n._(msg`Ce numéro est déjà dans vos contacts : ${name}`)
    }
    case 'phoneRequired':
    case 'phoneInvalid':
      return phoneText(problem, i18n)
  }
}
