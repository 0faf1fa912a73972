import type { CountryCode } from './destinations.ts'
import { err, ok, type Result } from './result.ts'

export type ReceivingMethod = 'orange_money' | 'mtn_money' | 'paylib' | 'wero' | 'interac'

export type WalletMissing = { readonly kind: 'walletRequired'; readonly country: CountryCode }

/** Brand names: the same in every language. Specification, section 3. */
export const WALLET_NAMES: Record<ReceivingMethod, string> = {
  orange_money: 'Orange Money',
  mtn_money: 'MTN Money',
  paylib: 'Paylib',
  wero: 'Wero',
  interac: 'Interac',
}

const WALLETS: Record<CountryCode, readonly [ReceivingMethod, ...ReceivingMethod[]]> = {
  GN: ['orange_money', 'mtn_money'],
  FR: ['paylib', 'wero'],
  CA: ['interac'],
}

/** The ways to receive money in a country, in the order in which they are offered. Specification, section 3. */
export function walletsOf(country: CountryCode): readonly ReceivingMethod[] {
  return WALLETS[country]
}

/** The wallet that is preselected when a country is chosen: its first. Specification, section 5. */
export function firstWallet(country: CountryCode): ReceivingMethod {
  return WALLETS[country][0]
}

/** A wallet of the recipient's country is required. Specification, section 5. */
export function checkWallet(
  method: string | null,
  country: CountryCode,
): Result<ReceivingMethod, WalletMissing> {
  const wallet = WALLETS[country].find((known) => known === method)
  return wallet ? ok(wallet) : err({ kind: 'walletRequired', country })
}
