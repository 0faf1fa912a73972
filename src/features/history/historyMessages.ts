import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { failureOf } from '../../browser/failure.ts'
import { HISTORY_NOT_LOADED } from '../../ui/failureText.ts'

const OFFLINE = msg`Pas de réseau : voici les transferts déjà vus sur cet appareil.`
const PREPARING = msg`Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.`
const SIGNED_OUT = msg`Connectez-vous pour voir l’historique de vos transferts`

/** Why the list may not be up to date. Specification, section 8. */
export function historyMessage(error: unknown): MessageDescriptor {
  const failure = failureOf(error)
  if (failure.kind === 'network') return OFFLINE
  if (failure.kind !== 'data') return HISTORY_NOT_LOADED
  switch (failure.cause) {
    case 'missingIndex':
      return PREPARING
    // The rules let everybody who is signed in ask for the own transfers, so a refusal is not about rights.
    case 'denied':
      return SIGNED_OUT
    case 'other':
      return HISTORY_NOT_LOADED
  }
}
