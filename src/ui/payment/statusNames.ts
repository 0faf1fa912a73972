import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { TransferState } from '../../../domain/transfers/progress.ts'

export const STATUS_NAMES: Record<TransferState, MessageDescriptor> = {
  completed: msg`Payé`,
  pending: msg`En cours`,
  failed: msg`Échoué`,
  canceled: msg`Annulé`,
  unknown: msg`Inconnu`,
  received: msg`Reçu`,
  onItsWay: msg`En route`,
  late: msg`Plus tard que prévu`,
  delivered: msg`Arrivé`,
  notDelivered: msg`Non remis`,
  refunded: msg`Remboursé`,
}
