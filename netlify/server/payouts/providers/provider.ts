import type { Output } from '../../../../domain/common/schema.ts'
import type { Currency, Money } from '../../../../domain/money/money.ts'
import type { HolderName } from '../../../../domain/numbers/holderName.ts'
import type { ReceivingMethod } from '../../../../domain/numbers/wallets.ts'
import type { PayoutFailure } from '../../../../domain/payouts/deliveryOrder.ts'
import type { payoutSchema } from '../../../../domain/transfers/shapes/payoutSchema.ts'

// The port to payout providers. A new provider is a file next to this one, a line in `providers.ts`, and its
// test. A provider knows nothing about orders, cards and the database: it pays out and reports the state.

export type { PayoutFailure }

/** Orders store these names, so they never change. */
export const PAYOUT_PROVIDERS = ['mtn', 'byHand'] as const
export type PayoutProviderName = (typeof PAYOUT_PROVIDERS)[number]

/** From the sender's approved document, for providers that ask for more than names; no present one does. */
export interface SenderIdentity {
  /** YYYY-MM-DD. */
  readonly birthDate?: string
  readonly documentNumber?: string
}

/** A reference always belongs to the same payout. */
export interface Payout extends Output<typeof payoutSchema> {
  /** Version 4 UUID, chosen and stored by us before the first call. It makes sending again safe. */
  readonly reference: string
  readonly transferId: string
  readonly identity?: SenderIdentity
}

/**
 * Answer to sending. `taken`: accepted, outcome open. `known`: this reference was sent before; only the state
 * says more. `refused`: not accepted, and never will be in this form. `silent`: no answer, an unreadable one,
 * or a failing service (429, 500, an expired token); it may have been accepted.
 */
export type SendResult =
  | { readonly kind: 'taken' | 'known' | 'silent' }
  | { readonly kind: 'refused'; readonly failure: PayoutFailure }

/**
 * State of a reference. `unknown`: the provider never had it. `pending`: in progress. `delivered`: the
 * recipient has the money; `proof` is what their wallet shows. `failed`: final for this reference.
 * `contradicted`: the provider reports a different amount, currency or recipient (`fields`) than we sent, so
 * an operator must check, whatever the state. `silent`: no usable answer.
 */
export type PayoutState =
  | { readonly kind: 'unknown' | 'pending' | 'silent' }
  | { readonly kind: 'contradicted'; readonly fields: readonly PayoutField[] }
  | { readonly kind: 'delivered'; readonly proof: string | null }
  | { readonly kind: 'failed'; readonly failure: PayoutFailure }

export type PayoutField = 'amount' | 'currency' | 'phone'

/**
 * Holder of a number's wallet. `held`: the provider's data about the holder. `none`: it says that no wallet
 * with this number can receive. `silent`: it does not say whether there is one, or who holds it.
 */
export type HolderResult =
  | { readonly kind: 'held'; readonly holder: HolderName }
  | { readonly kind: 'none' | 'silent' }

/** Calls never throw and take a few seconds at most; a failed call is `silent`. */
export interface PayoutApi {
  /** Pays out, once for each reference, however often it is called. */
  readonly send: (payout: Payout) => Promise<SendResult>
  /** Compares the provider's data about the reference with the payout. */
  readonly state: (payout: Payout) => Promise<PayoutState>
  readonly balance: (currency: Currency) => Promise<Money | null>
  /** Whether the provider says that a number ('+224660000000') has no wallet that can receive. */
  readonly lacksWallet?: (phone: string) => Promise<boolean>
  /** Whether the sender's birth date and document number must be read for each payout. */
  readonly asksForIdentity?: boolean
  readonly holder?: (phone: string) => Promise<HolderResult>
}

export interface PayoutProvider {
  readonly name: PayoutProviderName
  /** The first provider in the settings that pays a wallet is used. */
  readonly pays: (wallet: ReceivingMethod) => boolean
  /** Null for operators who pay by hand and report it by `npm run ops -- deliveries delivered`. */
  readonly api: PayoutApi | null
}
