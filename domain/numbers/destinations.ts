import type { Currency } from '../money/money.ts'

export type CountryCode = 'GN' | 'FR' | 'CA'

/** A country that money can be sent to. Specification, sections 3 and 9. */
export interface Destination {
  readonly code: CountryCode
  /** In English, as stored; screens translate by `code`. */
  readonly name: string
  readonly currency: Currency
  /**
   * The flag as text. Screens may draw their own by `code`, because some systems have no flags in their font.
   */
  readonly flag: string
  readonly phonePrefix: string
}

const BY_CODE: Record<CountryCode, Destination> = {
  GN: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳', phonePrefix: '+224' },
  FR: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷', phonePrefix: '+33' },
  CA: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦', phonePrefix: '+1' },
}

/** Every destination, in display order. */
export const DESTINATIONS: readonly Destination[] = Object.values(BY_CODE)

export function getDestination(code: CountryCode): Destination {
  return BY_CODE[code]
}

/** Finds the country of a phone number (without spaces) by its prefix, or null. Specification, section 5. */
export function findDestination(phone: string): Destination | null {
  return DESTINATIONS.find(({ phonePrefix }) => phone.startsWith(phonePrefix)) ?? null
}
