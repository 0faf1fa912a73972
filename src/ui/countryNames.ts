import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CountryCode } from '../../domain/numbers/destinations.ts'

export const COUNTRY_NAMES: Record<CountryCode, MessageDescriptor> = {
  GN: msg`Guinée`,
  FR: msg`France`,
  CA: msg`Canada`,
}
