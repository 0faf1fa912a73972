import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Status } from '../../../domain/status.ts'

export const STATUS_NAMES: Record<Status, MessageDescriptor> = {
  completed: msg`Payé`,
  pending: msg`En cours`,
  failed: msg`Échoué`,
  canceled: msg`Annulé`,
  unknown: msg`Inconnu`,
}

/** Of money that the person received, in place of 'Payé'. */
export const RECEIVED = msg`Reçu`
