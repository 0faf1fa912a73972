import { cleanCode } from '../common/clean.ts'
import type { CountryCode } from './destinations.ts'

/** A doubt by the published numbering plans. The user is asked to check the number; it is never refused. */
export type PhoneWarning =
  /** Another country has this area code of +1; `place` is that country (ISO 3166), if known. */
  | { readonly kind: 'notCanadian'; readonly area: string; readonly place: string | null }
  | { readonly kind: 'noSuchNumber'; readonly country: 'CA' | 'FR' }
  /** The country's wallets need a mobile number, which begins differently. */
  | { readonly kind: 'notMobile'; readonly country: CountryCode; readonly beginnings: readonly string[] }

/**
 * Includes non-geographic codes (6XX) and 273, which opens in 2027. Sources: Canadian Numbering Administrator
 * and the CRTC's relief decisions (latest: 942 and 257, from 2025). Checked on 2026-11-23.
 */
const CANADA = new Set(
  (
    '204 226 236 249 250 257 263 273 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 468 474 506 514 519 548 ' +
    '579 581 584 587 600 604 613 622 633 639 644 647 655 672 677 683 688 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905 942'
  ).split(' '),
)

/** The other countries with +1, without the United States. NANPA, checked on 2026-11-23. */
const PLACES: Readonly<Record<string, string>> = {
  242: 'BS',
  246: 'BB',
  264: 'AI',
  268: 'AG',
  284: 'VG',
  340: 'VI',
  345: 'KY',
  441: 'BM',
  473: 'GD',
  649: 'TC',
  658: 'JM',
  664: 'MS',
  670: 'MP',
  671: 'GU',
  684: 'AS',
  721: 'SX',
  758: 'LC',
  767: 'DM',
  784: 'VC',
  787: 'PR',
  809: 'DO',
  829: 'DO',
  849: 'DO',
  868: 'TT',
  869: 'KN',
  876: 'JM',
  939: 'PR',
}

/**
 * Guinea: 6X is mobile, 3X other and 7X internet calls (ITU, T020200005B). France: Arcep's decision
 * 2018-0881. Checked on 2026-11-23.
 */
const MOBILE: readonly {
  readonly country: CountryCode
  readonly prefix: string
  readonly beginnings: readonly string[]
  /** The allocated numbers; undefined if all with these beginnings count as allocated. */
  readonly existing?: RegExp
}[] = [
  { country: 'GN', prefix: '+224', beginnings: ['+224 6'] },
  {
    country: 'FR',
    prefix: '+33',
    beginnings: ['+33 6', '+33 7'],
    existing: /^\+33(?:6(?:[0-24-8]|3[0-8]|9[589])|7[3-9])/,
  },
]

/** An area code or exchange begins with 2 to 9 and is not a service code (N11). */
const isPlace = (digits: string) => /^[2-9]/.test(digits) && !digits.endsWith('11')

/** Takes a complete number without spaces. */
export function findPhoneWarning(phone: string): PhoneWarning | null {
  if (phone.startsWith('+1')) {
    const area = phone.slice(2, 5)
    if (!isPlace(area) || !isPlace(phone.slice(5, 8))) return { kind: 'noSuchNumber', country: 'CA' }
    return CANADA.has(area) ? null : { kind: 'notCanadian', area, place: PLACES[area] ?? null }
  }
  const plan = MOBILE.find(({ prefix }) => phone.startsWith(prefix))
  if (!plan) return null
  const { country, beginnings, existing } = plan
  if (!beginnings.some((beginning) => phone.startsWith(cleanCode(beginning))))
    return { kind: 'notMobile', country, beginnings }
  return existing && !existing.test(phone) ? { kind: 'noSuchNumber', country: 'FR' } : null
}
