import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { failureOf } from '../../services/failure.ts'

const OFFLINE = msg`Pas de réseau : voici les transferts déjà vus sur cet appareil.`
const PREPARING = msg`Préparation de l’historique des transferts. Veuillez réessayer dans quelques instants.`
const FAILED = msg`L’historique des transferts n’a pas pu être chargé`

/** Why the list may not be up to date. Specification, section 8. */
export function historyMessage(error: unknown): MessageDescriptor {
  const failure = failureOf(error)
  if (failure.kind === 'network') return OFFLINE
  return failure.kind === 'data' && failure.cause === 'missingIndex' ? PREPARING : FAILED
}
