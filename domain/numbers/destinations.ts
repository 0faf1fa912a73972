import type { Currency } from '../money/money.ts'

export type CountryCode = 'GN' | 'FR' | 'CA'

/** Specification, sections 3 and 9. */
export interface Destination {
  readonly code: CountryCode
  /** In English, as stored; screens translate by `code`. */
  readonly name: string
  readonly currency: Currency
  /** Screens may draw their own by `code`, because some systems' fonts have no flags. */
  readonly flag: string
  readonly phonePrefix: string
}

const BY_CODE: Record<CountryCode, Destination> = {
  GN: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳', phonePrefix: '+224' },
  FR: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷', phonePrefix: '+33' },
  CA: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦', phonePrefix: '+1' },
}

/** In display order. */
export const DESTINATIONS: readonly Destination[] = Object.values(BY_CODE)

export function getDestination(code: CountryCode): Destination {
  return BY_CODE[code]
}

/** By the prefix of a number without spaces. Specification, section 5. */
export function findDestination(phone: string): Destination | null {
  return DESTINATIONS.find(({ phonePrefix }) => phone.startsWith(phonePrefix)) ?? null
}
