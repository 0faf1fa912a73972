import type { CountryCode } from './destinations.ts'
import { normalisePhone } from './phone.ts'

/** Why a number can hardly be one that money arrives at, by the published plans. It is asked about, never refused. */
export type NumberDoubt =
  /** Its area code is of another country that shares +1; `place` is that country (ISO 3166), where it is known here. */
  | { readonly kind: 'notCanadian'; readonly area: string; readonly place: string | null }
  /** No number that begins with +1 is written like this. */
  | { readonly kind: 'noSuchNumber' }
  /** The wallets of the country pay to mobile numbers, which begin otherwise there. */
  | { readonly kind: 'notMobile'; readonly country: CountryCode; readonly beginnings: readonly string[] }

/**
 * The area codes of Canada, those without a place (6XX) and the one that opens in 2027 (273) among them. Canadian Numbering Administrator
 * and the CRTC's decisions on relief (the latest: 942 and 257, from 2025); the same list as in libphonenumber. Looked up on 2026-11-23.
 */
const CANADA = new Set(
  (
    '204 226 236 249 250 257 263 273 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 468 474 506 514 519 548 ' +
    '579 581 584 587 600 604 613 622 633 639 644 647 655 672 677 683 688 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905 942'
  ).split(' '),
)

/** The area codes of the other countries and territories that share +1, but for those of the United States. NANPA, looked up on 2026-11-23. */
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
 * How mobile numbers begin where wallets pay to them. Guinea: its plan at the ITU (T020200005B) has 6X for mobile phones, 3X for others and
 * 7X for calls over the internet. France: Arcep's decision 2018-0881. Looked up on 2026-11-23.
 */
const MOBILE: readonly {
  readonly country: CountryCode
  readonly prefix: string
  readonly beginnings: readonly string[]
}[] = [
  { country: 'GN', prefix: '+224', beginnings: ['+224 6'] },
  { country: 'FR', prefix: '+33', beginnings: ['+33 6', '+33 7'] },
]

/** A place of North America: two to nine, and not the N11 of the short numbers. */
const isPlace = (digits: string) => /^[2-9]/.test(digits) && !digits.endsWith('11')

/** What speaks against a number (whole, without spaces) of a recipient; null for nearly all. */
export function doubtAbout(phone: string): NumberDoubt | null {
  if (phone.startsWith('+1')) {
    const area = phone.slice(2, 5)
    if (!isPlace(area) || !isPlace(phone.slice(5, 8))) return { kind: 'noSuchNumber' }
    return CANADA.has(area) ? null : { kind: 'notCanadian', area, place: PLACES[area] ?? null }
  }
  const plan = MOBILE.find(({ prefix }) => phone.startsWith(prefix))
  if (!plan || plan.beginnings.some((beginning) => phone.startsWith(normalisePhone(beginning)))) return null
  return { kind: 'notMobile', country: plan.country, beginnings: plan.beginnings }
}
