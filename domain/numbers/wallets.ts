import { type Language, listAlternatives } from '../common/language.ts'
import { err, ok, type Result } from '../common/result.ts'
import type { CountryCode } from './destinations.ts'
import { checkRecipientPhone } from './phone.ts'

export interface Wallet<Id extends string = ReceivingMethod> {
  readonly id: Id
  /** The same in every language. */
  readonly name: string
  readonly country: CountryCode
  /** Our own logo: the path `mark` on a 20 by 20 grid, in `ink` on `color`. */
  readonly mark: string
  readonly color: string
  readonly ink: string
  /** The operator has this wallet; `beginnings` as the numbering plan assigns them. */
  readonly operator?: { readonly name: string; readonly beginnings: readonly string[] }
}

export type WalletRequiredProblem = { readonly kind: 'walletRequired'; readonly country: CountryCode }

const DARK = '#17302b'
const LIGHT = '#f8f5ee'

/** In each country's display order; the first is preselected. Specification, sections 3 and 5. */
const WALLETS = [
  {
    id: 'orange_money',
    name: 'Orange Money',
    country: 'GN',
    color: '#ff8a3d',
    ink: DARK,
    mark: 'M6 14 14 6M8 6h6v6',
    operator: { name: 'Orange', beginnings: ['+22461', '+22462'] },
  },
  {
    id: 'mtn_money',
    name: 'MTN Money',
    country: 'GN',
    color: '#ffcf33',
    ink: DARK,
    mark: 'M4 10a6 4.5 0 1 0 12 0 6 4.5 0 1 0-12 0',
    operator: { name: 'MTN', beginnings: ['+22466'] },
  },
  {
    id: 'paylib',
    name: 'Paylib',
    country: 'FR',
    color: '#2457a6',
    ink: LIGHT,
    mark: 'M7 16V5h4a3.5 3.5 0 0 1 0 7H7',
  },
  { id: 'wero', name: 'Wero', country: 'FR', color: '#ffcf33', ink: DARK, mark: 'M4 6l3 8 3-7 3 7 3-8' },
  {
    id: 'interac',
    name: 'Interac',
    country: 'CA',
    color: '#2457a6',
    ink: LIGHT,
    mark: 'M5 8h10l-3-3M15 12H5l3 3',
  },
] as const satisfies readonly Wallet<string>[]

export type ReceivingMethod = (typeof WALLETS)[number]['id']

const EVERY: readonly Wallet[] = WALLETS

/** In display order. Specification, section 3. */
export function getWallets(country: CountryCode): readonly Wallet[] {
  return WALLETS.filter((wallet) => wallet.country === country)
}

/**
 * Suggests a wallet for a number (without spaces), which may have been ported. Guinea's plan at the ITU
 * (T020200005B, which still calls MTN Areeba); checked on 2026-11-23.
 */
export function findWalletByPhone(phone: string): Wallet | null {
  if (!checkRecipientPhone(phone).ok) return null
  return (
    EVERY.find(({ operator }) => operator?.beginnings.some((beginning) => phone.startsWith(beginning))) ??
    null
  )
}

export function listWalletNames(country: CountryCode, language: Language): string {
  return listAlternatives(
    getWallets(country).map(({ name }) => name),
    language,
  )
}

/** Null without a wallet, and for one that only a newer app knows. */
export function getWalletName(method: string | null): string | null {
  return WALLETS.find(({ id }) => id === method)?.name ?? null
}

/** Specification, section 5. */
export function getDefaultReceivingMethod(country: CountryCode): ReceivingMethod | null {
  return getWallets(country)[0]?.id ?? null
}

/** Specification, section 5. */
export function checkWallet(
  method: string | null,
  country: CountryCode,
): Result<ReceivingMethod, WalletRequiredProblem> {
  const wallet = WALLETS.find(({ id }) => id === method)
  return wallet?.country === country ? ok(wallet.id) : err({ kind: 'walletRequired', country })
}
