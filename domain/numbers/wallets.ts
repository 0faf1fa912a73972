import { type Language, listAlternatives } from '../common/language.ts'
import { err, ok, type Result } from '../common/result.ts'
import type { CountryCode } from './destinations.ts'
import { checkRecipientPhone } from './phone.ts'

export interface Wallet<Id extends string = ReceivingMethod, By extends string = ProviderId> {
  readonly id: Id
  /** The same in every language. */
  readonly name: string
  readonly country: CountryCode
  /** The operator has this wallet; `beginnings` as the numbering plan assigns them. */
  readonly operator?: { readonly name: string; readonly beginnings: readonly string[] }
  /** Pays this wallet out, and may name its holder. Orders store the ID, which never changes. */
  readonly provider?: Provider<By>
}

interface Provider<Id extends string> {
  readonly id: Id
  /** Both are the same in every language. */
  readonly name: string
  readonly service: string
}

export type WalletRequiredProblem = { readonly kind: 'walletRequired'; readonly country: CountryCode }

/** In each country's display order; the first is preselected. Specification, sections 3 and 5. */
const WALLETS = [
  {
    id: 'orange_money',
    name: 'Orange Money',
    country: 'GN',
    operator: { name: 'Orange', beginnings: ['+22461', '+22462'] },
  },
  {
    id: 'mtn_money',
    name: 'MTN Money',
    country: 'GN',
    operator: { name: 'MTN', beginnings: ['+22466'] },
    provider: { id: 'mtn', name: 'MTN', service: 'MTN Mobile Money' },
  },
  { id: 'paylib', name: 'Paylib', country: 'FR' },
  { id: 'wero', name: 'Wero', country: 'FR' },
  { id: 'interac', name: 'Interac', country: 'CA' },
] as const satisfies readonly Wallet<string, string>[]

export type ReceivingMethod = (typeof WALLETS)[number]['id']

export type ProviderId = Extract<(typeof WALLETS)[number], { readonly provider: object }>['provider']['id']

const EVERY: readonly Wallet[] = WALLETS

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

/** Null for a wallet that operators pay by hand alone. */
export const getWalletProvider = (method: string | null): Provider<ProviderId> | null =>
  EVERY.find(({ id }) => id === method)?.provider ?? null

/** Null for payouts by hand, and for providers that only a newer server knows. */
export const findProvider = (by: string): Provider<ProviderId> | null =>
  EVERY.find(({ provider }) => provider?.id === by)?.provider ?? null

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
