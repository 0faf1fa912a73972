import type { PayoutFailure } from '../../../../domain/delivery.ts'
import type { WalletHolder } from '../../../../domain/holderName.ts'
import type { Currency, Money } from '../../../../domain/money.ts'
import type { ReceivingMethod } from '../../../../domain/wallets.ts'
import type { ProviderName } from '../../platform/payoutSettings.ts'

// The port to whoever pays transfers out. A third provider is a file beside this one, a line in `providers.ts`, and its test. A
// provider knows nothing of orders, cards and the database: it is told what to pay, and asked what became of it.

export type { PayoutFailure }

/** What is to arrive, and where. The same reference always comes with the same payout. */
export interface Payout {
  /** A UUID (its digits say version 4) that we chose and wrote down before the first call: what makes sending again safe. */
  readonly reference: string
  /** The transfer's id, for the provider's own books. */
  readonly transferId: string
  /** In whole minor units. */
  readonly amount: Money
  readonly wallet: ReceivingMethod
  /** The recipient's number, with its country and without spaces: '+224660000000'. */
  readonly phone: string
}

/**
 * What a call to send says. `taken`: the provider has it, and no more is known. `known`: it has had this reference before; only the
 * state says more. `refused`: it has not taken it, and never will in this way. `silent`: no answer, one that can't be read, or
 * one of a service in trouble (429, 500, an expired token): it may have been taken.
 */
export type Sent =
  | { readonly kind: 'taken' | 'known' | 'silent' }
  | { readonly kind: 'refused'; readonly failure: PayoutFailure }

/**
 * What became of a reference. `unknown`: the provider says that it never had it. `pending`: it works on it. `delivered`: the recipient
 * has the money, and `proof` is what their wallet shows. `failed`: for good, with this reference. `contradicted`: it tells of this
 * reference, with another amount, currency or recipient than we sent; `fields` says which. A person has to look, whatever it says became of
 * it. `silent`: nobody knows.
 */
export type PayoutState =
  | { readonly kind: 'unknown' | 'pending' | 'silent' }
  | { readonly kind: 'contradicted'; readonly fields: readonly PayoutField[] }
  | { readonly kind: 'delivered'; readonly proof: string | null }
  | { readonly kind: 'failed'; readonly failure: PayoutFailure }

export type PayoutField = 'amount' | 'currency' | 'phone'

/**
 * Who holds a number's wallet. `held`: there is one, and this is what the provider knows its holder by. `none`: it says that no wallet that could
 * receive has the number. `silent`: it does not say, or not whose.
 */
export type Holder =
  | { readonly kind: 'held'; readonly holder: WalletHolder }
  | { readonly kind: 'none' | 'silent' }

/** A provider that can be called. No call throws, and none takes longer than a few seconds: what went wrong is `silent`. */
export interface PayoutApi {
  /** Pays out, once for each reference, however often it is called. */
  readonly send: (payout: Payout) => Promise<Sent>
  /** What became of this payout's reference, held against what was sent. */
  readonly state: (payout: Payout) => Promise<PayoutState>
  /** What our account there has; null when nobody says. */
  readonly balance: (currency: Currency) => Promise<Money | null>
  /** Whose wallet a number ('+224660000000') is; only of a provider that can tell. */
  readonly holder?: (phone: string) => Promise<Holder>
}

export interface Provider {
  readonly name: ProviderName
  /** Whether it pays to this wallet. Of those that do, the first in the settings is taken. */
  readonly pays: (wallet: ReceivingMethod) => boolean
  /** Null of one that no program can call: people pay, and say so by `npm run ops -- deliveries`. */
  readonly api: PayoutApi | null
}
