import type { CountryCode } from './destinations.ts'
import { type Language, localeOf } from './language.ts'
import { checkRecipientPhone } from './phone.ts'
import { err, ok, type Result } from './result.ts'

export interface Wallet<Id extends string = ReceivingMethod> {
  readonly id: Id
  /** A brand: the same in every language. */
  readonly name: string
  readonly country: CountryCode
  /** Our own drawing of it: the lines of `mark`, on 20 by 20, in `ink` on `colour`. */
  readonly mark: string
  readonly colour: string
  readonly ink: string
  /** Whose numbers have it, and how they begin, where the plan of the country says so. */
  readonly operator?: { readonly name: string; readonly beginnings: readonly string[] }
}

export type WalletMissing = { readonly kind: 'walletRequired'; readonly country: CountryCode }

const DARK = '#17302b'
const LIGHT = '#f8f5ee'

/** Every way to receive money. A country offers its own in this order, and preselects the first. Specification, sections 3 and 5. */
const WALLETS = [
  {
    id: 'orange_money',
    name: 'Orange Money',
    country: 'GN',
    colour: '#ff8a3d',
    ink: DARK,
    mark: 'M6 14 14 6M8 6h6v6',
    operator: { name: 'Orange', beginnings: ['+22461', '+22462'] },
  },
  {
    id: 'mtn_money',
    name: 'MTN Money',
    country: 'GN',
    colour: '#ffcf33',
    ink: DARK,
    mark: 'M4 10a6 4.5 0 1 0 12 0 6 4.5 0 1 0-12 0',
    operator: { name: 'MTN', beginnings: ['+22466'] },
  },
  {
    id: 'paylib',
    name: 'Paylib',
    country: 'FR',
    colour: '#2457a6',
    ink: LIGHT,
    mark: 'M7 16V5h4a3.5 3.5 0 0 1 0 7H7',
  },
  { id: 'wero', name: 'Wero', country: 'FR', colour: '#ffcf33', ink: DARK, mark: 'M4 6l3 8 3-7 3 7 3-8' },
  {
    id: 'interac',
    name: 'Interac',
    country: 'CA',
    colour: '#2457a6',
    ink: LIGHT,
    mark: 'M5 8h10l-3-3M15 12H5l3 3',
  },
] as const satisfies readonly Wallet<string>[]

export type ReceivingMethod = (typeof WALLETS)[number]['id']

const EVERY: readonly Wallet[] = WALLETS

/** The ways to receive money in a country, in the order in which they are offered. Specification, section 3. */
export function walletsOf(country: CountryCode): readonly Wallet[] {
  return WALLETS.filter((wallet) => wallet.country === country)
}

/**
 * The wallet that goes with a number (without spaces), which a person may have taken to another operator: it is proposed, never more. Null for a
 * number that is not whole, and for most. By Guinea's plan at the ITU (T020200005B, where MTN is still named Areeba), as libphonenumber had it
 * from there; looked up on 2026-11-23.
 */
export function walletOfNumber(phone: string): Wallet | null {
  if (!checkRecipientPhone(phone).ok) return null
  return (
    EVERY.find(({ operator }) => operator?.beginnings.some((beginning) => phone.startsWith(beginning))) ??
    null
  )
}

/** Their names in a sentence: 'Paylib ou Wero'. */
export function walletNames(country: CountryCode, language: Language): string {
  const names = walletsOf(country).map(({ name }) => name)
  return new Intl.ListFormat(localeOf(language), { type: 'disjunction' }).format(names)
}

/** Null for no wallet, and for one that only a newer app knows. */
export function walletName(method: string | null): string | null {
  return WALLETS.find(({ id }) => id === method)?.name ?? null
}

/** The wallet that is preselected when a country is chosen: its first. Specification, section 5. */
export function firstWallet(country: CountryCode): ReceivingMethod | null {
  return walletsOf(country)[0]?.id ?? null
}

/** A wallet of the recipient's country is required. Specification, section 5. */
export function checkWallet(
  method: string | null,
  country: CountryCode,
): Result<ReceivingMethod, WalletMissing> {
  const wallet = WALLETS.find(({ id }) => id === method)
  return wallet?.country === country ? ok(wallet.id) : err({ kind: 'walletRequired', country })
}
