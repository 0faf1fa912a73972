import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { toFailure } from '../../browser/failure.ts'
import { HISTORY_NOT_LOADED } from '../../ui/failureText.ts'

const OFFLINE = msg`Pas de réseau : voici les transferts déjà vus sur cet appareil.`
const PREPARING = msg`Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.`
const SIGNED_OUT = msg`Connectez-vous pour voir l’historique de vos transferts`

/** Specification, section 8. */
export function getHistoryLoadFailureText(error: unknown): MessageDescriptor {
  const failure = toFailure(error)
  if (failure.kind === 'network') return OFFLINE
  const cause = failure.kind === 'data' ? failure.cause : 'other'
  if (cause === 'missingIndex') return PREPARING
  // The rules let signed-in users read their own transfers, so this user is signed out.
  return cause === 'denied' ? SIGNED_OUT : HISTORY_NOT_LOADED
}
