import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CountryCode } from '../../../domain/destinations.ts'
import type { Status } from '../../../domain/status.ts'

export const STATUS_NAMES: Record<Status, MessageDescriptor> = {
  completed: msg`Payé`,
  pending: msg`En cours`,
  failed: msg`Échoué`,
  canceled: msg`Annulé`,
  unknown: msg`Inconnu`,
}

export const COUNTRY_NAMES: Record<CountryCode, MessageDescriptor> = {
  GN: msg`Guinée`,
  FR: msg`France`,
  CA: msg`Canada`,
}
